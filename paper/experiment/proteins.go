package experiment

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"instanton/dataset"
	"instanton/evaluate"
	"instanton/lattice"
	"instanton/paper/verdict"
	"instanton/sampler"
	"instanton/train"
	"instanton/unit"
)

// ProteinPlan says which sequences of the families A and B a model is trained on, and how.
type ProteinPlan struct {
	Sequences   int // of each family
	Competitors lattice.Choice
	Chains      int // of the design
	Burn, Every int
	Hidden      string
	Epochs      int
	Report      int // updates between reports, whose pseudo-likelihoods cost more than many updates
	Annealing   int // steps for the likelihood, 0 for as many as are necessary
	Bridge      evaluate.BridgeOptions
}

// TwoFamilies is the paper's training on lattice proteins, with the hidden units and the regularisation of
// the literature's code. Families are designed against 10,000 other structures, as those of the literature are.
func TwoFamilies(s verdict.Settings) ProteinPlan {
	if s.Quick {
		return ProteinPlan{
			Sequences: 600, Competitors: lattice.Choice{Count: 10_000, Seed: s.Seed}, Chains: 30, Burn: 60, Every: 4,
			Hidden: "drelu:60", Epochs: 35, Report: 100, Annealing: 200,
			Bridge: evaluate.BridgeOptions{Chains: 60, Steps: 200, Burn: 300},
		}
	}
	return ProteinPlan{
		Sequences: 10_000, Competitors: lattice.Choice{Count: 10_000, Seed: s.Seed},
		Chains: lattice.DefaultChains(10_000, 1), Burn: lattice.DefaultBurn, Every: lattice.DefaultEvery(1),
		Hidden: "drelu:100", Epochs: 25, Report: 1000, Annealing: 5000,
		Bridge: evaluate.BridgeOptions{Chains: 200, Steps: 2000, Burn: 2000},
	}
}

// Proteins are two families of lattice proteins and a model of Potts units trained on both.
type Proteins struct {
	space       *lattice.Space
	Competitors *lattice.Competitors // with both natives
	Natives     [2]int
	*Trained
}

// Structure is that of a family.
func (x *Proteins) Structure(class int) lattice.Structure { return x.space.At(x.Natives[class]) }

// MinPnat is the least P_nat of a training sequence.
const MinPnat = 0.99

// TrainProteins makes the families and trains the model.
func TrainProteins(ctx context.Context, s verdict.Settings, p ProteinPlan) (*Proteins, error) {
	x := &Proteins{space: lattice.Enumerate()}
	var err error
	if x.Competitors, err = p.Competitors.Of(x.space); err != nil {
		return nil, err
	}
	for k, name := range []string{"A", "B"} {
		if x.Natives[k], err = lattice.ParseIndex(name); err != nil {
			return nil, err
		}
		if x.Competitors, err = x.Competitors.With(x.Natives[k]); err != nil {
			return nil, err
		}
	}
	data, err := x.families(ctx, s, p)
	if err != nil {
		return nil, err
	}
	cfg := train.Default()
	cfg.Epochs, cfg.Sweeps, cfg.Seed, cfg.Regularize.L1b = p.Epochs, 5, s.Seed, 0.025
	x.Trained, err = Train(ctx, s, Training{Name: "lattice-proteins", Data: data, Hidden: p.Hidden, Config: cfg,
		AIS: p.Annealing, Report: p.Report})
	return x, err
}

