package latent_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"instanton/latent"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// mattis returns which pattern (1…M, negative for its opposite) a configuration is near, 0 for none.
func mattis(m *rbm.RBM, v *unit.States, k int) int {
	x, p := make([]float64, v.N), make([]float64, v.N)
	v.Values(x, k)
	for mu := range m.Patterns.Len {
		m.Patterns.Values(p, mu)
		var overlap float64
		for i := range x {
			overlap += x[i] * p[i] / float64(len(x))
		}
		if math.Abs(overlap) > 0.7 {
			return int(math.Copysign(float64(mu+1), overlap))
		}
	}
	return 0
}

// visits runs chains from the first pattern and counts the draws near each pattern, and the switches between patterns
// seen from one draw to the next.
func visits(t *testing.T, k sampler.Kernel, chains, sweeps int) (seen map[int]int, switches, kept int) {
	t.Helper()
	m := k.Model()
	c := sampler.NewChains(m, chains, 3)
	if err := c.Begin(m.Patterns.Slice(0, 1)); err != nil {
		t.Fatal(err)
	}
	r := sampler.NewRecord(k, c, sampler.Plan{Every: 1, Draws: sweeps}, false)
	if err := sampler.NewPool(k, 0).Record(context.Background(), c, r, nil); err != nil {
		t.Fatal(err)
	}
	seen = map[int]int{}
	for j := range chains {
		last := 1
		for d := range sweeps {
			now := mattis(m, r.V, j*sweeps+d)
			if now == 0 {
				continue
			}
			seen[now]++
			kept++
			if now != last {
				switches++
				last = now
			}
		}
	}
	t.Logf("acceptance %.4f", c.Acceptance())
	return seen, switches, kept
}

