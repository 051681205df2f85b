package rates_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"instanton/dynamics"
	"instanton/rates"
	"instanton/rbm"
	"instanton/theory"
	"instanton/unit"
)

// member of a family of models whose transition times are known exactly.
type member struct {
	name  string
	group string // what it is like
	model *rbm.RBM
	o     rates.Options

	exact func(qa, qb float64) float64 // relaxation time of the two states, given where they are along q
}

// spins is a model with spins in both layers.
func spins(t testing.TB, n, m int, weight func(i, j int) float64, field func(i int) float64) *rbm.RBM {
	t.Helper()
	model, err := rbm.New(unit.Spec{Type: unit.Spin, N: n}, unit.Spec{Type: unit.Spin, N: m})
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		for j := range m {
			model.W[i*m+j] = weight(i, j)
		}
		model.Visible.(*rbm.Spin).Fields[i] = field(i)
	}
	return model
}

func none(int) float64 { return 0 }

// enumerated makes a member of a small model.
func enumerated(t testing.TB, group, name string, m *rbm.RBM, from, to []float64) member {
	t.Helper()
	chain := sync.OnceValue(func() *exactChain { return newExactChain(t, m) })
	x := member{name: name, group: group, model: m, o: rates.Options{From: from, To: to}}
	n := m.Visible.Spec().N
	q := func(v []float64) (q float64) {
		for i := range n {
			if m.Visible.Spec().Type == unit.Potts {
				if v[i] == to[i] && to[i] != from[i] {
					q++
				} else if v[i] == from[i] && to[i] != from[i] {
					q--
				}
				continue
			}
			q += v[i] * (to[i] - from[i])
		}
		return q
	}
	type sets struct{ a, b float64 }
	known := map[sets]float64{}
	x.exact = func(qa, qb float64) float64 {
		if tau, ok := known[sets{qa, qb}]; ok {
			return tau
		}
		c := chain()
		there := c.passage(func(v []float64) bool { return q(v) >= qb-1e-9 })[c.v.Index(from)]
		back := c.passage(func(v []float64) bool { return q(v) <= qa+1e-9 })[c.v.Index(to)]
		known[sets{qa, qb}] = 1 / (1/there + 1/back)
		return known[sets{qa, qb}]
	}
	return x
}

func flip(x []float64) []float64 {
	y := make([]float64, len(x))
	for i := range x {
		y[i] = -x[i]
	}
	return y
}

func all(n int, x float64) []float64 {
	y := make([]float64, n)
	for i := range y {
		y[i] = x
	}
	return y
}

// likeliest is the configuration of a small model of spins with the largest probability, beyond a distance from others.
func likeliest(t testing.TB, m *rbm.RBM, far int, others ...[]float64) []float64 {
	t.Helper()
	d, err := rbm.NewDistribution(m, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	best, x := -1, make([]float64, m.Visible.Spec().N)
	for s, p := range d.P {
		d.Space.State(x, s)
		ok := true
		for _, o := range others {
			distance := 0
			for i := range x {
				if x[i] != o[i] {
					distance++
				}
			}
			ok = ok && distance >= far
		}
		if ok && (best < 0 || p > d.P[best]) {
			best = s
		}
	}
	d.Space.State(x, best)
	return x
}

func curieWeiss(t testing.TB, n int, w float64) member {
	t.Helper()
	chain, err := dynamics.CurieWeiss(theory.CurieWeiss{W: w}, n, dynamics.Gibbs)
	if err != nil {
		t.Fatal(err)
	}
	r, err := chain.Relaxation()
	if err != nil {
		t.Fatal(err)
	}
	m, err := rbm.CurieWeiss(n, w)
	if err != nil {
		t.Fatal(err)
	}
	return member{name: fmt.Sprintf("CW %d %g", n, w), group: "good: Curie-Weiss", model: m,
		exact: func(_, _ float64) float64 { return r.Time }}
}

// random has independent Gaussian weights and fields.
func random(t testing.TB, n, m int, weight, field float64, seed uint64) member {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 14))
	model := spins(t, n, m, func(_, _ int) float64 { return weight * r.NormFloat64() },
		func(int) float64 { return field * r.NormFloat64() })
	from := likeliest(t, model, 0)
	to := likeliest(t, model, n/2+1, from)
	name := fmt.Sprintf("random %dx%d w=%g f=%g #%d", n, m, weight, field, seed)
	group := "random"
	if seed >= 4 { // the limits of the verdict were set with the others in view
		group = "random, held out"
	}
	return enumerated(t, group, name, model, from, to)
}

// bernoulli is the uniform model of spins, written with units of 0 and 1.
func bernoulli(t testing.TB, n int, w float64) member {
	t.Helper()
	const hidden = 3
	m, err := rbm.New(unit.Spec{Type: unit.Bernoulli, N: n}, unit.Spec{Type: unit.Spin, N: hidden})
	if err != nil {
		t.Fatal(err)
	}
	for k := range m.W {
		m.W[k] = 2 * w
		m.Hidden.(*rbm.Spin).Fields[k%hidden] -= w
	}
	return enumerated(t, "good: Bernoulli, Potts", "Bernoulli", m, all(n, 0), all(n, 1))
}

