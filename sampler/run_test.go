package sampler_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"instanton/internal/kernels"
	"instanton/internal/problem"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

var plan = sampler.Plan{Burn: 3, Every: 4, Draws: 5}

// record runs the plan on 37 chains.
func record(t *testing.T, k sampler.Kernel, workers int) (*sampler.Record, *sampler.Chains) {
	t.Helper()
	c := sampler.NewChains(k.Model(), 37, 5)
	r := sampler.NewRecord(k, c, plan, true)
	if err := sampler.NewPool(k, workers).Record(context.Background(), c, r, nil); err != nil {
		t.Fatal(err)
	}
	return r, c
}

func forKernels(t *testing.T, f func(t *testing.T, k sampler.Kernel)) {
	betas := []float64{1, 1.8}
	if testing.Short() {
		betas = betas[1:] // copies and corrects
	}
	for _, m := range problem.Stored() {
		for _, beta := range betas {
			for _, k := range kernelsOf(t, m, beta) {
				t.Run(m.Visible.Spec().String()+"-"+m.Hidden.Spec().String()+"/"+sampler.Name(k),
					func(t *testing.T) { f(t, k) })
			}
		}
	}
}

func TestWorkersDoNotMatter(t *testing.T) {
	forKernels(t, func(t *testing.T, k sampler.Kernel) {
		one, _ := record(t, k, 1)
		for _, workers := range []int{2, 7} {
			many, _ := record(t, k, workers)
			if !one.V.Equal(many.V) || !one.H.Equal(many.H) {
				t.Errorf("%d workers give other bits than one", workers)
			}
		}
	})
}

// A run interrupted at any sweep and resumed ends in the same bits. Only the state of the chains is carried over, as a
// file would do.
func TestResumeIsBitEqual(t *testing.T) {
	every := 5
	if testing.Short() {
		every = 10
	}
	forKernels(t, func(t *testing.T, k sampler.Kernel) {
		whole, end := record(t, k, 1)
		for cut := 1; cut < plan.Sweeps(); cut += every {
			c := sampler.NewChains(k.Model(), 37, 5)
			r := sampler.NewRecord(k, c, plan, true)
			ctx, cancel := context.WithCancel(context.Background())
			err := sampler.NewPool(k, 2).Record(ctx, c, r, func(sweeps int) {
				if sweeps >= cut {
					cancel()
				}
			})
			if err == nil && c.Sweep < uint64(plan.Sweeps()) || err != nil && !errors.Is(err, context.Canceled) {
				t.Fatalf("cut at %d: error %v at sweep %d", cut, err, c.Sweep)
			}
			saved := &sampler.Chains{Seed: c.Seed, First: c.First, Sweep: c.Sweep, V: c.V.Clone(), Proposed: c.Proposed,
				Accepted: c.Accepted}
			if err := sampler.NewPool(k, 3).Record(context.Background(), saved, r, nil); err != nil {
				t.Fatal(err)
			}
			if !r.V.Equal(whole.V) || !r.H.Equal(whole.H) || !saved.V.Equal(end.V) {
				t.Errorf("cut at sweep %d: other bits than in one go", cut)
			}
			if saved.Acceptance() != end.Acceptance() {
				t.Errorf("cut at sweep %d: acceptance %g, want %g", cut, saved.Acceptance(), end.Acceptance())
			}
		}
	})
}

