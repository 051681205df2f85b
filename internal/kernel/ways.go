package kernel

import "math/bits"

// Way is a method of computing the fields of bits. All give the same numbers.
type Way uint8

const (
	Best    Way = iota // the cheapest of the others, judged by the number of rows that each would add
	Subsets            // tables of the sums of all subsets of five rows
	Rows               // the rows of the units that are set
	Flips              // the rows of the units that changed
)

// fresh marks a chain that starts from no unit set; it cannot occur as a count.
const fresh = 1<<32 - 1

// Times in nanoseconds for one tile, measured on a 3.5 GHz core with AVX2. Only their ratios matter, and only for
// speed.
const (
	rowTime    = 0.62 // a listed row
	listTime   = 12   // the list of a chain
	lookupTime = 0.47 // a lookup in the table of a group
	wholeTime  = 4.5  // a chain, apart from its lookups
	tableTime  = 15.5 // making the table of a group
	findTime   = 1.2  // finding a row to list, once for all tiles
	scanTime   = 4    // searching a word for rows, once for all tiles
)

// plan chooses between Subsets and lists of rows for the whole block, and for each chain between the units that are
// set and those that changed; it marks the chains that start afresh.
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
	if f.Way == Best && rowsCost(w, total, f.Chains) > subsetsCost(w.Units, f.Chains) {
		return Subsets
	}
	return Rows
}

// rowsCost is the time for adding a total number of listed rows, for one tile.
func rowsCost(w *Weights, rows, chains int) float64 {
	tiles := float64(w.tilesUsed())
	find := float64(rows)*findTime + float64(chains*bitWords(w.Units))*scanTime
	return float64(rows)*rowTime + float64(chains)*listTime + find/tiles
}

// subsetsCost is the time that Subsets takes for one tile.
func subsetsCost(units, chains int) float64 {
	groups := float64(units) / groupBits
	return float64(chains)*(wholeTime+groups*lookupTime) + groups*tableTime
}
