package kernel

import (
	"math"
	"slices"
	"testing"
)

func TestTransposeBits(t *testing.T) {
	for _, shape := range [][2]int{{1, 1}, {64, 64}, {63, 65}, {1, 200}, {130, 7}, {500, 784}} {
		rows, cols := shape[0], shape[1]
		stride, turned := bitWords(cols), bitWords(rows)
		src := randomBits(source(1), rows, cols, 0.5)
		dst := make([]uint64, cols*turned)
		TransposeBits(dst, turned, src, stride, rows, cols)
		for i := range rows {
			for j := range cols {
				if src[i*stride+j/64]>>(j%64)&1 != dst[j*turned+i/64]>>(i%64)&1 {
					t.Fatalf("%dx%d: bit %d, %d is lost", rows, cols, i, j)
				}
			}
		}
	}
}

// Means of bits, set block by block, are the weights that SetRows takes from their rows.
func TestSetMeans(t *testing.T) {
	r := source(6)
	for _, out := range []int{1, 15, 16, 40} {
		const chains, n = 90, 70
		from, to := NewWeights(Inputs{Units: n}, out), Inputs{Units: chains}
		if err := from.Set(randomMatrix(r, n, out), nil); err != nil {
			t.Fatal(err)
		}
		f := NewFields(chains, from.Inputs, out)
		f.FromBits(from, randomBits(r, chains, n, 0.5), 2)
		weights := make([]float32, chains)
		for c := range weights {
			weights[c] = r.Float32()
		}
		for _, spin := range []bool{false, true} {
			h, want, got := make([]float32, chains*out), make([]float64, out), make([]float64, out)
			f.Reals(h, out, 1)
			if spin {
				Tanh(h)
			} else {
				Logistic(h)
			}
			for c, weight := range weights {
				row := h[c*out : (c+1)*out]
				for j := range row {
					row[j] *= weight
				}
				AddColumns(want, row)
			}
			byRows, byMeans := NewWeights(to, out), NewWeights(to, out)
			byRows.SetRows(h, out, chains)
			byMeans.SetMeans(0, f, 0, 37, spin, weights, got, chains)
			byMeans.SetMeans(37, f, 37, chains, spin, weights, got, chains)
			byMeans.Finish(chains)
			if !slices.Equal(got, want) {
				t.Errorf("%d outputs, spin %v: sums %v, want %v", out, spin, got, want)
			}
			for j := range out {
				for c := range chains {
					if a, b := byMeans.tileRows(j/tile, c)[j%tile], byRows.tileRows(j/tile, c)[j%tile]; a != b {
						t.Fatalf("%d outputs, spin %v: weight %d, %d is %d, want %d", out, spin, c, j, a, b)
					}
				}
			}
		}
	}
}

// Sums over a batch: bits and spins with real and binary hidden units, in one block of chains and in two, give the
// plain sums, and the same bits of them.
func TestCorrelations(t *testing.T) {
	const chains, n, m = 150, 40, 21
	r := source(2)
	v, h := randomBits(r, chains, n, 0.4), randomFloats(r, chains*m)
	for _, spin := range []bool{false, true} {
		sum := func(blocks ...int) []float64 {
			dst := make([]float64, n*m)
			bound := MaxColumnSum(h, m, chains, m)
			for from := 0; len(blocks) > 0; blocks = blocks[1:] {
				b := blocks[0]
				in := Inputs{Units: b, Spin: spin}
				w, f := NewWeights(in, m), NewFields(n, in, m)
				w.SetRows(h[from*m:], m, bound)
				bits := make([]uint64, n*bitWords(b))
				TransposeBits(bits, bitWords(b), v[from:], 1, b, n)
				f.FromBits(w, bits, bitWords(b))
				f.AddTo(dst, m, 0.5)
				from += b
			}
			return dst
		}
		whole := sum(chains)
		for i := range n {
			for j := range m {
				var want float64
				for c := range chains {
					x := float64(v[c] >> i & 1)
					if spin {
						x = 2*x - 1
					}
					want += 0.5 * x * float64(h[c*m+j])
				}
				if got := whole[i*m+j]; math.Abs(got-want) > 1e-5 {
					t.Fatalf("spin %v: sum %d, %d is %g, want %g", spin, i, j, got, want)
				}
			}
		}
		// The base of spins is halved in each block, with a rounding.
		if parts := sum(37, 100, 13); !spin && !slices.Equal(parts, whole) {
			t.Error("sums over blocks differ from those over the whole batch")
		}
	}
}

func TestCorrelationsOfBits(t *testing.T) {
	const chains, n, m = 100, 30, 70
	r := source(3)
	v, h := randomBits(r, chains, n, 0.4), randomBits(r, chains, m, 0.3)
	in := Inputs{Units: chains}
	w, f := NewWeights(in, m), NewFields(n, in, m)
	w.SetBits(h, 2)
	bits := make([]uint64, n*2)
	TransposeBits(bits, 2, v, 1, chains, n)
	f.FromBits(w, bits, 2)
	for i := range n {
		for j := range m {
			var want int32
			for c := range chains {
				want += int32(v[c] >> i & 1 & (h[2*c+j/64] >> (j % 64)))
			}
			if got := f.Value(i, j); got != want {
				t.Fatalf("units %d and %d are both set on %d chains, want %d", i, j, got, want)
			}
		}
	}
}

func TestCorrelationsOfCodes(t *testing.T) {
	const chains, units, q, m = 60, 9, 5, 20
	r := source(4)
	codes, h := make([]uint8, chains*units), randomFloats(r, chains*m)
	for i := range codes {
		codes[i] = uint8(r.IntN(q))
	}
	in := Inputs{Units: chains}
	w, f := NewWeights(in, m), NewFields(units*q, in, m)
	w.SetRows(h, m, MaxColumnSum(h, m, chains, m))
	f.FromTransposedCodes(w, codes, units, units, q)
	want := make([]float64, units*q*m)
	for c := range chains {
		for i := range units {
			for j := range m {
				want[(i*q+int(codes[c*units+i]))*m+j] += float64(h[c*m+j])
			}
		}
	}
	got := make([]float64, len(want))
	f.AddTo(got, m, 1)
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-6 {
			t.Fatalf("sum %d is %g, want %g", i, got[i], want[i])
		}
	}
	if n := testing.AllocsPerRun(10,
		func() { f.FromTransposedCodes(w, codes, units, units, q); f.AddTo(got, m, 1) }); n != 0 {
		t.Errorf("%g allocations, want none", n)
	}
}

func BenchmarkCorrelations(b *testing.B) {
	const chains, n, m = 500, 784, 500
	r := source(5)
	v, h := randomBits(r, chains, n, 0.3), randomFloats(r, chains*m)
	in := Inputs{Units: chains}
	w, f := NewWeights(in, m), NewFields(n, in, m)
	f.Way = Subsets
	bits, dst := make([]uint64, n*8), make([]float64, n*m)
	perItem(b, 1, "transpose", func(int) { TransposeBits(bits, 8, v, 13, chains, n) })
	perItem(b, 1, "set", func(int) { w.SetRows(h, m, 1000) })
	perItem(b, 1, "sum", func(int) { f.FromBits(w, bits, 8) })
	perItem(b, 1, "add", func(int) { f.AddTo(dst, m, 1) })
}
