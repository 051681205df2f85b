package theory

import (
	"math"
	"slices"
	"testing"

	"instanton/internal/special"
	"instanton/rbm"
)

func fiveUnits(t testing.TB, alpha float64) *Landscape {
	return mustLandscape(t, Structured{W: 1.2 * math.Sqrt(5), Overlap: must[rbm.Overlap](t)(rbm.AllToAll(5, alpha))})
}

func latentOf(t testing.TB, alpha float64) *LatentBarrier {
	l := fiveUnits(t, alpha)
	return must[*LatentBarrier](t)(l.Latent(must[[]float64](t)(l.Field(uniformState(t, l, 1))), 1))
}

// Claim C2: at the printed α = 0.03 nothing of the figure is there; two minima need α below 0.006665.
func TestErratumLatentFigure(t *testing.T) {
	printed := fiveUnits(t, 0.03)
	g := must[*Graph](t)(printed.Graph())
	if n := len(latentOf(t, 0.03).Minima); len(g.Minima) != 2 || n != 1 {
		t.Errorf("α = 0.03: f has %d minima, e_μ has %d", len(g.Minima), n)
	}
	// ... with the others in that state. With two of them up and two down the unit sees no field, and has two minima.
	star := must[[]float64](t)(printed.Field(uniformState(t, printed, 1)))[0]
	balanced := must[*LatentBarrier](t)(printed.Latent([]float64{star, star, star, -star, -star}, 1))
	if len(balanced.Minima) != 2 || balanced.Limit > 1e-12 {
		t.Errorf("the others at ++−−: %d minima, Δe_MH = %g", len(balanced.Minima), balanced.Limit)
	}
	threshold := bisect(func(alpha float64) float64 { return float64(len(latentOf(t, alpha).Minima)) - 1.5 }, 0.006,
		0.007, 1e-7)
	t.Logf("M = 5, w = 1.2√5: f has %d minima at α = 0.03; e_μ has two minima for α < %.6f", len(g.Minima), threshold)
	near(t, "threshold", threshold, 0.006665, 6e-7)
	for _, alpha := range []float64{0.003, 0.005} {
		l := fiveUnits(t, alpha)
		g := must[*Graph](t)(l.Graph())
		b := latentOf(t, alpha)
		up := uniformState(t, l, 1)
		one := slices.IndexFunc(g.Minima, func(p CriticalPoint) bool {
			return p.M[0] < 0 && p.M[1] > 0 && p.M[2] > 0 &&
				p.M[3] > 0 && p.M[4] > 0
		})
		r := must[*Route](t)(g.Cheapest(up, g.Minima[one].M))
		t.Logf("α = %g: Δe_MH = %.6f in the limit, %.6f at N = 1000; Δf = %.6f", alpha, b.Limit,
			must[float64](t)(b.Finite(1000, 1)), r.Barrier)
		if len(b.Minima) != 2 || !(b.Limit < r.Barrier) {
			t.Errorf("α = %g: %d minima, Δe_MH = %g, Δf = %g", alpha, len(b.Minima), b.Limit, r.Barrier)
		}
		t.Logf("α = %g: the minima of e_μ differ by %.6f", alpha, b.Minima[1].F-b.Minima[0].F)
		near(t, "the flipped minimum", b.Flipped, b.Minima[1].F-b.Minima[0].F, 1e-15)
		if edge := b.Limit < b.Flipped-1e-9; edge != (alpha > 0.004) || b.Flipped > r.Barrier {
			t.Errorf("α = %g: Δe_MH = %g, the flipped minimum at %g, Δf = %g", alpha, b.Limit, b.Flipped, r.Barrier)
		}
		// the corrections at finite N are of order log(N)/N
		large := must[float64](t)(b.Finite(1000000, 1))
		near(t, "Δe_MH at N = 10⁶", large, b.Limit, 2e-5)
		near(t, "the way back", must[float64](t)(b.Finite(1000, -1)), -must[float64](t)(b.Finite(1000, 1)), 1e-12)
	}
}

// Next to where the flipped minimum vanishes it costs more than the barrier of AGS.
func TestErratumLatentFigureEdge(t *testing.T) {
	const alpha = 0.0066
	l := fiveUnits(t, alpha)
	g := must[*Graph](t)(l.Graph())
	one := slices.IndexFunc(g.Minima, func(p CriticalPoint) bool { return p.M[0] < 0 && slices.Min(p.M[1:]) > 0 })
	r := must[*Route](t)(g.Cheapest(uniformState(t, l, 1), g.Minima[one].M))
	b := latentOf(t, alpha)
	t.Logf("α = %g: the flipped minimum lies at %.6f, Δf = %.6f, Δe_MH divided at 0 %.6f", alpha, b.Flipped, r.Barrier,
		b.Limit)
	near(t, "the flipped minimum", b.Flipped, 0.047975, 5e-7)
	near(t, "Δf", r.Barrier, 0.047887, 5e-7)
}