// A batch divided into parts, as over the nodes of a cluster, gives the same chains.
func TestPartsOfABatch(t *testing.T) {
	m := must(rbm.Random(must(unit.ParseSpec("spin:20")), must(unit.ParseSpec("spin:6")), 1, 3))
	k := must(sampler.NewGibbs(m, 1))
	whole := sampler.NewChains(m, 10, 5)
	part := sampler.NewChains(m, 4, 5)
	part.First = 6
	if err := part.Begin(whole.V.Slice(6, 10)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []*sampler.Chains{whole, part} {
		if err := sampler.NewPool(k, 2).Run(context.Background(), c, 20); err != nil {
			t.Fatal(err)
		}
	}
	if !part.V.Equal(whole.V.Slice(6, 10)) {
		t.Error("chains 6 to 9 on their own differ from chains 6 to 9 of ten")
	}
}

func TestSweepsAllocateNothing(t *testing.T) {
	forKernels(t, func(t *testing.T, k sampler.Kernel) {
		c := sampler.NewChains(k.Model(), 8, 1)
		w := k.Worker()
		if a := testing.AllocsPerRun(10, func() { w.Sweep(c, 0, 8, 0, 3) }); a != 0 {
			t.Errorf("%g allocations", a)
		}
	})
}

// Curie–Weiss model with N = 16, w = 1.2: for every kernel, ⟨m²⟩ of independent chains is within four standard errors
// of the exact value.
func TestCurieWeissMagnetisation(t *testing.T) {
	if testing.Short() {
		t.Skip("long runs against the exact law")
	}
	const n, chains = 16, 1000
	m := must(rbm.CurieWeiss(n, 1.2))
	square := func(v []float64) float64 {
		var sum float64
		for _, x := range v {
			sum += x
		}
		return sum * sum / (n * n)
	}
	exact := must(rbm.NewDistribution(m, nil, 1)).Mean(square)
	for _, k := range kernelsOf(t, m, 1) {
		c := sampler.NewChains(m, chains, 8)
		// τ is about 33 sweeps here, and ⟨m²⟩ relaxes faster: 200 forget the start.
		if err := sampler.NewPool(k, 0).Run(context.Background(), c, 200); err != nil {
			t.Fatal(err)
		}
		var sum, sum2 float64
		v := make([]float64, n)
		for j := range chains {
			c.V.Values(v, j)
			s := square(v)
			sum += s
			sum2 += s * s
		}
		mean := sum / chains
		se := math.Sqrt((sum2/chains - mean*mean) / chains)
		if math.Abs(mean-exact) > 4*se {
			t.Errorf("%s: ⟨m²⟩ = %g ± %g, exact %g", sampler.Name(k), mean, se, exact)
		}
	}
}

// Random starts are uniform over the states of discrete units: the counts of each bit and each Potts state are within
// five binomial errors.
func TestRandomStart(t *testing.T) {
	m := must(rbm.Random(must(unit.ParseSpec("potts:40x5")), must(unit.ParseSpec("spin:2")), 1, 3))
	c := sampler.NewChains(m, 500, 2)
	counts := make([]float64, 5)
	for _, a := range c.V.Codes {
		counts[a]++
	}
	total := float64(len(c.V.Codes))
	for a, got := range counts {
		if tol := 5 * math.Sqrt(total*0.2*0.8); math.Abs(got-total/5) > tol {
			t.Errorf("state %d: %g of %g, want %g ± %g", a, got, total, total/5, tol)
		}
	}
}

func TestBadKernels(t *testing.T) {
	spin, gauss := problem.Tiny(unit.Spin, unit.Spin), problem.Tiny(unit.Gaussian, unit.Spin)
	for _, c := range []struct {
		name  string
		model *rbm.RBM
		beta  float64
		want  string
	}{
		{"gibs", spin, 1, `unknown sampler "gibs"`},
		{"gibbs", spin, -1, "β = -1: expected a number that is not negative"},
		{"metropolis", spin, math.NaN(), "β = NaN"},
		{"glauber", spin, math.Inf(1), "β = +Inf"},
		{"gibbs", spin, 5000, "at most 1024"},
		{"metropolis", gauss, 1, "single-site moves need"},
		{"gibbs", gauss, 0, "cannot be normalised"},
	} {
		_, err := kernels.New(c.name, c.model, c.beta, kernels.Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s at β = %g: error %v, want one with %q", c.name, c.beta, err, c.want)
		}
	}
}

// A model without a normalisable distribution is reported, not sampled to infinity.
func TestDivergenceIsReported(t *testing.T) {
	relu := unit.Spec{Type: unit.ReLU, N: 1}
	m := must(rbm.New(relu, relu))
	m.W[0] = 3
	c := sampler.NewChains(m, 2, 1)
	err := sampler.NewPool(must(sampler.NewGibbs(m, 1)), 1).Run(context.Background(), c, 1000)
	if err == nil || !strings.Contains(err.Error(), "no normalisable distribution") {
		t.Errorf("error %v", err)
	}
}
