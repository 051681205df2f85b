package mixing

import (
	"instanton/batch"
	"instanton/internal/rng"
	"instanton/internal/vec"
	"instanton/rbm"
	"instanton/unit"
)

// features writes a configuration as a vector for which distances make sense: a Potts unit becomes the indicators of
// its states.
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

// thin picks at most the given number of n draws: one at random from each of as many equal intervals. With a fixed
// step, a periodic chain could always be seen in the same phase.
func thin(n, most int) []int {
	count := min(n, most)
	out := make([]int, count)
	r := rng.New(0, rng.Thin, 0, 0).Rand()
	for k := range out {
		lo, hi := k*n/count, (k+1)*n/count
		out[k] = lo + r.IntN(hi-lo)
	}
	return out
}

// pick copies the configurations with the given indices.
func pick(v *unit.States, at []int) *unit.States {
	out := unit.NewStates(v.Spec, len(at))
	for k, j := range at {
		out.CopyRow(k, v, j)
	}
	return out
}

// allFeatures writes configurations as vectors.
func allFeatures(v *unit.States) [][]float64 {
	out := make([][]float64, v.Len)
	for k := range out {
		out[k] = make([]float64, v.Width())
		features(out[k], v, k)
	}
	return out
}

// Representations returns the means ⟨h|v⟩ of the hidden units given each configuration; Potts hidden units are written
// as the indicators of their states.
func Representations(m *rbm.RBM, v *unit.States) [][]float64 {
	width := m.Hidden.Spec().Width()
	means := make([]float64, v.Len*width)
	prepare(m).Means(means, batch.Hidden, v)
	out := make([][]float64, v.Len)
	for k := range out {
		out[k] = means[k*width : (k+1)*width : (k+1)*width]
	}
	return out
}

// prepare makes the batch engine of a model. It fails only if sums of weights overflow, which does not happen in
// models that were read, built or trained.
func prepare(m *rbm.RBM) batch.Engine {
	e, err := batch.New(m, 0)
	if err != nil {
		panic(err)
	}
	return e
}

// meanOf is the mean of vectors.
func meanOf(x [][]float64) []float64 {
	mean := make([]float64, len(x[0]))
	for _, row := range x {
		vec.AddScaled(mean, 1/float64(len(x)), row)
	}
	return mean
}
