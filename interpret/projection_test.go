package interpret_test

import (
	"math"
	"testing"

	"instanton/internal/problem"
	"instanton/interpret"
	"instanton/unit"
)

// Block by block, inputs and means are those of package rbm, and draws do not depend on the blocks.
func TestProjection(t *testing.T) {
	for _, pair := range problem.Pairs() {
		m := problem.Tiny(pair.Visible, pair.Hidden)
		data := someRows(m.Visible.Spec(), 11)
		width := m.Hidden.Spec().Width()
		v, I, mean := make([]float64, data.N), make([]float64, width), make([]float64, width)
		var draws [2]*unit.States
		for run, size := range []int{4, 11} {
			p, err := interpret.NewProjector(m, 2)
			if err != nil {
				t.Fatal(err)
			}
			p.Draw, p.Seed = true, 5
			draws[run] = unit.NewStates(m.Hidden.Spec(), data.Len)
			for lo := 0; lo < data.Len; lo += size {
				hi := min(lo+size, data.Len)
				block, err := p.Next(data.Slice(lo, hi))
				if err != nil {
					t.Fatal(err)
				}
				for k := lo; k < hi; k++ {
					data.Values(v, k)
					m.Inputs(I, v)
					m.Hidden.Mean(mean, I)
					for mu := range I {
						input, h := block.Inputs[(k-lo)*width+mu], block.Means[(k-lo)*width+mu]
						if math.Abs(input-I[mu]) > 1e-12*(1+math.Abs(I[mu])) ||
							math.Abs(h-mean[mu]) > 1e-11*(1+math.Abs(mean[mu])) {
							t.Errorf("%s, row %d, unit %d: input %g and mean %g, want %g and %g", pair, k, mu,
								input, h, I[mu], mean[mu])
						}
					}
					draws[run].CopyRow(k, block.Draws, k-lo)
				}
			}
		}
		if !draws[0].Equal(draws[1]) {
			t.Errorf("%s: draws depend on the blocks", pair)
		}
	}
}
