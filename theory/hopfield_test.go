package theory

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"instanton/internal/vec"

	"gonum.org/v1/gonum/mat"
)

// bisect finds the sign change of f between lo and hi to the tolerance.
func bisect(f func(float64) float64, lo, hi, tolerance float64) float64 {
	below := f(lo) < 0
	for hi-lo > tolerance {
		mid := (lo + hi) / 2
		if (f(mid) < 0) == below {
			lo = mid
		} else {
			hi = mid
		}
	}
	return (lo + hi) / 2
}

func rotation(seed uint64, m int) *mat.Dense {
	r := rand.New(rand.NewPCG(seed, 7))
	gauss := mat.NewDense(m, m, nil)
	for i := range m {
		for j := range m {
			gauss.Set(i, j, r.NormFloat64())
		}
	}
	var qr mat.QR
	qr.Factorize(gauss)
	var q mat.Dense
	qr.QTo(&q)
	return &q
}

func independentHopfield(t testing.TB, w float64) Hopfield {
	return Hopfield{W: w, Patterns: must[[][]int](t)(HadamardPatterns(128, 1, 2, 4, 8, 16, 32))}
}

func TestHopfieldClasses(t *testing.T) {
	l := mustLandscape(t, independentHopfield(t, 1.5))
	limit := mustLandscape(t, Hopfield{W: 1.5, M: 6})
	if l.Classes() != 32 || limit.Classes() != 32 {
		t.Errorf("%d and %d classes, want 32 up to sign", l.Classes(), limit.Classes())
	}
	m := []float64{0.3, -0.1, 0.2, 0, 0.05, 0.1}
	near(t, "f at N = 128 and in the limit", must[float64](t)(l.FreeEnergy(m)), must[float64](t)(limit.FreeEnergy(m)),
		1e-14)
}

// Orthogonal rows are not enough: with ξ³ = ξ¹ξ² the entropy differs from the limit.
func TestErratumOrthogonalIsNotIndependent(t *testing.T) {
	dependent := Hopfield{W: 1.5, Patterns: must[[][]int](t)(HadamardPatterns(128, 1, 2, 3, 4, 5, 6))}
	for i := range dependent.Patterns {
		for j := range i {
			sum := 0
			for k, x := range dependent.Patterns[i] {
				sum += x * dependent.Patterns[j][k]
			}
			if sum != 0 {
				t.Fatalf("rows %d and %d are not orthogonal", i, j)
			}
		}
	}
	l, limit := mustLandscape(t, dependent), mustLandscape(t, Hopfield{W: 1.5, M: 6})
	m := []float64{0.3, 0.3, 0.3, 0.3, 0, 0} // three patterns alone do not tell: a common sign makes ξ¹ξ² free again
	a, b := must[float64](t)(l.FreeEnergy(m)), must[float64](t)(limit.FreeEnergy(m))
	t.Logf("f(0.3, 0.3, 0.3, 0.3, 0, 0) = %.6f for rows 1…6 of H₁₂₈ (%d classes), %.6f in the limit (%d classes)", a,
		l.Classes(), b, limit.Classes())
	if l.Classes() == 32 || math.Abs(a-b) < 0.01 {
		t.Error("the dependent patterns behave like independent ones")
	}
}

