package lattice

import (
	"fmt"
	"math"

	"instanton/internal/special"
)

// Design samples sequences v from P_nat(S|v)^β.
//
// Each chain of the distribution at the highest β may stand on a ladder of replicas at lower ones, which
// exchange their sequences: against all structures a chain alone stays in the basin that it fell
// into. Random numbers are functions of the seed, the structure, the replica and the sweep, so neither
// Workers nor the other families of a data set change a bit.
type Design struct {
	Competitors *Competitors
	Native      int       // index of the structure S
	Kernel      Kernel    // nil for HeatBath
	Ladder      []float64 // increasing β; the last is the one wanted
	Chains      int       // number of ladders
	Seed        uint64
	Workers     int // goroutines; 0 for one per processor
}

// Rungs returns n values of β from low to high, each the same factor above the one before.
func Rungs(low, high float64, n int) []float64 {
	ladder := make([]float64, n)
	for k := range ladder {
		ladder[k] = high * math.Pow(low/high, float64(n-1-k)/float64(max(1, n-1)))
	}
	return ladder
}

// Defaults of a design.
const (
	DefaultBeta    = 1000 // nearly all draws have P_nat > 0.99
	DefaultLowBeta = 10   // the lowest rung of a ladder
	DefaultBurn    = 200
)

// mixes is the number of competitors up to which chains find other basins by themselves.
const mixes = 20000

// DefaultReplicas is the number of rungs that a chain needs against so many structures: one up to
// 20,000, else nine, which swap about one time in three from β = 10 to 1000.
func DefaultReplicas(structures int) int {
	if structures <= mixes {
		return 1
	}
	return 9
}

// DefaultChains is the number of ladders for a family of that many sequences: at most a hundred
// chains without exchange or ten with it, and at least ten sequences from each.
func DefaultChains(count, replicas int) int {
	most := 100
	if replicas > 1 {
		most = 10
	}
	return max(1, min(most, count/10))
}

// DefaultEvery is the number of sweeps between draws: with exchange, other replicas work on the next
// sequence, too.
func DefaultEvery(replicas int) int {
	if replicas > 1 {
		return 2
	}
	return 10
}

// MaxReplicas is the largest number of replicas on all ladders together: what the numbering of random
// streams has room for.
const MaxReplicas = 1 << 15

// Check says what is wrong with a design and what is to be collected, before any work.
func (d *Design) Check(o FamilyOptions) error {
	if err := o.check(); err != nil {
		return err
	}
	return d.check()
}

func (d *Design) check() error {
	switch {
	case d.Native < 0 || d.Native >= NumStructures:
		return fmt.Errorf("there is no structure %d: expected an index from 0 to %d", d.Native, NumStructures-1)
	case len(d.Ladder) == 0:
		return fmt.Errorf("there is no inverse temperature: expected at least one")
	case d.Chains < 1 || d.Chains > MaxReplicas/len(d.Ladder):
		return fmt.Errorf("%d chains with %d replicas each: expected from 1 to %d in all", d.Chains, len(d.Ladder),
			MaxReplicas)
	}
	for k, beta := range d.Ladder {
		if !(beta > 0 && special.Finite(beta)) || k > 0 && beta <= d.Ladder[k-1] {
			return fmt.Errorf("the inverse temperatures are %v: expected positive numbers that increase", d.Ladder)
		}
	}
	return nil
}
