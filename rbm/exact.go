package rbm

import (
	"fmt"
	"math"

	"instanton/internal/parallel"
	"instanton/internal/special"
)

// Side names a layer.
type Side string

const (
	VisibleSide Side = "visible"
	HiddenSide  Side = "hidden"
)

// LogZ is the logarithm of the partition function Σ_v e^{−E_eff(v)}, by enumeration of the discrete layer with fewer
// configurations; the other layer is summed analytically.
func LogZ(m *RBM) (float64, Side, error) {
	m, space, side, err := enumerable(m)
	if err != nil {
		return 0, "", err
	}
	return logSum(m, space, 1), side, nil
}

// enumerable returns the model turned so that the layer to enumerate is the visible one, and the space of that layer.
func enumerable(m *RBM) (*RBM, *Space, Side, error) {
	v, errV := NewSpace(m.Visible.Spec())
	h, errH := NewSpace(m.Hidden.Spec())
	switch {
	case errV != nil && errH != nil:
		return nil, nil, "", fmt.Errorf("the model is too large for exact enumeration: %w; %w", errV, errH)
	case errH != nil || (errV == nil && v.Size() <= h.Size()):
		return m, v, VisibleSide, nil
	}
	return m.Transpose(), h, HiddenSide, nil
}

// logSum is log Σ_v w(v) e^{−βE_eff(v)} over a space of visible configurations. Chunks of it are summed in parallel and
// added in order, so that the result does not depend on the number of processors.
func logSum(m *RBM, s *Space, beta float64) float64 {
	chunks := parallel.Blocks(s.Size(), chunkSize)
	partial := make([]float64, len(chunks))
	scratch := make([][chunkSize]float64, parallel.Workers(0, len(chunks)))
	parallel.For(0, len(chunks), func(worker, c int) {
		lo, e := chunks[c].Lo, scratch[worker][:chunks[c].Len()]
		energies(m, s, lo, e)
		for k := range e {
			e[k] = math.Log(s.Weight(lo+k)) - beta*e[k]
		}
		partial[c] = special.LogSumExp(e)
	})
	return special.LogSumExp(partial)
}

// chunkSize bounds the rounding errors that add up where inputs are updated unit by unit.
const chunkSize = 4096

// energies sets e to E_eff of configurations lo, lo+1, … of the space, changing the inputs only by the units that
// change from one to the next (about q/(q−1) of them).
func energies(m *RBM, s *Space, lo int, e []float64) {
	spec := s.Spec()
	x := make([]float64, spec.N)
	I := make([]float64, m.Hidden.Spec().Width())
	s.State(x, lo)
	m.Inputs(I, x)
	next := make([]float64, spec.N)
	for k := range e {
		if k > 0 {
			s.State(next, lo+k)
			for i := range next {
				if next[i] != x[i] {
					m.MoveInputs(I, i, x[i], next[i])
					x[i] = next[i]
				}
			}
		}
		e[k] = m.Visible.Potential(x) - m.Hidden.CGF(I)
	}
}

// Distribution is the exact law P(v)^β/Z_β over the visible configurations.
type Distribution struct {
	Space *Space
	P     []float64 // probability of each configuration of Space
	LogZ  float64   // log Σ_v e^{−βE_eff(v)}
	Beta  float64
}

// NewDistribution enumerates a space of visible configurations; nil stands for all of them.
func NewDistribution(m *RBM, s *Space, beta float64) (*Distribution, error) {
	if s == nil {
		var err error
		if s, err = NewSpace(m.Visible.Spec()); err != nil {
			return nil, err
		}
	}
	d := &Distribution{Space: s, P: make([]float64, s.Size()), LogZ: logSum(m, s, beta), Beta: beta}
	chunks := parallel.Blocks(s.Size(), chunkSize)
	parallel.For(0, len(chunks), func(_, c int) {
		lo, p := chunks[c].Lo, d.P[chunks[c].Lo:chunks[c].Hi]
		energies(m, s, lo, p)
		for k := range p {
			p[k] = s.Weight(lo+k) * math.Exp(-beta*p[k]-d.LogZ)
		}
	})
	return d, nil
}

// Entropy is −Σ P log P.
func (d *Distribution) Entropy() float64 {
	var sum float64
	for k, p := range d.P {
		if p > 0 {
			sum -= p * math.Log(p/d.Space.Weight(k))
		}
	}
	return sum
}

// Mean is the average of a function of the configuration.
func (d *Distribution) Mean(f func(v []float64) float64) float64 {
	x := make([]float64, d.Space.Spec().N)
	var sum float64
	for k, p := range d.P {
		d.Space.State(x, k)
		sum += p * f(x)
	}
	return sum
}
