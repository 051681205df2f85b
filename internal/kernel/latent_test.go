package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func randomDoubles(r *rand.Rand, n int, scale float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = scale * r.NormFloat64()
	}
	return x
}

// chebyshev are nodes on (−width, width).
func chebyshev(n int, width float64) []float64 {
	s := make([]float64, n)
	for g := range s {
		s[g] = width * math.Cos(math.Pi*(float64(g)+0.5)/float64(n))
	}
	return s
}

func log2cosh(x float64) float64   { return math.Abs(x) + math.Log1p(math.Exp(-2*math.Abs(x))) }
func softplus(x float64) float64   { return math.Max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }
func close64(a, b, n float64) bool { return math.Abs(a-b) <= 1e-14*(n+math.Abs(b)) }

func TestLatentKernels(t *testing.T) {
	r := source(1)
	for n := range 1000 {
		x, w := randomDoubles(r, n, 3), randomDoubles(r, n, 1)
		e, e2 := make([]float64, n), make([]float64, n)
		rows, rows2 := make([]uint32, n), make([]uint32, n)
		var sums, sums2 [12]float64
		foldFields(e, rows, x, w, &sums, 2*math.Log2E)
		foldFieldsGo(e2, rows2, x, w, &sums2, 2*math.Log2E, 0)
		if sums != sums2 {
			t.Fatalf("%d units: sums %v, twin %v", n, sums, sums2)
		}
		for i := range e {
			if e[i] != e2[i] || rows[i] != rows2[i] {
				t.Fatalf("%d units: unit %d gives %g in row %d, twin %g in %d", n, i, e[i], rows[i], e2[i], rows2[i])
			}
		}
		const stride = maxNodeBlock + 1
		table := randomDoubles(r, (2*n+1)*stride, 0)
		for i := range table {
			table[i] = math.Exp(10 * r.NormFloat64())
		}
		var p, p2 nodeProducts
		for nodes := nodeBlock; nodes <= maxNodeBlock; nodes += nodeBlock {
			p.coshProduct(nodes, e, rows, table, stride)
			p2.coshProductGo(nodes, e, rows, table, stride)
			if p != p2 {
				t.Fatalf("%d units, %d nodes: products %v, twin %v", n, nodes, p, p2)
			}
		}
		p = nodeProducts{}
		sums = [12]float64{}
		p.product[0], p.exponent[0] = coshTotal(make([]float64, n), x, &sums, 2*math.Log2E)
		ones := make([]float64, 2*n*nodeBlock)
		for i := range ones {
			ones[i] = 1
		}
		p2.coshProductGo(nodeBlock, e, rows, ones, nodeBlock)
		if p.product[0] != p2.product[0] || p.exponent[0] != p2.exponent[0] {
			t.Fatalf("%d units: product %g·2^%d, twin %g·2^%d", n, p.product[0], p.exponent[0], p2.product[0],
				p2.exponent[0])
		}
		for k := range sums {
			if k/4 != 1 && sums[k] != sums2[k] {
				t.Fatalf("%d units: sums %v, twin %v", n, sums, sums2)
			}
		}
		for _, q := range []int{2, 3, 7} {
			p, p2 = nodeProducts{}, nodeProducts{}
			p.mixtureProduct(e[:n/q*q], table, stride, q)
			p2.mixtureProductGo(e[:n/q*q], table, stride, q)
			if p != p2 {
				t.Fatalf("%d units with %d states: products %v, twin %v", n/q, q, p, p2)
			}
		}
	}
}

func TestExp2Double(t *testing.T) {
	for d := -990.0; d < 900; d += 0.37 {
		if got, want := exp2Double(d), math.Exp2(d); math.Abs(got/want-1) > 4e-16 {
			t.Fatalf("exp2Double(%g) = %g, want %g", d, got, want)
		}
	}
}

// Sums along a line and on a plane against the functions of package math.
func TestLogSums(t *testing.T) {
	for _, spin := range []bool{false, true} {
		term := softplus
		if spin {
			term = log2cosh
		}
		for _, n := range []int{1, 2, 7, 8, 9, 64, 129, 784} {
			for _, nodes := range [][2]int{{1, 1}, {16, 17}, {24, 5}} {
				r := source(uint64(n))
				x, wa, wb := randomDoubles(r, n, 2), randomDoubles(r, n, 1), randomDoubles(r, n, 1)
				a, b := NewLine(n, nodes[0], spin), NewLine(n, nodes[1], spin)
				sa, sb := chebyshev(nodes[0], 2), chebyshev(nodes[1], 3)
				a.Set(wa, sa)
				b.Set(wb, sb)
				f := NewLogSums(n)
				line, plane := make([]float64, nodes[0]), make([]float64, nodes[0]*nodes[1])
				f.Along(line, a, x)
				f.Plane(plane, nodes[1], a, b, x)
				for g, s := range sa {
					var want float64
					for i := range x {
						want += term(x[i] + wa[i]*s)
					}
					if !close64(line[g], want, float64(n)) {
						t.Fatalf("spin %v, %d units, node %d: %.17g, want %.17g", spin, n, g, line[g], want)
					}
					for h, u := range sb {
						want = 0
						for i := range x {
							want += term(x[i] + wa[i]*s + wb[i]*u)
						}
						if got := plane[g*len(sb)+h]; !close64(got, want, float64(n)) {
							t.Fatalf("spin %v, %d units, nodes %d, %d: %.17g, want %.17g", spin, n, g, h, got, want)
						}
					}
				}
			}
		}
	}
}

