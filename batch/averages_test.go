package batch_test

import (
	"math"
	"slices"
	"testing"

	"instanton/batch"
	"instanton/rbm"
	"instanton/unit"
)

// writtenOut is what Averages computes, summed in float64 by package rbm, one configuration at a time.
type writtenOut struct {
	V, H, Variance, VH, HH []float64
	Visible, Hidden        rbm.Layer
}

func writeOut(m *rbm.RBM, v *unit.States, weights []float64, o batch.AveragesOptions) *writtenOut {
	nv, nh := m.Visible.Spec().Width(), m.Hidden.Spec().Width()
	zeros := func(n int) []float64 { return make([]float64, n) }
	a := &writtenOut{
		V: zeros(nv), H: zeros(nh), Variance: zeros(nh), VH: zeros(nv * nh), HH: zeros(nh * nh),
		Visible: rbm.ZeroLayer(m.Visible.Spec()), Hidden: rbm.ZeroLayer(m.Hidden.Spec()),
	}
	total := 0.0
	for k := range v.Len {
		total += weightOf(weights, k)
	}
	x, I, mean, variance, d := zeros(v.N), zeros(nh), zeros(nh), zeros(nh), zeros(nh)
	for k := range v.Len {
		w := weightOf(weights, k)
		if w == 0 {
			continue
		}
		v.Values(x, k)
		m.Inputs(I, x)
		m.Hidden.Mean(mean, I)
		m.Hidden.Variance(variance, I)
		m.Visible.AddStatistics(a.Visible, x, w/total)
		m.Hidden.AddMeanStatistics(a.Hidden, I, w/total)
		given := slices.Clone(mean) // ∂f/∂I is the variance
		for _, respond := range o.Responses {
			respond(d, mean, w)
			for mu := range d {
				d[mu] /= total
				given[mu] -= d[mu] * total / w * variance[mu]
			}
			m.Hidden.AddMeanResponse(a.Hidden, I, d)
		}
		for i, xi := range x {
			c, y := v.Channel(i, xi)
			a.V[c] += w * y / total
			for mu, f := range given {
				a.VH[c*nh+mu] += w * y * f / total
			}
		}
		for mu, f := range mean {
			a.H[mu] += w * f / total
			a.Variance[mu] += w * (f*f + variance[mu]) / total
			for nu, g := range mean {
				a.HH[mu*nh+nu] += w * f * g / total
			}
		}
	}
	for mu, h := range a.H {
		a.Variance[mu] -= h * h
	}
	return a
}

func weightOf(weights []float64, k int) float64 {
	if weights == nil {
		return 1
	}
	return weights[k]
}

// someWeights are unequal, and zero for every seventh configuration.
func someWeights(n int) []float64 {
	weights := make([]float64, n)
	for k := range weights {
		weights[k] = float64(k%7) / 3 * (1 + math.Sin(float64(k))/2)
	}
	return weights
}

// costs are responses to 0.15 Σf² and 0.0025 Σf⁴.
var costs = []func(d, f []float64, w float64){
	func(d, f []float64, w float64) {
		for mu, x := range f {
			d[mu] = 0.3 * w * x
		}
	},
	func(d, f []float64, w float64) {
		for mu, x := range f {
			d[mu] = 0.01 * w * x * x * x
		}
	},
}

// vh is the matrix ⟨vh⟩ of averages.
func vh(a batch.Averages) []float64 {
	nh := len(a.H())
	m := make([]float64, len(a.V())*nh)
	for c := range a.V() {
		a.AddVH(m[c*nh:(c+1)*nh], c, 1)
	}
	return m
}

// within compares averages of products of float32 or 32-bit fixed-point numbers.
func within(t *testing.T, what string, got, want []float64) {
	t.Helper()
	top := 1.0
	for _, x := range want {
		top = max(top, math.Abs(x))
	}
	for i := range want {
		if d := math.Abs(got[i] - want[i]); !(d <= 1e-5*top) {
			t.Errorf("%s: entry %d is %.10g, want %.10g", what, i, got[i], want[i])
			return
		}
	}
}

