package lattice

import (
	"math"
	"testing"

	"instanton/internal/rng"
)

// problem is a design small enough to write out: a few residues of a fixed sequence may take a few values, against a
// few structures. States are numbered with the first position as the lowest digit.
type problem struct {
	set      *Competitors
	native   int
	v        Sequence
	free     []int
	residues []uint8
}

func small(t testing.TB, free []int, letters string) *problem {
	set := every(3001)
	p := &problem{set: competitors(t, set), native: set[11], v: randomSequence(4), free: free}
	for _, c := range []byte(letters) {
		p.residues = append(p.residues, uint8(residueOf(c)))
	}
	return p
}

func (p *problem) states() int { return int(math.Pow(float64(len(p.residues)), float64(len(p.free)))) }

// sequence returns the sequence of a state.
func (p *problem) sequence(state int) Sequence {
	v := p.v
	for _, i := range p.free {
		v[i] = p.residues[state%len(p.residues)]
		state /= len(p.residues)
	}
	return v
}

// state is the inverse of sequence.
func (p *problem) state(v Sequence) (state int) {
	for k := len(p.free) - 1; k >= 0; k-- {
		for a, r := range p.residues {
			if r == v[p.free[k]] {
				state = state*len(p.residues) + a
			}
		}
	}
	return state
}

// law is P_nat^β of all states, normalised, from energies alone.
func (p *problem) law(beta float64) []float64 {
	law := make([]float64, p.states())
	sum := 0.0
	for x := range law {
		law[x] = math.Pow(plainPnat(p.set.indices, p.native, p.sequence(x)), beta)
		sum += law[x]
	}
	for x := range law {
		law[x] /= sum
	}
	return law
}

// siblings returns the states that differ from x at most at free position k.
func (p *problem) siblings(x, k int) []int {
	unit := int(math.Pow(float64(len(p.residues)), float64(k)))
	base := x - x/unit%len(p.residues)*unit
	list := make([]int, len(p.residues))
	for a := range list {
		list[a] = base + a*unit
	}
	return list
}

// population runs the problem with many chains on a ladder.
func (p *problem) population(t testing.TB, kernel Kernel, ladder []float64, chains, workers int) *Population {
	d := &Design{Competitors: p.set, Native: p.native, Kernel: kernel, Ladder: ladder, Chains: chains, Seed: 5,
		Workers: workers}
	pop, err := d.Start()
	if err != nil {
		t.Fatal(err)
	}
	pop.free, pop.residues = p.free, p.residues
	return pop
}

// equilibrate draws every replica from its law.
func (p *problem) equilibrate(pop *Population) {
	rungs := len(pop.design.Ladder)
	for k, beta := range pop.design.Ladder {
		law := p.law(beta)
		for r := k; r < len(pop.Replicas); r += rungs {
			u := rng.New(6, rng.Start, uint32(r), 0).Rand().Float64()
			x := 0
			for ; x < len(law)-1 && u >= law[x]; x++ {
				u -= law[x]
			}
			pop.Replicas[r].V = p.sequence(x)
		}
	}
}

// checkHistogram compares counts with the law by χ², which for n degrees of freedom has mean n and variance 2n.
func checkHistogram(t *testing.T, counts []int, law []float64) {
	t.Helper()
	draws := 0
	for _, n := range counts {
		draws += n
	}
	chi, freedom := 0.0, -1.0
	for x, n := range counts {
		want := law[x] * float64(draws)
		chi += (float64(n) - want) * (float64(n) - want) / want
		freedom++
	}
	if limit := freedom + 5*math.Sqrt(2*freedom); chi > limit {
		t.Errorf("χ² is %g with %g degrees of freedom, want at most %g", chi, freedom, limit)
	}
}
