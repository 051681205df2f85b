package tempering

import (
	"fmt"

	"instanton/sampler"
)

// layout says where the tally of a chain has its counts: sweeps of each parity, round trips, accepted exchanges of each
// pair, which end the replica on each rung visited last, and how often each rung held each class.
type layout struct {
	rungs, groups int
	width         int
}

const (
	evenSweeps = iota
	oddSweeps
	roundTrips
	firstPair
)

// Ends of the ladder that a replica visited last.
const (
	neither = iota
	bottom
	top
)

func (k *Kernel) layout() layout {
	l := layout{rungs: k.Rungs()}
	if k.balance != nil {
		l.groups = k.balance.classes
	}
	l.width = firstPair + l.rungs - 1 + l.rungs + l.rungs*l.groups
	return l
}

func (l layout) row(tally []uint64, chain int) []uint64 { return tally[chain*l.width:][:l.width] }
func (l layout) ends(row []uint64) []uint64             { return row[firstPair+l.rungs-1:][:l.rungs] }
func (l layout) held(row []uint64) []uint64             { return row[firstPair+2*l.rungs-1:] }

// exchanged counts an exchange of rungs r and r+1.
func (l layout) exchanged(tally []uint64, chain, r int) {
	row := l.row(tally, chain)
	row[firstPair+r]++
	ends := l.ends(row)
	ends[r], ends[r+1] = ends[r+1], ends[r]
}

// swept counts a sweep, and a round trip if a replica that was at the bottom has come to the top.
func (l layout) swept(tally []uint64, chain, parity int) {
	row := l.row(tally, chain)
	row[evenSweeps+parity]++
	ends := l.ends(row)
	ends[0] = bottom
	if ends[l.rungs-1] == bottom {
		row[roundTrips]++
	}
	ends[l.rungs-1] = top
}

// classes counts the class that each rung holds.
func (l layout) classes(tally []uint64, chain int, of [][]int, k int) {
	held := l.held(l.row(tally, chain))
	for r := range of {
		held[r*l.groups+of[r][k]]++
	}
}

// Report says how well the replicas move along the ladder.
type Report struct {
	Rungs  int    `json:"rungs"`
	Ladder string `json:"ladder"`
	// Exchange is the rate of accepted exchanges of each rung with the next.
	Exchange []float64 `json:"exchange"`
	// Lambda is the sum of the rejection rates. At most one replica in 2 + 2Λ sweeps makes a round trip, however many
	// rungs there are (Syed et al., J. R. Stat. Soc. B 84, 321, 2022).
	Lambda float64 `json:"lambda"`
	// RoundTrips counts replicas that came from the bottom to the top, of all chains together.
	RoundTrips uint64  `json:"round_trips"`
	TripRate   float64 `json:"round_trips_per_sweep"` // of one chain
	// Classes is the share of each class on each rung, where classes are known.
	Classes [][]float64 `json:"classes,omitempty"`
}

// Report sums up what chains have counted.
func (k *Kernel) Report(c *sampler.Chains) (*Report, error) {
	l := k.layout()
	if len(c.Tally) != c.V.Len*l.width {
		return nil, fmt.Errorf("chains with %d counts: expected %d, from a run on this ladder", len(c.Tally),
			c.V.Len*l.width)
	}
	sum := make([]uint64, l.width)
	for chain := range c.V.Len {
		for j, x := range l.row(c.Tally, chain) {
			sum[j] += x
		}
	}
	r := &Report{Rungs: l.rungs, Ladder: k.ladder.describe(), RoundTrips: sum[roundTrips]}
	sweeps := float64(sum[evenSweeps] + sum[oddSweeps])
	if sweeps > 0 {
		r.TripRate = float64(r.RoundTrips) / sweeps
	}
	for pair := range l.rungs - 1 {
		rate := 0.0
		if n := sum[evenSweeps+pair%2]; n > 0 {
			rate = float64(sum[firstPair+pair]) / float64(n)
		}
		r.Exchange = append(r.Exchange, rate)
		r.Lambda += 1 - rate
	}
	if l.groups > 0 && sweeps > 0 {
		for rung := range l.rungs {
			shares := make([]float64, l.groups)
			for class := range shares {
				shares[class] = float64(l.held(sum)[rung*l.groups+class]) / sweeps
			}
			r.Classes = append(r.Classes, shares)
		}
	}
	return r, nil
}
