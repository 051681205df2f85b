package sampler

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"instanton/internal/kernel"
	"instanton/unit"
)

// Pool runs a kernel on chains with several workers. Chains are dealt out in blocks,
// many sweeps at a time; what comes out does not depend on the number of workers.
type Pool struct {
	of      Kernel
	workers []Worker
}

// maxWorkers is more than any machine has processors.
const maxWorkers = 1024

// NewPool prepares the given number of workers, zero for one a processor.
func NewPool(k Kernel, workers int) *Pool {
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = min(workers, maxWorkers)
	p := &Pool{of: k, workers: make([]Worker, workers)}
	for i := range p.workers {
		p.workers[i] = k.Worker()
	}
	return p
}

// each calls task for every block of chains, on all workers. Blocks are as large as
// they can be with work for everyone, and a kernel that moves chains side by side sees
// the same ones every time.
func (p *Pool) each(chains int, task func(w Worker, lo, hi int)) {
	share := (chains + len(p.workers) - 1) / len(p.workers)
	size := min(maxBlock, (share+kernel.Lanes-1)/kernel.Lanes*kernel.Lanes)
	if len(p.workers) == 1 {
		task(p.workers[0], 0, chains)
		return
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for _, w := range p.workers {
		wg.Go(func() {
			for {
				hi := int(next.Add(int64(size)))
				lo := hi - size
				if lo >= chains {
					return
				}
				task(w, lo, min(hi, chains))
			}
		})
	}
	wg.Wait()
}

// roundTime is how long the workers go on between two looks at the context.
const roundTime = 100 * time.Millisecond

// rounds cuts a run into rounds of about roundTime: it calls round with a number of
// sweeps, at most left, until none is left or the context ends. Where the cuts fall has
// no influence on the result.
func rounds(ctx context.Context, left int, round func(n int) error) error {
	n := 1
	for left > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		n = min(n, left)
		start := time.Now()
		if err := round(n); err != nil {
			return err
		}
		left -= n
		took := max(time.Since(start), time.Microsecond)
		n = int(min(float64(4*n), max(1, float64(n)*float64(roundTime)/float64(took))))
	}
	return nil
}

// Run moves all chains by a number of sweeps. When the context ends first, all chains
// stand at the same sweep, c.Sweep, and a later Run goes on as if nothing had happened.
func (p *Pool) Run(ctx context.Context, c *Chains, sweeps int) error {
	return rounds(ctx, sweeps, func(n int) error {
		p.each(c.V.Len, func(w Worker, lo, hi int) { w.Sweep(c, lo, hi, c.Sweep, n) })
		c.Sweep += uint64(n)
		return c.checkFinite()
	})
}

// checkFinite reports real units that ran away, as they do in models whose weights
// overcome the potentials.
func (c *Chains) checkFinite() error {
	for k, x := range c.V.Reals {
		if x-x != 0 {
			return fmt.Errorf("visible unit %d of chain %d is %g after %d sweeps: the model's weights overcome its potentials, so that it has no normalisable distribution",
				k%c.V.Stride, int(c.First)+k/c.V.Stride, x, c.Sweep)
		}
	}
	return nil
}

// Plan says which configurations of a run are kept: after Burn sweeps, one every Every
// sweeps, Draws of them.
type Plan struct {
	Burn, Every, Draws int
}

// Check refuses a plan whose draws would not fit, of the visible and, if wanted, the
// hidden units of a number of chains.
func (p Plan) Check(chains int, layers ...unit.Spec) error {
	if p.Burn < 0 || p.Every < 1 || p.Draws < 1 {
		return fmt.Errorf("burn-in %d, %d draws every %d sweeps: expected none of them below zero, at least one draw, at least one sweep from one to the next", p.Burn, p.Draws, p.Every)
	}
	if float64(p.Burn)+float64(p.Every)*float64(p.Draws) > maxSweeps {
		return fmt.Errorf("%g sweeps: expected at most %g", float64(p.Burn)+float64(p.Every)*float64(p.Draws), float64(maxSweeps))
	}
	if chains > math.MaxInt32 {
		return fmt.Errorf("%d chains: expected at most %d", chains, math.MaxInt32)
	}
	if float64(chains)*float64(p.Draws) > math.MaxInt32*64 {
		return fmt.Errorf("%d chains with %d draws each: expected at most %d draws in all", chains, p.Draws, math.MaxInt32*64)
	}
	for _, spec := range layers {
		if err := spec.CheckCount(chains * p.Draws); err != nil {
			return fmt.Errorf("%d chains with %d draws each: %w", chains, p.Draws, err)
		}
	}
	return nil
}

// maxSweeps keeps sweep numbers within the counter of the random streams.
const maxSweeps = 1 << 52

// Sweeps is the length of the run.
func (p Plan) Sweeps() int { return p.Burn + p.Every*p.Draws }

// Record is what a run keeps.
type Record struct {
	Plan
	V *unit.States // draw d of chain k is configuration k·Draws+d
	H *unit.States // hidden units drawn from P(h|v), nil unless wanted
}

// NewRecord makes room for the draws of a run.
func NewRecord(k Kernel, c *Chains, plan Plan, hidden bool) *Record {
	r := &Record{Plan: plan, V: unit.NewStates(c.V.Spec, c.V.Len*plan.Draws)}
	if hidden {
		r.H = unit.NewStates(k.Model().Hidden.Spec(), c.V.Len*plan.Draws)
	}
	return r
}

// Done is the number of draws that chains at the given sweep have behind them.
func (p Plan) Done(sweep uint64) int {
	if sweep < uint64(p.Burn) {
		return 0
	}
	return min(p.Draws, int((sweep-uint64(p.Burn))/uint64(p.Every)))
}

// Record runs the chains to the end of the plan, from wherever they stand (c.Sweep),
// and keeps their draws. When the context ends first, r holds the draws up to
// r.Done(c.Sweep), and a later call goes on to the same bits. The progress function,
// which may be nil, hears of the sweeps done.
func (p *Pool) Record(ctx context.Context, c *Chains, r *Record, progress func(sweeps int)) error {
	var look *observer
	if r.H != nil {
		look = newObserver(p.of.Model())
	}
	return rounds(ctx, r.Sweeps()-int(c.Sweep), func(n int) error {
		p.each(c.V.Len, func(w Worker, lo, hi int) { r.advance(w, c, lo, hi, n) })
		from := r.Done(c.Sweep)
		c.Sweep += uint64(n)
		if look != nil {
			for k := range c.V.Len {
				for d := from; d < r.Done(c.Sweep); d++ {
					look.draw(r, c, k, d)
				}
			}
		}
		if progress != nil {
			progress(int(c.Sweep))
		}
		return c.checkFinite()
	})
}

// advance moves a block by n sweeps and keeps the draws it passes.
func (r *Record) advance(w Worker, c *Chains, lo, hi, n int) {
	sweep, end := c.Sweep, c.Sweep+uint64(n)
	for sweep < end {
		draw := r.Done(sweep)
		next := uint64(r.Burn + (draw+1)*r.Every) // when the next draw is kept
		stop := min(end, next)
		w.Sweep(c, lo, hi, sweep, int(stop-sweep))
		sweep = stop
		if sweep == next {
			for k := lo; k < hi; k++ {
				r.V.CopyRow(k*r.Draws+draw, c.V, k)
			}
		}
	}
}
