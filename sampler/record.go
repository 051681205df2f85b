package sampler

import (
	"context"

	"instanton/batch"
	"instanton/unit"
)

// Record holds what a run keeps.
type Record struct {
	Plan
	V *unit.States // draw d of chain k is configuration k·Draws+d
	H *unit.States // hidden units drawn from P(h|v), or nil
	// E holds the effective energies of the draws, with weights rounded to 32 bits as for the chains, or nil.
	E []float64
}

// NewRecord allocates memory for the draws of a run, those of the hidden units included if hidden is set.
func NewRecord(k Kernel, c *Chains, plan Plan, hidden bool) *Record {
	r := &Record{Plan: plan, V: unit.NewStates(c.V.Spec, c.V.Len*plan.Draws)}
	if hidden {
		r.H = unit.NewStates(k.Model().Hidden.Spec(), c.V.Len*plan.Draws)
	}
	return r
}

// KeepEnergies makes the record also keep the energies of the draws.
func (r *Record) KeepEnergies() { r.E = make([]float64, r.V.Len) }

// Record runs the chains from their current sweep, c.Sweep, to the end of the plan and keeps their draws. If the
// context ends first, r holds the draws up to r.Done(c.Sweep), and a later call continues to the same bits. If
// progress is non-nil, it is called with the number of sweeps done.
func (p *Pool) Record(ctx context.Context, c *Chains, r *Record, progress func(sweeps int)) error {
	if err := p.begin(c); err != nil {
		return err
	}
	observers, err := p.observers(r)
	if err != nil {
		return err
	}
	if done := r.Done(c.Sweep); r.E != nil && done > 0 { // draws of an earlier call
		p.each(c.V.Len, func(worker, lo, hi int) {
			for k := lo; k < hi; k++ {
				observers[worker].rows.Energies(r.E[k*r.Draws:][:done], r.V, k*r.Draws)
			}
		})
	}
	return rounds(ctx, r.Sweeps()-int(c.Sweep), func(n int) error {
		p.each(c.V.Len, func(worker, lo, hi int) { r.advance(p.workers[worker], observers[worker], c, lo, hi, n) })
		c.Sweep += uint64(n)
		if progress != nil {
			progress(int(c.Sweep))
		}
		return c.checkFinite()
	})
}

// advance moves a block by n sweeps and keeps the draws on the way.
func (r *Record) advance(w Worker, o *observer, c *Chains, lo, hi, n int) {
	sweep, end := c.Sweep, c.Sweep+uint64(n)
	for sweep < end {
		draw := r.Done(sweep)
		next := uint64(r.Burn + (draw+1)*r.Every) // the sweep of the next draw
		stop := min(end, next)
		w.Sweep(c, lo, hi, sweep, int(stop-sweep))
		sweep = stop
		if sweep == next {
			for k := lo; k < hi; k++ {
				r.V.CopyRow(k*r.Draws+draw, c.V, k)
			}
			o.look(r, c, lo, hi, draw)
		}
	}
}

// observer draws hidden units from P(h|v) for the configurations that are kept, so that (v,h) is a draw from the joint
// law whatever kernel moved v, and computes their energies.
type observer struct {
	rows batch.Worker
	h    *unit.States
	e    []float64
}

// observers returns one observer per worker; they are nil if there is nothing to observe.
func (p *Pool) observers(r *Record) ([]*observer, error) {
	all := make([]*observer, len(p.workers))
	if r.H == nil && r.E == nil {
		return all, nil
	}
	shared := sharedRows(p.of, p.workers)
	if shared == nil {
		engine, err := batch.New(p.of.Model(), 1)
		if err != nil {
			return nil, err
		}
		shared = func(int) batch.Worker { return engine.Worker() }
	}
	for i := range all {
		all[i] = &observer{rows: shared(i)}
	}
	return all, nil
}

// sharedRows returns the batch workers of a kernel that draws from P(h|v) of its model, nil for other kernels: the
// inputs given the current states are then computed once, for the draw that is kept and for the next sweep.
func sharedRows(k Kernel, workers []Worker) func(i int) batch.Worker {
	if g, ok := k.(*Gibbs); !ok || g.beta != 1 {
		return nil
	}
	return func(i int) batch.Worker { return workers[i].(*gibbsWorker).rows }
}

// look records what is wanted of a draw of chains lo to hi−1.
func (o *observer) look(r *Record, c *Chains, lo, hi, draw int) {
	if r.H != nil {
		if o.h == nil || o.h.Len < hi-lo {
			o.h = unit.NewStates(r.H.Spec, hi-lo)
		}
		s := c.stream(lo, uint64(draw))
		s.Recorded = true
		o.rows.Draw(batch.Hidden, o.h, 0, c.V, lo, hi-lo, s)
		for k := lo; k < hi; k++ {
			r.H.CopyRow(k*r.Draws+draw, o.h, k-lo)
		}
	}
	if r.E != nil {
		if len(o.e) < hi-lo {
			o.e = make([]float64, hi-lo)
		}
		e := o.e[:hi-lo]
		o.rows.Energies(e, c.V, lo)
		for k, x := range e {
			r.E[(lo+k)*r.Draws+draw] = x
		}
	}
}