// families are the sequences of both.
func (x *Proteins) families(ctx context.Context, s verdict.Settings, p ProteinPlan) (*dataset.Dataset, error) {
	d := &dataset.Dataset{Name: "lattice", LabelNames: []string{"A", "B"}, Alphabet: lattice.Alphabet}
	var all []lattice.Sequence
	for class, native := range x.Natives {
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
func (x *Proteins) designed(ctx context.Context, s verdict.Settings, p ProteinPlan, family string,
	native int) ([]lattice.Sequence, error) {
	design := lattice.Design{
		Competitors: x.Competitors, Native: native, Chains: p.Chains, Seed: s.Seed, Workers: s.Workers,
		Ladder: lattice.Rungs(lattice.DefaultLowBeta, lattice.DefaultBeta,
			lattice.DefaultReplicas(x.Competitors.Len())),
	}
	o := lattice.FamilyOptions{Count: p.Sequences, MinPnat: MinPnat, Burn: p.Burn, Every: p.Every}
	name := verdict.Keyed("lattice-family-"+family,
		[]any{o.Count, o.MinPnat, o.Burn, o.Every, p.Competitors, design.Ladder, p.Chains, s.Seed})
	dir, err := s.Folder(name)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, "family.npz")
	err = s.Once(name, func() error {
		if _, err := os.Stat(path); err == nil {
			return nil
		}
		s.Progress("designing %d sequences of family %s", o.Count, family)
		o.Burning = tenths(o.Burn,
			func(done int) { s.Progress("family %s: %d of %d sweeps before the first", family, done, o.Burn) })
		o.Found = tenths(o.Count,
			func(found int) { s.Progress("family %s: %d of %d sequences", family, found, o.Count) })
		f, err := design.Family(ctx, o)
		if err != nil {
			return err
		}
		d := &dataset.Dataset{Name: "lattice", Alphabet: lattice.Alphabet, States: lattice.States(f.Sequences),
			Info: map[string]string{
				"structure": family, "competitors": p.Competitors.String(), "min_pnat": fmt.Sprint(MinPnat),
				"seed": fmt.Sprint(s.Seed),
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

// Pnat are the probabilities to fold into A and into B.
func (x *Proteins) Pnat(v lattice.Sequence) (p [2]float64) {
	z := math.Log(x.Competitors.Partition(v))
	for k, native := range x.Natives {
		p[k] = math.Exp(-lattice.Energy(v, x.space.At(native)) - z)
	}
	return p
}

// Family gives the probabilities of A and B in P_nat(A) : P_nat(B), for which no other structure is needed.
func (x *Proteins) Family(v *unit.States) ([][]float64, error) {
	all, err := lattice.Sequences(v)
	if err != nil {
		return nil, err
	}
	p := make([][]float64, len(all))
	for k, sequence := range all {
		d := lattice.Energy(sequence, x.space.At(x.Natives[0])) - lattice.Energy(sequence, x.space.At(x.Natives[1]))
		p[k] = []float64{1 / (1 + math.Exp(d)), 1 / (1 + math.Exp(-d))}
	}
	return p, nil
}

// InFamily is the probability from which a chain counts as having entered a family: structures differ by
// about 7 kT there, and by 20 and more within families.
const InFamily = 0.999

// Record records chains from sequences of both families in turn.
func (x *Proteins) Record(ctx context.Context, s verdict.Settings, k sampler.Kernel, chains, steps,
	every int) (*ClassRun, error) {
	from, err := InterleavedExamples(x.Data, chains)
	if err != nil {
		return nil, err
	}
	return RunClasses(ctx, s, k, from, steps, every, Classes{x.Data.LabelNames, x.Family, InFamily})
}

// FamilyWeights weighs the families in P(v)^β.
func (x *Proteins) FamilyWeights(ctx context.Context, s verdict.Settings, b evaluate.BridgeOptions,
	beta int) ([]evaluate.ClassWeight, error) {
	return verdict.Keep(s, x.Dir, fmt.Sprintf("modes-beta%d", beta), b, func() ([]evaluate.ClassWeight, error) {
		s.Progress("weighing the families at β = %d", beta)
		m, err := x.Model.Copies(beta)
		if err != nil {
			return nil, err
		}
		cold := Trained{Model: m, Data: x.Data}
		return cold.ClassWeights(ctx, s, b, x.Family)
	})
}