func hopfield(t *testing.T, rotate bool) *rbm.RBM {
	t.Helper()
	m := must(rbm.Hopfield(must(rbm.OrthogonalPatterns(128, 6)), 1.5))
	if rotate {
		if err := m.Rotate(rbm.RandomRotation(6, 4)); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// Curie–Weiss N = 128, w = 1.5: alternating Gibbs sampling stays in its state for 10⁵ sweeps, one latent move per sweep
// changes it with probability one half.
func TestLatentCurieWeiss(t *testing.T) {
	m := must(rbm.CurieWeiss(128, 1.5))
	up := unit.NewStates(m.Visible.Spec(), 1)
	for i := range up.N {
		up.Set(0, i, 1)
	}
	m.Patterns = up
	if _, switches, _ := visits(t, must(sampler.NewGibbs(m, 1)), 1, 100000); switches > 0 {
		t.Errorf("alternating Gibbs sampling switched %d times in 10⁵ sweeps, want none", switches)
	}
	const sweeps = 20000
	_, switches, kept := visits(t, must(latent.New(m, 1, latent.Options{})), 4, sweeps/4)
	if kept < sweeps*99/100 {
		t.Errorf("%d of %d draws are near a state", kept, sweeps)
	}
	// A refused move keeps the state: ½ times the acceptance, which is above 0.99.
	if p, tol := float64(switches)/sweeps, 0.005+4*math.Sqrt(0.25/sweeps); math.Abs(p-0.5) > tol {
		t.Errorf("%g switches a sweep, want ½ ± %g", p, tol)
	}
}

// Hopfield N = 128, M = 6, w = 1.5 with weights along the patterns: single units visit one pattern and its opposite,
// pairs visit all twelve states equally.
func TestLatentHopfield(t *testing.T) {
	if testing.Short() {
		t.Skip("long runs against the exact law")
	}
	m := hopfield(t, false)
	seen, switches, _ := visits(t, must(latent.New(m, 1, latent.Options{})), 4, 500)
	if len(seen) != 2 || seen[1] == 0 || seen[-1] == 0 || switches < 500 {
		t.Errorf("single units: states %v with %d switches, want ±1 only and about 1000", seen, switches)
	}
	checkAllStates(t, must(latent.New(m, 1, latent.Options{Block: 2})), 8000)
}

// checkAllStates runs four chains and compares the twelve occupancies with 1/12, by the spread of the means of batches
// of 250 sweeps, which are much longer than a state lasts.
func checkAllStates(t *testing.T, k sampler.Kernel, sweeps int) {
	t.Helper()
	const chains, size = 4, 250
	m := k.Model()
	c := sampler.NewChains(m, chains, 3)
	if err := c.Begin(m.Patterns.Slice(0, 1)); err != nil {
		t.Fatal(err)
	}
	r := sampler.NewRecord(k, c, sampler.Plan{Burn: size, Every: 1, Draws: sweeps / chains}, false)
	if err := sampler.NewPool(k, 0).Record(context.Background(), c, r, nil); err != nil {
		t.Fatal(err)
	}
	batches := sweeps / size
	share := map[int][]float64{}
	for j := range r.V.Len {
		now := mattis(m, r.V, j)
		if now == 0 {
			continue
		}
		if share[now] == nil {
			share[now] = make([]float64, batches)
		}
		share[now][j/size] += 1.0 / size
	}
	if len(share) != 12 {
		t.Fatalf("%d states seen, want 12", len(share))
	}
	for state, x := range share {
		var mean, square float64
		for _, p := range x {
			mean += p / float64(batches)
			square += p * p / float64(batches)
		}
		se := math.Sqrt((square - mean*mean) / float64(batches-1))
		if math.Abs(mean-1.0/12) > 4.5*se+0.002 { // 0.2 % of the draws are near no state
			t.Errorf("state %d is occupied %.4f ± %.4f of the time, want 1/12", state, mean, se)
		}
	}
}

// With rotated weights single units and pairs hardly leave the state, while moves along the differences of the
// patterns' representations visit all.
func TestLatentRotatedHopfield(t *testing.T) {
	m := hopfield(t, true)
	for _, block := range []int{1, 2} {
		const chains, sweeps = 4, 500
		_, switches, _ := visits(t, must(latent.New(m, 1, latent.Options{Block: block})), chains, sweeps)
		if switches > 5*chains*sweeps/1000 {
			t.Errorf("blocks of %d: %d switches in %d sweeps, want a few in 1000 at most", block, switches,
				chains*sweeps)
		}
	}
	var points [][]float64
	for _, sign := range []float64{1, -1} {
		for mu := range m.Patterns.Len {
			v, h := make([]float64, m.Patterns.N), make([]float64, 6)
			m.Patterns.Values(v, mu)
			m.Inputs(h, v) // γ = 1: the mean of h given v
			for k := range h {
				h[k] *= sign
			}
			points = append(points, h)
		}
	}
	checkAllStates(t, must(latent.New(m, 1, latent.Options{Directions: latent.Differences(points)})), 8000)
}

func BenchmarkLatent(b *testing.B) {
	for _, c := range []struct {
		visible, hidden string
		block           int
	}{
		{"spin:784", "gaussian:64", 1}, {"bernoulli:784", "gaussian:64", 1},
		{"spin:784", "relu:64", 1}, {"spin:784", "drelu:64", 1}, {"spin:784", "spin:64", 1},
		{"spin:128", "gaussian:64", 1}, {"spin:128", "gaussian:64", 2}, {"spin:784", "gaussian:64", 2},
		{"potts:27x20", "gaussian:64", 1}, {"potts:27x20", "drelu:64", 2},
	} {
		b.Run(fmt.Sprintf("%s-%s/D=%d", c.visible, c.hidden, c.block), func(b *testing.B) {
			m := must(rbm.Random(must(unit.ParseSpec(c.visible)), must(unit.ParseSpec(c.hidden)), 1, 3))
			k := must(latent.New(m, 1, latent.Options{Block: c.block}))
			chains := sampler.NewChains(m, 16, 1)
			w := k.Worker()
			w.Sweep(chains, 0, 16, 0, 1)
			b.ResetTimer()
			n := 0
			for b.Loop() {
				w.Sweep(chains, 0, 16, uint64(n+1), 1)
				n++
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n*16*64/c.block), "ns/move")
			b.ReportMetric(chains.Acceptance(), "acceptance")
		})
	}
}

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}
