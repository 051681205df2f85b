package mixing

import (
	"instanton/rbm"
	"instanton/unit"
)

// features writes a configuration as a vector in which distances make sense: a Potts unit
// becomes the indicators of its states.
func features(dst []float64, v *unit.States, k int) {
	if v.Type != unit.Potts {
		v.Values(dst, k)
		return
	}
	clear(dst)
	for i, a := range v.CodeRow(k) {
		dst[i*v.Q+int(a)] = 1
	}
}

// allFeatures writes configurations as vectors, at most so many of them, evenly spread.
func allFeatures(v *unit.States, most int) [][]float64 {
	n := min(v.Len, most)
	out := make([][]float64, n)
	for k := range out {
		out[k] = make([]float64, v.Width())
		features(out[k], v, k*v.Len/n)
	}
	return out
}

// Representations are the means ⟨h|v⟩ of the hidden units given each configuration, at most
// so many of them, evenly spread. Potts hidden units count as the indicators of their states.
func Representations(m *rbm.RBM, v *unit.States, most int) [][]float64 {
	n := min(v.Len, most)
	width := m.Hidden.Spec().Width()
	out := make([][]float64, n)
	x, inputs := make([]float64, v.N), make([]float64, width)
	for k := range out {
		v.Values(x, k*v.Len/n)
		m.Inputs(inputs, x)
		out[k] = make([]float64, width)
		m.Hidden.Mean(out[k], inputs)
	}
	return out
}

func squareDistance(a, b []float64) float64 {
	var sum float64
	for i, x := range a {
		d := x - b[i]
		sum += d * d
	}
	return sum
}

func dot(a, b []float64) float64 {
	var sum float64
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

// meanOf is the mean of vectors.
func meanOf(x [][]float64) []float64 {
	mean := make([]float64, len(x[0]))
	for _, row := range x {
		for i, v := range row {
			mean[i] += v / float64(len(x))
		}
	}
	return mean
}
