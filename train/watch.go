package train

import (
	"context"
	"math"

	"instanton/batch"
	"instanton/evaluate"
	"instanton/internal/special"
	"instanton/internal/vec"
	"instanton/rbm"
	"instanton/unit"
)

// Watch follows the likelihood of a model through its training, and says in the end whether the model can be relied on.
//
// The log-likelihood is exact where log Z is cheap to find. Otherwise a population of weighted chains follows the
// training. Whatever log Z is estimated to be, no likelihood can exceed −⟨E_eff⟩ − log Σ e^{−E_eff(v)} over the
// distinct configurations seen, the data among them (Check.Bound): a model whose weight has gone to few of its data is
// found out without any chain. A classifier compares the chains of the training with the data.
//
// What a Watch does depends on counts, never on time, so that a training that is interrupted and resumed is judged
// alike.
type Watch struct {
	t       *Trainer
	options WatchOptions
	data    *unit.States
	weights []float64
	sites   rbm.Layer
	plan    watchPlan

	population *population // nil where log Z is exact
	contrast   *contrast
	engine     batch.Engine
	checks     []Check

	// Independent is the mean log-likelihood of independent sites: what a model that has learnt nothing reaches.
	Independent float64
}

// WatchOptions say how a training is watched.
type WatchOptions struct {
	// Estimate forbids exact values of log Z, as if the model were too large for them.
	Estimate bool
	// follow forbids annealing from independent sites as well, as if that failed: for tests.
	follow  bool
	Workers int
}

// Check is what is known about the model after some updates. Unknown numbers are nil.
type Check struct {
	Updates int
	Rate    float64 // the learning rate
	// LogLikelihood is the mean per sample, with its standard error.
	LogLikelihood *float64
	Error         *float64
	Bound         *float64 // what the log-likelihood cannot exceed; nil for real visible units
	// Separation is the probability that a classifier, shown a datum and a chain, tells which is which.
	Separation      *float64
	SeparationError *float64
	// Remaining is by how much the log-likelihood could still be raised along its gradient, or by couplings of sites,
	// as far as the chains tell.
	Remaining *float64
}

// watchRows is the number of samples over which energies are averaged.
const watchRows = 2000

// NewWatch begins to watch a training, before its first update or before Restore.
func NewWatch(t *Trainer, o WatchOptions) (*Watch, error) {
	w := &Watch{t: t, options: o}
	from := t.batches.data
	count := min(watchRows, len(from.Rows))
	w.data = unit.NewStates(from.States.Spec, count)
	for k := range count {
		row := from.Rows[k*len(from.Rows)/count]
		w.data.CopyRow(k, from.States, row)
		if from.Weights != nil {
			w.weights = append(w.weights, from.Weights[row])
		}
	}
	var err error
	if w.sites, err = evaluate.Sites(from.States, from.Weights, from.Rows); err != nil {
		return nil, err
	}
	w.plan = newWatchPlan(t, count, o.Estimate)
	w.Independent = w.independent()
	w.contrast = newContrast(w.data, w.weights)
	if w.engine, err = batch.New(t.Model(), o.Workers); err != nil {
		return nil, err
	}
	if !w.plan.exact {
		// Random numbers of its own: the chains of the population have other numbers than those of the training.
		if w.population, err = newPopulation(t.model, w.sites, t.chains.Seed, o.Workers); err != nil {
			return nil, err
		}
		t.population = w.population // part of a checkpoint
	}
	return w, nil
}

// independent is the mean log-likelihood of independent sites.
func (w *Watch) independent() float64 {
	x, logs := make([]float64, w.data.N), make([]float64, w.data.Len)
	logZ := w.sites.CGF(make([]float64, w.data.Width()))
	for k := range logs {
		w.data.Values(x, k)
		logs[k] = -w.sites.Potential(x) - logZ
	}
	return vec.WeightedMean(logs, w.weights)
}

// Checks is the number of checks that the training affords.
func (w *Watch) Checks() int { return w.plan.checks }

// History lists the checks so far; Resume gives those that an earlier process has made.
func (w *Watch) History() []Check      { return w.checks }
func (w *Watch) Resume(before []Check) { w.checks = append(w.checks[:0], before...) }

// Check looks at the model as it is now. It reports whether the log-likelihood is the highest so far.
func (w *Watch) Check(ctx context.Context) (c Check, best bool, err error) {
	m := w.t.Model()
	c = Check{Updates: w.t.updates, Rate: w.t.Rate()}
	energy, err := w.energy(m)
	if err != nil {
		return c, false, err
	}
	if w.plan.exact {
		err = w.enumerate(&c, m, energy)
	} else {
		err = w.estimate(ctx, &c, m, energy)
	}
	if err != nil {
		return c, false, err
	}
	if n := len(w.checks); w.t.updates == w.t.Total() || n%10 == 9 {
		w.separate(&c, m)
	}
	w.checks = append(w.checks, c)
	return c, bestOf(w.checks) == len(w.checks)-1, nil
}

