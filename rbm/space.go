package rbm

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/integrate/quad"

	"instanton/unit"
)

// Space lists the configurations of a layer. For discrete units it is complete. For real ones it is a product grid of
// quadrature nodes, and sums over it with Weight are integrals: good for checks on one or two units.
type Space struct {
	spec    unit.Spec
	values  []float64 // the values one unit runs through
	weights []float64 // their quadrature weights; nil when all are one
	size    int
}

// MaxStates is the largest number of configurations that is enumerated.
const MaxStates = 1 << 26

// NewSpace lists every configuration of a discrete layer.
func NewSpace(spec unit.Spec) (*Space, error) {
	if err := spec.Check(); err != nil {
		return nil, err
	}
	if !spec.Type.Discrete() {
		return nil, fmt.Errorf("%s units take a continuum of values: "+
			"expected spin, Bernoulli or Potts units to enumerate", spec.Type)
	}
	values := make([]float64, spec.States())
	for a := range values {
		values[a] = spec.StateValue(a)
	}
	return newSpace(spec, values, nil)
}

// NewGrid covers [lo,hi] (cut at zero for ReLU units) with panels of Gauss–Legendre nodes, split at zero where the
// potential of ReLU and dReLU units has its kink.
func NewGrid(spec unit.Spec, lo, hi float64, panels int) (*Space, error) {
	const order = 8
	if spec.Type.Discrete() {
		return nil, fmt.Errorf("%s units need no grid", spec.Type)
	}
	var values, weights []float64
	add := func(a, b float64) {
		for p := range panels {
			x, w := make([]float64, order), make([]float64, order)
			step := (b - a) / float64(panels)
			quad.Legendre{}.FixedLocations(x, w, a+float64(p)*step, a+float64(p+1)*step)
			values, weights = append(values, x...), append(weights, w...)
		}
	}
	if low, _ := spec.Range(); low < 0 {
		add(lo, 0)
	}
	add(0, hi)
	return newSpace(spec, values, weights)
}

func newSpace(spec unit.Spec, values, weights []float64) (*Space, error) {
	if logSize := float64(spec.N) * math.Log(float64(len(values))); logSize > math.Log(MaxStates)+1e-9 {
		return nil, fmt.Errorf("%s has e^%.1f configurations: expected at most %d to enumerate",
			spec, logSize, MaxStates)
	}
	size := 1
	for range spec.N {
		size *= len(values)
	}
	return &Space{spec: spec, values: values, weights: weights, size: size}, nil
}

// Spec is the shape of the layer.
func (s *Space) Spec() unit.Spec { return s.spec }

// Size is the number of configurations.
func (s *Space) Size() int { return s.size }

// State sets x to configuration k; unit 0 runs fastest.
func (s *Space) State(x []float64, k int) {
	for i := range x {
		x[i] = s.values[k%len(s.values)]
		k /= len(s.values)
	}
}

// Index is the inverse of State for discrete units.
func (s *Space) Index(x []float64) int {
	k := 0
	for i := len(x) - 1; i >= 0; i-- {
		k = k*len(s.values) + s.spec.StateIndex(x[i])
	}
	return k
}

// Weight is the quadrature weight of configuration k, one for discrete units.
func (s *Space) Weight(k int) float64 {
	if s.weights == nil {
		return 1
	}
	w := 1.0
	for range s.spec.N {
		w *= s.weights[k%len(s.values)]
		k /= len(s.values)
	}
	return w
}