// Finite against a sum over all configurations for the Curie–Weiss unit in a field of a frozen one.
func TestLatentFiniteIsTheProbabilityRatio(t *testing.T) {
	l := mustLandscape(t, Pair{1.8, 0.1})
	c := must[*Landscape](t)(l.Condition([]float64{0.4, 0.4}, 1))
	b := &LatentBarrier{Potential: c}
	const n = 50
	var plus, minus float64
	for h := -6.0; h <= 6; h += 1e-4 {
		p := math.Exp(-n * (c.HiddenEnergy([]float64{h}) - c.HiddenEnergy([]float64{0})))
		if h > 0 {
			plus += p
		} else {
			minus += p
		}
	}
	near(t, "Δe_MH", must[float64](t)(b.Finite(n, -1)), -math.Log(plus/minus)/n, 1e-5)
}

// Item 6 of the errata, at the test point w = 1.5, q = 4/128, h₁ = 1.45718 next to the Mattis state.
func TestErratumSingleUnitPotential(t *testing.T) {
	const w, h1, q = 1.5, 1.45718, 4.0 / 128
	a, b := make([]int, 128), make([]int, 128)
	for i := range a {
		a[i], b[i] = 1, 1
		if i >= 66 {
			b[i] = -1
		}
	}
	l := mustLandscape(t, Hopfield{W: w, Patterns: [][]int{a, b}})
	c := must[*Landscape](t)(l.Condition([]float64{h1, 0}, 2))
	e := func(h float64) float64 { return c.HiddenEnergy([]float64{h}) }
	exact := func(h float64) float64 {
		return h*h/2 - (1+q)/2*special.Log2Cosh(w*(h1+h)) - (1-q)/2*special.Log2Cosh(w*(h1-h))
	}
	near(t, "e_ν", e(0.3), exact(0.3), 1e-15)
	gradient, hess := make([]float64, 1), make([]float64, 1)
	c.tilt([]float64{0}, gradient, hess)
	m1 := math.Tanh(w * h1)
	t.Logf("e′(0) = %.7f (printed %.7f), e″(0) = %.5f (printed 1)", -gradient[0], -(1-m1*m1)*q, 1-hess[0])
	near(t, "e′(0)", -gradient[0], -0.0457055, 5e-8)
	near(t, "e′(0) = −w m₁ q", -gradient[0], -w*m1*q, 1e-15)
	near(t, "printed e′(0)", -(1-m1*m1)*q, -0.0015398, 5e-8)
	near(t, "e″(0)", 1-hess[0], 0.88913, 5e-6)
	set := must[*CriticalSet](t)(c.CriticalPoints())
	if len(set.Points) != 1 || set.Points[0].Index != 0 {
		t.Errorf("e_ν is not unimodal: %s", set.Search())
	}
}

// The two-unit potentials of the aligned Hopfield model have four minima with the condensed unit and one without;
// rotated ones have a single global minimum, though often further local ones (claim C4).
func TestErratumRotatedTwoUnitPotentials(t *testing.T) {
	p := independentHopfield(t, 1.5)
	minima := func(l *Landscape, h []float64, mu, nu int) []float64 {
		c := must[*Landscape](t)(l.Condition(h, mu, nu))
		set := must[*CriticalSet](t)(c.CriticalPoints())
		var energies []float64
		for _, s := range set.Points {
			for range s.Copies {
				if s.Index == 0 {
					energies = append(energies, 128*s.F)
				}
			}
		}
		return energies
	}
	l := mustLandscape(t, p)
	mattis := must[[]float64](t)(p.Mattis(1, 1))
	h := must[[]float64](t)(l.Field(mattis))
	if n := len(minima(l, h, 1, 2)); n != 4 {
		t.Errorf("aligned e₁₂ has %d minima, want 4", n)
	}
	if n := len(minima(l, h, 2, 3)); n != 1 {
		t.Errorf("aligned e₂₃ has %d minima, want 1", n)
	}
	several, lowest := 0, math.Inf(1)
	var gaps []float64
	for seed := range uint64(40) {
		p.Rotation = rotation(seed+10, 6)
		l := mustLandscape(t, p)
		e := minima(l, must[[]float64](t)(l.Field(mattis)), 1, 2)
		if len(e) > 1 {
			several++
			gaps = append(gaps, e[1]-e[0])
			lowest = math.Min(lowest, e[1]-e[0])
		}
	}
	slices.Sort(gaps)
	t.Logf("w = 1.5, 40 random rotations: %d two-unit potentials have several local minima; the second lies at "+
		"least %.1f, median %.1f above the first in N·e", several, lowest, gaps[len(gaps)/2])
	// 19 of 40 elsewhere: a binomial of mean 19 has standard deviation 3.2
	if several < 8 || several > 30 || lowest < 1 {
		t.Errorf("%d potentials with several minima, the second from %.2f on", several, lowest)
	}
}

func TestLatentSaysWhatIsWrong(t *testing.T) {
	l := coupledPair(t)
	_, err := l.Latent([]float64{1}, 1)
	wantSentence(t, err, "2 units")
	_, err = l.Latent([]float64{1, 1}, 3)
	wantSentence(t, err, "between 1 and 2")
	_, err = l.Condition([]float64{1, 1})
	wantSentence(t, err, "at least one")
	b := must[*LatentBarrier](t)(l.Latent([]float64{0.6, 0.6}, 1))
	_, err = b.Finite(0, 1)
	wantSentence(t, err, "at least 1")
	_, err = b.Finite(10, 0)
	wantSentence(t, err, "positive or negative")
}
