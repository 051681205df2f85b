package interpret_test

import (
	"math"
	"slices"
	"testing"

	"instanton/dataset"
	"instanton/internal/problem"
	"instanton/interpret"
	"instanton/rbm"
	"instanton/unit"
)

// The numbers of every unit, from formulas of package rbm, row by row.
func TestUnitsAgreeWithFormulas(t *testing.T) {
	for _, pair := range problem.Pairs() {
		m := problem.Tiny(pair.Visible, pair.Hidden)
		spec := m.Visible.Spec()
		d := &dataset.Dataset{States: someRows(spec, 6), Weights: []float64{1, 2, 0.5, 1, 3, 0}}
		u, err := interpret.NewUnits(m, d)
		if err != nil {
			t.Fatal(err)
		}
		gauged := m.Clone()
		gauged.ZeroSum()
		q, width := m.Hidden.Spec().Channels(), m.Hidden.Spec().Width()
		if len(u.Units) != width {
			t.Fatalf("%s: %d units, want %d", pair, len(u.Units), width)
		}
		for k, one := range u.Units {
			c := one.Index * q
			if one.State >= 0 {
				c += one.State
			}
			v, I, mean, variance := make([]float64, spec.N), make([]float64, width), make([]float64, width),
				make([]float64, width)
			var total, inputs, squares, means, meanSquares, response float64
			for row, w := range d.Weights {
				d.States.Values(v, row)
				m.Inputs(I, v)
				m.Hidden.Mean(mean, I)
				m.Hidden.Variance(variance, I)
				total += w
				inputs += w * I[c]
				squares += w * I[c] * I[c]
				means += w * mean[c]
				meanSquares += w * mean[c] * mean[c]
				response += w * variance[c]
			}
			explained := meanSquares/total - means*means/(total*total)
			var norm float64
			for r := range spec.Width() {
				norm += gauged.Row(r)[c] * gauged.Row(r)[c]
			}
			near := func(what string, got, want float64) {
				t.Helper()
				if math.Abs(got-want) > 1e-9*(1+math.Abs(want)) {
					t.Errorf("%s, unit %d: %s is %g, want %g", pair, one.Index, what, got, want)
				}
			}
			near("the importance", one.Importance, norm*response/total)
			near("the mean input", one.InputMean, inputs/total)
			near("its standard deviation", one.InputSD, math.Sqrt(max(0, squares/total-inputs*inputs/(total*total))))
			near("the share determined", one.Determined, explained/(explained+response/total))
			if k > 0 && one.Importance > u.Units[k-1].Importance {
				t.Errorf("%s: units are not in the order of their importance", pair)
			}
		}
	}
}

// A unit without weights is silent; one whose weights are those of another times −2 is its duplicate; one that looks at
// a single site has one effective site and tells the class that the site is.
func TestUnitsOfKnownModel(t *testing.T) {
	m, err := rbm.New(unit.Spec{Type: unit.Bernoulli, N: 4}, unit.Spec{Type: unit.Gaussian, N: 4})
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range [][]float64{{1, 0, -2, 0}, {1, 0, -2, 0}, {1, 0, -2, 0}, {0, 0, 0, 0.5}} {
		copy(m.Row(i), w)
	}
	d := &dataset.Dataset{States: unit.NewStates(m.Visible.Spec(), 8), LabelNames: []string{"off", "on"}}
	for k := range 8 {
		for i := range 3 {
			d.States.Set(k, i, float64(k>>i&1))
		}
		d.States.Set(k, 3, float64(k&1))
		d.Labels = append(d.Labels, k&1)
	}
	u, err := interpret.NewUnits(m, d)
	if err != nil {
		t.Fatal(err)
	}
	byIndex := map[int]interpret.Unit{}
	var order []int
	for _, one := range u.Units {
		byIndex[one.Index] = one
		order = append(order, one.Index)
	}
	if !slices.Equal(order, []int{2, 0, 3, 1}) {
		t.Errorf("order %v", order)
	}
	if one := byIndex[1]; !one.Silent || one.Sites != 0 || one.Importance != 0 {
		t.Errorf("a unit without weights: %+v", one)
	}
	if one := byIndex[0]; one.Duplicate != 0 || math.Abs(one.Cosine+1) > 1e-12 || math.Abs(one.Sites-3) > 1e-12 {
		t.Errorf("a duplicate: %+v", one)
	}
	one := byIndex[3]
	if math.Abs(one.Sites-1) > 1e-12 || one.AUC[1] != 1 || one.AUC[0] != 0 || one.Best != 1 || one.Duplicate != -1 ||
		one.Upper != 0.5 || math.Abs(one.Skewness) > 1e-12 {
		t.Errorf("a unit of one site: %+v", one)
	}
	for _, k := range one.Up {
		if d.Labels[k] != 1 {
			t.Errorf("row %d drives the unit up", k)
		}
	}
	if r := u.Correlation(); math.Abs(r[0][1]+1) > 1e-12 || r[3][0] != 0 || r[3][3] != 1 {
		t.Errorf("correlations %v: want −1 of duplicates, 0 of a silent unit", r)
	}
	edges, shares := u.Histogram(2, 2, d.Labels, d.Classes())
	if !slices.Equal(edges, []float64{0, 0.25, 0.5}) || !slices.Equal(shares[0], []float64{1, 0}) ||
		!slices.Equal(shares[1], []float64{0, 1}) {
		t.Errorf("histogram %v of %v", shares, edges)
	}
	if h := u.MeanAt(m, 2, []float64{-1, 2}); math.Abs(h[0]+1) > 1e-12 || math.Abs(h[1]-2) > 1e-12 {
		t.Errorf("means %v, want those of a Gaussian unit, −1 and 2", h)
	}
}
