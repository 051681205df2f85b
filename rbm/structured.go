package rbm

import "math"

// Structured is the overlap model: n spins, each tied with weight w/√n to the one or two hidden units of its block.
// Blocks come in the order of Overlap.Blocks.
func Structured(n int, w float64, o Overlap) (*RBM, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	m, err := meanField(n, len(o), w)
	if err != nil {
		return nil, err
	}
	i := 0
	for _, b := range o.Blocks(n) {
		for range b.Size {
			m.Row(i)[b.Mu] = w / math.Sqrt(float64(n))
			m.Row(i)[b.Nu] = w / math.Sqrt(float64(n))
			i++
		}
	}
	m.Info = builtAs("structured", w)
	return m, nil
}
