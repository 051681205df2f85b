package jump

import (
	"math"

	"instanton/internal/rng"
	"instanton/unit"
)

// pottsHead is the law of a unit with q states: its outputs are the logarithms of their probabilities up to a
// constant. It has one feature per state.
type pottsHead struct{ q int }

func newPottsHead(q int) *pottsHead { return &pottsHead{q} }

func (h *pottsHead) in() int  { return h.q }
func (h *pottsHead) out() int { return h.q }
func (*pottsHead) words() int { return 1 }

func (*pottsHead) begin([]float32, int) {}

func (h *pottsHead) adapt(bias []float32, x *unit.States) {
	counts := make([]float64, len(bias))
	for k := range x.Len {
		for i, a := range x.CodeRow(k) {
			counts[i*h.q+int(a)]++
		}
	}
	for c, n := range counts {
		bias[c] = float32(math.Log((n + 0.5) / (float64(x.Len) + 0.5*float64(h.q))))
	}
}

// weights sets w to the probabilities of the states in lane c, up to their sum, which it returns.
func (h *pottsHead) weights(w []float64, out []float32, c, stride int) (sum float64) {
	top := out[c]
	for a := 1; a < h.q; a++ {
		top = max(top, out[a*stride+c])
	}
	for a := range w {
		w[a] = math.Exp(float64(out[a*stride+c] - top))
		sum += w[a]
	}
	return sum
}

func (h *pottsHead) draw(value []float32, _ int, out []float32, words []uint32) {
	var room [unit.MaxQ]float64
	w := room[:h.q]
	for c := range value {
		u := rng.Uniform(words[c]) * h.weights(w, out, c, lanes)
		a := 0
		for ; a < h.q-1; a++ {
			if u -= w[a]; u < 0 {
				break
			}
		}
		value[c] = float32(a)
	}
}

func (h *pottsHead) score(p, _ []float64, _ int, value, out []float32) {
	var room [unit.MaxQ]float64
	w := room[:h.q]
	for c, v := range value {
		sum := h.weights(w, out, c, lanes)
		p[c] *= max(w[int(v)]/sum, 1e-30)
	}
}

func (h *pottsHead) encode(x []float32, _ int, value []float32) {
	clear(x)
	for c, v := range value {
		x[int(v)*lanes+c] = 1
	}
}

func (h *pottsHead) features(x, value []float32) {
	clear(x)
	for i, v := range value {
		x[i*h.q+int(v)] = 1
	}
}

func (h *pottsHead) loss(g []float32, value, out []float32) (logq float64) {
	var room [unit.MaxQ]float64
	w := room[:h.q]
	for i, v := range value {
		sum := h.weights(w, out[i*h.q:], 0, 1)
		logq += math.Log(max(w[int(v)]/sum, 1e-30))
		for a := range w {
			g[i*h.q+a] = float32(w[a] / sum)
		}
		g[i*h.q+int(v)]--
	}
	return logq
}