func TestHopfieldStates(t *testing.T) {
	c := CurieWeiss{1.5}
	p := Hopfield{W: 1.5, M: 3}
	l := mustLandscape(t, p)
	mattis := must[[]float64](t)(p.Mattis(1, 1))
	f := must[float64](t)(l.FreeEnergy(mattis))
	near(t, "f of a Mattis state", f, c.FreeEnergy(must[float64](t)(c.Magnetization())), 1e-14)

	set := must[*CriticalSet](t)(l.CriticalPoints())
	rise := map[int]float64{} // by number of components; the 3-component minimum and saddle apart
	for _, s := range set.Points {
		n := 0
		for _, m := range s.M {
			if math.Abs(m) > 1e-9 {
				n++
			}
		}
		rise[10*n+s.Index] = s.F - f
	}
	t.Logf("w = 1.5: above the Mattis states lie the saddle (a, b, b) by %.14f, the 3-mixture by %.14f, %.1e lower",
		rise[31], rise[30], rise[31]-rise[30])
	near(t, "2-mixture above Mattis", rise[22], must[float64](t)(c.Barrier())/2, 1e-13)
	near(t, "3-component saddle", rise[31], 0.20738353123096, 2e-14)
	near(t, "3-mixture", rise[30], 0.20737752818335, 2e-14)
	if !set.Complete() {
		t.Error(set.Search())
	}
}

// The identity f(2-mixture) − f(Mattis) = Δf_CW/2 holds at all w: e(h₁, h_ν) separates in h₁ ± h_ν.
func TestHopfieldTwoMixtureIdentity(t *testing.T) {
	for w := 1.05; w < 2; w += 0.1 {
		l := mustLandscape(t, Hopfield{W: w, M: 2})
		c := CurieWeiss{w}
		m := must[float64](t)(c.Magnetization())
		mixture := must[float64](t)(l.FreeEnergy([]float64{m / 2, m / 2}))
		near(t, "identity", mixture-c.FreeEnergy(m), must[float64](t)(c.Barrier())/2, 1e-13)
	}
}

func TestHopfieldThresholds(t *testing.T) {
	// the 2-mixture is the saddle between Mattis states while w²(1 − m*²/2) < 1
	w := bisect(func(w float64) float64 {
		m := must[float64](t)(CurieWeiss{w}.Magnetization())
		return 1 - w*w*(1-m*m/2)
	}, 1.1, 1.4, 1e-12)
	t.Logf("the 2-mixture is the saddle for w < %.10f", w)
	near(t, "end of the 2-mixture saddle", w, 1.3194271710, 5e-11)
	for _, c := range []struct {
		w     float64
		index int
	}{{w - 1e-4, 1}, {w + 1e-4, 2}} {
		l := mustLandscape(t, Hopfield{W: c.w, M: 3})
		m := must[float64](t)(CurieWeiss{c.w}.Magnetization())
		u := must[[]float64](t)(l.Field([]float64{m / 2, m / 2, 0}))
		if index, _, _ := l.index(u); index != c.index {
			t.Errorf("at w = %.6f the 2-mixture has index %d, want %d", c.w, index, c.index)
		}
	}
	// the 3-mixture becomes a minimum at w = 1.4747494
	w = bisect(func(w float64) float64 {
		l := mustLandscape(t, Hopfield{W: w, M: 3})
		h, _ := l.newtonCritical([]float64{0.6, 0.6, 0.6})
		_, multiplier, _ := l.index(h)
		return multiplier - 1
	}, 1.4, 1.5, 1e-9)
	t.Logf("3-mixtures are minima for w > %.7f", w)
	near(t, "3-mixtures become minima", w, 1.4747494, 5e-8)
	near(t, "T = 1/w²", 1/(w*w), 0.4598, 5e-5)
	// the type of the lowest saddle
	for _, c := range []struct {
		w float64
		n int // components equal to the larger one
	}{{1.35, 2}, {1.5, 1}} {
		p := Hopfield{W: c.w, M: 3}
		g := must[*Graph](t)(mustLandscape(t, p).Graph())
		r := must[*Route](t)(g.Lowest(must[[]float64](t)(p.Mattis(1, 1)), must[[]float64](t)(p.Mattis(2, 1))))
		top := r.Stops[1]
		var sizes []float64
		for _, m := range top.M {
			sizes = append(sizes, math.Abs(m))
		}
		slices.Sort(sizes)
		large := 0
		for _, s := range sizes {
			if s > sizes[2]-1e-6 {
				large++
			}
		}
		if sizes[0] < 0.1 || large != c.n {
			t.Errorf("w = %g: lowest saddle %v", c.w, top.M)
		}
	}
}

