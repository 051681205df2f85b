package kernel

import (
	"encoding/binary"
	"hash/fnv"
	"math/rand/v2"
	"testing"
)

// fingerprint hashes the bits of some numbers.
func fingerprint(t *testing.T, data any) uint64 {
	t.Helper()
	h := fnv.New64a()
	if err := binary.Write(h, binary.LittleEndian, data); err != nil {
		t.Fatal(err)
	}
	return h.Sum64()
}

// dyadic are numbers between −1 and 1 that every machine makes the same.
func dyadic(r *rand.Rand, n int) View {
	m := View{Data: make([]float64, n), Row: 1, Col: 1}
	for i := range m.Data {
		m.Data[i] = float64(int32(r.Uint32())) / (1 << 31)
	}
	return m
}

// narrow turns them into float32 above a bound.
func narrow(m View, above float64) []float32 {
	x := make([]float32, len(m.Data))
	for i, y := range m.Data {
		x[i] = float32(y + 1 + above)
	}
	return x
}

// Golden draws: they are the same on every processor, with and without assembly. A change here changes every sample
// that anyone has drawn.
func TestGoldenDraws(t *testing.T) {
	const chains, n = 11, 75
	r := source(20)
	in := Inputs{Units: 90, Spin: true}
	w, f := NewWeights(in, n), NewFields(chains, in, n)
	if err := w.Set(View{dyadic(r, 90*n).Data, n, 1}, dyadic(r, n).Data); err != nil {
		t.Fatal(err)
	}
	f.FromBits(w, randomBits(r, chains, 90, 0.5), 2)
	s := Stream{Key: [2]uint32{20, 21}, Counter: [4]uint32{0, 1, 2, 3}}

	bits := make([]uint64, chains*2)
	f.DrawBits(bits, 2, 0.2, s)
	codes := make([]uint8, chains*15)
	NewCategorical(15, 5).FromFields(codes, 15, f, 0.2, s)
	x := make([]float32, chains*n)
	f.Reals(x, n, 0.2)
	words := make([]uint32, 2*chains*n)
	Words(words, s)
	h := Half{narrow(dyadic(r, chains*n), 0.2), narrow(dyadic(r, chains*n), -2)}
	normal, half, double := make([]float32, chains*n), make([]float32, chains*n), make([]float32, chains*n)
	(&Normal{h.Gain, h.Offset, h.Gain}).Draw(normal, x, append(words, 0))
	h.Draw(half, x, words)
	(&Double{h, Half{h.Gain, h.Gain}, h.Offset}).Draw(double, x, words)
	d, product := NewDense(n, n), make([]float32, chains*n)
	d.SetRows(normal, 10)
	NewGEMM().AddProduct(product, n, Left{x, n, 1}, chains, d)

	line, sums := NewLine(90, 16, true), NewLogSums(90)
	line.Set(dyadic(r, 90).Data, dyadic(r, 16).Data)
	sums.fold(line, dyadic(r, 90).Data)
	sums.coshProduct(16, sums.e, sums.rows, line.table, line.stride)

	for name, g := range map[string]struct {
		data any
		want uint64
	}{
		"fields":  {f.values, 0x023bb5b04293b347},
		"bits":    {bits, 0x92007eb3b877cb16},
		"codes":   {codes, 0x6bc0a68523430b3e},
		"normal":  {normal, 0x2ab62d486855adea},
		"half":    {half, 0x76d4cb8d8657940d},
		"double":  {double, 0x62354d498f9c343a},
		"latent":  {sums.product[:16], 0x0c0e153446430263},
		"product": {product, 0x89807d2f0f0e0f59},
	} {
		if got := fingerprint(t, g.data); got != g.want {
			t.Errorf("%s: fingerprint %#x, want %#x", name, got, g.want)
		}
	}
}
