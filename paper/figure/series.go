package figure

import "instanton/unit"

// column is a component of a sequence of vectors.
func column(rows [][]float64, c int) []float64 {
	x := make([]float64, len(rows))
	for k := range rows {
		x[k] = rows[k][c]
	}
	return x
}

// stepsFrom are n numbers from the given one on: the steps of a sequence.
func stepsFrom(n, from int) []float64 {
	x := make([]float64, n)
	for k := range x {
		x[k] = float64(from + k)
	}
	return x
}

// abs is the size of a whole number.
func abs(n int) int { return max(n, -n) }

// evenlySpaced lists up to n configurations, evenly spaced.
func evenlySpaced(v *unit.States, n int) (rows []int) {
	for k := range min(n, v.Len) {
		rows = append(rows, k*v.Len/min(n, v.Len))
	}
	return rows
}