// The action of N = 128 spins with six independent orthogonal patterns, aligned and rotated.
func TestHopfieldPathRotationInvariant(t *testing.T) {
	p := independentHopfield(t, 1.5)
	problem := PathProblem{From: must[[]float64](t)(p.Mattis(1, 1)), To: must[[]float64](t)(p.Mattis(2, 1)), Steps: 50}
	aligned := must[*Path](t)(mustLandscape(t, p).OptimalPath(problem))
	near(t, "Φ", aligned.Action, 0.20761048333161, 5e-15)
	if !aligned.Minimum() || aligned.GradientNorm > 1e-10 {
		t.Errorf("curvature %g, gradient %g", aligned.LowestCurvature, aligned.GradientNorm)
	}
	p.Rotation = rotation(1, 6)
	l := mustLandscape(t, p)
	rotated := must[*Path](t)(l.OptimalPath(problem))
	near(t, "Φ rotated − aligned", rotated.Action, aligned.Action, 3e-15)
	near(t, "last overlap", rotated.M[50][1], aligned.M[50][1], 1e-12)
	m := []float64{0.3, -0.1, 0.2, 0, 0.05, 0.1}
	near(t, "f rotated", must[float64](t)(l.FreeEnergy(m)),
		must[float64](t)(mustLandscape(t, independentHopfield(t, 1.5)).FreeEnergy(m)), 1e-14)
}

// Random patterns overlap a little; their states are found by relaxation from the patterns.
func TestHopfieldSettle(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	patterns := make([][]int, 3)
	for mu := range patterns {
		patterns[mu] = make([]int, 100)
		for i := range patterns[mu] {
			patterns[mu][i] = 1 - 2*r.IntN(2)
		}
	}
	l := mustLandscape(t, Hopfield{W: 1.5, Patterns: patterns})
	overlap := make([]float64, 3) // those of spins along 0.9 times pattern 2
	for mu := range overlap {
		for i, x := range patterns[mu] {
			overlap[mu] += 0.9 * float64(x*patterns[1][i]) / 100
		}
	}
	p := must[CriticalPoint](t)(l.Settle(overlap))
	if p.Index != 0 || p.M[1] < 0.9 || vec.MaxAbs(l.residual(p.H)) > 1e-12 {
		t.Errorf("settled in %+v", p)
	}
	if c := p.Components(); c != 3 {
		t.Errorf("%d components", c)
	}
}

func TestHopfieldSaysWhatIsWrong(t *testing.T) {
	for phrase, p := range map[string]Hopfield{
		"it takes 1 to":         {W: 1.2},
		"must be as long":       {W: 1.2, Patterns: [][]int{{1, -1}, {1}}},
		"made of 1 and −1":      {W: 1.2, Patterns: [][]int{{1, 0}}},
		"2 patterns were given": {W: 1.2, M: 3, Patterns: [][]int{{1}, {1}}},
		"have no spins":         {W: 1.2, Patterns: [][]int{{}}},
		"is not orthogonal":     {W: 1.2, M: 2, Rotation: mat.NewDense(2, 2, []float64{1, 0.1, 0, 1})},
		"need 3 by 3":           {W: 1.2, M: 3, Rotation: mat.NewDense(2, 2, []float64{1, 0, 0, 1})},
	} {
		_, err := p.Landscape()
		wantSentence(t, err, phrase)
	}
	_, err := Hopfield{W: 0.9, M: 3}.Mattis(1, 1)
	wantSentence(t, err, "no Mattis states")
	_, err = Hopfield{W: 1.2, M: 3}.Mattis(4, 1)
	wantSentence(t, err, "patterns 1 to 3")
	_, err = HadamardPatterns(100, 1)
	wantSentence(t, err, "power of two")
	_, err = HadamardPatterns(8, 9)
	wantSentence(t, err, "rows go from 0 to 7")
}
