package unit

import "math/bits"

// Hamming is the number of units in which configuration k of s differs from configuration j of t, a batch of the same
// shape.
func (s *States) Hamming(k int, t *States, j int) (n int) {
	switch {
	case s.Bits != nil:
		other := t.BitRow(j)
		for w, word := range s.BitRow(k) {
			n += bits.OnesCount64(word ^ other[w])
		}
	case s.Codes != nil:
		n = differences(s.CodeRow(k), t.CodeRow(j))
	default:
		n = differences(s.RealRow(k), t.RealRow(j))
	}
	return n
}

func differences[T uint8 | float32](x, y []T) (n int) {
	for i, v := range x {
		if v != y[i] {
			n++
		}
	}
	return n
}

// SquaredDistance is the Hamming distance of discrete configurations, and Σ_i (x_i − y_i)² of real ones.
func (s *States) SquaredDistance(k int, t *States, j int) float64 {
	if s.Reals == nil {
		return float64(s.Hamming(k, t, j))
	}
	var sum float64
	other := t.RealRow(j)
	for i, x := range s.RealRow(k) {
		d := float64(x) - float64(other[i])
		sum += d * d
	}
	return sum
}
