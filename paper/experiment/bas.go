package experiment

import (
	"context"
	"fmt"
	"math"
	"slices"

	"instanton/batch"
	"instanton/dataset"
	"instanton/evaluate"
	"instanton/internal/special"
	"instanton/latent"
	"instanton/paper/verdict"
	"instanton/sampler"
	"instanton/train"
	"instanton/unit"
)

// BASKind names one of the models trained on Bars and Stripes.
type BASKind string

// The models of Bars and Stripes.
const (
	BASSparse    BASKind = "bas-l1"        // the paper's: 2L Gaussian hidden units and L1
	BASPlain     BASKind = "bas-plain"     // without L1
	BASSpin      BASKind = "bas-spin"      // the first with spin hidden units
	BASBernoulli BASKind = "bas-bernoulli" // the first with 0/1 hidden units
)

// BASSide is L, 10 in the paper.
func BASSide(s verdict.Settings) int {
	switch {
	case s.Tiny:
		return 4
	case s.Quick:
		return 8
	}
	return 10
}

// BASTraining is how a model is trained: on all images at once, its weights tied under transposition, so that
// bars weigh as much as stripes, which chains that never go from one to the other could not see to. With L1
// the persistent chains make latent moves: those of alternating Gibbs sampling freeze and leave a model that
// prefers some images by far.
func BASTraining(s verdict.Settings, kind BASKind, l1 float64) (Training, error) {
	side := BASSide(s)
	images, err := dataset.BarsAndStripes(side, unit.Spin)
	if err != nil {
		return Training{}, err
	}
	cfg := train.Default()
	cfg.Batch, cfg.Tie, cfg.Seed = images.States.Len, "transpose", s.Seed
	t := Training{Name: string(kind), Data: images, Hidden: fmt.Sprintf("gaussian:%d", 2*side)}
	cfg.Epochs, cfg.Chains, cfg.Optimizer.Rate = 10_000, 200, 0.02
	plain, plainChains, plainRate := 450, 5000, 0.002
	if s.Quick {
		cfg.Epochs, cfg.Chains, cfg.Optimizer.Rate = 4000, 100, 0.03
		plain, plainChains, plainRate = 200, 500, 0.005
	}
	if s.Tiny {
		cfg.Epochs, cfg.Chains, plainChains = 800, 50, 100
	}
	switch kind {
	case BASPlain: // strays from the data when trained for longer, since its chains are stuck
		cfg.Epochs, cfg.Chains, cfg.Sweeps, cfg.Optimizer.Rate = plain, plainChains, 10, plainRate
	default: // alike but for the hidden units
		cfg.Sampler, cfg.Regularize.L1 = "latent", l1
		if kind != BASSparse {
			t.Hidden = fmt.Sprintf("%s:%d", kind[len("bas-"):], 2*side)
		}
	}
	t.Config = cfg
	return t, nil
}

// BASSparsity is the strength of L1 for the Gaussian hidden units.
func BASSparsity(s verdict.Settings) float64 {
	if s.Tiny {
		return 0.05 // what takes 4000 updates otherwise is done in some hundreds
	}
	return 0.01
}

// BAS is a model trained on Bars and Stripes.
type BAS struct {
	*Trained
	Kind  BASKind
	Side  int
	Modes BASModes
}

// TrainBAS trains a model, or finds it trained, and weighs its modes.
func TrainBAS(ctx context.Context, s verdict.Settings, kind BASKind) (*BAS, error) {
	return TrainBASWith(ctx, s, kind, BASSparsity(s))
}

// TrainBASWith is [TrainBAS] with another strength of L1.
func TrainBASWith(ctx context.Context, s verdict.Settings, kind BASKind, l1 float64) (*BAS, error) {
	t, err := BASTraining(s, kind, l1)
	if err != nil {
		return nil, err
	}
	b := &BAS{Kind: kind, Side: BASSide(s)}
	if b.Trained, err = Train(ctx, s, t); err != nil {
		return nil, err
	}
	b.Modes, err = verdict.Keep(s, b.Dir, "modes", s.Tiny, func() (BASModes, error) { return b.weigh(ctx, s) })
	return b, err
}

// BASModes are the weights of the classes in a model, bars, stripes, and the two images that are both.
type BASModes struct {
	Weights  []evaluate.ClassWeight `json:"weights"`
	Valid    float64                `json:"valid"` // probability of all images together
	ValidErr float64                `json:"valid_error"`
	LogZ     float64                `json:"log_z"`
	LogZErr  float64                `json:"log_z_error"`
	LL       float64                `json:"log_likelihood"`
	Largest  float64                `json:"largest"` // probability of the likeliest image
	Smallest float64                `json:"smallest"`
}

