package dynamics

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"instanton/rbm"
	"instanton/theory"
)

// relative fails unless got agrees with want to the relative tolerance.
func relative(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got/want-1) <= tolerance) {
		t.Errorf("%s = %.15g, want %.15g within a relative %g", what, got, want, tolerance)
	}
}

// The last digits printed here are those of w = 1.2 as a float64: a relative 1e-16 of w moves log τ by 1e-14 at N =
// 128.
func TestCurieWeissDynamicsReference(t *testing.T) {
	c := theory.CurieWeiss{W: 1.2}
	for _, want := range []struct {
		n                 int
		gibbs, metropolis float64
		passage           float64
		tolerance         float64
	}{
		{16, 33.0110865181, 322.217191431, 82.1523475023, 5e-12},
		{128, 1.26163891646556e6, 7.82058134330350e7, 2.52331279352179e6, 5e-14},
	} {
		chain := must[*Chain](t)(CurieWeiss(c, want.n, Gibbs))
		relative(t, "τ of AGS", must[Relaxation](t)(chain.Relaxation()).Time, want.gibbs, want.tolerance)
		relative(t, "first passage of AGS", must[float64](t)(chain.Passage()), want.passage, want.tolerance)
		chain = must[*Chain](t)(CurieWeiss(c, want.n, Metropolis))
		relative(t, "τ of Metropolis", must[Relaxation](t)(chain.Relaxation()).Time, want.metropolis, want.tolerance)
	}
	// 30 digits: 322.217191430821410, 78205813.433035317
	chain := must[*Chain](t)(CurieWeiss(c, 128, Metropolis))
	relative(t, "τ of Metropolis", must[Relaxation](t)(chain.Relaxation()).Time, 78205813.433035317, 5e-14)
}

func TestCurieWeissDynamicsAt1e42(t *testing.T) {
	c := theory.CurieWeiss{W: 1.2}
	chain := must[*Chain](t)(CurieWeiss(c, 1024, Gibbs))
	r := must[Relaxation](t)(chain.Relaxation())
	relative(t, "τ", r.Time, 3.538e42, 5e-4/3.538)
	// For the antisymmetric slow mode the first passage between the states takes twice as long, up to terms of order
	// 1/τ and the short time within a state; the two come from different eliminations.
	relative(t, "first passage", must[float64](t)(chain.Passage())/2, r.Time, 1e-9)
}

func TestLargestEigenvalue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "n")
		draw := func(n int, name string) []float64 {
			return rapid.SliceOfN(rapid.Float64Range(0.1, 2), n, n).Draw(t, name)
		}
		diagonal, beside := draw(n, "diagonal"), draw(n-1, "beside")
		sym := mat.NewSymDense(n, nil)
		for i, x := range diagonal {
			sym.SetSym(i, i, x)
			if i+1 < n {
				sym.SetSym(i, i+1, beside[i])
			}
		}
		var eigen mat.EigenSym
		eigen.Factorize(sym, false)
		want := eigen.Values(nil)[n-1]
		scale := math.Pow(10, rapid.Float64Range(-250, 250).Draw(t, "log scale"))
		for i := range diagonal {
			diagonal[i] *= scale
		}
		for i := range beside {
			beside[i] *= scale
		}
		if got := largestEigenvalue(diagonal, beside) / scale; math.Abs(got-want) > 1e-12 {
			t.Fatalf("largest eigenvalue %g, want %g", got, want)
		}
	})
}

// Latent moves do not wait for the barrier.
func TestLatentKernelsAreFast(t *testing.T) {
	c := theory.CurieWeiss{W: 1.2}
	flip := must[Relaxation](t)(must[*Chain](t)(CurieWeiss(c, 128, FairFlip)).Relaxation())
	near(t, "λ₂ with a fair flip", 1-flip.Gap, 0.7096, 5e-5)
	redraw := must[Relaxation](t)(must[*Chain](t)(CurieWeiss(c, 128, LatentRedraw)).Relaxation())
	near(t, "τ with an exact redraw", redraw.Time, 0, 0)
	near(t, "λ₂ with an exact redraw", 1-redraw.Gap, 0, 1e-11)
}

func drawChain(t *rapid.T) *Chain {
	kernel := Kernel(rapid.IntRange(0, 3).Draw(t, "kernel"))
	w := rapid.Float64Range(0.3, 2).Draw(t, "w")
	var c *Chain
	var err error
	if rapid.Bool().Draw(t, "structured") {
		c, err = BlockCounts(theory.Structured{W: w, Overlap: rbm.Overlap{{0.4, 0.2}, {0.2, 0.4}}}, 5*rapid.IntRange(1,
			2).Draw(t, "N/5"), kernel)
	} else {
		c, err = CurieWeiss(theory.CurieWeiss{W: w}, rapid.IntRange(1, 20).Draw(t, "N"), kernel)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Every kernel: rows sum to one, detailed balance holds, the stationary distribution is the model's.
func TestKernelsAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawChain(t)
		pi := c.Known()
		for i := range c.States() {
			sum := 0.0
			for j := range c.States() {
				p := c.Probability(i, j)
				sum += p
				if p < 0 || math.Abs(pi[i]*p-pi[j]*c.Probability(j, i)) > 1e-14 {
					t.Fatalf("π(%d)P(%d→%d) = %g, reversed %g", i, i, j, pi[i]*p, pi[j]*c.Probability(j, i))
				}
			}
			if math.Abs(sum-1) > 1e-12 {
				t.Fatalf("row %d sums to 1 + %g", i, sum-1)
			}
		}
		if e := c.StationarityError(); e > 1e-11 {
			t.Fatalf("stationary distribution off by %g in the logarithm", e)
		}
	})
}

