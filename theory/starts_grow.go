package theory

import (
	"math"

	"instanton/internal/vec"
)

// stretch adds steps to a path where it is slow: at the ends, and at every time when it moves less than before and
// after.
func stretch(path *Path, from, to []float64, extra int) []float64 {
	n := len(path.H)
	speed := func(t int) float64 { // around h_t
		if t < 1 || t+1 >= n {
			return math.Inf(1)
		}
		return vec.Distance(path.H[t-1], path.H[t+1])
	}
	var stops []int
	for t := range n {
		if v := speed(t); !math.IsInf(v, 1) && v < speed(t-1) && v <= speed(t+1) {
			stops = append(stops, t)
		}
	}
	// half a share for each end
	shares, given, taken := float64(len(stops)+1), 0, 0.5
	var longer []float64
	wait := func(h []float64) {
		for ; given < int(math.Round(float64(extra)*taken/shares)); given++ {
			longer = append(longer, h...)
		}
	}
	wait(from)
	for t, h := range path.H {
		longer = append(longer, h...)
		if len(stops) > 0 && stops[0] == t {
			stops, taken = stops[1:], taken+1
			wait(h)
		}
	}
	taken = shares
	wait(to)
	return longer
}
