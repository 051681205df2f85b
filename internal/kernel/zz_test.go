package kernel
import ("testing";"fmt")
func BenchmarkFit(b *testing.B) {
	for _, n := range []int{64, 256, 500, 784} {
	for _, chains := range []int{1, 8, 32, 128} {
		const out = 96
		r := source(5)
		in := Inputs{Units: n}
		w, f := NewWeights(in, out), NewFields(chains, in, out)
		_ = w.Set(randomMatrix(r, n, out), nil)
		half := randomBits(r, chains, n, 0.5)
		f.Way = Subsets
		perItem(b, chains*6, fmt.Sprintf("subsets/%d/%d", n, chains), func(i int) { f.FromBits(w, half, bitWords(n)) })
		f.Way = Rows
		for _, p := range []float64{0.001, 0.05, 0.2} {
			few := randomBits(r, chains, n, p)
			perItem(b, chains*6, fmt.Sprintf("rows%g/%d/%d", p, n, chains), func(i int) { f.FromBits(w, few, bitWords(n)) })
		}
	}
	}
}