// weigh finds the classes' partition functions. The images of a class can be listed, and so the sum S_c of
// their e^{−E} is exact; the images are a share f_c of what chains see that stay about the class, so that
// Z_c = S_c/f_c. It takes chains in equilibrium within the class alone, not between classes. Where they are frozen even
// with latent moves, as in a model without L1, f_c is that about images by their weights, which is not quite the same;
// so what separates log Z from that of annealing beyond their errors is part of the error.
func (b *BAS) weigh(ctx context.Context, s verdict.Settings) (BASModes, error) {
	var m BASModes
	energies, err := batch.EffectiveEnergies(b.Model, b.Data.States)
	if err != nil {
		return m, err
	}
	sums := []float64{math.Inf(-1), math.Inf(-1), math.Inf(-1)}
	lowest, highest := math.Inf(1), math.Inf(-1)
	for k, e := range energies {
		sums[b.Data.Labels[k]] = special.LogAddExp(sums[b.Data.Labels[k]], -e)
		lowest, highest = min(lowest, e), max(highest, e)
	}
	mean, _ := MeanError(energies)
	all := special.LogSumExp(sums)
	if b.Likelihood.Method == "exact" {
		m.LogZ = b.Likelihood.LogZ
		for c, name := range b.Data.LabelNames { // of valid images alone
			m.Weights = append(m.Weights, evaluate.ClassWeight{Name: name, LogZ: sums[c],
				Share: math.Exp(sums[c] - all)})
		}
		m.Valid = math.Exp(all - m.LogZ)
	} else {
		run, err := b.look(ctx, s, energies)
		if err != nil {
			return m, err
		}
		var z []float64
		for c, name := range b.Data.LabelNames {
			f, e := run.validIn(c)
			if c == dataset.Both { // hardly ever seen: as if it were a bar
				f, e = run.validIn(dataset.Bar)
			}
			if f == 0 {
				return m, fmt.Errorf("chains about %ss show no such image: expected some, to find the weight of all",
					name)
			}
			z = append(z, sums[c]-math.Log(f))
			m.Weights = append(m.Weights, evaluate.ClassWeight{Name: name, LogZ: z[c], LogZErr: e / f})
		}
		m.LogZ = special.LogSumExp(z)
		for c := range m.Weights {
			w := &m.Weights[c]
			w.Share = math.Exp(z[c] - m.LogZ)
			w.Error = w.Share * (1 - w.Share) * math.Hypot(m.Weights[0].LogZErr, m.Weights[1].LogZErr)
			m.LogZErr = math.Hypot(m.LogZErr, w.Share*w.LogZErr)
		}
		m.doubt(b.Likelihood)
		m.Valid = math.Exp(all - m.LogZ)
		m.ValidErr = m.Valid * m.LogZErr
	}
	m.LL = -mean - m.LogZ
	m.Largest, m.Smallest = math.Exp(-lowest-m.LogZ), math.Exp(-highest-m.LogZ)
	return m, nil
}

// doubt makes the error of log Z at least as large as what separates it from that of annealing beyond the error of the
// latter.
func (m *BASModes) doubt(l Likelihood) {
	if l.AIS != nil {
		gap := m.LogZ - l.LogZ
		m.LogZErr = math.Sqrt(math.Max(m.LogZErr*m.LogZErr, gap*gap-l.AIS.Error*l.AIS.Error))
	}
}

// look runs chains from images as frequent as in the model, so that chains which do not leave their image count it by
// its weight.
func (b *BAS) look(ctx context.Context, s verdict.Settings, energies []float64) (*BASRun, error) {
	kernel, err := latent.New(b.Model, 1, latent.Options{})
	if err != nil {
		return nil, err
	}
	const chains = 60
	plan := sampler.Plan{Burn: 100, Every: 5, Draws: 60}
	if s.Tiny {
		plan.Burn, plan.Draws = 50, 20
	}
	starts := unit.NewStates(b.Data.States.Spec, chains)
	lowest := slices.Min(energies)
	total, sum, c := 0.0, 0.0, 0
	for _, e := range energies {
		total += math.Exp(lowest - e)
	}
	for k, e := range energies {
		sum += math.Exp(lowest - e)
		for ; c < chains && (float64(c)+0.5)*total <= sum*chains; c++ {
			starts.CopyRow(c, b.Data.States, k)
		}
	}
	return b.runFrom(ctx, s, s.SeedFor("weights of bars and stripes"), kernel, starts, plan)
}
