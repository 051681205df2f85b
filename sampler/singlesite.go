package sampler

import (
	"fmt"

	"instanton/internal/rng"
	"instanton/rbm"
	"instanton/unit"
)

// singleSite is what Metropolis and Glauber moves share: sites are chosen at random, one by one, in the landscape
// E_eff(v), and the inputs of the hidden units are kept up to date at a cost of O(M) per flip. One sweep is N
// attempts.
type singleSite struct {
	model *rbm.RBM
	beta  float64
	slope []float64 // V_i is linear in a discrete unit: −field of each channel
}

func newSingleSite(m *rbm.RBM, beta float64) (*singleSite, error) {
	if err := checkBeta(m, beta); err != nil {
		return nil, err
	}
	spec := m.Visible.Spec()
	if !spec.Type.Discrete() {
		return nil, fmt.Errorf("%s visible units: single-site moves need spin, Bernoulli or Potts units; "+
			"use the gibbs sampler", spec.Type)
	}
	s := &singleSite{model: m, beta: beta, slope: make([]float64, spec.Width())}
	m.Visible.Slope(s.slope, nil)
	return s, nil
}

func (s *singleSite) Model() *rbm.RBM   { return s.model }
func (s *singleSite) Beta() float64     { return s.beta }
func (s *singleSite) Hidden() rbm.Layer { return nil }
func (s *singleSite) Steps() int        { return s.model.Visible.Spec().N }

// potentialStep is V_i(to) − V_i(from).
func (s *singleSite) potentialStep(i int, from, to float64) float64 {
	if spec := s.model.Visible.Spec(); spec.Type == unit.Potts {
		return s.slope[i*spec.Q+int(to)] - s.slope[i*spec.Q+int(from)]
	}
	return s.slope[i] * (to - from)
}

// siteWorker is the state of one chain during a sweep.
type siteWorker struct {
	*singleSite
	x      []float64 // the configuration
	inputs []float64 // of the hidden units
	trial  []float64 // inputs after the proposed move
	cgf    float64   // ΣΓ_μ at inputs
}

func (s *singleSite) worker() siteWorker {
	width := s.model.Hidden.Spec().Width()
	return siteWorker{singleSite: s, x: make([]float64, s.model.Visible.Spec().N), inputs: make([]float64, width),
		trial: make([]float64, width)}
}

// sweep takes each chain through n sweeps of attempts. The inputs are computed afresh in each sweep, so that rounding
// errors neither accumulate nor depend on where a run was interrupted.
func (w *siteWorker) sweep(c *Chains, lo, hi int, first uint64, n int, attempt func(site int, block [4]uint32) bool) {
	sites := len(w.x)
	for k := lo; k < hi; k++ {
		c.V.Values(w.x, k)
		for t := range uint64(n) {
			w.model.Inputs(w.inputs, w.x)
			w.cgf = w.model.Hidden.CGF(w.inputs)
			stream := rng.New(c.Seed, rng.Site, c.First+uint32(k), first+t)
			for a := range sites {
				block := stream.Block(uint32(a))
				if attempt(rng.Below(block[0], block[1], sites), block) {
					c.Accepted[k]++
				}
			}
			c.Proposed[k] += uint64(sites)
		}
		c.V.SetValues(k, w.x)
	}
}

// consider prepares the move of site i to a new value and returns the change of E_eff and the new ΣΓ.
func (w *siteWorker) consider(i int, to float64) (delta, cgf float64) {
	copy(w.trial, w.inputs)
	w.model.MoveInputs(w.trial, i, w.x[i], to)
	cgf = w.model.Hidden.CGF(w.trial)
	return w.potentialStep(i, w.x[i], to) - (cgf - w.cgf), cgf
}

// commit makes the considered move.
func (w *siteWorker) commit(i int, to, cgf float64) {
	w.x[i], w.cgf = to, cgf
	w.inputs, w.trial = w.trial, w.inputs
}

// siteTransition writes out one attempt. Given the energies of all values of the chosen site and its current value,
// law calls emit with the probability of each new value.
func (s *singleSite) siteTransition(
	v *rbm.Space, law func(energy []float64, now int, emit func(value int, p float64)),
) (*rbm.Transition, error) {
	spec := v.Spec()
	x := make([]float64, spec.N)
	energy := make([]float64, spec.States())
	return rbm.NewTransition(v.Size(), 1e-12, func(from int, emit func(to int, p float64)) {
		for i := range spec.N {
			v.State(x, from)
			now := spec.StateIndex(x[i])
			for a := range energy {
				x[i] = spec.StateValue(a)
				energy[a] = s.model.EffectiveEnergy(x)
			}
			law(energy, now, func(a int, p float64) {
				x[i] = spec.StateValue(a)
				emit(v.Index(x), p/float64(spec.N))
			})
		}
	})
}
