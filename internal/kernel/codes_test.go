package kernel

import (
	"math"
	"slices"
	"testing"
)

func TestCategorical(t *testing.T) {
	r := source(1)
	for _, q := range []int{2, 3, 5, 20, 21, 32, 33, 256} {
		for units := 1; units < 40; units += 1 + units/8 {
			x := randomFloats(r, Lanes*q*units)
			for i := range x {
				x[i] *= float32(math.Exp(3 * r.NormFloat64()))
			}
			words := extremeWords(r, Lanes*units)
			y := slices.Clone(x)
			got, twin := make([]uint8, Lanes*(units+1)), make([]uint8, Lanes*(units+1))
			categorical(got, units+1, x, q, words, make([]float32, Lanes*units), units)
			categoricalGo(twin, units+1, y, q, words, units)
			if !slices.Equal(got, twin) {
				t.Fatalf("%d units with %d states: assembly and twin differ", units, q)
			}
			sameBits(t, "cumulative sums", x, y)
			if largest := slices.Max(got); int(largest) >= q {
				t.Fatalf("%d units with %d states: state %d", units, q, largest)
			}
		}
	}
}

// Whatever the number of chains and however the fields come, a chain draws the states that its own fields and words
// give.
func TestCategoricalDraws(t *testing.T) {
	in := Inputs{Units: 30}
	for _, shape := range [][2]int{{1, 2}, {27, 20}, {7, 3}, {16, 16}, {5, 256}} {
		units, q := shape[0], shape[1]
		n := units * q
		r := source(uint64(n))
		w := NewWeights(in, n)
		if err := w.Set(randomMatrix(r, 30, n), nil); err != nil {
			t.Fatal(err)
		}
		d := NewCategorical(units, q)
		for _, chains := range []int{1, 7, 8, 9, 16, 23} {
			f := NewFields(chains, in, n)
			f.FromBits(w, randomBits(r, chains, 30, 0.5), 1)
			s := Stream{Key: [2]uint32{1, 2}, Counter: [4]uint32{0, 3, 4, 5}}
			stride := units + 2
			got, rows := make([]uint8, chains*stride), make([]uint8, chains*stride)
			d.FromFields(got, stride, f, 0.5, s)
			x := make([]float32, chains*(n+1))
			f.Reals(x, n+1, 1)
			d.FromRows(rows, stride, x, n+1, chains, 0.5, s)
			scale := float32(float32(w.Scale*0.5) * math.Log2E)
			for c := range chains {
				block, words := make([]float32, Lanes*n), make([]uint32, Lanes*pad(units, 4))
				lanesFixedGo(block, f.values[c*tile:], tile, chains*tile, 1, n, scale)
				wordsOfChainsGo(words, s.OfChain(c))
				want := make([]uint8, Lanes*units)
				categoricalGo(want, units, block, q, words, units)
				if !slices.Equal(got[c*stride:][:units], want[:units]) {
					t.Fatalf("%dx%d, chain %d of %d: states differ from the plain loop", units, q, c, chains)
				}
				if !slices.Equal(rows[c*stride:][:units], want[:units]) {
					t.Fatalf("%dx%d, chain %d of %d: states from rows differ from those from fields", units, q, c,
						chains)
				}
			}
		}
	}
}

// Frequencies of drawn states are the Boltzmann weights, to the binomial error.
func TestCategoricalFrequencies(t *testing.T) {
	const q, units, sweeps = 5, 100, 50
	x := []float32{-1, 0.5, 2, -30, 1}
	block, words, codes := make([]float32, Lanes*q*units), make([]uint32, Lanes*units), make([]uint8, Lanes*units)
	tops := make([]float32, Lanes*units)
	counts := make([]float64, q)
	for sweep := range sweeps {
		for i := range block {
			block[i] = float32(x[i/Lanes%q] * math.Log2E)
		}
		WordsOfChains(words, Stream{Counter: [4]uint32{0, 0, uint32(sweep)}})
		categorical(codes, units, block, q, words, tops, units)
		for _, a := range codes {
			counts[a]++
		}
	}
	var z float64
	for _, xa := range x {
		z += math.Exp(float64(xa))
	}
	const total = Lanes * units * sweeps
	for a, c := range counts {
		p := math.Exp(float64(x[a])) / z
		if tol := 5*math.Sqrt(total*p*(1-p)) + 1e-6; math.Abs(c-total*p) > tol {
			t.Errorf("state %d drawn %g times, want %g ± %g", a, c, total*p, tol)
		}
	}
}

func TestCategoricalAllocatesNothing(t *testing.T) {
	in := Inputs{Units: 30}
	w, f, d := NewWeights(in, 60), NewFields(9, in, 60), NewCategorical(20, 3)
	f.FromBits(w, make([]uint64, 9), 1)
	dst, x := make([]uint8, 180), make([]float32, 540)
	if n := testing.AllocsPerRun(20, func() {
		d.FromFields(dst, 20, f, 1, Stream{})
		d.FromRows(dst, 20, x, 60, 9, 1, Stream{})
	}); n != 0 {
		t.Errorf("%g allocations, want none", n)
	}
}

func BenchmarkPotts(b *testing.B) {
	const units, q, hidden, chains = 27, 20, 200, 200
	r := source(2)
	up, down := Inputs{Units: units, States: q}, Inputs{Units: hidden}
	wu, wd := NewWeights(up, hidden), NewWeights(down, units*q)
	m := randomMatrix(r, units*q, hidden)
	if err := wu.Set(m, nil); err != nil {
		b.Fatal(err)
	}
	if err := wd.Set(View{m.Data, 1, hidden}, nil); err != nil {
		b.Fatal(err)
	}
	fu, fd, d := NewFields(chains, up, hidden), NewFields(chains, down, units*q), NewCategorical(units, q)
	codes, bits := make([]uint8, chains*units), make([]uint64, chains*bitWords(hidden))
	stream := func(i int) Stream { return Stream{Counter: [4]uint32{0, 0, uint32(i)}} }
	fu.FromCodes(wu, codes, units)
	perItem(b, chains, "sweep", func(i int) {
		fu.FromCodes(wu, codes, units)
		fu.DrawBits(bits, bitWords(hidden), 0.05, stream(2*i))
		fd.FromBits(wd, bits, bitWords(hidden))
		d.FromFields(codes, units, fd, 0.05, stream(2*i+1))
	})
	perItem(b, chains*units, "up", func(i int) { fu.FromCodes(wu, codes, units); fu.generation = 0 })
	perItem(b, chains*units, "categorical", func(i int) { d.FromFields(codes, units, fd, 0.05, stream(i)) })
	perItem(b, Lanes*units, "categorical/draw",
		func(i int) { categorical(codes, units, d.block, q, d.words, d.tops, units) })
	perItem(b, Lanes*units, "categorical/twin", func(i int) { categoricalGo(codes, units, d.block, q, d.words, units) })
	perItem(b, chains, "down", func(i int) { fd.FromBits(wd, bits, bitWords(hidden)); fd.generation = 0 })
}
