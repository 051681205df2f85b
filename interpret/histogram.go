package interpret

import (
	"slices"

	"instanton/dataset"
	"instanton/internal/vec"
	"instanton/rbm"
	"instanton/unit"
)

// Histogram counts the inputs of unit k of Units in equal bins between the smallest and the largest, one row of shares
// for each class of labels, or a single row if labels is nil. The shares of a row sum to one.
func (u *Units) Histogram(k, bins int, labels []int, classes []dataset.Class) (edges []float64, shares [][]float64) {
	x := column(u.inputs, u.width, u.Units[k].channel)
	lo, hi := slices.Min(x), slices.Max(x)
	if !(hi > lo) {
		lo, hi = lo-0.5, hi+0.5
	}
	for b := range bins + 1 {
		edges = append(edges, lo+(hi-lo)*float64(b)/float64(bins))
	}
	row := map[int]int{}
	shares = make([][]float64, max(1, len(classes)))
	totals := make([]float64, len(shares))
	for c := range shares {
		shares[c] = make([]float64, bins)
	}
	for c, class := range classes {
		row[class.Label] = c
	}
	for n, v := range x {
		c := 0
		if len(classes) > 0 {
			c = row[labels[u.Rows[n]]]
		}
		shares[c][min(bins-1, int(float64(bins)*(v-lo)/(hi-lo)))]++
		totals[c]++
	}
	for c := range shares {
		vec.Scale(1/max(1, totals[c]), shares[c])
	}
	return edges, shares
}

// MeanAt is ⟨h|I⟩ of unit k of Units for each of the inputs x. Other states of a Potts unit have their mean inputs.
func (u *Units) MeanAt(m *rbm.RBM, k int, x []float64) []float64 {
	c := u.Units[k].channel
	I, mean, out := make([]float64, u.width), make([]float64, u.width), make([]float64, len(x))
	if m.Hidden.Spec().Type == unit.Potts {
		for _, other := range u.Units {
			I[other.channel] = other.InputMean
		}
	}
	for n, v := range x {
		I[c] = v
		m.Hidden.Mean(mean, I)
		out[n] = mean[c]
	}
	return out
}
