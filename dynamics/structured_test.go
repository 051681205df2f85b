package dynamics

import (
	"errors"
	"math"
	"strings"
	"testing"

	"instanton/rbm"
	"instanton/theory"
)

// The chain on block counts and the chain on hidden values have the same relaxation time.
func TestHiddenChainAgreesWithBlockCounts(t *testing.T) {
	s := theory.Structured{W: 1.2 * math.Sqrt2, Overlap: must[rbm.Overlap](t)(rbm.AllToAll(2, 0.1))}
	want := must[Relaxation](t)(must[*Chain](t)(BlockCounts(s, 20, Gibbs)).Relaxation())
	for _, accuracy := range []float64{1e-3, 1e-6, 1e-9} {
		c := must[*Chain](t)(HiddenChain(s, 20, accuracy))
		relative(t, "τ", must[Relaxation](t)(c.Relaxation()).Time, want.Time, accuracy)
		if e := c.StationarityError(); e > 1e-11 {
			t.Errorf("stationary distribution off by %g", e)
		}
	}
}

// Two independent units relax like one Curie–Weiss model of half the spins and w²/2.
func TestIndependentUnitsAreCurieWeiss(t *testing.T) {
	s := theory.Structured{W: 1.2 * math.Sqrt2, Overlap: must[rbm.Overlap](t)(rbm.AllToAll(2, 0))}
	for _, k := range []Kernel{Gibbs, Metropolis} {
		pair := must[Relaxation](t)(must[*Chain](t)(BlockCounts(s, 24, k)).Relaxation())
		single := must[Relaxation](t)(must[*Chain](t)(CurieWeiss(theory.CurieWeiss{W: 1.2}, 12, k)).Relaxation())
		factor := 1.0
		if k == Metropolis {
			factor = 2 // every other attempt falls into the other half
		}
		relative(t, "gap", pair.Gap*factor, single.Gap, 1e-11)
	}
}

// Three units on a ring, one spin per block: the latent redraw is faster than AGS.
func TestRingDynamics(t *testing.T) {
	s := theory.Structured{W: 1.4, Overlap: must[rbm.Overlap](t)(rbm.Ring(3, 1.0/6))}
	var times [3]float64
	for k := range times {
		c := must[*Chain](t)(BlockCounts(s, 6, Kernel(k)))
		times[k] = must[Relaxation](t)(c.Relaxation()).Time
		if e := c.StationarityError(); e > 1e-11 {
			t.Errorf("%v: stationary distribution off by %g", Kernel(k), e)
		}
	}
	t.Logf("N = 6: relaxation times %.4g", times)
	if times[LatentRedraw] > times[Gibbs]/2 {
		t.Errorf("relaxation times %v", times)
	}
	_, err := BlockCounts(s, 24, Gibbs)
	wantSentence(t, err, "the transition matrix takes at most")
}

// First passages of the pair, on block counts: at α = 0 the two halves pass one after the other.
func TestPairPassage(t *testing.T) {
	s := theory.Structured{W: 1.2 * math.Sqrt2, Overlap: must[rbm.Overlap](t)(rbm.AllToAll(2, 0))}
	pair := must[float64](t)(must[*Chain](t)(BlockCounts(s, 24, Gibbs)).Passage())
	single := must[float64](t)(must[*Chain](t)(CurieWeiss(theory.CurieWeiss{W: 1.2}, 12, Gibbs)).Passage())
	if pair < single || pair > 20*single {
		t.Errorf("the pair passes in %g steps, one half in %g", pair, single)
	}
	coupled := theory.Structured{W: 1.2 * math.Sqrt2, Overlap: must[rbm.Overlap](t)(rbm.AllToAll(2, 0.1))}
	exact := must[float64](t)(must[*Chain](t)(BlockCounts(coupled, 20, Gibbs)).Passage())
	t.Logf("N = 20, α = 0.1: %.1f steps", exact)
	if exact < 100 {
		t.Errorf("passage in %g steps", exact)
	}
}

