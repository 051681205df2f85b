package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func source(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

// randomMatrix returns rows by cols standard normal numbers in row order.
func randomMatrix(r *rand.Rand, rows, cols int) View {
	m := View{Data: make([]float64, rows*cols), Row: cols, Col: 1}
	for i := range m.Data {
		m.Data[i] = r.NormFloat64()
	}
	return m
}

// randomBits has n units per row, each set with probability p.
func randomBits(r *rand.Rand, chains, n int, p float64) []uint64 {
	stride := bitWords(n)
	b := make([]uint64, chains*stride)
	for c := range chains {
		for i := range n {
			if r.Float64() < p {
				b[c*stride+i/64] |= 1 << (i % 64)
			}
		}
	}
	return b
}

// exactField sums a field in float64.
func exactField(m View, base []float64, spin bool, state []uint64, n, j int) float64 {
	x := base[j]
	for i := range n {
		up := state[i/64]>>(i%64)&1 == 1
		switch {
		case up:
			x += m.at(i, j)
		case spin:
			x -= m.at(i, j)
		}
	}
	return x
}

// Every way of computing the fields gives the same numbers to the last bit, through a walk of states of which few,
// some or all units change, and those are the sums.
func TestFieldsFromBits(t *testing.T) {
	const chains, out = 5, 37
	sizes := []int{1, 2, 3, 4, 5, 6, 63, 64, 65, 79, 80, 127, 128, 129, 784}
	for n := 7; n < 62; n += 3 {
		sizes = append(sizes, n)
	}
	for _, n := range sizes {
		for _, spin := range []bool{false, true} {
			r := source(uint64(n))
			in := Inputs{Units: n, Spin: spin}
			m, base := randomMatrix(r, n, out), randomMatrix(r, 1, out).Data
			w := NewWeights(in, out)
			if err := w.Set(m, base); err != nil {
				t.Fatal(err)
			}
			blocks := map[Way]*Fields{}
			for _, way := range []Way{Best, Subsets, Rows, Flips} {
				blocks[way] = NewFields(chains, in, out)
				blocks[way].Way = way
			}
			states := randomBits(r, chains, n, 0.5)
			stride := bitWords(n)
			for step, p := range []float64{0.5, 0.02, 0.02, 0.3, 0.9, 0} {
				for i, f := range randomBits(r, chains, n, p) {
					states[i] ^= f
				}
				for _, f := range blocks {
					f.FromBits(w, states, stride)
				}
				for way, f := range blocks {
					if !slices.Equal(f.values, blocks[Best].values) {
						t.Fatalf("n=%d spin=%v step %d: way %d differs from the best way", n, spin, step, way)
					}
				}
				// Each weight and the base are rounded by at most half a unit, and the base of spins once more.
				tol := float64(w.Scale) * (float64(n)/2 + 1.5)
				for c := range chains {
					for j := range out {
						want := exactField(m, base, spin, states[c*stride:], n, j)
						if got := float64(blocks[Best].Value(c, j)) * float64(w.Scale); math.Abs(got-want) > tol {
							t.Fatalf("n=%d spin=%v step %d chain %d output %d: %g, want %g ± %g", n, spin, step, c, j,
								got, want, tol)
						}
					}
				}
			}
		}
	}
}

// New weights must not be added to old fields.
func TestFieldsFollowTheWeights(t *testing.T) {
	r := source(3)
	in := Inputs{Units: 70}
	states := randomBits(r, 4, 70, 0.5)
	w, f := NewWeights(in, 20), NewFields(4, in, 20)
	for range 2 {
		if err := w.Set(randomMatrix(r, 70, 20), nil); err != nil {
			t.Fatal(err)
		}
		f.FromBits(w, states, 2)
	}
	g := NewFields(4, in, 20)
	g.FromBits(w, states, 2)
	if !slices.Equal(f.values, g.values) {
		t.Error("fields of the second weights differ from a fresh computation")
	}
}

func TestFieldsFromCodes(t *testing.T) {
	const chains, out = 6, 19
	for _, shape := range [][2]int{{1, 2}, {27, 20}, {5, 256}, {64, 3}} {
		n, q := shape[0], shape[1]
		r := source(uint64(n))
		in := Inputs{Units: n, States: q}
		m, base := randomMatrix(r, n*q, out), randomMatrix(r, 1, out).Data
		w, f := NewWeights(in, out), NewFields(chains, in, out)
		if err := w.Set(m, base); err != nil {
			t.Fatal(err)
		}
		states := make([]uint8, chains*n)
		for step, p := range []float64{1, 0.1, 0.1, 0.7, 0} {
			for i := range states {
				if r.Float64() < p {
					states[i] = uint8(r.IntN(q))
				}
			}
			f.FromCodes(w, states, n)
			for c := range chains {
				for j := range out {
					want := base[j]
					for i := range n {
						want += m.at(i*q+int(states[c*n+i]), j)
					}
					tol := float64(w.Scale) * (float64(n)/2 + 0.5)
					if got := float64(f.Value(c, j)) * float64(w.Scale); math.Abs(got-want) > tol {
						t.Fatalf("n=%d q=%d step %d chain %d output %d: %g, want %g ± %g", n, q, step, c, j, got, want,
							tol)
					}
				}
			}
		}
	}
}

func TestFieldsAllocateNothing(t *testing.T) {
	r := source(4)
	in, potts := Inputs{Units: 200, Spin: true}, Inputs{Units: 30, States: 5}
	w, f := NewWeights(in, 50), NewFields(20, in, 50)
	p, g := NewWeights(potts, 50), NewFields(20, potts, 50)
	a, b := randomBits(r, 20, 200, 0.5), randomBits(r, 20, 200, 0.1)
	codes := make([]uint8, 600)
	if n := testing.AllocsPerRun(20, func() {
		f.FromBits(w, a, 4)
		f.FromBits(w, b, 4)
		f.DrawBits(a, 4, 1, Stream{})
		g.FromCodes(p, codes, 30)
	}); n != 0 {
		t.Errorf("%g allocations, want none", n)
	}
}

func BenchmarkFields(b *testing.B) {
	for _, s := range []struct{ n, out, chains int }{
		{784, 500, 500}, {784, 200, 100}, {784, 1000, 2000}, {500, 784, 500},
	} {
		r := source(5)
		in := Inputs{Units: s.n}
		w, f := NewWeights(in, s.out), NewFields(s.chains, in, s.out)
		if err := w.Set(randomMatrix(r, s.n, s.out), nil); err != nil {
			b.Fatal(err)
		}
		stride := bitWords(s.n)
		run := func(name string, way Way, x, y []uint64) {
			f.Way = way
			perItem(b, 1, fmt.Sprintf("%dx%dx%d/%s", s.n, s.out, s.chains, name), func(i int) {
				if i%2 == 0 {
					f.FromBits(w, x, stride)
				} else {
					f.FromBits(w, y, stride)
				}
			})
		}
		half := randomBits(r, s.chains, s.n, 0.5)
		run("subsets", Subsets, half, half)
		for _, p := range []float64{0.05, 0.1, 0.2, 0.3} {
			few := randomBits(r, s.chains, s.n, p)
			run(fmt.Sprintf("rows%.0f", 100*p), Rows, few, few)
			flipped := slices.Clone(half)
			for i, x := range randomBits(r, s.chains, s.n, p) {
				flipped[i] ^= x
			}
			run(fmt.Sprintf("flips%.0f", 100*p), Flips, half, flipped)
			run(fmt.Sprintf("best%.0f", 100*p), Best, half, flipped)
		}
	}
}
