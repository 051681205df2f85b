package rbm

import (
	"errors"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"instanton/unit"
)

// Summary describes a model at a glance.
type Summary struct {
	Visible        unit.Spec         `json:"visible"`
	Hidden         unit.Spec         `json:"hidden"`
	Weights        int               `json:"weights"`
	Arrays         []ArraySummary    `json:"arrays"`
	SingularValues []float64         `json:"singular_values"` // the largest of W
	Patterns       int               `json:"patterns"`
	Info           map[string]string `json:"info,omitempty"`
	SHA256         string            `json:"sha256"`
}

// ArraySummary describes one parameter array.
type ArraySummary struct {
	Name string  `json:"name"`
	Min  float64 `json:"min"`
	Mean float64 `json:"mean"`
	Max  float64 `json:"max"`
	Std  float64 `json:"std"`
}

// InfoKeys lists the keys of Info in order.
func (s *Summary) InfoKeys() []string { return slices.Sorted(maps.Keys(s.Info)) }

// Summarise computes the summary of a model.
func Summarise(m *RBM) (*Summary, error) {
	s := &Summary{Visible: m.Visible.Spec(), Hidden: m.Hidden.Spec(), Weights: len(m.W), Info: m.Info}
	if m.Patterns != nil {
		s.Patterns = m.Patterns.Len
	}
	s.Arrays = append(s.Arrays, summariseArray("W", m.W))
	for _, p := range m.namedParams() {
		s.Arrays = append(s.Arrays, summariseArray(p.Name, p.Data))
	}
	var err error
	if s.SingularValues, err = topSingularValues(m, 6); err != nil {
		return nil, err
	}
	s.SHA256, err = m.Fingerprint()
	return s, err
}

func summariseArray(name string, x []float64) ArraySummary {
	a := ArraySummary{Name: name, Min: slices.Min(x), Max: slices.Max(x)}
	for _, v := range x {
		a.Mean += v / float64(len(x))
	}
	var square float64
	for _, v := range x {
		square += (v - a.Mean) * (v - a.Mean) / float64(len(x))
	}
	a.Std = math.Sqrt(square)
	return a
}

// topSingularValues are the square roots of the top eigenvalues of the smaller of WᵀW and WWᵀ.
func topSingularValues(m *RBM, n int) ([]float64, error) {
	w := mat.NewDense(m.Visible.Spec().Width(), m.Hidden.Spec().Width(), m.W)
	rows, cols := w.Dims()
	var gram mat.SymDense
	if rows < cols {
		gram.SymOuterK(1, w)
	} else {
		gram.SymOuterK(1, w.T())
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(&gram, false) {
		return nil, errors.New("the singular values of W did not converge")
	}
	values := eigen.Values(nil)
	slices.Reverse(values)
	values = values[:min(n, len(values))]
	for k, x := range values {
		values[k] = math.Sqrt(max(0, x))
	}
	return values, nil
}
