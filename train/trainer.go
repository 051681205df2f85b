package train

import (
	"context"
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

	move               *mover
	up                 *sampler.Gibbs // projects onto the hidden units; the mover's own, if it has one
	crew               *crew
	positive, negative *phase
	gradient           *rbm.Gradient
	pieces             []*stepPiece
	shares             []span            // of the visible units, one for each task of the gradient
	correlations       [][2]*correlation // of every worker, for both phases
	toVisible          []float64         // fields that compensate a step
	toHidden           []float64
	onVisible          []float64 // derivatives by fields
	onHidden           []float64
	columnCosts        []float64 // of the regularisers
	rowSquares         []float64 // of the gradient
	gradNorm, wNorm    float64

	visible, hidden   params // of the model
	gVisible, gHidden params // of the gradient

	gatherTask, gradientTask, stepTask func(worker, i int) // bound once
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
	if t.model, err = initial(hidden, data, mean, variance, cfg.Scale, t.tie, cfg.Seed); err != nil {
		return nil, err
	}
	t.coords = newCoordinates(cfg.Gradient, t.model, mean, variance)
	copy(t.coords.lambda, restMeans(t.model.Hidden))
	t.model.Hidden.Variance(t.coords.spread, make([]float64, len(t.coords.spread)))
	t.batches = newMinibatches(data, cfg.Batch, cfg.Seed)
	if updates := float64(cfg.Epochs) * float64(t.batches.perEpoch); updates*float64(cfg.Sweeps) > 1<<52 {
		return nil, fmt.Errorf("%d epochs of %d updates with %d sweeps each: expected at most 2^52 sweeps in all", cfg.Epochs, t.batches.perEpoch, cfg.Sweeps)
	}
	if err := t.startChains(data); err != nil {
		return nil, err
	}
	t.ascent = newAscent(cfg.Optimizer, cfg.Clip, t.parameters())
	t.makeRoom(t.batches.states.Len, t.chains.V.Len)
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
	if t.move, err = newMover(t.cfg.Sampler, t.model, n, t.workers); err != nil {
		return err
	}
	up, ok := t.move.kernel.(*sampler.Gibbs)
	if !ok {
		up, err = sampler.NewGibbs(t.model, 1)
	}
	t.up = up
	return err
}

// makeRoom allocates what an update with a number of samples and of chains works in.
func (t *Trainer) makeRoom(samples, chains int) {
	nv, nh := t.model.Visible.Spec().Width(), t.model.Hidden.Spec().Width()
	t.crew = newCrew(t.workers)
	t.gradient = t.model.NewGradient()
	t.visible, t.hidden = paramsOf(t.model.Visible), paramsOf(t.model.Hidden)
	t.gVisible, t.gHidden = paramsOf(t.gradient.Visible), paramsOf(t.gradient.Hidden)
	t.pieces = nil
	for _, s := range spans(nv, pieceUnits) {
		t.pieces = append(t.pieces, &stepPiece{span: s, toHidden: make([]float64, nh), scale: make([]float64, nh)})
	}
	t.toVisible, t.onVisible = make([]float64, nv), make([]float64, nv)
	t.toHidden, t.onHidden = make([]float64, nh), make([]float64, nh)
	t.columnCosts, t.rowSquares = make([]float64, nh), make([]float64, nv)
	t.positive, t.negative = newPhase(t.model, t.up, samples), newPhase(t.model, t.up, chains)
	v := t.model.Visible.Spec()
	t.shares = shares(v.N, t.crew.workers, max(1, mostUnits/v.Channels()))
	largest := 0
	for _, s := range t.shares {
		largest = max(largest, s.hi-s.lo)
	}
	t.correlations = make([][2]*correlation, t.crew.workers)
	for w := range t.correlations {
		t.correlations[w] = [2]*correlation{t.positive.correlate.correlation(largest), t.negative.correlate.correlation(largest)}
	}
	t.gatherTask, t.gradientTask = t.gather, t.gradientRows
	t.stepTask = func(_, k int) { t.stepRows(t.pieces[k]) }
}

// mostUnits is the number of visible units of a task of the gradient: enough to pay for
// the tables of a product, few enough for the second-level cache.
const mostUnits = 256

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
	for _, l := range []params{paramsOf(t.model.Visible), paramsOf(t.model.Hidden)} {
		for _, p := range l.data {
			n += len(p)
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

// Update does one update: a minibatch, sweeps of the chains, a step. When the context ends
// before the sweeps do, it is as if it had not begun.
func (t *Trainer) Update(ctx context.Context) error {
	t.batches.take(t.updates)
	var weights []float64 // of the chains
	if t.cfg.Method == "cd" {
		weights = t.batches.weight
		t.chains.V.CopyFrom(t.batches.states)
	}
	if err := t.up.Update(t.model); err != nil {
		return t.diverged("a sum of weights", math.NaN())
	}
	if err := t.move.move(ctx, t.model, t.chains, t.cfg.Sweeps); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("%w (%w)", t.diverged("a unit of a chain", math.Inf(1)), err)
	}
	t.crew.come()
	defer t.crew.leave()
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
	if err := t.hold(t.updates + 1); err != nil {
		return err
	}
	t.updates++
	return nil
}
