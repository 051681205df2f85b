package mixing

import (
	"math"
	"sort"

	"instanton/internal/special"
)

// split divides every chain into its first and its last half; the middle one of an odd number of draws is left out.
func split(x [][]float64) [][]float64 {
	var out [][]float64
	for _, c := range x {
		half := len(c) / 2
		out = append(out, c[:half])
	}
	for _, c := range x {
		half := len(c) / 2
		out = append(out, c[len(c)-half:])
	}
	return out
}

// normalScores replaces every value by the normal quantile of its rank among all chains, Φ⁻¹((r − 3/8)/(S + 1/4));
// equal values share the mean of their ranks.
func normalScores(x [][]float64) [][]float64 {
	type place struct {
		value       float64
		chain, draw int
	}
	var all []place
	for c := range x {
		for d, v := range x[c] {
			all = append(all, place{v, c, d})
		}
	}
	sort.Slice(all, func(a, b int) bool { return all[a].value < all[b].value })
	out := like(x)
	for from := 0; from < len(all); {
		to := from
		for to < len(all) && all[to].value == all[from].value {
			to++
		}
		rank := float64(from+to+1) / 2 // ranks start at 1
		z := special.NormQuantile((rank - 0.375) / (float64(len(all)) + 0.25))
		for _, p := range all[from:to] {
			out[p.chain][p.draw] = z
		}
		from = to
	}
	return out
}

// folded is the distance of every value from the median of all.
func folded(x [][]float64) [][]float64 {
	middle := quantile(x, 0.5)
	out := like(x)
	for c := range x {
		for d, v := range x[c] {
			out[c][d] = math.Abs(v - middle)
		}
	}
	return out
}

// quantile interpolates linearly between the order statistics of all chains.
func quantile(x [][]float64, p float64) float64 {
	var all []float64
	for _, c := range x {
		all = append(all, c...)
	}
	sort.Float64s(all)
	at := p * float64(len(all)-1)
	k := min(int(at), len(all)-1)
	if k == len(all)-1 {
		return all[k]
	}
	return all[k] + (at-float64(k))*(all[k+1]-all[k])
}

// below is one where a value does not exceed q, otherwise zero.
func below(x [][]float64, q float64) [][]float64 {
	out := like(x)
	for c := range x {
		for d, v := range x[c] {
			if v <= q {
				out[c][d] = 1
			}
		}
	}
	return out
}

func like(x [][]float64) [][]float64 {
	out := make([][]float64, len(x))
	for c := range x {
		out[c] = make([]float64, len(x[c]))
	}
	return out
}
