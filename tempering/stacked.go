package tempering

import (
	"fmt"
	"math"

	"instanton/batch"
	"instanton/internal/rng"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// stackedLadder is stacked tempering (Fernandez-de-Cossio-Diaz, Roussel, Cocco and Monasson, ICLR 2024): the visible
// units of model n+1 are the hidden units of model n, whose samples it was trained on. The top rung is model 0. To
// exchange, hidden units h are drawn for the configuration of model n, and h and the configuration v' of model n+1
// change places with probability
//
//	min(1, e^{−Δ}),   Δ = F_n(h=v') − F_n(h) + F_{n+1}(v=h) − F_{n+1}(v');
//
// the visible units of model n are then drawn anew given its hidden ones.
type stackedLadder struct {
	visible []batch.Engine // of each rung, the last model of the stack first
	hidden  []batch.Engine // the same with the layers exchanged, for F(h)
}

var _ ladder = (*stackedLadder)(nil)

// NewStacked prepares stacked tempering of the first model of a stack. Each further model has as visible units the
// hidden units of the one before, and should have been trained on samples of them.
func NewStacked(stack []*rbm.RBM) (*Kernel, error) {
	if len(stack) < 2 {
		return nil, fmt.Errorf("a stack of %d models: expected at least two", len(stack))
	}
	for n := 1; n < len(stack); n++ {
		if have, want := stack[n].Visible.Spec(), stack[n-1].Hidden.Spec(); have != want {
			return nil, fmt.Errorf("model %d of the stack has visible units %s: expected the hidden units of the one "+
				"below, %s", n, have, want)
		}
	}
	l := &stackedLadder{}
	for n := len(stack) - 1; n >= 0; n-- {
		e, err := batch.New(stack[n], 1)
		if err != nil {
			return nil, err
		}
		t, err := batch.New(stack[n].Transpose(), 1)
		if err != nil {
			return nil, err
		}
		l.visible, l.hidden = append(l.visible, e), append(l.hidden, t)
	}
	return &Kernel{ladder: l, model: stack[0], beta: 1}, nil
}

func (l *stackedLadder) name() string         { return "stacked" }
func (l *stackedLadder) size() int            { return len(l.visible) }
func (l *stackedLadder) spec(r int) unit.Spec { return l.visible[r].Model().Visible.Spec() }

func (l *stackedLadder) describe() string {
	text := "stack"
	for r := l.size() - 1; r >= 0; r-- {
		text += " " + l.spec(r).String()
	}
	return text + " " + l.visible[0].Model().Hidden.Spec().String()
}

// start draws units from their potentials alone.
func (l *stackedLadder) start(_ *sampler.Chains, r int, v *unit.States, k int, stream rng.Stream) {
	layer := l.visible[r].Model().Visible
	words := make([]uint32, layer.Words())
	stream.Fill(words)
	layer.Draw(v, k, make([]float32, v.Width()), words)
}

func (l *stackedLadder) worker() ladderWorker {
	w := &stackedWorker{stackedLadder: l}
	for r := range l.visible {
		w.rows = append(w.rows, l.visible[r].Worker())
		w.crossed = append(w.crossed, l.visible[r].Worker())
		w.up = append(w.up, l.hidden[r].Worker())
		w.spare = append(w.spare, unit.NewStates(l.spec(r), 1))
		w.h = append(w.h, unit.NewStates(l.visible[r].Model().Hidden.Spec(), batch.MaxRows))
	}
	return w
}

type stackedWorker struct {
	*stackedLadder
	rows, crossed, up []batch.Worker
	h                 []*unit.States // hidden units of each rung
	spare             []*unit.States // one configuration of each rung
	gain, part        []float64
}

func (w *stackedWorker) step(r int, c *sampler.Chains, lo, hi int, sweep uint64) {
	w.rows[r].Sweep(c.V, lo, hi-lo, batch.Stream{Seed: c.Seed, Chain: c.First + uint32(lo), Sweep: 2 * sweep}, 1)
}

func (w *stackedWorker) exchange(r int, low, high *sampler.Chains, lo, hi int, sweep uint64, bias []float64,
	accepted []bool) {
	n, h := hi-lo, w.h[r+1]
	// The step of this sweep has used the numbers of 2·sweep.
	s := batch.Stream{Seed: high.Seed, Chain: high.First + uint32(lo), Sweep: 2*sweep + 1}
	w.rows[r+1].Draw(batch.Hidden, h, 0, high.V, lo, n, s)
	gain, part := room(&w.gain, n), room(&w.part, n)
	w.up[r+1].Energies(gain, h, 0)
	for _, term := range []struct {
		rows batch.Worker
		v    *unit.States
		lo   int
		sign float64
	}{{w.up[r+1], low.V, lo, -1}, {w.rows[r], low.V, lo, 1}, {w.crossed[r], h, 0, -1}} {
		term.rows.Energies(part, term.v, term.lo)
		for k := range gain {
			gain[k] += term.sign * part[k]
		}
	}
	for k := range n {
		yes := uniform(low, lo+k, sweep, exchangeBlock) < math.Exp(bias[k]+gain[k])
		if accepted[k] = yes; yes {
			w.spare[r].CopyRow(0, h, k)
			h.CopyRow(k, low.V, lo+k)
			low.V.CopyRow(lo+k, w.spare[r], 0)
		}
	}
	w.rows[r+1].Draw(batch.Visible, high.V, lo, h, 0, n, s)
}

func (w *stackedWorker) energies(dst []float64, r int, v *unit.States, lo int) {
	w.crossed[r].Energies(dst, v, lo)
}

// logZ of the last model is not known.
func (l *stackedLadder) logZ() (float64, bool) { return 0, false }