func TestLogSumsPotts(t *testing.T) {
	for _, shape := range [][2]int{{1, 2}, {27, 20}, {9, 5}, {100, 3}} {
		n, q := shape[0], shape[1]
		r := source(uint64(n))
		x, wa, wb := randomDoubles(r, n*q, 2), randomDoubles(r, n*q, 1), randomDoubles(r, n*q, 1)
		sa, sb := chebyshev(20, 3), chebyshev(7, 2)
		a, b := NewPottsLine(n, q, 20), NewPottsLine(n, q, 7)
		a.Set(wa, sa)
		b.Set(wb, sb)
		f := NewLogSums(n * q)
		line, plane := make([]float64, 20), make([]float64, 140)
		f.AlongPotts(line, a, x)
		f.PlanePotts(plane, 7, a, b, x)
		sum := func(s, u float64) (total float64) {
			for i := range n {
				var z float64
				for c := i * q; c < (i+1)*q; c++ {
					z += math.Exp(x[c] + wa[c]*s + wb[c]*u)
				}
				total += math.Log(z)
			}
			return total
		}
		for g, s := range sa {
			if want := sum(s, 0); !close64(line[g], want, float64(n)) {
				t.Fatalf("%dx%d, node %d: %.17g, want %.17g", n, q, g, line[g], want)
			}
			for h, u := range sb {
				if want := sum(s, u); !close64(plane[g*7+h], want, float64(n)) {
					t.Fatalf("%dx%d, nodes %d, %d: %.17g, want %.17g", n, q, g, h, plane[g*7+h], want)
				}
			}
		}
	}
}

// Weights as strong as the documentation allows must not overflow.
func TestLogSumsOfStrongWeights(t *testing.T) {
	const n = 32
	w, x := make([]float64, n), make([]float64, n)
	for i := range w {
		w[i] = 20
	}
	l := NewLine(n, 2, true)
	l.Set(w, []float64{-2, 2})
	f := NewLogSums(n)
	line, plane := make([]float64, 2), make([]float64, 4)
	f.Along(line, l, x)
	if want := n * 40.0; !close64(line[0], want, 1) || !close64(line[1], want, 1) {
		t.Errorf("sums %v, want %g", line, want)
	}
	l.Set(w, []float64{-1, 1})
	f.Plane(plane, 2, l, l, x)
	if want := n * 40.0; !close64(plane[0], want, 1) || !close64(plane[3], want, 1) ||
		!close64(plane[1], n*math.Ln2, 1) {
		t.Errorf("sums %v, want %g at the ends and %g between", plane, want, n*math.Ln2)
	}
}

func TestLogSumsAllocateNothing(t *testing.T) {
	l, p, f := NewLine(30, 20, true), NewPottsLine(10, 3, 20), NewLogSums(30)
	x, dst := make([]float64, 30), make([]float64, 400)
	if n := testing.AllocsPerRun(20, func() {
		f.Along(dst[:20], l, x)
		f.Plane(dst, 20, l, l, x)
		f.AlongPotts(dst[:20], p, x)
		f.PlanePotts(dst, 20, p, p, x)
	}); n != 0 {
		t.Errorf("%g allocations, want none", n)
	}
}

func BenchmarkLogSums(b *testing.B) {
	r := source(3)
	for _, n := range []int{128, 784} {
		const nodes = 32
		l, f := NewLine(n, nodes, true), NewLogSums(n)
		l.Set(randomDoubles(r, n, 0.3), chebyshev(nodes, 3))
		x, dst := randomDoubles(r, n, 1), make([]float64, nodes*nodes)
		perItem(b, n*nodes, fmt.Sprintf("line/%d", n), func(int) { f.Along(dst[:nodes], l, x) })
		perItem(b, n*nodes*nodes, fmt.Sprintf("plane/%d", n), func(int) { f.Plane(dst, nodes, l, l, x) })
		for nodes := nodeBlock; nodes <= maxNodeBlock; nodes += nodeBlock {
			perItem(b, n*nodes, fmt.Sprintf("product%d/%d", nodes, n), func(int) {
				f.coshProduct(nodes, f.e, f.rows, l.table, l.stride)
			})
		}
		perItem(b, n*nodes, fmt.Sprintf("product/%d/twin", n), func(int) {
			f.coshProductGo(nodes, f.e, f.rows, l.table, l.stride)
		})
		perItem(b, n, fmt.Sprintf("sum/%d", n), func(int) { f.Sum(x, true) })
		var sums [12]float64
		perItem(b, n, fmt.Sprintf("fold/%d", n), func(int) { foldFields(f.e, f.rows, x, l.weights, &sums, 2) })
	}
	const units, states = 27, 20
	l, f := NewPottsLine(units, states, 32), NewLogSums(units*states)
	l.Set(randomDoubles(r, units*states, 0.3), chebyshev(32, 3))
	x, dst := randomDoubles(r, units*states, 1), make([]float64, 32)
	perItem(b, units*states*32, "potts", func(int) { f.AlongPotts(dst, l, x) })
}

func TestAddTimes(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	for n := range 1000 {
		x, w, got := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range x {
			x[i], w[i] = r.NormFloat64(), r.NormFloat64()
		}
		AddTimes(got, x, 0.7, w)
		for i := range got {
			if want := x[i] + float64(0.7*w[i]); got[i] != want {
				t.Fatalf("field %d of %d is %g, want %g", i, n, got[i], want)
			}
		}
	}
}
