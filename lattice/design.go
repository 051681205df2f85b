package lattice

import (
	"fmt"
	"math"

	"instanton/internal/special"
)

// Design samples sequences v from P_nat(S|v)^β.
//
// Each chain at the highest β may be the top of a ladder of replicas at lower β, which exchange their sequences:
// against all structures, a single chain stays in the basin that it first falls into. Random numbers are functions of
// the seed, the structure, the replica and the sweep, so neither Workers nor the other families of a data set change a
// bit.
type Design struct {
	Competitors *Competitors
	Native      int       // index of the structure S
	Kernel      Kernel    // HeatBath if nil
	Ladder      []float64 // increasing β; sequences are drawn at the last
	Chains      int       // number of ladders
	Seed        uint64
	Workers     int // 0: one per processor
}

// Rungs returns n values of β from low to high in geometric progression.
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
	DefaultLowBeta = 10   // of the lowest rung of a ladder
	DefaultBurn    = 200
)

// maxUnaided is the number of competitors up to which chains find other basins by themselves.
const maxUnaided = 20000

// DefaultReplicas is the number of rungs needed against the given number of structures: one up to 20,000, otherwise
// nine, for which about one in three swaps from β = 10 to 1000 is accepted.
func DefaultReplicas(structures int) int {
	if structures <= maxUnaided {
		return 1
	}
	return 9
}

// DefaultChains is the number of ladders for a family of count sequences: at most a hundred without exchange or ten
// with it, and at least ten sequences from each.
func DefaultChains(count, replicas int) int {
	most := 100
	if replicas > 1 {
		most = 10
	}
	return max(1, min(most, count/10))
}

// DefaultEvery is the default number of sweeps between draws. With exchange it is smaller, since the other replicas
// also prepare the next sequence.
func DefaultEvery(replicas int) int {
	if replicas > 1 {
		return 2
	}
	return 10
}

// MaxReplicas is the largest number of replicas on all ladders together, limited by the numbering of random streams.
const MaxReplicas = 1 << 15

// Check reports invalid settings before any work is done.
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
			return fmt.Errorf("the inverse temperatures are %v: expected increasing positive numbers", d.Ladder)
		}
	}
	return nil
}
