package train

import (
	"fmt"
	"math"
	"runtime"

	"instanton/evaluate"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// Trainer fits a model, one update at a time.
type Trainer struct {
	cfg     Config
	workers int
	tie     *Symmetry // or nil

	model   *rbm.RBM
	batches *minibatches
	chains  *sampler.Chains
	updates int // done so far
	ascent  *ascent
	coords  *coordinates

	move               mover
	projector          *evaluate.Projector
	positive, negative *phase
	gradient           *rbm.Gradient
	pieces             []*stepPiece
	toVisible          []float64 // fields that compensate a step
	toHidden           []float64
	onVisible          []float64 // derivatives by fields
	onHidden           []float64
	gradNorm, wNorm    float64
}

// New prepares a training of a model with the given hidden units. The number of workers,
// zero for one a processor, changes nothing but the time it takes.
func New(cfg Config, hidden unit.Spec, data Data, workers int) (*Trainer, error) {
	if err := cfg.Check(hidden); err != nil {
		return nil, err
	}
	data, err := data.check()
	if err != nil {
		return nil, err
	}
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	t := &Trainer{cfg: cfg, workers: workers}
	if t.tie, err = cfg.symmetry(hidden, data); err != nil {
		return nil, err
	}
	mean, variance := dataMoments(data)
	if t.tie != nil { // offsets must have the symmetry, too
		averagePartners(mean, t.tie.Visible, data.States.Channels())
		averagePartners(variance, t.tie.Visible, data.States.Channels())
	}
	if t.model, err = initial(hidden, data, mean, cfg.Scale, t.tie, cfg.Seed); err != nil {
		return nil, err
	}
	t.coords = newCoordinates(cfg.Gradient, t.model, mean, variance)
	copy(t.coords.lambda, restMeans(t.model.Hidden))
	t.model.Hidden.Variance(t.coords.spread, make([]float64, len(t.coords.spread)))
	t.batches = newMinibatches(data, cfg.Batch, cfg.Seed)
	if err := t.startChains(data); err != nil {
		return nil, err
	}
	t.ascent = newAscent(cfg.Optimizer, cfg.Clip, t.parameters())
	t.makeRoom()
	return t, nil
}

// startChains puts the chains at draws from independent sites, and picks their kernel.
func (t *Trainer) startChains(data Data) error {
	n := t.cfg.Chains
	if n == 0 || t.cfg.Method == "cd" {
		n = t.batches.states.Len
	}
	sites, err := evaluate.Sites(data.States, data.Weights, data.Rows)
	if err != nil {
		return err
	}
	t.chains = siteChains(t.model, sites, n, t.cfg.Seed)
	t.move = mover{name: t.cfg.Sampler, workers: t.workers}
	if t.move.kernel, err = sampler.New(t.cfg.Sampler, t.model, 1); err != nil {
		return err
	}
	t.move.pool = sampler.NewPool(t.move.kernel, t.workers)
	return nil
}

// makeRoom allocates what an update works in.
func (t *Trainer) makeRoom() {
	nv, nh := t.model.Visible.Spec().Width(), t.model.Hidden.Spec().Width()
	t.projector = evaluate.NewProjector(t.model.Visible.Spec(), nh)
	t.positive = newPhase(t.model, t.projector, t.batches.states.Len)
	t.negative = newPhase(t.model, t.projector, t.chains.V.Len)
	t.gradient = t.model.NewGradient()
	for _, s := range spans(nv, pieceUnits) {
		t.pieces = append(t.pieces, &stepPiece{span: s, toHidden: make([]float64, nh), scale: make([]float64, nh)})
	}
	t.toVisible, t.onVisible = make([]float64, nv), make([]float64, nv)
	t.toHidden, t.onHidden = make([]float64, nh), make([]float64, nh)
}

// symmetry is the tying that the settings ask for, nil for none.
func (c Config) symmetry(hidden unit.Spec, data Data) (*Symmetry, error) {
	if c.Tie != "transpose" {
		return nil, nil
	}
	p, err := Transposition(data.Shape, data.States.N)
	if err != nil {
		return nil, err
	}
	return NewSymmetry(p, hidden.N)
}

// parameters counts all of them.
func (t *Trainer) parameters() int {
	n := len(t.model.W)
	for _, l := range []rbm.Layer{t.model.Visible, t.model.Hidden} {
		for _, p := range l.Params() {
			n += len(p.Data)
		}
	}
	return n
}

// Model is the model as it stands; the next update changes it.
func (t *Trainer) Model() *rbm.RBM { return t.model }

// Chains are the Markov chains of the negative phase.
func (t *Trainer) Chains() *sampler.Chains { return t.chains }

// Updates is the number of updates done, Total that of the whole training.
func (t *Trainer) Updates() int { return t.updates }
func (t *Trainer) Total() int   { return t.cfg.Epochs * t.batches.perEpoch }

// PerEpoch is the number of updates in an epoch.
func (t *Trainer) PerEpoch() int { return t.batches.perEpoch }

// Epoch is the number of times every sample has been seen.
func (t *Trainer) Epoch() float64 { return float64(t.updates) / float64(t.batches.perEpoch) }

// Rate is the learning rate of the next update.
func (t *Trainer) Rate() float64 { return t.cfg.Optimizer.Rate * t.factor() }

func (t *Trainer) factor() float64 {
	return t.cfg.Schedule.Factor(float64(t.updates) / float64(t.Total()))
}

// GradientNorm is the length of the last gradient, WeightNorm that of W.
func (t *Trainer) GradientNorm() float64 { return t.gradNorm }
func (t *Trainer) WeightNorm() float64   { return t.wNorm }

// Update does one update: a minibatch, sweeps of the chains, a step.
func (t *Trainer) Update() error {
	t.batches.take(t.updates)
	var weights []float64 // of the chains
	if t.cfg.Method == "cd" {
		weights = t.batches.weight
		for k := range t.chains.V.Len {
			t.chains.V.CopyRow(k, t.batches.states, k)
		}
	}
	if err := t.move.move(t.model, t.chains, t.cfg.Sweeps); err != nil {
		return fmt.Errorf("at update %d: %w", t.updates+1, err)
	}
	if err := t.setGradient(t.batches.states, t.batches.weight, t.chains.V, weights); err != nil {
		return err
	}
	t.step()
	t.coords.track(t.positive)
	if t.tie != nil {
		averagePartners(t.coords.lambda, t.tie.Hidden, t.model.Hidden.Spec().Channels())
		averagePartners(t.coords.spread, t.tie.Hidden, t.model.Hidden.Spec().Channels())
	}
	if per := t.wNorm / math.Sqrt(float64(t.model.Hidden.Spec().N)); !(per < runaway) {
		return t.diverged("the norm of a hidden unit's weights", per)
	}
	t.updates++
	return nil
}

// setGradient computes the gradient of the mean log-likelihood of the data less the
// regularisers, averages over the model being taken from the given configurations.
func (t *Trainer) setGradient(data *unit.States, dataWeights []float64, model *unit.States, modelWeights []float64) error {
	if err := t.projector.Set(t.model.W); err != nil {
		return t.diverged("a sum of weights", math.NaN())
	}
	standard := t.coords.standardised
	t.positive.gather(data, dataWeights, t.cfg.Regularize.Penalty, standard, t.workers)
	t.negative.gather(model, modelWeights, 0, false, t.workers)
	if !t.positive.finite() || !t.negative.finite() {
		return t.diverged("the mean of a hidden unit", math.NaN())
	}
	g := t.gradient
	clear(g.W)
	clearLayer(g.Visible)
	clearLayer(g.Hidden)
	t.positive.addTo(g, data, 1, t.workers)
	t.negative.addTo(g, model, -1, t.workers)
	t.cfg.Regularize.subtractGradient(g, t.model)
	if t.tie != nil {
		t.tie.averageWeights(t.model, g.W)
		t.tie.averageLayers(g.Visible, g.Hidden)
	}
	sum := squares(g.W)
	for _, l := range []rbm.Layer{g.Visible, g.Hidden} {
		for _, p := range l.Params() {
			sum += squares(p.Data)
		}
	}
	if t.gradNorm = math.Sqrt(sum); t.gradNorm-t.gradNorm != 0 {
		return t.diverged("the norm of the gradient", t.gradNorm)
	}
	return nil
}
