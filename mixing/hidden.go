package mixing

import (
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"instanton/batch"
	"instanton/cluster"
	"instanton/internal/special"
	"instanton/internal/vec"
	"instanton/rbm"
	"instanton/unit"
)

// Covariance is the covariance matrix of vectors, normalised by their number (not their number minus one).
func Covariance(x [][]float64) [][]float64 {
	if len(x) == 1 {
		return square(len(x[0]), func(a, b int) float64 { return 0 })
	}
	var c mat.SymDense
	stat.CovarianceMatrix(&c, matrix(x), nil)
	n := float64(len(x))
	return square(len(x[0]), func(a, b int) float64 { return c.At(a, b) * (n - 1) / n })
}

// Correlation is the correlation matrix of vectors, zero for entries that do not vary.
func Correlation(x [][]float64) [][]float64 {
	var c mat.SymDense
	stat.CorrelationMatrix(&c, matrix(x), nil)
	return square(len(x[0]), func(a, b int) float64 {
		switch rho := c.At(a, b); {
		case a == b:
			return 1
		case special.Finite(rho):
			return rho
		}
		return 0
	})
}

// matrix has one row per vector.
func matrix(x [][]float64) *mat.Dense {
	m := mat.NewDense(len(x), len(x[0]), nil)
	for k, row := range x {
		m.SetRow(k, row)
	}
	return m
}

func square(n int, at func(a, b int) float64) [][]float64 {
	out := make([][]float64, n)
	for a := range out {
		out[a] = make([]float64, n)
		for b := range out[a] {
			out[a][b] = at(a, b)
		}
	}
	return out
}

// UnitClusters joins units whose activities are correlated: hierarchical clustering with average linkage on |ρ|, as
// long as the mean |ρ| between two clusters is at least the limit and their union has at most the given number of
// units. The clusters, and the units in each, are in ascending order.
func UnitClusters(correlation [][]float64, limit float64, most int) [][]int {
	distance := make([][]float64, len(correlation))
	for a, row := range correlation {
		distance[a] = make([]float64, len(row))
		for b, rho := range row {
			distance[a][b] = max(0, 1-math.Abs(rho))
		}
	}
	t, err := cluster.Hierarchy(distance, cluster.Average, most)
	if err != nil {
		panic(err) // correlations are symmetric
	}
	return t.Below(1 - limit)
}

// clusterLimit is the smallest mean correlation of units in a cluster.
const clusterLimit = 0.3

// HiddenClusters clusters the hidden units of a model by the correlations of ⟨h|v⟩ over configurations, into clusters
// of at most the given number of units.
func HiddenClusters(m *rbm.RBM, v *unit.States, most int) [][]int {
	return UnitClusters(Correlation(activities(m, v)), clusterLimit, most)
}

// activities returns ⟨h|v⟩ of some configurations, one number per hidden unit.
func activities(m *rbm.RBM, v *unit.States) [][]float64 {
	spec := m.Hidden.Spec()
	x := Representations(m, pick(v, thin(v.Len, thinned)))
	if spec.Type == unit.Potts { // one number per unit: the mean index of its state
		for k, row := range x {
			one := make([]float64, spec.N)
			for mu := range one {
				for a := range spec.Q {
					one[mu] += float64(a) * row[mu*spec.Q+a]
				}
			}
			x[k] = one
		}
	}
	return x
}

// Switching is the number of hidden units that must change together for chains to get from any mode to any other,
// possibly via further modes: the smallest D for which the modes are connected by steps that change at most D units. A
// unit changes between two modes if its mean differs by more than three of its standard deviations within modes. The
// result is zero if fewer than two modes were seen.
func Switching(m *rbm.RBM, v *unit.States, o *Occupancy) int {
	const most = 4000 // configurations
	channels := m.Hidden.Spec().Channels()
	width := m.Hidden.Spec().Width()
	draws := len(o.Path[0])
	mean, within, counts := map[int][]float64{}, make([]float64, width), map[int]float64{}
	seen := thin(v.Len, most)
	picked := pick(v, seen)
	all := Representations(m, picked)
	for k, h := range all {
		at := seen[k]
		mode := o.Path[at/draws][at%draws]
		if mode < 0 {
			continue
		}
		if mean[mode] == nil {
			mean[mode] = make([]float64, width)
		}
		counts[mode]++
		vec.Add(mean[mode], h)
	}
	for mode := range mean {
		for mu := range mean[mode] {
			mean[mode][mu] /= counts[mode]
		}
	}
	inputs, variance := make([]float64, picked.Len*width), make([]float64, width)
	prepare(m).Inputs(inputs, batch.Hidden, picked)
	var total float64
	for k, h := range all {
		at := seen[k]
		mode := o.Path[at/draws][at%draws]
		if mode < 0 {
			continue
		}
		m.Hidden.Variance(variance, inputs[k*width:(k+1)*width])
		for mu := range within {
			d := h[mu] - mean[mode][mu]
			within[mu] += d*d + variance[mu]
		}
		total++
	}
	apart := func(a, b int) int {
		units := map[int]bool{}
		for mu := range within {
			if math.Abs(mean[a][mu]-mean[b][mu]) > 3*math.Sqrt(within[mu]/total) {
				units[mu/channels] = true
			}
		}
		return len(units)
	}
	return bottleneck(slices.Sorted(maps.Keys(mean)), apart)
}

// bottleneck is the longest step of the minimum spanning tree.
func bottleneck(nodes []int, apart func(a, b int) int) int {
	if len(nodes) < 2 {
		return 0
	}
	near := map[int]int{} // distance from the tree of each node outside it
	for _, b := range nodes[1:] {
		near[b] = apart(nodes[0], b)
	}
	worst := 0
	for len(near) > 0 {
		pick, least := -1, math.MaxInt
		for _, b := range nodes {
			if d, ok := near[b]; ok && d < least {
				pick, least = b, d
			}
		}
		worst = max(worst, least)
		delete(near, pick)
		for b := range near {
			near[b] = min(near[b], apart(pick, b))
		}
	}
	return worst
}

// Prototypes returns k centres of the hidden representations ⟨h|v⟩ of data, between which moves along directions can
// go.
func Prototypes(m *rbm.RBM, v *unit.States, k int, seed uint64) [][]float64 {
	return cluster.Centres(Representations(m, pick(v, thin(v.Len, thinned))), k, seed)
}
