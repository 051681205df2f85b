package bench

import (
	"context"

	"instanton/internal/kernel"
	"instanton/internal/rng"
	"instanton/latent"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/train"
	"instanton/unit"
)

// work is a piece of work that can be done any number of times.
type work struct {
	run       func(n int)
	flops     float64     // operations of the dense products in one unit of work; 0 if there are none
	reference func(n int) // what it is compared with, if anything
}

// prepare returns the work of a case, warmed up.
func (o Options) prepare(ctx context.Context, c Case) (w work, err error) {
	v, err := unit.ParseSpec(c.Visible)
	if err != nil {
		return w, err
	}
	h, err := unit.ParseSpec(c.Hidden)
	if err != nil {
		return w, err
	}
	product := 2 * float64(v.Width()) * float64(h.Width()) * float64(c.Chains)
	switch c.Kind {
	case gemm:
		return work{run: multiply(v.N, h.N, c.Chains), flops: product}, nil
	case pcd:
		w.run, err = o.training(ctx, c, v, h)
		// Products: up and down for each sweep, up for the data and for the chains, two
		// of the gradient.
		w.flops = product * float64(2*c.K+4)
		return w, err
	case latentMoves:
		w.run, err = o.hopfieldSweeps(ctx, c, v) // the work is in logarithms, not in products
		return w, err
	}
	m, err := rbm.Random(v, h, c.Scale, 1)
	if err != nil {
		return w, err
	}
	if c.Kind == draws {
		w.run, err = o.latentSweeps(ctx, c, m)
		return w, err
	}
	k, err := sampler.NewGibbsOn(o.Device, m, 1)
	if err != nil {
		return w, err
	}
	switch c.Kind {
	case keep, keepHidden:
		w.run = o.samples(ctx, k, c.Chains, sampler.Plan{Every: 1, Draws: c.K}, c.Kind == keepHidden)
		w.reference = o.samples(ctx, k, c.Chains, sampler.Plan{Every: c.K, Draws: 1}, false)
		return w, nil
	case scaling:
		if o.Threads > 1 {
			w.reference = Options{Threads: 1}.sweeps(ctx, k, sampler.NewChains(m, c.Chains, 1))
		}
	}
	w.run, w.flops = o.sweeps(ctx, k, sampler.NewChains(m, c.Chains, 1)), 2*product
	return w, nil
}

// samples does what `instanton sample` does between reading a model and writing a file.
func (o Options) samples(ctx context.Context, k sampler.Kernel, chains int, plan sampler.Plan,
	hidden bool) func(n int) {
	pool := sampler.NewPool(k, o.Threads)
	run := func(n int) {
		for range n {
			c := sampler.NewChains(k.Model(), chains, 1)
			r := sampler.NewRecord(k, c, plan, hidden)
			r.KeepEnergies()
			_ = pool.Record(ctx, c, r, nil) // fails only when interrupted, which Run reports
		}
	}
	run(1)
	return run
}

// sweeps moves chains by a kernel; some sweeps are done first to leave the random start.
func (o Options) sweeps(ctx context.Context, k sampler.Kernel, chains *sampler.Chains) func(n int) {
	pool := sampler.NewPool(k, o.Threads)
	run := func(n int) { _ = pool.Run(ctx, chains, n) } // fails only when interrupted, which Run reports
	run(20)
	return run
}

func (o Options) hopfieldSweeps(ctx context.Context, c Case, v unit.Spec) (func(n int), error) {
	patterns, err := rbm.OrthogonalPatterns(v.N, 6)
	if err != nil {
		return nil, err
	}
	m, err := rbm.Hopfield(patterns, 1.5)
	if err != nil {
		return nil, err
	}
	return o.latentSweeps(ctx, c, m)
}

func (o Options) latentSweeps(ctx context.Context, c Case, m *rbm.RBM) (func(n int), error) {
	k, err := latent.New(m, 1, latent.Options{Block: c.K})
	if err != nil {
		return nil, err
	}
	return o.sweeps(ctx, k, sampler.NewChains(m, c.Chains, 1)), nil
}

// training does updates of PCD on random bits, with as many samples per minibatch as chains, by the plain gradient and
// without momentum, as the peers do.
func (o Options) training(ctx context.Context, c Case, v, h unit.Spec) (func(n int), error) {
	data := unit.NewStates(v, 4*c.Chains)
	for k := range data.Len {
		r := rng.New(1, rng.Data, uint32(k), 0).Rand()
		for i := range data.N {
			data.Set(k, i, v.StateValue(r.IntN(2)))
		}
	}
	cfg := train.Default()
	cfg.Batch, cfg.Chains, cfg.Sweeps, cfg.Epochs = c.Chains, c.Chains, c.K, 1<<30
	cfg.Gradient, cfg.Clip, cfg.Optimizer.Name, cfg.Optimizer.Momentum = "plain", 0, "sgd", 0
	cfg.Optimizer.Rate = 1e-5 // there is nothing to learn from random bits
	t, err := cfg.NewOn(o.Device, h, train.Data{States: data}, o.Threads)
	if err != nil {
		return nil, err
	}
	run := func(n int) {
		for range n {
			if err := t.Update(ctx); err != nil && ctx.Err() == nil {
				panic(err) // a divergence at this rate is a bug
			}
		}
	}
	run(3)
	return run, nil
}

// multiply does one float32 product of a batch with a matrix.
func multiply(rows, cols, batch int) func(n int) {
	a, d, out := make([]float32, batch*rows), kernel.NewDense(rows, cols), make([]float32, batch*cols)
	for k := range a {
		a[k] = float32(k%17) / 16
	}
	d.SetRows(a[:rows*cols], cols)
	g := kernel.NewGEMM()
	return func(n int) {
		for range n {
			clear(out)
			g.AddProduct(out, cols, kernel.Left{Data: a, Row: rows, Step: 1}, batch, d)
		}
	}
}