// potts goes from all units in their first state to all in their second.
func potts(t testing.TB, w float64) member {
	t.Helper()
	const n, hidden = 5, 3
	m, err := rbm.New(unit.Spec{Type: unit.Potts, N: n, Q: 3}, unit.Spec{Type: unit.Spin, N: hidden})
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		for j := range hidden {
			m.Row(3 * i)[j], m.Row(3*i + 1)[j] = -w, w
		}
	}
	return enumerated(t, "good: Bernoulli, Potts", "Potts", m, all(n, 0), all(n, 1))
}

// twoPatterns is two Curie–Weiss models of half the size, of which q sees one.
func twoPatterns(t testing.TB, n int, w float64) member {
	t.Helper()
	x := curieWeiss(t, n/2, w)
	patterns, err := rbm.OrthogonalPatterns(n, 2)
	if err != nil {
		t.Fatal(err)
	}
	if x.model, err = rbm.Hopfield(patterns, w); err != nil {
		t.Fatal(err)
	}
	x.name, x.group = "two patterns", "good: two patterns"
	if x.o.From, err = rates.Pattern(x.model, 1); err != nil {
		t.Fatal(err)
	}
	if x.o.To, err = rates.Pattern(x.model, 2); err != nil {
		t.Fatal(err)
	}
	return x
}

// frozenUnits is a Curie–Weiss model beside a few spins that never turn over: all down and all up are not joined in
// 10¹⁶ steps, whatever the Curie–Weiss model does.
func frozenUnits(t testing.TB, n, frozen int, w float64) member {
	t.Helper()
	m, err := rbm.New(unit.Spec{Type: unit.Spin, N: n + frozen}, unit.Spec{Type: unit.Gaussian, N: 2})
	if err != nil {
		t.Fatal(err)
	}
	for i := range n + frozen {
		if i < n {
			m.Row(i)[0] = w / math.Sqrt(float64(n))
		} else {
			m.Row(i)[1] = 5 / math.Sqrt(float64(frozen))
		}
	}
	return member{name: fmt.Sprintf("CW %d and %d frozen", n, frozen), group: "frozen units", model: m,
		exact: func(_, _ float64) float64 { return 1e16 }}
}

func family(t testing.TB) (f []member) {
	t.Helper()
	const n = 9
	for _, c := range []struct {
		n int
		w float64
	}{{24, 1.3}, {32, 1.35}, {48, 1.25}, {64, 1.2}} {
		f = append(f, curieWeiss(t, c.n, c.w))
	}
	for _, w := range []float64{0.45, 0.6, 0.8} {
		m := spins(t, n, 3, func(_, _ int) float64 { return w }, none)
		f = append(f, enumerated(t, "good: uniform", fmt.Sprintf("uniform %g", w), m, all(n, -1), all(n, 1)))
	}
	for _, h := range []float64{0.05, 0.2, 0.4} {
		m := spins(t, n, 3, func(_, _ int) float64 { return 0.65 }, func(int) float64 { return h })
		f = append(f, enumerated(t, "good: unequal wells", fmt.Sprintf("unequal %g", h), m, all(n, -1), all(n, 1)))
	}
	f = append(f, bernoulli(t, n, 0.6), potts(t, 0.9), twoPatterns(t, 64, 1.3))
	for _, w := range []float64{1.8, 2.2, 2.6} { // the last three spins hang together by a unit of their own
		m := spins(t, n, 4, func(i, j int) float64 {
			switch {
			case i < 6 && j < 3:
				return 0.9
			case i >= 6 && j == 3:
				return w
			}
			return 0
		}, none)
		f = append(f, enumerated(t, "frozen block", fmt.Sprintf("frozen %g", w), m, all(n, -1), all(n, 1)))
	}
	f = append(f, frozenUnits(t, 48, 3, 1.25), frozenUnits(t, 64, 3, 1.2))
	for _, link := range []float64{0.2, 0.5, 0.8} { // two halves, linked
		m := spins(t, 8, 5, func(i, j int) float64 {
			switch {
			case j == 4:
				return link
			case i/4 == j/2:
				return 1.2
			}
			return 0
		}, none)
		f = append(f, enumerated(t, "two halves", fmt.Sprintf("halves %g", link), m, all(8, -1), all(8, 1)))
	}
	for _, w := range []float64{1.8, 2.4} {
		p, err := rbm.OrthogonalPatterns(8, 3)
		if err != nil {
			t.Fatal(err)
		}
		x := make([]float64, 8)
		m := spins(t, 8, 3, func(i, j int) float64 { return w * p.Value(j, i) }, none)
		p.Values(x, 0)
		y := make([]float64, 8)
		p.Values(y, 1)
		f = append(f, enumerated(t, "three patterns", fmt.Sprintf("patterns %g 1 to 2", w), m, x, y),
			enumerated(t, "three patterns", fmt.Sprintf("patterns %g 1 to -1", w), m, x, flip(x)))
	}
	for seed := range uint64(8) {
		for _, w := range []float64{0.8, 1.2, 1.7, 2.1} {
			f = append(f, random(t, n, 6, w, 0, seed))
		}
		f = append(f, random(t, n, 5, 1.2, 0.5, seed), random(t, n, 2, 1.2, 0.2, seed))
	}
	return f
}
