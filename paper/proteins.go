package paper

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"instanton/dataset"
	"instanton/evaluate"
	"instanton/lattice"
	"instanton/sampler"
	"instanton/train"
	"instanton/unit"
)

// proteinPlan says which sequences of the families A and B a model is trained on, and how.
type proteinPlan struct {
	sequences   int // of each family
	competitors lattice.Choice
	chains      int // of the design
	burn, every int
	hidden      string
	epochs      int
	report      int // updates between reports, whose pseudo-likelihoods cost more than many updates
	annealing   int // steps for the likelihood, 0 for as many as are necessary
	bridge      evaluate.BridgeOptions
}

// twoFamilies is the paper's training on lattice proteins, with the hidden units and the regularisation of
// the literature's code. Families are designed against 10,000 other structures, as those of the literature are.
func twoFamilies(s Settings) proteinPlan {
	if s.Quick {
		return proteinPlan{
			sequences: 600, competitors: lattice.Choice{Count: 10_000, Seed: s.Seed}, chains: 30, burn: 60, every: 4,
			hidden: "drelu:60", epochs: 35, report: 100, annealing: 200, bridge: evaluate.BridgeOptions{Chains: 60, Steps: 200, Burn: 300},
		}
	}
	return proteinPlan{
		sequences: 10_000, competitors: lattice.Choice{Count: 10_000, Seed: s.Seed}, chains: lattice.DefaultChains(10_000, 1), burn: lattice.DefaultBurn, every: lattice.DefaultEvery(1),
		hidden: "drelu:100", epochs: 25, report: 1000, annealing: 5000, bridge: evaluate.BridgeOptions{Chains: 200, Steps: 2000, Burn: 2000},
	}
}

// proteins are two families of lattice proteins and a model of Potts units trained on both.
type proteins struct {
	space   *lattice.Space
	set     *lattice.Competitors // with both natives
	natives [2]int
	*trained
}

// minPnat is the least P_nat of a training sequence.
const minPnat = 0.99

// proteins makes the families and trains the model.
func (s Settings) proteins(ctx context.Context, p proteinPlan) (*proteins, error) {
	x := &proteins{space: lattice.Enumerate()}
	var err error
	if x.set, err = p.competitors.Of(x.space); err != nil {
		return nil, err
	}
	for k, name := range []string{"A", "B"} {
		if x.natives[k], err = lattice.ParseIndex(name); err != nil {
			return nil, err
		}
		if x.set, err = x.set.With(x.natives[k]); err != nil {
			return nil, err
		}
	}
	data, err := x.families(ctx, s, p)
	if err != nil {
		return nil, err
	}
	cfg := train.Default()
	cfg.Epochs, cfg.Sweeps, cfg.Seed, cfg.Regularize.L1b = p.epochs, 5, s.Seed, 0.025
	x.trained, err = s.train(ctx, training{name: "lattice-proteins", data: data, hidden: p.hidden, config: cfg, ais: p.annealing, report: p.report})
	return x, err
}

// families are the sequences of both.
func (x *proteins) families(ctx context.Context, s Settings, p proteinPlan) (*dataset.Dataset, error) {
	d := &dataset.Dataset{Name: "lattice", LabelNames: []string{"A", "B"}, Alphabet: lattice.Alphabet}
	var all []lattice.Sequence
	for class, native := range x.natives {
		f, err := x.designed(ctx, s, p, d.LabelNames[class], native)
		if err != nil {
			return nil, err
		}
		all = append(all, f...)
		for range f {
			d.Labels = append(d.Labels, class)
		}
	}
	d.States = lattice.States(all)
	return d, nil
}

