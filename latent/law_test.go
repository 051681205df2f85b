package latent

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"instanton/internal/kernel"
	"instanton/internal/problem"
	"instanton/internal/rng"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// twoHumps is a law with two modes on the whole line or on the half line.
func twoHumps(left float64) *law {
	l := newLaw(40)
	l.begin(span{max(left, -6), 0.4, 31}, kernel.MinSubdivision, left, math.Inf(1))
	node := make([]float64, 31)
	for g := range node {
		x := max(left, -6) + 0.4*float64(g)
		node[g] = math.Log(math.Exp(-(x-2)*(x-2)) + 0.3*math.Exp(-2*(x+2)*(x+2)))
	}
	l.refine(node)
	l.finish(&axis{}, nil) // no potential
	return l
}

// The draws of draw have the density that logDensity gives: the integral of the density up to the quantile of u is u.
// Simpson's rule on pieces of exponentials is good to 1e-6.
func TestLawDrawsItsDensity(t *testing.T) {
	for _, left := range []float64{math.Inf(-1), 0} {
		l := twoHumps(left)
		const cells = 20000
		from, to := max(left, -400), 400.0
		width := (to - from) / cells
		density := func(s float64) float64 { return math.Exp(l.logDensity(s)) }
		cumulative := make([]float64, cells+1)
		for k := range cells {
			a := from + float64(k)*width
			cumulative[k+1] = cumulative[k] + width/6*(density(a)+4*density(a+width/2)+density(a+width))
		}
		// Beyond lies the Cauchy tail: cauchyShare/π·2·6/400 at most.
		if got := cumulative[cells]; got > 1+1e-4 || got < 1-1e-4 {
			t.Errorf("domain from %g: the density integrates to %g", left, got)
		}
		below := func(s float64) float64 {
			x := (s - from) / width
			k := int(x)
			return cumulative[k] + (x-float64(k))*(cumulative[k+1]-cumulative[k])
		}
		for word := uint32(1 << 24); word < math.MaxUint32-(1<<25); word += 1 << 25 {
			u := rng.Uniform(word)
			s := l.draw(math.MaxUint32, word) // not the Cauchy part
			_, scale, _, share := l.frame()
			middle := l.lo + scale
			first := max(left, math.Inf(-1))
			cauchy := (math.Atan((s-middle)/scale) - math.Atan((first-middle)/scale)) / share
			want := (1-cauchyShare)*u + cauchyShare*cauchy
			if got := below(s); math.Abs(got-want) > 2e-4 { // where the integral begins, and cells
				t.Errorf("domain from %g: below draw(%g) = %g lies %g, want %g", left, u, s, got, want)
			}
		}
	}
}

// A cubic goes through the nodes exactly.
func TestRefineIsCubic(t *testing.T) {
	for subdivision := kernel.MinSubdivision; subdivision <= kernel.MaxSubdivision; subdivision *= 2 {
		l := newLaw(10)
		s := span{-1, 0.5, 6}
		l.begin(s, subdivision, math.Inf(-1), math.Inf(1))
		cube := func(x float64) float64 { return 2*x*x*x - x + 0.5 }
		node := make([]float64, s.n)
		for g := range node {
			node[g] = cube(s.at(g))
		}
		l.refine(node)
		for k, got := range l.level {
			if want := cube(l.at(k)); math.Abs(got-want) > 1e-13 {
				t.Errorf("%d pieces, at %g: %g, want %g", subdivision, l.at(k), got, want)
			}
		}
	}
}

// Exactness does not depend on nodes or windows: with nodes much too far apart, in windows much too small, many
// proposals are rejected and P(v) is unchanged.
func TestBadProposalsAreCorrected(t *testing.T) {
	const n = 10000
	for _, hidden := range []unit.Type{unit.Gaussian, unit.ReLU, unit.DReLU} {
		for _, block := range []int{1, 2} {
			m, err := rbm.Random(unit.Spec{Type: unit.Spin, N: 3}, unit.Spec{Type: hidden, N: 2}, 2, 11)
			if err != nil {
				t.Fatal(err)
			}
			k, err := New(m, 1, Options{Block: block})
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range k.axes {
				a.lo, a.hi = max(-1, a.lo), 0.5 // most of the law is outside
				a.fine = panel{spacing: 1.5 / 4.5, nodes: 4}
				a.coarse = panel{}
				a.fine.table = newTable(m.Visible.Spec(), 4)
				a.fine.table.set(a.weights, a.fine.spacing)
			}
			d, err := rbm.NewDistribution(m, nil, 1)
			if err != nil {
				t.Fatal(err)
			}
			c := sampler.NewChains(m, n, 3)
			x := make([]float64, 3)
			r := rng.New(1, rng.Data, 0, 0).Rand()
			for j := range n { // at equilibrium
				u, s := r.Float64(), 0
				for ; s < len(d.P)-1 && u >= d.P[s]; s++ {
					u -= d.P[s]
				}
				d.Space.State(x, s)
				c.V.SetValues(j, x)
			}
			if err := sampler.NewPool(k, 2).Run(context.Background(), c, 4); err != nil {
				t.Fatal(err)
			}
			if a := c.Acceptance(); a > 0.9 {
				t.Errorf("%s, block %d: acceptance %g: the proposals are not bad", hidden, block, a)
			}
			seen := make([]float64, len(d.P))
			for j := range n {
				c.V.Values(x, j)
				seen[d.Space.Index(x)]++
			}
			var chi float64
			for s, p := range d.P {
				chi += (seen[s] - n*p) * (seen[s] - n*p) / (n * p)
			}
			if p := (distuv.ChiSquared{K: float64(len(d.P) - 1)}).Survival(chi); p < 1e-6 {
				t.Errorf("%s, block %d: χ² = %g over %d states: probability %g", hidden, block, chi, len(d.P), p)
			}
		}
	}
}

