package experiment

// Column is a component of a sequence of vectors.
func Column(rows [][]float64, c int) []float64 {
	x := make([]float64, len(rows))
	for k := range rows {
		x[k] = rows[k][c]
	}
	return x
}

// Range are n numbers from the given one on: the steps of a sequence.
func Range(n, from int) []float64 {
	x := make([]float64, n)
	for k := range x {
		x[k] = float64(from + k)
	}
	return x
}

// Abs is the size of a whole number.
func Abs(n int) int { return max(n, -n) }