func withinLayer(t *testing.T, what string, got, want rbm.Layer) {
	t.Helper()
	params := want.Params()
	for k, p := range got.Params() {
		within(t, what+" "+p.Name, p.Data, params[k].Data)
	}
}

// The averages are those that package rbm gives configuration by configuration, with and without weights and
// responses.
func TestAverages(t *testing.T) {
	pairs(t, func(t *testing.T, m *rbm.RBM, v, _ *unit.States) {
		e := must(batch.New(m, 1))
		for _, weights := range [][]float64{nil, someWeights(v.Len)} {
			for _, o := range []batch.AveragesOptions{
				{}, {Variance: true, HH: true}, {Variance: true, Responses: costs},
			} {
				if o.Responses != nil && m.Hidden.Spec().Type == unit.Potts {
					continue
				}
				a, want := e.Averages(v.Len, o), writeOut(m, v, weights, o)
				a.Take(v, weights)
				if !a.Finite() {
					t.Error("finite averages are said not to be")
				}
				within(t, "⟨v⟩", a.V(), want.V)
				within(t, "⟨h⟩", a.H(), want.H)
				within(t, "⟨vh⟩", vh(a), want.VH)
				if o.Variance || m.Hidden.Spec().Type.Discrete() {
					within(t, "variance", a.Variance(), want.Variance)
				}
				if o.HH {
					got := make([]float64, len(want.HH))
					a.SetHH(got)
					within(t, "⟨hh⟩", got, want.HH)
				}
				withinLayer(t, "visible", a.Visible(), want.Visible)
				withinLayer(t, "hidden", a.Hidden(), want.Hidden)
				if t.Failed() {
					t.Fatalf("weights: %v, variance: %v, ⟨hh⟩: %v, %d responses", weights != nil, o.Variance, o.HH,
						len(o.Responses))
				}
			}
		}
	})
}

// Neither the number of workers, nor a batch averaged before, nor weights that are all one change a bit.
func TestAveragesBits(t *testing.T) {
	pairs(t, func(t *testing.T, m *rbm.RBM, v, _ *unit.States) {
		ones := slices.Repeat([]float64{1}, v.Len)
		for _, weights := range [][]float64{nil, someWeights(v.Len)} {
			one := must(batch.New(m, 1)).Averages(v.Len, batch.AveragesOptions{Variance: true, HH: true, Workers: 1})
			five := must(batch.New(m, 5)).Averages(v.Len, batch.AveragesOptions{Variance: true, HH: true, Workers: 5})
			one.Take(v, weights)
			if five.Take(v, someWeights(v.Len)); weights == nil {
				five.Take(v, ones)
			}
			same := func(what string, a, b []float64) {
				t.Helper()
				if !slices.Equal(a, b) {
					t.Errorf("%s: five workers give other bits than one", what)
				}
			}
			same("⟨v⟩", one.V(), five.V())
			same("⟨h⟩", one.H(), five.H())
			same("variance", one.Variance(), five.Variance())
			same("⟨vh⟩", vh(one), vh(five))
			hh := [2][]float64{make([]float64, len(one.H())*len(one.H())), make([]float64, len(one.H())*len(one.H()))}
			one.SetHH(hh[0])
			five.SetHH(hh[1])
			same("⟨hh⟩", hh[0], hh[1])
			for _, layers := range [][2]rbm.Layer{{one.Visible(), five.Visible()}, {one.Hidden(), five.Hidden()}} {
				b := layers[1].Params()
				for k, p := range layers[0].Params() {
					same(p.Name, p.Data, b[k].Data)
				}
			}
		}
	})
}

// An average that is not finite is noticed.
func TestAveragesNotFinite(t *testing.T) {
	m := must(rbm.Random(unit.Spec{Type: unit.Gaussian, N: 3}, unit.Spec{Type: unit.Gaussian, N: 2}, 0.1, 1))
	v := unit.NewStates(m.Visible.Spec(), 4)
	v.RealRow(2)[1] = float32(math.Inf(1))
	a := must(batch.New(m, 1)).Averages(v.Len, batch.AveragesOptions{})
	a.Take(v, nil)
	if a.Finite() {
		t.Errorf("an infinite configuration gives averages that are said to be finite: %v", a.H())
	}
}
