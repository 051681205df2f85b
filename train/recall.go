package train

import (
	"math"

	"instanton/unit"
)

// recall tells whether chains forget where they were. Let q_kl be the similarity, 1 − d/d̄ with the distance d and its
// mean d̄ over different chains, of chain k some updates ago and chain l now. Chains that have forgotten are as similar
// to themselves as to others; the excess of ⟨q_kk⟩ over the mean of all pairs, and likewise of ⟨|q_kk|⟩, is what they
// remember. The absolute value sees modes whose means are equal, such as those of bars and of stripes.
type recall struct {
	before *unit.States // some of the chains at the last look
	known  bool         // whether it is set
	last   float64      // the latest result, NaN before the first
}

const (
	recallUpdates = 50   // from one look to the next
	recallChains  = 256  // that are looked at
	recallLeast   = 0.03 // what counts as remembered,
	recallSigmas  = 4    // if it exceeds its standard error by so much
)

func newRecall(v *unit.States) recall {
	return recall{before: unit.NewStates(v.Spec, min(recallChains, v.Len)), last: math.NaN()}
}

// look compares the chains with those of the last look, and tells whether they remember.
func (m *recall) look(v *unit.States) (stuck bool) {
	if m.known {
		m.last, stuck = remembered(m.before, v)
	}
	for k := range m.before.Len {
		m.before.CopyRow(k, v, k)
	}
	m.known = true
	return stuck
}

// remembered compares chains then and now. It returns the excess similarity to themselves as a fraction of the largest
// that is possible, and whether that is significant.
func remembered(then, now *unit.States) (excess float64, significant bool) {
	n := then.Len
	d := make([]float64, n*n)
	var mean float64
	for k := range n {
		for l := range n {
			d[k*n+l] = then.SquaredDistance(k, now, l)
			if k != l {
				mean += d[k*n+l] / float64(n*(n-1))
			}
		}
	}
	if n < 2 || mean == 0 {
		return 0, false // all chains are alike
	}
	for _, signed := range []bool{true, false} {
		var self, others, squares float64
		for k := range n {
			var row float64
			for l := range n {
				q := 1 - d[k*n+l]/mean
				if !signed {
					q = math.Abs(q)
				}
				if k == l {
					self += q / float64(n)
					squares += q * q / float64(n)
				} else {
					row += q / float64(n-1)
				}
			}
			others += row / float64(n)
		}
		x := (self - others) / (1 - others)
		spread := math.Sqrt(max(0, squares-self*self)/float64(n)) / (1 - others)
		excess = max(excess, x)
		significant = significant || x > recallLeast && x > recallSigmas*spread
	}
	return excess, significant
}