// Blocks in a fixed order keep P(v) but not detailed balance; all orders together keep both.
func TestFixedOrderBreaksDetailedBalance(t *testing.T) {
	m := problem.Tiny(unit.Spin, unit.Spin)
	k, err := New(m, 1, Options{})
	if err != nil {
		t.Fatal(err)
	}
	v, h := problem.Space(m.Visible), problem.Space(m.Hidden)
	d, err := rbm.NewDistribution(m, v, 1)
	if err != nil {
		t.Fatal(err)
	}
	fixed, err := k.transition(v, h, []order{{moves: [][]int{{0}, {1}, {2}}, probability: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if e := fixed.StationaryError(d.P); e > 1e-14 {
		t.Errorf("fixed order: the law is not stationary, error %g", e)
	}
	if e := fixed.BalanceError(d.P); e < 1e-6 {
		t.Errorf("fixed order: detailed balance holds to %g, though it should fail", e)
	}
	random, err := k.Transition(v, h)
	if err != nil {
		t.Fatal(err)
	}
	if e := random.BalanceError(d.P); e > 1e-14 {
		t.Errorf("random order: detailed balance fails by %g", e)
	}
}

// Tables that are too large to keep are made again by the workers, to the same bits.
func TestTablesOfWorkers(t *testing.T) {
	for _, visible := range []unit.Spec{{Type: unit.Spin, N: 30}, {Type: unit.Potts, N: 9, Q: 3}} {
		for _, block := range []int{1, 2} {
			m, err := rbm.Random(visible, unit.Spec{Type: unit.Gaussian, N: 5}, 3, 11)
			if err != nil {
				t.Fatal(err)
			}
			var ends []*unit.States
			for _, keep := range []bool{true, false} {
				k, err := New(m, 1, Options{Block: block})
				if err != nil {
					t.Fatal(err)
				}
				for _, a := range k.axes {
					if !keep {
						a.fine.table, a.coarse.table = nil, nil
					}
				}
				c := sampler.NewChains(m, 20, 3)
				if err := sampler.NewPool(k, 1).Run(context.Background(), c, 5); err != nil {
					t.Fatal(err)
				}
				ends = append(ends, c.V)
			}
			if !ends[0].Equal(ends[1]) {
				t.Errorf("%s, block %d: workers' own tables give other bits", visible, block)
			}
		}
	}
}

// Weights so strong that e^{ws} overflows: the two states of four spins, 160 apart in h, are changed with probability
// ½.
func TestStrongWeights(t *testing.T) {
	m, err := rbm.CurieWeiss(4, 40)
	if err != nil {
		t.Fatal(err)
	}
	k, err := New(m, 1, Options{})
	if err != nil {
		t.Fatal(err)
	}
	const chains = 4000
	c := sampler.NewChains(m, chains, 3)
	if err := sampler.NewPool(k, 2).Run(context.Background(), c, 1); err != nil {
		t.Fatal(err)
	}
	before := c.V.Clone()
	if err := sampler.NewPool(k, 2).Run(context.Background(), c, 1); err != nil {
		t.Fatal(err)
	}
	changed := 0.0
	for j := range chains {
		if c.V.Value(j, 0) != before.Value(j, 0) {
			changed++
		}
	}
	if a := c.Acceptance(); a < 0.95 {
		t.Errorf("acceptance %g", a)
	}
	// refused moves change nothing
	if tol := 5 * math.Sqrt(chains*0.25); math.Abs(changed-chains/2) > tol+0.025*chains {
		t.Errorf("%g of %d chains changed, want half ± %g", changed, chains, tol)
	}
}
