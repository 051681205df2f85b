package rbm_test

import (
	"fmt"
	"math"
	"testing"

	"instanton/internal/problem"
	"instanton/internal/rng"
	"instanton/rbm"
	"instanton/unit"
)

// single returns a layer of one unit with generic parameters.
func single(t unit.Type) rbm.Layer {
	spec := unit.Spec{Type: t, N: 1}
	if t == unit.Potts {
		spec.Q = 4
	}
	m, err := rbm.Random(spec, unit.Spec{Type: unit.Spin, N: 1}, 1, 11)
	if err != nil {
		panic(err)
	}
	return m.Visible
}

// inputs returns a few inputs for a layer of one unit: the same in the first channel, fixed numbers in the others.
func inputs(l rbm.Layer, first float64) []float64 {
	I := make([]float64, l.Spec().Width())
	for c := range I {
		I[c] = 0.3*float64(c) - 0.4
	}
	I[0] = first
	return I
}

func forTypes(t *testing.T, f func(t *testing.T, l rbm.Layer)) {
	for _, kind := range unit.Types() {
		t.Run(kind.String(), func(t *testing.T) { f(t, single(kind)) })
	}
}

// weigh integrates g(x) e^{−V(x)+xI} over the states of a layer of one unit.
func weigh(l rbm.Layer, I []float64, g func(x float64) float64) float64 {
	s := problem.Space(l)
	x := make([]float64, 1)
	var sum float64
	for k := range s.Size() {
		s.State(x, k)
		sum += s.Weight(k) * math.Exp(-l.Potential(x)+coupled(l, I, x[0])) * g(x[0])
	}
	return sum
}

// coupled is x·I of one unit.
func coupled(l rbm.Layer, I []float64, x float64) float64 {
	if l.Spec().Type == unit.Potts {
		return I[int(x)]
	}
	return I[0] * x
}

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*math.Max(1, math.Abs(want))) {
		t.Errorf("%s = %.16g, want %.16g (tolerance %g)", what, got, want, tol)
	}
}

// Γ, the mean and the variance must equal sums (integrals) over the states.
func TestCumulantsAreSums(t *testing.T) {
	forTypes(t, func(t *testing.T, l rbm.Layer) {
		for _, first := range []float64{-3, -0.7, 0, 0.5, 2.5} {
			I := inputs(l, first)
			z := weigh(l, I, func(float64) float64 { return 1 })
			near(t, "Γ", l.CGF(I), math.Log(z), 1e-11)
			mean, variance := make([]float64, len(I)), make([]float64, len(I))
			l.Mean(mean, I)
			l.Variance(variance, I)
			for c := range I {
				value := func(x float64) float64 { return x }
				if l.Spec().Type == unit.Potts {
					value = func(x float64) float64 { return indicator(x == float64(c)) }
				}
				m := weigh(l, I, value) / z
				near(t, "mean", mean[c], m, 1e-11)
				square := func(x float64) float64 { d := value(x) - m; return d * d }
				near(t, "variance", variance[c], weigh(l, I, square)/z, 1e-11)
			}
		}
	})
}

