package kernel

import (
	"fmt"
	"testing"
)

// BenchmarkSweep is a whole sweep v → h → v of Bernoulli layers on one thread, without correlations between successive
// states (weak) and with (strong).
func BenchmarkSweep(b *testing.B) {
	for _, s := range []struct{ n, m, chains int }{{784, 500, 500}, {784, 200, 100}, {784, 500, 64}} {
		for name, size := range map[string]float64{"weak": 0.01, "strong": 2} {
			r := source(1)
			m := randomMatrix(r, s.n, s.m)
			up, down := Inputs{Units: s.n, Spin: true}, Inputs{Units: s.m, Spin: true}
			wu, wd := NewWeights(up, s.m), NewWeights(down, s.n)
			if wu.Set(m, nil) != nil || wd.Set(View{m.Data, 1, s.m}, nil) != nil {
				b.Fatal("weights refused")
			}
			fu, fd := NewFields(s.chains, up, s.m), NewFields(s.chains, down, s.n)
			v, h := randomBits(r, s.chains, s.n, 0.5), make([]uint64, s.chains*bitWords(s.m))
			perItem(b, 1, fmt.Sprintf("%dx%dx%d/%s", s.n, s.m, s.chains, name), func(i int) {
				fu.FromBits(wu, v, bitWords(s.n))
				fu.DrawBits(h, bitWords(s.m), float32(size), Stream{Counter: [4]uint32{0, 0, uint32(i), 1}})
				fd.FromBits(wd, h, bitWords(s.m))
				fd.DrawBits(v, bitWords(s.n), float32(size), Stream{Counter: [4]uint32{0, 0, uint32(i), 2}})
			})
		}
	}
}
