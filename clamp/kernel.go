// Package clamp samples some visible units while the others keep their values.
//
// The law of the free units given the clamped ones is that of an RBM (rbm.RBM.Given), so every kernel that samples a
// model also samples it with clamped units, exactly. New makes one such kernel for each set of clamped values among
// the starts of the chains, and a Kernel that takes every chain through its own:
//
//	kernel, err := clamp.New(m, 1, mask, starts, func(free *rbm.RBM) (sampler.Kernel, error) {
//		return sampler.NewGibbs(free, 1)
//	})
//	chains := sampler.NewChains(m, 100, seed)
//	err = chains.Begin(starts) // the clamped units keep these values
//	err = sampler.NewPool(kernel, 0).Run(ctx, chains, 1000)
package clamp

import (
	"errors"
	"fmt"

	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// Kernel leaves P(v_free | v_clamped)^β invariant.
type Kernel struct {
	model *rbm.RBM
	beta  float64
	free  []int // numbers of the free units

	kernels []sampler.Kernel // one for each set of clamped values
	of      []int            // kernel of each start
}

var _ sampler.Kernel = (*Kernel)(nil)

// New prepares the kernel for chains that begin at the given starts, repeated if there are fewer of them than chains.
// The function makes a kernel for the model of the free units.
func New(m *rbm.RBM, beta float64, clamped []bool, starts *unit.States,
	kernel func(free *rbm.RBM) (sampler.Kernel, error)) (*Kernel, error) {
	spec := m.Visible.Spec()
	switch {
	case starts.Spec != spec:
		return nil, fmt.Errorf("starts are %s: the model has %s", starts.Spec, spec)
	case starts.Len == 0:
		return nil, errors.New("there are no starts, whose values the clamped units would keep")
	case len(clamped) != spec.N:
		return nil, fmt.Errorf("%d marks of clamped units: the model has %d visible units", len(clamped), spec.N)
	}
	k := &Kernel{model: m, beta: beta, of: make([]int, starts.Len)}
	for i, c := range clamped {
		if !c {
			k.free = append(k.free, i)
		}
	}
	known := map[string]int{}
	v := make([]float64, spec.N)
	for row := range starts.Len {
		starts.Values(v, row)
		key := ""
		for i, c := range clamped {
			if c {
				key += fmt.Sprint(v[i], " ")
			}
		}
		at, ok := known[key]
		if !ok {
			free, _, err := m.Given(clamped, v)
			if err != nil {
				return nil, err
			}
			of, err := kernel(free)
			if err != nil {
				return nil, err
			}
			if _, replicated := of.(sampler.Replicated); replicated {
				return nil, fmt.Errorf("the %s sampler carries replicas, which cannot be clamped", sampler.Name(of))
			}
			at = len(k.kernels)
			k.kernels, known[key] = append(k.kernels, of), at
		}
		k.of[row] = at
	}
	return k, nil
}

// Name, Model and Beta say which kernel this is. Model is the model of all units.
func (k *Kernel) Name() string    { return sampler.Name(k.kernels[0]) }
func (k *Kernel) Model() *rbm.RBM { return k.model }
func (k *Kernel) Beta() float64   { return k.beta }

// Worker returns what one goroutine needs.
func (k *Kernel) Worker() sampler.Worker {
	return &worker{of: k, workers: make([]sampler.Worker, len(k.kernels))}
}

type worker struct {
	of      *Kernel
	workers []sampler.Worker // made when they are needed
	free    *unit.States     // of as many chains as there were in one call
}

// Sweep takes chains with the same clamped values, as far as they are neighbours, through the sweeps of their kernel.
func (w *worker) Sweep(c *sampler.Chains, lo, hi int, first uint64, n int) {
	group := func(row int) int { return w.of.of[(int(c.First)+row)%len(w.of.of)] }
	for lo < hi {
		g, end := group(lo), lo+1
		for end < hi && group(end) == g {
			end++
		}
		w.sweep(g, c, lo, end, first, n)
		lo = end
	}
}

func (w *worker) sweep(g int, c *sampler.Chains, lo, hi int, first uint64, n int) {
	if w.workers[g] == nil {
		w.workers[g] = w.of.kernels[g].Worker()
	}
	if w.free == nil || w.free.Len < hi-lo {
		spec := c.V.Spec
		spec.N = len(w.of.free)
		w.free = unit.NewStates(spec, hi-lo)
	}
	part := sampler.Chains{Seed: c.Seed, First: c.First + uint32(lo), Sweep: first, V: w.free.Slice(0, hi-lo),
		Proposed: c.Proposed[lo:hi], Accepted: c.Accepted[lo:hi]}
	for row := lo; row < hi; row++ {
		for k, i := range w.of.free {
			part.V.Set(row-lo, k, c.V.Value(row, i))
		}
	}
	w.workers[g].Sweep(&part, 0, hi-lo, first, n)
	for row := lo; row < hi; row++ {
		for k, i := range w.of.free {
			c.V.Set(row, i, part.V.Value(row-lo, k))
		}
	}
}
