package lattice

import (
	"context"
	"math"
	"testing"
)

// written holds the transition matrices of a step at free position k, from the law alone.
var written = map[Kernel]func(p *problem, law []float64, k int) [][]float64{
	HeatBath{}: func(p *problem, law []float64, k int) [][]float64 {
		m := square(len(law))
		for x := range m {
			sum := 0.0
			for _, y := range p.siblings(x, k) {
				sum += law[y]
			}
			for _, y := range p.siblings(x, k) {
				m[x][y] = law[y] / sum
			}
		}
		return m
	},
	Metropolis{}: func(p *problem, law []float64, k int) [][]float64 {
		m := square(len(law))
		for x := range m {
			m[x][x] = 1
			for _, y := range p.siblings(x, k) {
				if y != x {
					m[x][y] = min(1, law[y]/law[x]) / float64(len(p.residues)-1)
					m[x][x] -= m[x][y]
				}
			}
		}
		return m
	},
}

func square(n int) [][]float64 {
	m := make([][]float64, n)
	for x := range m {
		m[x] = make([]float64, n)
	}
	return m
}

// The matrix of every step satisfies detailed balance with P_nat^β, and the code follows the matrix: with random words
// distributed evenly over their range, its probabilities are known to one part in the number of words for each
// boundary between two outcomes.
func TestStepsAgainstMatrices(t *testing.T) {
	const beta, words = 3.0, 512
	p := small(t, []int{3, 13, 26}, "KLD")
	law := p.law(beta)
	for kernel, matrix := range written {
		f := newFolding(t, p.set, p.native, p.v)
		for k, i := range p.free {
			m := matrix(p, law, k)
			for x := range m {
				for y := range m {
					if d := law[x]*m[x][y] - law[y]*m[y][x]; math.Abs(d) > 1e-15 {
						t.Fatalf("%s at %d: the flow from %d to %d is off balance by %g", kernel, i, x, y, d)
					}
				}
				done := make([]float64, len(m))
				proposals := 1
				if kernel == (Metropolis{}) {
					proposals = len(p.residues) - 1
				}
				for a := range proposals {
					for u := range words {
						f.Set(p.sequence(x))
						even := uint32((float64(u) + 0.5) / words * (1 << 32))
						w := []uint32{even}
						if proposals > 1 {
							w = []uint32{uint32((float64(a) + 0.5) / float64(proposals) * (1 << 32)), even}
						}
						kernel.step(f, i, p.residues, beta, w)
						done[p.state(f.Sequence())] += 1.0 / words / float64(proposals)
					}
				}
				for y := range done {
					if math.Abs(done[y]-m[x][y]) > 2.0/words {
						t.Errorf("%s at %d: %d to %d has probability %g, want %g", kernel, i, x, y, done[y], m[x][y])
					}
				}
			}
		}
	}
}

// Sweeps that start at P_nat^β stay there.
func TestSweepsStayAtEquilibrium(t *testing.T) {
	const beta = 3.0
	p := small(t, []int{3, 13, 26}, "KLD")
	law := p.law(beta)
	for kernel := range written {
		pop := p.population(t, kernel, []float64{beta}, 8000, 0)
		p.equilibrate(pop)
		for range 3 {
			if err := pop.Run(context.Background(), 1); err != nil {
				t.Fatal(err)
			}
		}
		counts := make([]int, len(law))
		for _, r := range pop.Replicas {
			counts[p.state(r.V)]++
			if want := p.set.Pnat(p.native, r.V); math.Abs(math.Exp(r.LogPnat)-want) > 1e-12 {
				t.Fatalf("%s: log P_nat is %g, want %g", kernel, r.LogPnat, math.Log(want))
			}
		}
		checkHistogram(t, counts, law)
	}
}

func TestParseKernel(t *testing.T) {
	for _, k := range []Kernel{HeatBath{}, Metropolis{}} {
		if got, err := ParseKernel(k.String()); err != nil || got != k {
			t.Errorf("%s: %v, %v", k, got, err)
		}
	}
	if _, err := ParseKernel("gibbs"); err == nil {
		t.Error("gibbs was taken for a kernel")
	}
}