// Claim C1 at finite N: the slope of log τ is the highest barrier and not Φ, and the overlap slows the chain down.
func TestErratumOverlapSlowsAGS(t *testing.T) {
	p := must[theory.Perturbation](t)(theory.Perturb(1.2 * math.Sqrt2))
	times, passages := map[float64][]float64{}, map[float64][]float64{}
	for _, want := range []struct{ alpha, slope float64 }{{0, 0.0467}, {0.02, 0.0574}, {0.04, 0.0705}} {
		pair := must[theory.Pair](t)(p.At(want.alpha))
		s := theory.Structured{W: pair.W, Overlap: must[rbm.Overlap](t)(rbm.AllToAll(2, want.alpha))}
		for _, n := range []int{100, 200, 300} {
			c := must[*Chain](t)(HiddenChain(s, n, 1e-4))
			times[want.alpha] = append(times[want.alpha], must[Relaxation](t)(c.Relaxation()).Time)
			passages[want.alpha] = append(passages[want.alpha], must[float64](t)(c.Passage()))
		}
		slope := math.Log(times[want.alpha][2]/times[want.alpha][1]) / 100
		b := must[theory.PairBarriers](t)(pair.Barriers())
		t.Logf("w₀ = 1.2√2, α = %.2f: slope of log τ over N = 200…300 %.4f, highest barrier %.4f, Φ %.4f", want.alpha,
			slope, b.Highest, b.Action)
		near(t, "slope", slope, want.slope, 6e-5)
	}
	// The paper speaks of the time between the global minima, which is the mean first passage: 2τ where these two
	// states are all that matters, 4τ for two independent units, which flip each by itself.
	for i, want := range []struct{ passage, relaxation float64 }{{1.50, 2.9}, {4.27, 8.5}, {12.4, 24.7}} {
		passage, ratio := passages[0.02][i]/passages[0][i], times[0.02][i]/times[0][i]
		t.Logf("N = %d: α = 0.02 over α = 0: mean first passage between the global minima %.3g, τ %.1f; passage over "+
			"τ %.2f and %.2f", 100*(i+1), passage, ratio, passages[0][i]/times[0][i], passages[0.02][i]/times[0.02][i])
		near(t, "ratio of passages", passage, want.passage, 0.006*want.passage)
		near(t, "ratio of relaxation times", ratio, want.relaxation, 0.05)
	}
}

// Claim C5: the same exponent, different prefactors.
func TestErratumPrefactors(t *testing.T) {
	c := theory.CurieWeiss{W: 1.2}
	for _, k := range []Kernel{Gibbs, Metropolis} {
		before := math.Inf(1)
		for _, n := range []int{128, 256, 512} {
			exact := must[Relaxation](t)(must[*Chain](t)(CurieWeiss(c, n, k)).Relaxation()).Time
			ratio := exact / math.Exp(must[float64](t)(AsymptoticLogTime(c, n, k)))
			t.Logf("%v, N = %d: exact τ over asymptotic %.4f", k, n, ratio)
			// the corrections are of order 1/N for AGS and 1/√N for the kink of Metropolis' rule
			if order := map[Kernel]float64{Gibbs: 4 / float64(n),
				Metropolis: 2.4 / math.Sqrt(float64(n))}[k]; math.Abs(ratio-1) > order || math.Abs(ratio-1) > before {
				t.Errorf("ratio %g at N = %d", ratio, n)
			}
			before = math.Abs(ratio - 1)
		}
	}
	slower := math.Exp(must[float64](t)(AsymptoticLogTime(c, 1000, Gibbs)) - must[float64](t)(AsymptoticLogTime(c, 1000,
		Metropolis)) + math.Log(1000))
	t.Logf("w = 1.2: AGS takes %.2f times as many steps as Metropolis takes sweeps", slower)
	near(t, "AGS over Metropolis", slower, 2.4, 0.05)
	_, err := AsymptoticLogTime(c, 10, FairFlip)
	wantSentence(t, err, "no asymptotic time")
	_, err = AsymptoticLogTime(theory.CurieWeiss{W: 0.5}, 10, Gibbs)
	wantSentence(t, err, "w > 1")
}