// Relaxation and first passage against dense algebra, where that is accurate.
func TestChainAgainstDenseAlgebra(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawChain(t)
		n, pi := c.States(), c.Known()
		sym := mat.NewSymDense(n, nil)
		for i := range n {
			for j := i; j < n; j++ {
				sym.SetSym(i, j, math.Sqrt(pi[i]/pi[j])*c.Probability(i, j))
			}
		}
		var eigen mat.EigenSym
		eigen.Factorize(sym, false)
		values := eigen.Values(nil)
		r, err := c.Relaxation()
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(1-r.Gap-values[n-2]) > 1e-9 {
			t.Fatalf("λ₂ = %.12f, want %.12f", 1-r.Gap, values[n-2])
		}
		from, to := rapid.IntRange(0, n-1).Draw(t, "from"), rapid.IntRange(0, n-1).Draw(t, "to")
		if from == to {
			return
		}
		a, b := mat.NewDense(n, n, nil), mat.NewVecDense(n, nil)
		for i := range n {
			a.Set(i, i, 1)
			if i == to {
				continue
			}
			b.SetVec(i, 1)
			for j := range n {
				a.Set(i, j, a.At(i, j)-c.Probability(i, j))
			}
		}
		var x mat.VecDense
		if err := x.SolveVec(a, b); err != nil {
			t.Skip("too slow for dense algebra")
		}
		target := c.State[to]
		got, err := c.MeanFirstPassage(from, func(s []float64) bool { return &s[0] == &target[0] })
		if err != nil {
			t.Fatal(err)
		}
		// dense algebra loses what the slowest state makes the matrix ill-conditioned by
		if math.Abs(got/x.AtVec(from)-1) > 1e-9+1e-14*mat.Max(&x) {
			t.Fatalf("first passage %g, want %g", got, x.AtVec(from))
		}
	})
}

// The slopes of log τ in N tend to Δf; a plain fit for Metropolis is off because of the factor N (claim C5).
func TestErratumSlopes(t *testing.T) {
	c := theory.CurieWeiss{W: 1.2}
	barrier := must[float64](t)(c.Barrier())
	time := func(n int, k Kernel) float64 {
		return must[Relaxation](t)(must[*Chain](t)(CurieWeiss(c, n, k)).Relaxation()).Time
	}
	var ns, logs []float64
	for n := 16; n <= 256; n *= 2 {
		ns, logs = append(ns, float64(n)), append(logs, math.Log(time(n, Metropolis)))
	}
	_, fit := stat.LinearRegression(ns, logs, nil, false)
	gibbs := math.Log(time(512, Gibbs)/time(480, Gibbs)) / 32
	metropolis := math.Log(time(512, Metropolis)/512/(time(480, Metropolis)/480)) / 32
	t.Logf("w = 1.2: Δf = %.5f; slope of log τ at N = 480…512: AGS %.5f, Metropolis in sweeps %.5f; linear fit of "+
		"log τ_MH over N = 16…256: %.3f", barrier, gibbs, metropolis, fit)
	near(t, "slope of AGS", gibbs, barrier, 2e-5)
	near(t, "slope of Metropolis in sweeps", metropolis, barrier, 2e-4)
	near(t, "linear fit", fit, 0.103, 1e-3)
}

func TestChainSaysWhatIsWrong(t *testing.T) {
	c := theory.CurieWeiss{W: 1.2}
	_, err := CurieWeiss(c, 0, Gibbs)
	wantSentence(t, err, "it takes 1 to")
	_, err = CurieWeiss(c, 10, Kernel(9))
	wantSentence(t, err, "is not a sampler")
	_, err = ParseKernel("heat-bath")
	wantSentence(t, err, "not known")
	for _, k := range []Kernel{Gibbs, Metropolis, LatentRedraw, FairFlip, Glauber} {
		if back := must[Kernel](t)(ParseKernel(k.String())); back != k {
			t.Errorf("%v reads back as %v", k, back)
		}
	}
	chain := must[*Chain](t)(CurieWeiss(c, 10, Gibbs))
	_, err = chain.MeanFirstPassage(20, func([]float64) bool { return true })
	wantSentence(t, err, "states 0 to 10")
	_, err = chain.MeanFirstPassage(3, func([]float64) bool { return false })
	wantSentence(t, err, "for ever")
	_, err = must[*Chain](t)(CurieWeiss(theory.CurieWeiss{W: 0.9}, 10, Gibbs)).Passage()
	wantSentence(t, err, "no passage")
	_, err = BlockCounts(theory.Structured{W: 1.2, Overlap: must[rbm.Overlap](t)(rbm.AllToAll(2, 0.02))}, 30, Gibbs)
	wantSentence(t, err, "whole number")
	_, err = BlockCounts(theory.Structured{W: 1.2, Overlap: must[rbm.Overlap](t)(rbm.AllToAll(2, 0.02))}, 1000, Gibbs)
	wantSentence(t, err, "the transition matrix takes at most 4100")
	_,
		err = BlockCounts(theory.Structured{W: 1.2, Overlap: rbm.Overlap{{1}},
		Hidden: []theory.Potential{must[theory.Potential](t)(theory.Spin(0))}}, 10, Gibbs)
	wantSentence(t, err, "quadratic hidden units")
	_, err = HiddenChain(theory.Structured{W: 1.2, Overlap: rbm.Overlap{{1}}}, 10, 0)
	wantSentence(t, err, "two hidden units")
	_, err = HiddenChain(theory.Structured{W: 1.2, Overlap: rbm.Overlap{{0.5, 0}, {0, 0.5}}}, 10, 1)
	wantSentence(t, err, "between 1e-16 and 0.01")
}
