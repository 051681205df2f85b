package kernel

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestTileConversions(t *testing.T) {
	r := source(1)
	for rows := range 300 {
		for _, width := range []int{1, 15, 16} {
			data := randomDoubles(r, 40*(rows+40), 1)
			for _, m := range []View{{data, 20, 1}, {data, 1, rows + 3}, {data, 2, 40}} {
				if last := (rows-1)*m.Row + (width-1)*m.Col; last >= len(data) {
					continue
				}
				const scale = 1 << 20
				got, twin := make([]int32, rows*tile), make([]int32, rows*tile)
				quantiseTile(got, m, rows, width, scale)
				convertTileGo(twin, m, 0, rows, width,
					func(x float64) int32 { return int32(math.RoundToEven(x * scale)) })
				if !slices.Equal(got, twin) {
					t.Fatalf("%d rows of %d with strides %d, %d: whole numbers differ from the twin's", rows, width,
						m.Row, m.Col)
				}
				real, realTwin := make([]float32, rows*tile), make([]float32, rows*tile)
				narrowTile(real, m, rows, width)
				convertTileGo(realTwin, m, 0, rows, width, func(x float64) float32 { return float32(x) })
				sameBits(t, "narrowed", real, realTwin)
			}
			src := randomFloats(r, rows*20)
			got, twin := make([]int32, rows*tile), make([]int32, rows*tile)
			quantiseFloats(got, src, 20, rows, width, 1<<20)
			quantiseFloatsGo(twin, src, 20, rows, width, 1<<20)
			if !slices.Equal(got, twin) {
				t.Fatalf("%d rows of %d float32: whole numbers differ from the twin's", rows, width)
			}
		}
	}
}

func TestAbsolutes(t *testing.T) {
	r := source(2)
	for n := range 1000 {
		src, a := randomDoubles(r, n, 1), randomDoubles(r, n, 1)
		b, c, d := slices.Clone(a), slices.Clone(a), slices.Clone(a)
		addAbs(a, src)
		addAbsGo(b, src)
		maxAbs(c, src)
		maxAbsGo(d, src)
		if !slices.Equal(a, b) || !slices.Equal(c, d) {
			t.Fatalf("%d numbers: assembly and twin differ", n)
		}
		addAbsGo(b, src)
		if got, want := absoluteSums(a, src), sumAbs(View{Data: src, Row: 1}, n); got != want || !slices.Equal(a, b) {
			t.Fatalf("%d numbers: sum %g, want %g", n, got, want)
		}
	}
}

// A matrix and the transpose of its transpose give the same weights.
func TestWeightsOfTransposedView(t *testing.T) {
	r := source(3)
	for _, in := range []Inputs{{Units: 37}, {Units: 37, Spin: true}, {Units: 9, States: 4}} {
		n, out := in.Rows(), 50
		m := randomMatrix(r, n, out)
		turned := View{make([]float64, n*out), 1, n}
		for i := range n {
			for j := range out {
				turned.Data[j*n+i] = m.at(i, j)
			}
		}
		a, b := NewWeights(in, out), NewWeights(in, out)
		if err := a.Set(m, nil); err != nil {
			t.Fatal(err)
		}
		if err := b.Set(turned, nil); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(a.tiles, b.tiles) || !slices.Equal(a.base, b.base) || a.Scale != b.Scale {
			t.Errorf("%+v: weights of the two views differ", in)
		}
	}
}

// The largest field fills the range to within a factor of two, and does not overflow.
func TestWeightsUseTheirRange(t *testing.T) {
	for _, size := range []float64{1e-9, 0.3, 1, 1000, 1e12} {
		in := Inputs{Units: 100}
		w, f := NewWeights(in, 1), NewFields(1, in, 1)
		m := View{make([]float64, 100), 1, 1}
		for i := range m.Data {
			m.Data[i] = size
		}
		if err := w.Set(m, nil); err != nil {
			t.Fatal(err)
		}
		f.FromBits(w, []uint64{math.MaxUint64, 1<<36 - 1}, 2)
		if v := f.Value(0, 0); v < 1<<28 || v > 1<<30+100 {
			t.Errorf("weights of %g: the field with all units set is %d, want between 2^28 and 2^30", size, v)
		}
	}
}