// designed are the sequences of one family, made or found in the folder that figures share.
func (x *proteins) designed(ctx context.Context, s Settings, p proteinPlan, family string, native int) ([]lattice.Sequence, error) {
	design := lattice.Design{
		Competitors: x.set, Native: native, Chains: p.chains, Seed: s.Seed, Workers: s.Workers,
		Ladder: lattice.Rungs(lattice.DefaultLowBeta, lattice.DefaultBeta, lattice.DefaultReplicas(x.set.Len())),
	}
	o := lattice.FamilyOptions{Count: p.sequences, MinPnat: minPnat, Burn: p.burn, Every: p.every}
	name := keyed("lattice-family-"+family, []any{o.Count, o.MinPnat, o.Burn, o.Every, p.competitors, design.Ladder, p.chains, s.Seed})
	dir, err := s.Folder(name)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, "family.npz")
	err = s.Once(name, func() error {
		if _, err := os.Stat(path); err == nil {
			return nil
		}
		s.say("designing %d sequences of family %s", o.Count, family)
		o.Burning = tenths(o.Burn, func(done int) { s.say("family %s: %d of %d sweeps before the first", family, done, o.Burn) })
		o.Found = tenths(o.Count, func(found int) { s.say("family %s: %d of %d sequences", family, found, o.Count) })
		f, err := design.Family(ctx, o)
		if err != nil {
			return err
		}
		d := &dataset.Dataset{Name: "lattice", Alphabet: lattice.Alphabet, States: lattice.States(f.Sequences), Info: map[string]string{
			"structure": family, "competitors": p.competitors.String(), "min_pnat": fmt.Sprint(minPnat), "seed": fmt.Sprint(s.Seed),
		}}
		return d.Save(path, true)
	})
	if err != nil {
		return nil, err
	}
	d, err := dataset.Read(path)
	if err != nil {
		return nil, err
	}
	return lattice.Sequences(d.States)
}

// tenths passes on every tenth of a count.
func tenths(total int, tell func(done int)) func(done int) {
	next := total / 10
	return func(done int) {
		if done >= next && done < total {
			tell(done)
			next = (10*done/total + 1) * total / 10
		}
	}
}

// pnat are the probabilities to fold into A and into B.
func (x *proteins) pnat(v lattice.Sequence) (p [2]float64) {
	z := math.Log(x.set.Partition(v))
	for k, native := range x.natives {
		p[k] = math.Exp(-lattice.Energy(v, x.space.At(native)) - z)
	}
	return p
}

// family gives the probabilities of A and B in P_nat(A) : P_nat(B), for which no other structure is needed.
func (x *proteins) family(v *unit.States) ([][]float64, error) {
	all, err := lattice.Sequences(v)
	if err != nil {
		return nil, err
	}
	p := make([][]float64, len(all))
	for k, sequence := range all {
		d := lattice.Energy(sequence, x.space.At(x.natives[0])) - lattice.Energy(sequence, x.space.At(x.natives[1]))
		p[k] = []float64{1 / (1 + math.Exp(d)), 1 / (1 + math.Exp(-d))}
	}
	return p, nil
}

// inFamily is the probability from which a chain counts as having entered a family: structures differ by
// about 7 kT there, and by 20 and more within families.
const inFamily = 0.999

// follow records chains from sequences of either family by turns.
func (x *proteins) follow(ctx context.Context, s Settings, k sampler.Kernel, chains, steps, every int) (*classRun, error) {
	from, err := examplesByTurns(x.Data, chains)
	if err != nil {
		return nil, err
	}
	return s.runClasses(ctx, k, from, steps, every, judgement{x.Data.LabelNames, x.family, inFamily})
}

// coldWeights weighs the families in P(v)^β.
func (x *proteins) coldWeights(ctx context.Context, s Settings, b evaluate.BridgeOptions, beta int) ([]evaluate.ClassWeight, error) {
	return kept(s, x.Dir, fmt.Sprintf("modes-beta%d", beta), b, func() ([]evaluate.ClassWeight, error) {
		s.say("weighing the families at β = %d", beta)
		m, err := x.Model.Copies(beta)
		if err != nil {
			return nil, err
		}
		cold := trained{Model: m, Data: x.Data}
		return cold.classWeights(ctx, s, b, x.family)
	})
}
