package theory

import (
	"testing"
)

func BenchmarkPathCurieWeiss50(b *testing.B)    { benchmarkCurieWeiss(b, 50) }
func BenchmarkPathCurieWeiss1000(b *testing.B)  { benchmarkCurieWeiss(b, 1000) }
func BenchmarkPathCurieWeiss10000(b *testing.B) { benchmarkCurieWeiss(b, 10000) }

func benchmarkCurieWeiss(b *testing.B, steps int) {
	m := must[float64](b)(CurieWeiss{1.1}.Magnetization())
	for b.Loop() {
		l := mustLandscape(b, CurieWeiss{1.1})
		must[*Path](b)(l.OptimalPath(PathProblem{From: []float64{m}, To: []float64{-m}, Steps: steps}))
	}
}

func BenchmarkPathRing250(b *testing.B) {
	for b.Loop() {
		l := ring4(b)
		must[*Path](b)(l.OptimalPath(PathProblem{From: uniformState(b, l, 1), To: uniformState(b, l, -1), Steps: 250}))
	}
}

func BenchmarkPathHopfield50(b *testing.B) {
	p := independentHopfield(b, 1.5)
	from, to := must[[]float64](b)(p.Mattis(1, 1)), must[[]float64](b)(p.Mattis(2, 1))
	for b.Loop() {
		must[*Path](b)(mustLandscape(b, p).OptimalPath(PathProblem{From: from, To: to, Steps: 50}))
	}
}

func BenchmarkCriticalPointsHopfield6(b *testing.B) {
	for b.Loop() {
		must[*Graph](b)(mustLandscape(b, Hopfield{W: 1.5, M: 6}).Graph())
	}
}
