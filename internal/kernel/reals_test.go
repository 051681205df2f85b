package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

// sameBits reports the first place where two slices differ in any bit.
func sameBits(t *testing.T, what string, got, want []float32) {
	t.Helper()
	for i := range want {
		if math.Float32bits(got[i]) != math.Float32bits(want[i]) {
			t.Fatalf("%s: number %d of %d is %b, want %b", what, i, len(want), got[i], want[i])
		}
	}
}

// extremeWords are random, but every few of them lie at the ends.
func extremeWords(r *rand.Rand, n int) []uint32 {
	w := make([]uint32, n)
	for i := range w {
		w[i] = r.Uint32()
		switch r.IntN(12) {
		case 0:
			w[i] = uint32(r.IntN(3))
		case 1:
			w[i] = ^uint32(r.IntN(300))
		case 2:
			w[i] = uint32(r.IntN(9)) << 29
		}
	}
	return w
}

// wide are numbers of all sizes, with zeros of both signs among them.
func wide(r *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(r.NormFloat64() * math.Exp(4*r.NormFloat64()-2))
		switch r.IntN(20) {
		case 0:
			x[i] = 0
		case 1:
			x[i] = float32(math.Copysign(0, -1))
		case 2:
			x[i] *= 1e6
		}
	}
	return x
}

func positive(r *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(0.2 + r.ExpFloat64())
	}
	return x
}

func TestNormalDraw(t *testing.T) {
	r := source(1)
	for n := range 1000 {
		p := Normal{Gain: positive(r, n), Offset: wide(r, n), Sigma: positive(r, n)}
		x, words := wide(r, n), extremeWords(r, n+n%2)
		got, twin := make([]float32, n), make([]float32, n)
		p.Draw(got, x, words)
		p.drawGo(twin, x, words, 0)
		sameBits(t, "normal", got, twin)
	}
}

func TestHalfDraw(t *testing.T) {
	r := source(2)
	for n := range 1000 {
		p := Half{Gain: positive(r, n), Offset: wide(r, n)}
		x, words := wide(r, n), extremeWords(r, n)
		got, twin := make([]float32, n), make([]float32, n)
		p.Draw(got, x, words)
		p.drawGo(twin, x, words, 0)
		sameBits(t, "half", got, twin)
	}
}

func TestDoubleDraw(t *testing.T) {
	r := source(3)
	for n := range 1000 {
		p := Double{Right: Half{positive(r, n), wide(r, n)}, Left: Half{positive(r, n), wide(r, n)}, Odds: wide(r, n)}
		x, words := wide(r, n), extremeWords(r, 2*n)
		got, twin := make([]float32, n), make([]float32, n)
		p.Draw(got, x, words)
		p.drawGo(twin, x, words, 0)
		sameBits(t, "double", got, twin)
	}
}

func TestReals(t *testing.T) {
	const chains = 3
	in := Inputs{Units: 20}
	for n := 1; n < 100; n++ {
		r := source(uint64(n))
		w, f := NewWeights(in, n), NewFields(chains, in, n)
		if err := w.Set(randomMatrix(r, 20, n), nil); err != nil {
			t.Fatal(err)
		}
		f.FromBits(w, randomBits(r, chains, 20, 0.5), 1)
		got := make([]float32, chains*(n+1))
		f.Reals(got, n+1, 0.5)
		for c := range chains {
			for j := range n {
				if want := float32(f.Value(c, j)) * (w.Scale * 0.5); got[c*(n+1)+j] != want {
					t.Fatalf("%d units: field %d of chain %d is %g, want %g", n, j, c, got[c*(n+1)+j], want)
				}
			}
			if got[c*(n+1)+n] != 0 {
				t.Fatalf("%d units: written beyond the row", n)
			}
		}
	}
}

// upper is the upper tail of the normal distribution.
func upper(x float64) float64 { return math.Erfc(x/math.Sqrt2) / 2 }

// The distribution function of what is drawn is that of the law: Q(a+y) = u·Q(a), to an error of a few float32
// roundings of a number of order one, in u as in 1−u.
func TestHalfQuantile(t *testing.T) {
	r := source(4)
	for _, a := range []float64{-12, -7, -3, -1, -0.3, 0, 0.5, 1, 1.9, 2.5, 2.999, 3, 3.1, 4, 5, 8, 12, 20, 30} {
		for range 2000 {
			word := r.Uint32() >> r.IntN(20)
			u := (float64(word>>1) + 0.5) / (1 << 31)
			y := float64(halfQuantile(float32(a), word))
			got := upper(a+y) / upper(float64(float32(a)))
			// y is rounded to float32 where a+y may be large: the slope of log Q is close to a+y beyond zero.
			tol := u * (3e-6 + 4e-7*math.Max(0, a+y)*(math.Abs(a)+y))
			if a >= farSide {
				tol = u * (3e-6 + 4e-7*(-math.Log(u)))
			}
			if math.Abs(got-u) > tol {
				t.Fatalf("a = %g, u = %g: y = %g has probability %g beyond it, off by %.2g of it", a, u, y, got,
					(got-u)/u)
			}
		}
	}
	for range 1000 { // far out the law is exponential with mean 1/a
		word := r.Uint32()
		u := (float64(word>>1) + 0.5) / (1 << 31)
		if y, want := float64(halfQuantile(1e5, word)), -math.Log(u)/1e5; math.Abs(y-want) > 2e-6*(want+1e-5) {
			t.Fatalf("a = 1e5, u = %g: y = %g, want %g", u, y, want)
		}
	}
}

