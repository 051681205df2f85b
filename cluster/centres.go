package cluster

import (
	"math"

	"instanton/internal/rng"
	"instanton/internal/vec"
)

// Centres finds k centres of vectors by Lloyd's iteration from k-means++ seeds, the best of five starts. There are
// fewer than k if there are fewer distinct vectors.
func Centres(x [][]float64, k int, seed uint64) [][]float64 {
	k = min(k, len(x))
	var best [][]float64
	least := math.Inf(1)
	for try := range 5 {
		centres := seeds(x, k, seed, uint32(try))
		if cost := lloyd(x, centres); cost < least {
			best, least = centres, cost
		}
	}
	return best
}

// seeds picks vectors with probability proportional to the squared distance from those already picked (k-means++).
func seeds(x [][]float64, k int, seed uint64, try uint32) [][]float64 {
	r := rng.New(seed, rng.Cluster, try, 0).Rand()
	centres := [][]float64{append([]float64(nil), x[r.IntN(len(x))]...)}
	far := make([]float64, len(x))
	for len(centres) < k {
		var total float64
		for j, row := range x {
			d := vec.SquaredDistance(row, centres[len(centres)-1])
			if len(centres) == 1 || d < far[j] {
				far[j] = d
			}
			total += far[j]
		}
		if total == 0 {
			break // fewer distinct vectors than centres
		}
		u := r.Float64() * total
		pick := 0
		for j, d := range far {
			if u -= d; u < 0 {
				pick = j
				break
			}
		}
		centres = append(centres, append([]float64(nil), x[pick]...))
	}
	return centres
}

// lloyd moves centres to the means of the vectors nearest to them until nothing changes, and returns the sum of
// squared distances.
func lloyd(x, centres [][]float64) (cost float64) {
	owner := make([]int, len(x))
	for round := range 100 {
		changed := false
		cost = 0
		for j, row := range x {
			c, d := nearest(row, centres)
			cost += d
			if owner[j] != c || round == 0 {
				owner[j], changed = c, true
			}
		}
		if !changed {
			break
		}
		counts := make([]float64, len(centres))
		sums := make([][]float64, len(centres))
		for c := range sums {
			sums[c] = make([]float64, len(x[0]))
		}
		for j, row := range x {
			counts[owner[j]]++
			vec.Add(sums[owner[j]], row)
		}
		for c := range centres {
			for i := range centres[c] {
				if counts[c] > 0 {
					centres[c][i] = sums[c][i] / counts[c]
				}
			}
		}
	}
	return cost
}

// nearest returns the closest centre and its squared distance.
func nearest(x []float64, centres [][]float64) (at int, d float64) {
	d = math.Inf(1)
	for c := range centres {
		if e := vec.SquaredDistance(x, centres[c]); e < d {
			at, d = c, e
		}
	}
	return at, d
}