// Beyond the chain of block counts a pair goes over to the hidden chain, and says so; what cannot be done is said with
// what could.
func TestDynamicsFallsBack(t *testing.T) {
	s := theory.Structured{W: 1.7, Overlap: must[rbm.Overlap](t)(rbm.AllToAll(2, 0.1))}
	small, large := must[*Chain](t)(Structured(s, 20, Gibbs)), must[*Chain](t)(Structured(s, 100, Gibbs))
	if !strings.HasPrefix(small.Method, "exact") ||
		!strings.Contains(large.Method, "grid of hidden values, relaxation time to 1e-09") {
		t.Errorf("methods %q and %q", small.Method, large.Method)
	}
	for _, c := range []*Chain{small, large} {
		value, law := c.Law()
		total, mean := 0.0, 0.0
		for i, p := range law {
			total += p
			mean += p * value[i]
		}
		centre := 10.0 // of 20 spins
		if c.OnHidden() {
			centre = 0
		}
		near(t, "sum of the law", total, 1, 1e-12)
		near(t, "mean of the law", mean, centre, 1e-6)
	}
	_, err := Structured(s, 100, FairFlip)
	wantSentence(t, err, "try 40 spins or fewer")
	_, err = Structured(s, 41, Gibbs)
	wantSentence(t, err, "such as 40")
	_, err = Structured(s, 100_000_000, Gibbs)
	wantSentence(t, err, "1 to a million")
}

// Times whose squares are beyond float64 are held, and longer ones refused by name.
func TestVeryLongTimes(t *testing.T) {
	c := must[*Chain](t)(CurieWeiss(theory.CurieWeiss{W: 1.5}, 900, Metropolis))
	r := must[Relaxation](t)(c.Relaxation())
	asymptotic := must[float64](t)(AsymptoticLogTime(theory.CurieWeiss{W: 1.5}, 900, Metropolis))
	near(t, "log τ", math.Log(r.Time), asymptotic, 0.1) // the prefactor of Metropolis has corrections of order 1/√N
	if r.Time < 1e160 {
		t.Errorf("τ = %g is not long enough for this test", r.Time)
	}
	relative(t, "first passage", must[float64](t)(c.Passage()), 2*r.Time, 1e-6)
	c = must[*Chain](t)(CurieWeiss(theory.CurieWeiss{W: 2}, 1000, Metropolis))
	if _, err := c.Relaxation(); !errors.Is(err, ErrBeyondRange) {
		t.Errorf("error %v", err)
	}
	if _, err := c.Passage(); !errors.Is(err, ErrBeyondRange) {
		t.Errorf("error %v", err)
	}
	near(t, "estimate", c.LogTimeEstimate(), 1000*must[float64](t)(theory.CurieWeiss{W: 2}.Barrier()), 1e-9)
}

// The elimination by panels is the elimination state by state.
func TestPanelsAgree(t *testing.T) {
	c := must[*Chain](t)(CurieWeiss(theory.CurieWeiss{W: 1.3}, 300, Gibbs))
	root := c.likeliest()
	byPanels := c.eliminate(func(i int) bool { return i == root })
	one := &elimination{states: byPanels.states, a: newBandMatrix(300, 299), pivot: make([]float64, 300)}
	kill := make([]float64, 300)
	for k, i := range one.states {
		for l, j := range one.states {
			one.a.set(k, l, c.Probability(i, j))
		}
		kill[k] = c.Probability(i, root)
	}
	for i := 299; i >= 0; i-- {
		one.out(i, 0, kill)
	}
	for i, p := range one.pivot {
		relative(t, "pivot", byPanels.pivot[i], p, 1e-12)
	}
}