// enumerate finds the likelihood exactly.
func (w *Watch) enumerate(c *Check, m *rbm.RBM, energy float64) error {
	s, err := evaluate.New(m, nil, nil, false)
	if err != nil {
		return err
	}
	if s.LogZ != nil { // else a quadrature turned out to be too long
		l := -energy - *s.LogZ
		c.LogLikelihood, c.Error = &l, new(float64)
	}
	return w.bound(c, m, energy, w.data, w.t.chains.V)
}

// estimate takes the population to the model. If it no longer tells the likelihood, it starts again from independent
// sites, a few times.
func (w *Watch) estimate(ctx context.Context, c *Check, m *rbm.RBM, energy float64) error {
	p := w.population
	try := func(steps int) error {
		if err := p.follow(ctx, m, steps); err != nil {
			return err
		}
		if err := w.bound(c, m, energy, w.data, w.t.chains.V, p.chains.V); err != nil {
			return err
		}
		logZ, spread := p.logZ()
		l := -energy - logZ
		if p.lost || !special.Finite(l) || !(spread < max(knownError, knownShare*(l-w.Independent))) {
			return nil
		}
		if c.Bound != nil {
			if l > *c.Bound+boundSlack+sigmas*spread {
				return nil
			}
			l = min(l, *c.Bound)
		}
		c.LogLikelihood, c.Error = &l, &spread
		return nil
	}
	left := w.plan.steps*w.plan.checks - int(p.chains.Sweep) // every step makes one sweep
	if err := try(max(w.plan.steps, left/4)); err != nil || c.LogLikelihood != nil {
		return err
	}
	if due := float64(w.t.updates) / float64(w.t.Total()) * mostStarts; p.starts[0] > due {
		return nil // later
	}
	p.begin()
	p.lost = false
	return try(restartSteps * w.plan.steps)
}

// bestOf is the check with the highest log-likelihood, less its error, −1 if none is known.
func bestOf(checks []Check) int {
	top := -1
	for k, c := range checks {
		if c.LogLikelihood != nil && (top < 0 || c.atLeast() > checks[top].atLeast()) {
			top = k
		}
	}
	return top
}

func (c Check) atLeast() float64 { return *c.LogLikelihood - *c.Error }

// Limits of what is known.
const (
	knownError = 0.35 // standard error of log Z, in nats, beyond which eight islands do not tell it,
	knownShare = 0.03 // or as a share of what has been gained over independent sites
	boundSlack = 1e-3
	// unexplainedSlack is what may be left for couplings that the model does not have.
	unexplainedSlack = 0.25
	// The population starts again at most this often, evenly over the training, with longer ladders.
	mostStarts   = 6
	restartSteps = 10
)

// energy is the mean of E_eff over the data.
func (w *Watch) energy(m *rbm.RBM) (float64, error) {
	if err := w.engine.Set(m); err != nil {
		return 0, err
	}
	e := make([]float64, w.data.Len)
	w.engine.EffectiveEnergies(e, batch.Visible, w.data)
	return vec.WeightedMean(e, w.weights), nil
}

// bound fills in what the likelihood cannot exceed.
func (w *Watch) bound(c *Check, m *rbm.RBM, energy float64, seen ...*unit.States) error {
	least, err := evaluate.LogZFloor(m, seen...)
	if err != nil || least == nil {
		return err
	}
	b := -energy - *least
	c.Bound = &b
	return nil
}

// separate asks the classifier. Chains of contrastive divergence start at the data, so that it would be fooled.
func (w *Watch) separate(c *Check, m *rbm.RBM) {
	chains := w.t.Chains().V
	if w.t.options.Contrastive {
		if w.population == nil {
			return
		}
		chains = w.population.draws()
	}
	w.compare(c, m, chains)
}

// compare fills in how configurations differ from the data, if they do so more than those seen before.
func (w *Watch) compare(c *Check, m *rbm.RBM, chains *unit.States) {
	area, spread, err := w.contrast.separation(m, chains)
	if err == nil && !math.IsNaN(area) &&
		(c.Separation == nil || area-2*spread > *c.Separation-2**c.SeparationError) {
		c.Separation, c.SeparationError = &area, &spread
	}
	if chains.Len >= 2*contrastLeast {
		left, err := remaining(m, w.contrast.data, w.contrast.weights, chains)
		left = max(left, w.contrast.unexplained(chains)-unexplainedSlack)
		if err == nil && special.Finite(left) && (c.Remaining == nil || left > *c.Remaining) {
			c.Remaining = &left
		}
	}
}