func indicator(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// Mean is Γ' and Variance Γ”: central differences with the error of their step.
func TestCumulantsAreDerivatives(t *testing.T) {
	const h = 1e-4 // truncation h²/6 Γ''' and rounding 1e-16/h are both below 1e-8
	forTypes(t, func(t *testing.T, l rbm.Layer) {
		for _, first := range []float64{-20, -2, 0.1, 3, 20} {
			I := inputs(l, first)
			up, down := inputs(l, first), inputs(l, first)
			mean, variance := make([]float64, len(I)), make([]float64, len(I))
			mUp, mDown := make([]float64, len(I)), make([]float64, len(I))
			l.Mean(mean, I)
			l.Variance(variance, I)
			for c := range I {
				up[c], down[c] = I[c]+h, I[c]-h
				near(t, "Γ'", mean[c], (l.CGF(up)-l.CGF(down))/(2*h), 1e-7)
				l.Mean(mUp, up)
				l.Mean(mDown, down)
				near(t, "Γ''", variance[c], (mUp[c]-mDown[c])/(2*h), 1e-7)
				up[c], down[c] = I[c], I[c]
			}
		}
	})
}

// The mode must be at least as likely as every other state.
func TestModeIsTheTop(t *testing.T) {
	forTypes(t, func(t *testing.T, l rbm.Layer) {
		s := problem.Space(l)
		for _, first := range []float64{-4, -0.5, 0.2, 4} {
			I := inputs(l, first)
			x, y := make([]float64, 1), make([]float64, 1)
			l.Mode(x, I)
			top := coupled(l, I, x[0]) - l.Potential(x)
			for k := range s.Size() {
				s.State(y, k)
				if other := coupled(l, I, y[0]) - l.Potential(y); other > top+1e-12 {
					t.Fatalf("I = %g: state %g is likelier (%g) than the mode %g (%g)", first, y[0], other, x[0], top)
				}
			}
		}
	})
}

// Statistics are derivatives of the potential, and their means those of −Γ.
func TestStatisticsAreDerivatives(t *testing.T) {
	const h = 1e-5
	forTypes(t, func(t *testing.T, l rbm.Layer) {
		I, x := inputs(l, 0.8), []float64{1}
		atX, given := single(l.Spec().Type), single(l.Spec().Type)
		for k := range l.Params() {
			clear(atX.Params()[k].Data)
			clear(given.Params()[k].Data)
		}
		l.AddStatistics(atX, x, 2)
		l.AddMeanStatistics(given, I, 2)
		for k, p := range l.Params() {
			for i := range p.Data {
				keep := p.Data[i]
				diff := func(f func() float64) float64 {
					p.Data[i] = keep + h
					up := f()
					p.Data[i] = keep - h
					down := f()
					p.Data[i] = keep
					return (up - down) / (2 * h)
				}
				near(t, "∂V/∂"+p.Name, atX.Params()[k].Data[i], 2*diff(func() float64 { return l.Potential(x) }), 1e-8)
				near(t, "−∂Γ/∂"+p.Name, given.Params()[k].Data[i], -2*diff(func() float64 { return l.CGF(I) }), 1e-8)
			}
		}
	})
}

func TestSlopeAndAddField(t *testing.T) {
	const h = 1e-6
	forTypes(t, func(t *testing.T, l rbm.Layer) {
		width := l.Spec().Width()
		if slope := make([]float64, width); !l.Spec().Type.Discrete() {
			for _, x := range []float64{0.4, 1.7} {
				l.Slope(slope, []float64{x})
				near(t, "V'", slope[0], (l.Potential([]float64{x + h})-l.Potential([]float64{x - h}))/(2*h), 1e-8)
			}
		}
		before, c := l.Potential([]float64{1}), inputs(l, 0.9)
		l.AddField(c)
		near(t, "V − c·x", l.Potential([]float64{1}), before-coupled(l, c, 1), 1e-14)
	})
}

// The parabolas of real units are their potential.
func TestParabolasAreThePotential(t *testing.T) {
	forTypes(t, func(t *testing.T, l rbm.Layer) {
		q, ok := l.(rbm.Quadratic)
		if ok == l.Spec().Type.Discrete() {
			t.Fatalf("discrete: %v, quadratic: %v", l.Spec().Type.Discrete(), ok)
		}
		if !ok {
			return
		}
		low, _ := l.Spec().Range()
		p := q.Parabolas(0)
		if p.HalfLine != (low == 0) {
			t.Errorf("half-line: %v, but values begin at %g", p.HalfLine, low)
		}
		for _, x := range []float64{-1.5, -0.2, 0, 0.3, 2} {
			if got, want := p.At(x), l.Potential([]float64{x}); got != want {
				t.Errorf("U(%g) = %g, want %g", x, got, want)
			}
		}
	})
}

// Draws must follow the law e^{−V(x)+xI−Γ(I)}. Discrete units: each frequency within five binomial errors. Real units:
// Kolmogorov's distance, whose 1e-6 quantile is √(−log(0.5e-6)/2n).
func TestDrawFollowsTheLaw(t *testing.T) {
	const n = 20000
	forTypes(t, func(t *testing.T, l rbm.Layer) {
		for _, first := range []float64{-6, -1, 0.3, 5} {
			I := inputs(l, first)
			narrow := make([]float32, len(I))
			for c := range I {
				narrow[c] = float32(I[c])
				I[c] = float64(narrow[c])
			}
			out := unit.NewStates(l.Spec(), n)
			words := make([]uint32, l.Words())
			for k := range n {
				rng.New(5, rng.Hidden, uint32(k), 0).Fill(words)
				l.Draw(out, k, narrow, words)
			}
			cgf, x := l.CGF(I), make([]float64, 1)
			if l.Spec().Type.Discrete() {
				s, count := problem.Space(l), map[float64]int{}
				for k := range n {
					count[out.Value(k, 0)]++
				}
				for k := range s.Size() {
					s.State(x, k)
					p := math.Exp(coupled(l, I, x[0]) - l.Potential(x) - cgf)
					if got, tol := float64(count[x[0]])/n, 5*math.Sqrt(p*(1-p)/n)+1/float64(n); math.Abs(got-p) > tol {
						t.Errorf("I = %g: state %g has frequency %g, want %g ± %g", first, x[0], got, p, tol)
					}
				}
				continue
			}
			if d, tol := kolmogorov(l, I, cgf, out), math.Sqrt(-math.Log(0.5e-6)/(2*n)); d > tol {
				t.Errorf("I = %g: distance %g between the drawn and the exact distribution, want below %g",
					first, d, tol)
			}
		}
	})
}

// kolmogorov compares the empirical distribution with the integral of the density at the ends of fine cells.
func kolmogorov(l rbm.Layer, I []float64, cgf float64, draws *unit.States) float64 {
	const cells, reach = 3000, 15.0
	counts := make([]float64, cells)
	for k := range draws.Len {
		c := int((draws.Value(k, 0) + reach) / (2 * reach) * cells)
		counts[min(max(c, 0), cells-1)]++
	}
	density := func(x float64) float64 {
		return math.Exp(I[0]*x - l.Potential([]float64{x}) - cgf)
	}
	var exact, drawn, worst float64
	width := 2 * reach / cells
	for c := range cells { // Simpson's rule in each cell; zero is at a cell's end
		a := -reach + float64(c)*width
		left, right := density(a+1e-12), density(a+width-1e-12)
		exact += width / 6 * (left + 4*density(a+width/2) + right)
		drawn += counts[c] / float64(draws.Len)
		worst = max(worst, math.Abs(exact-drawn))
	}
	return worst
}

// Inputs up to ±1000: everything stays finite, ReLU and dReLU agree to 1e-10 with 50-digit arithmetic. γ = 1.5, θ =
// 0.25 (dReLU: γ⁻ = 0.5, θ⁻ = −0.75).
func TestFarTails(t *testing.T) {
	relu := &rbm.ReLU{Gamma: []float64{1.5}, Theta: []float64{0.25}}
	drelu := &rbm.DReLU{
		GammaPlus: []float64{1.5}, GammaMinus: []float64{0.5},
		ThetaPlus: []float64{0.25}, ThetaMinus: []float64{-0.75},
	}
	for _, c := range []struct {
		layer               rbm.Layer
		input               float64
		cgf, mean, variance float64
	}{
		{relu, -1000.0, -6.9080067469820062, 0.00099974706475572602, 9.9949119654422699e-7},
		{relu, -100.0, -4.607816263339797, 0.0099720869517406235, 9.9412873828588577e-5},
		{relu, -10.0, -2.3410779690119198, 0.094955498538282807, 0.0087875466190803268},
		{relu, 10.0, 32.40370597915059, 6.5000000000000056, 0.66666666666663002},
		{relu, 100.0, 3317.4037059791506, 66.5, 0.66666666666666667},
		{relu, 1000.0, 333167.40370597915, 666.5, 0.66666666666666667},
		{drelu, -1000.0, 998501.82801212348, -1998.5, 2.0},
		{drelu, -100.0, 9851.8280121234846, -198.5, 2.0},
		{drelu, -10.0, 86.828012123484645, -18.5, 2.0},
		{drelu, 10.0, 32.40370597915059, 6.5000000000000005, 0.66666666666666355},
		{drelu, 100.0, 3317.4037059791506, 66.5, 0.66666666666666667},
		{drelu, 1000.0, 333167.40370597915, 666.5, 0.66666666666666667},
	} {
		mean, variance, I := []float64{0}, []float64{0}, []float64{c.input}
		c.layer.Mean(mean, I)
		c.layer.Variance(variance, I)
		for _, v := range []struct {
			name      string
			got, want float64
		}{{"Γ", c.layer.CGF(I), c.cgf}, {"mean", mean[0], c.mean}, {"variance", variance[0], c.variance}} {
			if !(math.Abs(v.got-v.want) <= 1e-10*math.Abs(v.want)) {
				t.Errorf("%T at I = %g: %s = %.16g, want %.16g", c.layer, c.input, v.name, v.got, v.want)
			}
		}
	}
	forTypes(t, func(t *testing.T, l rbm.Layer) {
		out, words := unit.NewStates(l.Spec(), 1), make([]uint32, l.Words())
		for _, first := range []float64{-1e3, -300, 300, 1e3} {
			I := inputs(l, first)
			mean, variance := make([]float64, len(I)), make([]float64, len(I))
			l.Mean(mean, I)
			l.Variance(variance, I)
			narrow := make([]float32, len(I))
			for c := range I {
				narrow[c] = float32(I[c])
			}
			for sweep := range uint64(50) {
				rng.New(1, rng.Hidden, 0, sweep).Fill(words)
				l.Draw(out, 0, narrow, words)
				if err := l.Spec().Allows(out.Value(0, 0)); err != nil {
					t.Fatalf("I = %g: draw: %v", first, err)
				}
			}
			for _, v := range append(append([]float64{l.CGF(I)}, mean...), variance...) {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Fatalf("I = %g: Γ = %g, mean %v, variance %v", first, l.CGF(I), mean, variance)
				}
			}
		}
	})
}

func ExampleNewLayer() {
	l, _ := rbm.NewLayer(unit.Spec{Type: unit.Spin, N: 1})
	mean := make([]float64, 1)
	l.Mean(mean, []float64{0.5})
	fmt.Printf("Γ = %.4f, mean = %.4f\n", l.CGF([]float64{0.5}), mean[0])
	// Output: Γ = 0.8133, mean = 0.4621
}
