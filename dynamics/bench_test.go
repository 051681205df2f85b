package dynamics

import (
	"math"
	"testing"

	"instanton/rbm"
	"instanton/theory"
)

func BenchmarkDynamics256(b *testing.B) {
	for b.Loop() {
		must[Relaxation](b)(must[*Chain](b)(CurieWeiss(theory.CurieWeiss{W: 1.2}, 256, Gibbs)).Relaxation())
	}
}

func BenchmarkDynamics1024(b *testing.B) {
	for b.Loop() {
		must[Relaxation](b)(must[*Chain](b)(CurieWeiss(theory.CurieWeiss{W: 1.2}, 1024, Gibbs)).Relaxation())
	}
}

func BenchmarkDynamicsPair200(b *testing.B) {
	s := theory.Structured{W: 1.2 * math.Sqrt2, Overlap: must[rbm.Overlap](b)(rbm.AllToAll(2, 0.02))}
	for b.Loop() {
		must[Relaxation](b)(must[*Chain](b)(HiddenChain(s, 200, 1e-4)).Relaxation())
	}
}