func TestWeightsRefuseWhatIsNotFinite(t *testing.T) {
	for _, in := range []Inputs{{Units: 6}, {Units: 3, States: 2}} {
		for _, bad := range []float64{math.NaN(), math.Inf(1)} {
			m := View{make([]float64, 60), 10, 1}
			m.Data[23] = bad
			if err := NewWeights(in, 10).Set(m, nil); err == nil || !strings.Contains(err.Error(), "output 3") {
				t.Errorf("a weight %g gives the error %v, want one that names output 3", bad, err)
			}
		}
	}
}

func TestSetAllocatesNothing(t *testing.T) {
	in := Inputs{Units: 50, Spin: true}
	w, d, m, h := NewWeights(in, 40), NewDense(50, 40), randomMatrix(source(5), 50, 40), make([]float32, 2000)
	if n := testing.AllocsPerRun(20, func() {
		if w.Set(m, nil) != nil || w.Set(View{m.Data, 1, 50}, nil) != nil {
			t.Error("weights refused")
		}
		w.SetRows(h, 40, 1)
		d.Set(m)
		d.SetRows(h, 40)
	}); n != 0 {
		t.Errorf("%g allocations, want none", n)
	}
}

func BenchmarkSet(b *testing.B) {
	const n, m = 784, 500
	r := source(4)
	w := randomMatrix(r, n, m)
	up, down, dense := NewWeights(Inputs{Units: n, Spin: true}, m), NewWeights(Inputs{Units: m, Spin: true}, n),
		NewDense(m, n)
	perItem(b, n*m, "rows", func(int) { _ = up.Set(w, nil) })
	perItem(b, n*m, "columns", func(int) { _ = down.Set(View{w.Data, 1, m}, nil) })
	perItem(b, n*m, "dense", func(int) { dense.Set(View{w.Data, 1, m}) })
}

// A pair set together is what the two would be, set one after the other.
func TestSetPair(t *testing.T) {
	r := source(8)
	for _, c := range []struct{ visible, hidden Inputs }{
		{Inputs{Units: 37}, Inputs{Units: 21}},
		{Inputs{Units: 64, Spin: true}, Inputs{Units: 48}},
		{Inputs{Units: 9, States: 4}, Inputs{Units: 70, Spin: true}},
	} {
		rows, cols := c.visible.Rows(), c.hidden.Rows()
		m := randomMatrix(r, rows, cols)
		up, down := randomDoubles(r, cols, 1), randomDoubles(r, rows, 1)
		wantUp, wantDown := NewWeights(c.visible, cols), NewWeights(c.hidden, rows)
		if err := errors.Join(wantUp.Set(m, up), wantDown.Set(View{m.Data, 1, cols}, down)); err != nil {
			t.Fatal(err)
		}
		gotUp, gotDown := NewWeights(c.visible, cols), NewWeights(c.hidden, rows)
		if err := SetPair(gotUp, gotDown, m, up, down); err != nil {
			t.Fatal(err)
		}
		for k, w := range [][2]*Weights{{gotUp, wantUp}, {gotDown, wantDown}} {
			if !slices.Equal(w[0].tiles, w[1].tiles) || !slices.Equal(w[0].base, w[1].base) ||
				w[0].Scale != w[1].Scale {
				t.Errorf("%v with %v: matrix %d differs when set in a pair", c.visible, c.hidden, k)
			}
		}
		m.Data[5] = math.NaN()
		if err := SetPair(gotUp, gotDown, m, up, down); err == nil {
			t.Error("a weight that is not a number was accepted")
		}
	}
}
