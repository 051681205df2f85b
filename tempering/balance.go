package tempering

import (
	"math"

	"instanton/batch"
	"instanton/sampler"
	"instanton/unit"
)

// balance gives the classes weights on each rung: the law of rung r is ∝ e^{−F_r(v) + g_r(c(v))}, where c(v) is the
// class of v. The weights of both ends are zero. Steps that change the class are accepted with probability
// min(1, e^{Δg}), which is exact because the steps satisfy detailed balance.
type balance struct {
	mixture *Mixture
	classes int
	weight  [][]float64 // g, by rung and class
}

func newBalance(q *Mixture, rungs int) *balance {
	b := &balance{mixture: q, classes: q.Classes()}
	for range rungs {
		b.weight = append(b.weight, make([]float64, b.classes))
	}
	return b
}

// classWorker knows the classes of the replicas of a block of chains.
type classWorker struct {
	*balance
	rows   batch.Worker
	inputs []float64
	of     [][]int // class of the replica on each rung, by chain
	before []int
	old    *unit.States
}

func (b *balance) worker() *classWorker {
	return &classWorker{balance: b, rows: b.mixture.engine.Worker(), of: make([][]int, len(b.weight)),
		before: make([]int, batch.MaxRows)}
}

// begin finds the classes of the replicas of rows lo to hi−1.
func (w *classWorker) begin(rung []*sampler.Chains, lo, hi int) {
	for r, c := range rung {
		if len(w.of[r]) < c.V.Len {
			w.of[r] = make([]int, c.V.Len)
		}
		w.find(w.of[r][lo:hi], c.V, lo)
	}
}

// find sets dst to the classes of rows of v, starting at row lo.
func (w *classWorker) find(dst []int, v *unit.States, lo int) {
	w.mixture.classify(dst, room(&w.inputs, len(dst)*w.mixture.Components()), w.rows, v, lo)
}

// exchangeBias adds what the weights contribute to the gain of an exchange of rungs r and r+1.
func (w *classWorker) exchangeBias(bias []float64, r, lo int) {
	g, up := w.weight[r], w.weight[r+1]
	for k := range bias {
		a, b := w.of[r][lo+k], w.of[r+1][lo+k]
		bias[k] += g[b] - g[a] + up[a] - up[b]
	}
}

// swap follows an exchange.
func (w *classWorker) swap(r, k int) { w.of[r][k], w.of[r+1][k] = w.of[r+1][k], w.of[r][k] }

// step moves the replicas of a rung; a change of class is tested.
func (w *worker) step(r int, c *sampler.Chains, lo, hi int, sweep uint64) {
	if w.classes == nil {
		w.rows.step(r, c, lo, hi, sweep)
		return
	}
	b := w.classes
	if b.old == nil {
		b.old = unit.NewStates(c.V.Spec, batch.MaxRows)
	}
	for k := lo; k < hi; k++ {
		b.old.CopyRow(k-lo, c.V, k)
	}
	before := b.before[:hi-lo]
	copy(before, b.of[r][lo:hi])
	w.rows.step(r, c, lo, hi, sweep)
	b.find(b.of[r][lo:hi], c.V, lo)
	for k := lo; k < hi; k++ {
		from, to := before[k-lo], b.of[r][k]
		if from == to || b.weight[r][from] <= b.weight[r][to] {
			continue
		}
		if uniform(c, k, sweep, classBlock) >= math.Exp(b.weight[r][to]-b.weight[r][from]) {
			c.V.CopyRow(k, b.old, k-lo)
			b.of[r][k] = from
		}
	}
}
