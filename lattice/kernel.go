package lattice

import (
	"fmt"
	"math"
	"strings"

	"instanton/internal/rng"
)

// Kernel changes one residue so that the distribution P_nat(S|v)^β is left invariant: each step satisfies detailed
// balance with it. A sweep is one step at every residue in turn.
type Kernel interface {
	// String is the name on the command line.
	String() string
	// words is the number of random words that a step takes.
	words() int
	// step may change residue i to another one of the given residues.
	step(f *Folding, i int, residues []uint8, beta float64, words []uint32)
}

// HeatBath draws a residue from its distribution given the others, ∝ P_nat^β.
type HeatBath struct{}

// Metropolis proposes one of the other residues, all equally likely, and accepts it with probability min(1, (P'/P)^β).
type Metropolis struct{}

var (
	_ Kernel = HeatBath{}
	_ Kernel = Metropolis{}
)

// ParseKernel reads the name of a kernel.
func ParseKernel(name string) (Kernel, error) {
	for _, k := range []Kernel{HeatBath{}, Metropolis{}} {
		if strings.EqualFold(name, k.String()) {
			return k, nil
		}
	}
	return nil, fmt.Errorf("sampler %q: expected %s or %s", name, HeatBath{}, Metropolis{})
}

func (HeatBath) String() string { return "heat-bath" }
func (HeatBath) words() int     { return 1 }

func (HeatBath) step(f *Folding, i int, residues []uint8, beta float64, words []uint32) {
	var p [Residues]float64
	f.Mutants(i, &p)
	var logs [Residues]float64
	for k, a := range residues {
		logs[k] = beta * math.Log(p[a])
	}
	f.Mutate(i, residues[rng.Categorical(logs[:len(residues)], rng.Uniform(words[0]))])
}

func (Metropolis) String() string { return "metropolis" }
func (Metropolis) words() int     { return 2 }

func (Metropolis) step(f *Folding, i int, residues []uint8, beta float64, words []uint32) {
	k := rng.Below(words[0], 0, len(residues)-1)
	if residues[k] == f.v[i] { // the last residue replaces the current one
		k = len(residues) - 1
	}
	a := residues[k]
	if rng.Uniform(words[1]) < acceptance(f.Pnat(), f.Mutant(i, a), beta) {
		f.Mutate(i, a)
	}
}

// acceptance is (P'/P)^β, which may exceed one.
func acceptance(before, after, beta float64) float64 { return math.Exp(beta * math.Log(after/before)) }
