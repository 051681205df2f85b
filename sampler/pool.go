package sampler

import (
	"context"
	"fmt"
	"time"

	"instanton/batch"
	"instanton/internal/kernel"
	"instanton/internal/parallel"
	"instanton/internal/special"
)

// Pool runs a kernel on chains with several workers. Chains are assigned in blocks, many sweeps at a time; the result
// does not depend on the number of workers.
type Pool struct {
	of      Kernel
	workers []Worker
}

// maxWorkers is more than any machine has processors.
const maxWorkers = 1024

// NewPool prepares the given number of workers; a number below one means one per processor. A kernel on a device that
// wants all chains at once has one worker.
func NewPool(k Kernel, workers int) *Pool {
	if w, ok := k.(batch.Whole); ok && w.Whole() {
		workers = 1
	}
	p := &Pool{of: k, workers: make([]Worker, parallel.Workers(workers, maxWorkers))}
	for i := range p.workers {
		p.workers[i] = k.Worker()
	}
	return p
}

// each calls task for every block of chains, on all workers. Blocks are as large as possible while every worker has
// one, and they are the same in every call, which helps kernels that move chains side by side.
func (p *Pool) each(chains int, task func(worker, lo, hi int)) {
	if chains == 0 {
		return
	}
	if len(p.workers) == 1 {
		task(0, 0, chains)
		return
	}
	share := (chains + len(p.workers) - 1) / len(p.workers)
	size := min(batch.MaxRows, (share+kernel.Lanes-1)/kernel.Lanes*kernel.Lanes)
	parallel.For(len(p.workers), (chains+size-1)/size, func(worker, i int) {
		task(worker, i*size, min((i+1)*size, chains))
	})
}

// roundTime is about how long the workers run between two checks of the context.
const roundTime = 100 * time.Millisecond

// rounds divides a run into rounds of about roundTime: it calls round with a number of sweeps, at most left, until
// none is left or the context ends. The division does not influence the result.
func rounds(ctx context.Context, left int, round func(n int) error) (err error) {
	defer batch.Recover(&err) // all chains are then at the sweep at which the round began
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

// begin gives chains the replicas that the kernel needs.
func (p *Pool) begin(c *Chains) error {
	if r, ok := p.of.(Replicated); ok {
		return r.Begin(c)
	}
	return nil
}

// Run moves all chains by a number of sweeps. If the context ends first, all chains have reached the same sweep,
// c.Sweep, and a later Run continues as if nothing had happened.
func (p *Pool) Run(ctx context.Context, c *Chains, sweeps int) error {
	if err := p.begin(c); err != nil {
		return err
	}
	return rounds(ctx, sweeps, func(n int) error {
		p.each(c.V.Len, func(worker, lo, hi int) { p.workers[worker].Sweep(c, lo, hi, c.Sweep, n) })
		c.Sweep += uint64(n)
		return c.checkFinite()
	})
}

// checkFinite reports real units that have diverged, as they do if the weights of a model overcome its potentials.
func (c *Chains) checkFinite() error {
	for k, x := range c.V.Reals {
		if !special.Finite(float64(x)) {
			return fmt.Errorf("visible unit %d of chain %d is %g after %d sweeps: the model's weights overcome its "+
				"potentials, so it has no normalisable distribution",
				k%c.V.Stride, int(c.First)+k/c.V.Stride, x, c.Sweep)
		}
	}
	return nil
}