// The lower tail: with a far below zero the law is a whole normal distribution.
func TestHalfQuantileLowerTail(t *testing.T) {
	for _, word := range []uint32{1<<32 - 3, 1<<32 - 1001, 1<<32 - 1<<20} {
		y := float64(halfQuantile(-20, word)) - 20
		want := 1 - (float64(word>>1)+0.5)/(1<<31)
		if got := upper(-y); math.Abs(got-want) > 3e-5*want {
			t.Errorf("word %#x: %g of the law lies below, want %g", word, got, want)
		}
	}
}

func TestLogMills(t *testing.T) {
	for a := -30.0; a < 30; a += 0.01 {
		want := math.Log2(math.Sqrt(2*math.Pi)*upper(a)) + a*a/2*math.Log2E
		if got := float64(logMills(float32(a))); math.Abs(got-want) > 1e-6+3e-7*math.Abs(want) {
			t.Fatalf("logMills(%g) = %g, want %g", a, got, want)
		}
	}
}

// Box and Muller in float64 from the same words.
func TestNormalPair(t *testing.T) {
	r := source(5)
	for range 100000 {
		a, b := r.Uint32(), r.Uint32()
		x, y := normalPair(a, b)
		radius := math.Sqrt(-2 * math.Log((float64(a>>1)+0.5)/(1<<31)))
		sin, cos := math.Sincos(2 * math.Pi * float64(b) / (1 << 32))
		// Near u = 1 float32 cannot tell u from its neighbour: √(2·6e-8) at worst.
		tol := 1e-6*radius + 6e-8/math.Max(radius, 1e-4)
		if math.Abs(float64(x)-radius*cos) > tol || math.Abs(float64(y)-radius*sin) > tol {
			t.Fatalf("words %#x, %#x give %g, %g, want %g, %g", a, b, x, y, radius*cos, radius*sin)
		}
	}
}

// The share of units on the right is what the two normalisations say.
func TestDoubleSides(t *testing.T) {
	const n = 4096
	fill := func(x float32) []float32 {
		s := make([]float32, n)
		for i := range s {
			s[i] = x
		}
		return s
	}
	gp, gm := 2.0, 0.5 // gains 1/√γ
	p := Double{
		Right: Half{fill(float32(gp)), fill(0.7)}, Left: Half{fill(float32(gm)), fill(-0.4)},
		Odds: fill(float32(math.Log2(gp / gm))),
	}
	x, dst, words := fill(0.3), make([]float32, n), make([]uint32, 2*n)
	right, total := 0, 0
	for sweep := range 50 {
		Words(words, Stream{Counter: [4]uint32{0, 0, uint32(sweep)}})
		p.Draw(dst, x, words)
		for _, y := range dst {
			total++
			if y > 0 {
				right++
			}
		}
	}
	mass := func(a, g float64) float64 { return g * math.Exp(a*a/2) * upper(a) }
	zr, zl := mass(0.7-gp*0.3, gp), mass(-0.4+gm*0.3, gm)
	want := zr / (zr + zl)
	if got, tol := float64(right)/float64(total), 5*math.Sqrt(want*(1-want)/float64(total)); math.Abs(got-want) > tol {
		t.Errorf("%g of the units are right of zero, want %g ± %g", got, want, tol)
	}
}

func TestRealDrawsAllocateNothing(t *testing.T) {
	x, words := make([]float32, 37), make([]uint32, 74)
	n, h := Normal{x, x, x}, Half{x, x}
	d := Double{h, h, x}
	dst := make([]float32, 37)
	if a := testing.AllocsPerRun(20, func() {
		n.Draw(dst, x, words)
		h.Draw(dst, x, words)
		d.Draw(dst, x, words)
	}); a != 0 {
		t.Errorf("%g allocations, want none", a)
	}
}

func BenchmarkReals(b *testing.B) {
	const n = 2048
	r := source(6)
	words := make([]uint32, 2*n)
	Words(words, Stream{})
	x, dst := randomFloats(r, n), make([]float32, n)
	h := Half{positive(r, n), randomFloats(r, n)}
	normal, double := Normal{h.Gain, h.Offset, h.Gain}, Double{h, h, x}
	perItem(b, n, "normal", func(int) { normal.Draw(dst, x, words) })
	perItem(b, n, "normal/twin", func(int) { normal.drawGo(dst, x, words, 0) })
	perItem(b, n, "half", func(int) { h.Draw(dst, x, words) })
	perItem(b, n, "half/twin", func(int) { h.drawGo(dst, x, words, 0) })
	perItem(b, n, "double", func(int) { double.Draw(dst, x, words) })
	perItem(b, n, "double/twin", func(int) { double.drawGo(dst, x, words, 0) })
}
