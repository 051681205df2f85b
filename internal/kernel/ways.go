package kernel

import "math/bits"

// Way is a way of computing the fields of bits. All give the same numbers.
type Way uint8

const (
	Best    Way = iota // the cheapest of the others, by the number of rows each would add
	Subsets            // tables of the sums of all subsets of five rows
	Rows               // the rows of the units that are set
	Flips              // the rows of the units that changed
)

// fresh marks a chain that starts from no unit set; it cannot be a count.
const fresh = 1<<32 - 1

// Costs of the ways in the time that one listed row takes, measured: a lookup in a
// table, what a word of a chain costs besides, and an entry of a table when it is made.
const (
	lookupCost = 0.9
	wordCost   = 2.0
	entryCost  = 1.4
)

// plan chooses between Subsets and lists of rows for the whole block, and for each
// chain between the units that are set and those that changed; it marks the chains
// that start afresh.
func (f *Fields) plan(w *Weights, states []uint64, stride int) Way {
	if f.Way == Subsets {
		return Subsets
	}
	n := bitWords(w.Units)
	known := f.known(w)
	total := 0
	for c := range f.Chains {
		state, old := states[c*stride:c*stride+n], f.bits[c*n:(c+1)*n]
		set, flipped := 0, 0
		for i, s := range state {
			set += bits.OnesCount64(s)
			flipped += bits.OnesCount64(s ^ old[i])
		}
		f.counts[c][1] = 0
		if !known || f.Way == Rows || f.Way == Best && set < flipped {
			f.counts[c][1] = fresh
			flipped = set
		}
		total += flipped
	}
	if f.Way == Best && float64(total) > subsetsCost(w.Units, f.Chains) {
		return Subsets
	}
	return Rows
}

// subsetsCost is the time Subsets takes for one tile, in listed rows.
func subsetsCost(units, chains int) float64 {
	words := float64(bitWords(units))
	groups := float64(units) / groupBits
	return float64(chains)*(groups*lookupCost+words*wordCost) + groups*(1<<groupBits)*entryCost
}
