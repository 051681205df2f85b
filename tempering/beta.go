package tempering

import (
	"fmt"
	"math"

	"instanton/batch"
	"instanton/internal/rng"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// betaLadder has the laws P(v)^{β_r}, so that F_r = β_r E_eff. The steps are those of sampler.Gibbs, which is exact for
// every β by copies of the hidden units and a correction.
type betaLadder struct {
	model  *rbm.RBM
	betas  []float64
	gibbs  []*sampler.Gibbs
	engine batch.Engine // of the model itself
}

var _ ladder = (*betaLadder)(nil)

// lowestBeta is the share of β at the bottom for real visible units, whose law at β = 0 cannot be normalised.
const lowestBeta = 0.05

// NewBeta prepares a ladder of inverse temperatures from β = 0, where configurations are drawn exactly, to the given
// one. Its rungs are found by a pilot.
func NewBeta(m *rbm.RBM, beta float64, o Options) (*Kernel, error) {
	if !(beta > 0) || math.IsInf(beta, 0) {
		return nil, fmt.Errorf("a ladder up to β = %g: expected a positive number", beta)
	}
	bottom := 0.0
	if !m.Visible.Spec().Type.Discrete() {
		bottom = lowestBeta
	}
	build := func(points []float64) (ladder, error) {
		betas := make([]float64, len(points))
		for r, x := range points {
			betas[r] = beta * (bottom + (1-bottom)*x)
		}
		return newBetaLadder(m, betas)
	}
	k := &Kernel{model: m, beta: beta}
	return k, o.place(k, build)
}

func newBetaLadder(m *rbm.RBM, betas []float64) (*betaLadder, error) {
	l := &betaLadder{model: m, betas: betas}
	var err error
	if l.engine, err = batch.New(m, 1); err != nil {
		return nil, err
	}
	for _, beta := range betas {
		g, err := sampler.NewGibbs(m, beta)
		if err != nil {
			return nil, err
		}
		l.gibbs = append(l.gibbs, g)
	}
	return l, nil
}

func (l *betaLadder) name() string       { return "tempering" }
func (l *betaLadder) size() int          { return len(l.betas) }
func (l *betaLadder) spec(int) unit.Spec { return l.model.Visible.Spec() }
func (l *betaLadder) describe() string   { return fmt.Sprintf("β %.6g", l.betas) }

func (l *betaLadder) start(c *sampler.Chains, _ int, v *unit.States, k int, _ rng.Stream) {
	v.CopyRow(k, c.V, k)
}

func (l *betaLadder) worker() ladderWorker {
	w := &betaWorker{betaLadder: l, rows: l.engine.Worker()}
	for _, g := range l.gibbs {
		w.steps = append(w.steps, g.Worker())
	}
	return w
}

type betaWorker struct {
	*betaLadder
	steps []sampler.Worker
	rows  batch.Worker
	swapper
	other []float64
}

func (w *betaWorker) step(r int, c *sampler.Chains, lo, hi int, sweep uint64) {
	w.steps[r].Sweep(c, lo, hi, sweep, 1)
}

// exchange has the gain (β_r − β_{r+1})(E(v_r) − E(v_{r+1})).
func (w *betaWorker) exchange(r int, low, high *sampler.Chains, lo, hi int, sweep uint64, bias []float64,
	accepted []bool) {
	gain, other := room(&w.gain, hi-lo), room(&w.other, hi-lo)
	w.rows.Energies(gain, low.V, lo)
	w.rows.Energies(other, high.V, lo)
	for k := range gain {
		gain[k] = bias[k] + (w.betas[r]-w.betas[r+1])*(gain[k]-other[k])
	}
	w.swap(low, high, lo, hi, sweep, gain, accepted)
}

func (w *betaWorker) energies(dst []float64, r int, v *unit.States, lo int) {
	w.rows.Energies(dst, v, lo)
	for k := range dst {
		dst[k] *= w.betas[r]
	}
}

// logZ is that of the uniform law, if the ladder begins there.
func (l *betaLadder) logZ() (float64, bool) {
	spec := l.model.Visible.Spec()
	if l.betas[0] != 0 {
		return 0, false
	}
	return float64(spec.N) * math.Log(float64(spec.States())), true
}
