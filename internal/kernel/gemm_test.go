package kernel

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// fma32 against exact arithmetic, on numbers chosen so that sums fall on or near the middle of two float32, cancel,
// overflow the exponent's low end or do nothing special.
func TestFMAIsRoundedOnce(t *testing.T) {
	r := source(1)
	number := func() float32 {
		f := math.Float32frombits(r.Uint32())
		switch r.IntN(4) {
		case 0:
			return float32(r.IntN(1<<24)-1<<23) * float32(math.Ldexp(1, r.IntN(60)-30))
		case 1:
			return float32(r.NormFloat64())
		case 2:
			return float32(math.Ldexp(float64(r.IntN(5)-2), r.IntN(80)-70))
		}
		if f-f != 0 {
			return 1
		}
		return f
	}
	exact := func(x, y, z float32) float32 {
		p := new(big.Float).SetPrec(1200).Mul(big.NewFloat(float64(x)), big.NewFloat(float64(y)))
		s, _ := p.Add(p, big.NewFloat(float64(z))).Float32()
		return s
	}
	for range 200000 {
		x, y, z := number(), number(), number()
		if want := exact(x, y, z); fma32(x, y, z) != want {
			t.Fatalf("fma32(%b, %b, %b) = %b, want %b", x, y, z, fma32(x, y, z), want)
		}
	}
	// A product that the sum with z pushes just off the middle of two float32.
	x, y, z := float32(1+math.Ldexp(1, -12)), float32(1+math.Ldexp(1, -12)), float32(math.Ldexp(1, 24))
	if want := exact(x, y, z); fma32(x, y, z) != want {
		t.Errorf("fma32 near a middle gives %b, want %b", fma32(x, y, z), want)
	}
}

func randomFloats(r *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(r.NormFloat64())
	}
	return x
}

// The assembly equals its twin to the last bit at every depth.
func TestAddTile(t *testing.T) {
	r := source(2)
	for n := range 1000 {
		a, b, c := randomFloats(r, gemmRows*n), randomFloats(r, n*tile), randomFloats(r, gemmRows*20)
		got, twin := slices.Clone(c), slices.Clone(c)
		addTile(got, 20, a, b)
		addTileGo(twin, 20, a, b)
		if !slices.Equal(got, twin) {
			t.Fatalf("depth %d: assembly and twin differ", n)
		}
	}
}

func TestPackPanel(t *testing.T) {
	r := source(2)
	for rows := 1; rows <= gemmRows; rows++ {
		for n := 0; n < 100; n++ {
			for _, strides := range [][2]int{{n + 3, 1}, {1, rows + 2}, {3, 20}} {
				src := randomFloats(r, rows*strides[0]+n*strides[1]+1)
				got, twin := make([]float32, gemmRows*n+2), make([]float32, gemmRows*n+2)
				packPanel(got, src, strides[0], strides[1], rows, n)
				packPanelGo(twin, src, strides[0], strides[1], rows, n)
				if !slices.Equal(got[:gemmRows*n], twin[:gemmRows*n]) {
					t.Fatalf("%d rows of %d with strides %v: assembly and twin differ", rows, n, strides)
				}
			}
		}
	}
}

// product is the plain loop.
func product(dst []float32, stride int, a Left, n int, m View, rows, cols int) {
	for i := range n {
		for j := range cols {
			for k := range rows {
				dst[i*stride+j] = fma32(a.Data[i*a.Row+k*a.Step], float32(m.at(k, j)), dst[i*stride+j])
			}
		}
	}
}

func TestAddProduct(t *testing.T) {
	r := source(3)
	for _, s := range []struct{ n, rows, cols int }{
		{1, 1, 1}, {5, 3, 2}, {6, 16, 16}, {7, 17, 15}, {12, 399, 33}, {13, 400, 48}, {11, 401, 31}, {3, 900, 17},
		{25, 40, 100}, {97, 8, 16}, {200, 5, 3},
	} {
		m := randomMatrix(r, s.rows, s.cols)
		d := NewDense(s.rows, s.cols)
		d.Set(m)
		g := NewGEMM()
		stride := s.cols + 3
		for _, a := range []Left{
			{Data: randomFloats(r, s.n*(s.rows+1)), Row: s.rows + 1, Step: 1},
			{Data: randomFloats(r, s.rows*(s.n+2)), Row: 1, Step: s.n + 2},
		} {
			dst := randomFloats(r, s.n*stride)
			want, apart := slices.Clone(dst), slices.Clone(dst)
			product(want, stride, a, s.n, m, s.rows, s.cols)
			for i := range s.n { // one row at a time: the batch must not matter
				g.AddProduct(apart[i*stride:], stride, Left{a.Data[i*a.Row:], a.Row, a.Step}, 1, d)
			}
			g.AddProduct(dst, stride, a, s.n, d)
			if !slices.Equal(dst, want) {
				t.Errorf("%+v: product differs from the plain loop", s)
			}
			if !slices.Equal(apart, want) {
				t.Errorf("%+v: product of single rows differs from that of the batch", s)
			}
		}
	}
}

func TestSetRows(t *testing.T) {
	r := source(4)
	m := randomFloats(r, 7*40)
	d, e := NewDense(7, 37), NewDense(7, 37)
	d.SetRows(m, 40)
	v := View{Data: make([]float64, len(m)), Row: 40, Col: 1}
	for i, x := range m {
		v.Data[i] = float64(x)
	}
	e.Set(v)
	if !slices.Equal(d.tiles, e.tiles) {
		t.Error("SetRows and Set of the same numbers differ")
	}
}

func TestAddProductAllocatesNothing(t *testing.T) {
	g, d, a, c := NewGEMM(), NewDense(100, 50), make([]float32, 1000), make([]float32, 500)
	if n := testing.AllocsPerRun(20, func() { g.AddProduct(c, 50, Left{a, 100, 1}, 10, d) }); n != 0 {
		t.Errorf("%g allocations, want none", n)
	}
}

func BenchmarkGEMM(b *testing.B) {
	peak := PeakFLOPS()
	b.Logf("peak %.1f GFLOP/s", peak/1e9)
	r, g := source(5), NewGEMM()
	for _, s := range []struct{ n, rows, cols int }{{480, 784, 512}, {96, 784, 96}, {500, 784, 500}, {100, 784, 200}} {
		d := NewDense(s.rows, s.cols)
		d.Set(randomMatrix(r, s.rows, s.cols))
		stride := s.cols + 4
		a, dst := randomFloats(r, s.n*s.rows), make([]float32, s.n*stride)
		flops := 2 * s.n * s.rows * s.cols
		perItem(b, flops, fmt.Sprintf("%dx%dx%d", s.n, s.rows, s.cols),
			func(int) { g.AddProduct(dst, stride, Left{a, s.rows, 1}, s.n, d) })
		perItem(b, flops, fmt.Sprintf("%dx%dx%d/transposed", s.n, s.rows, s.cols),
			func(int) { g.AddProduct(dst, stride, Left{a, 1, s.n}, s.n, d) })
	}
	c, p, q := randomFloats(r, 6*16), randomFloats(r, 6*256), randomFloats(r, 256*16)
	perItem(b, 2*256*96, "tile", func(int) { addTile(c, 16, p, q) })
	perItem(b, 2*256*96, "tile/twin", func(int) { addTileGo(c, 16, p, q) })
	if vector512 {
		perItem(b, 384*1000, "peak", func(int) { fmaPeakAVX512(1000) })
	} else {
		perItem(b, 192*1000, "peak", func(int) { fmaPeakAVX2(1000) })
	}
}
