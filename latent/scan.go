package latent

import (
	"fmt"

	"instanton/internal/rng"
	"instanton/unit"
)

// scan determines the moves of a sweep. A sequence of moves and its reverse are equally likely, as detailed balance
// requires.
type scan struct {
	groups [][]int // of units, or a single one of all directions
	size   int     // units in a block, 0 for whole groups
	moves  int     // maximum number of moves in a sweep, 0 for all
	pairs  bool    // blocks of more than two are moved as overlapping pairs
}

func newScan(o Options, spec unit.Spec, copies int) scan {
	s := scan{size: o.Block, pairs: !spec.Type.Discrete()}
	switch {
	case o.Directions != nil:
		s.groups = [][]int{indices(len(o.Directions))}
		s.size, s.moves = 1, spec.N
	case o.Groups != nil:
		for c := range copies { // copy c of unit μ is unit c·N+μ
			for _, g := range o.Groups {
				s.groups = append(s.groups, shifted(g, c*spec.N))
			}
		}
	default:
		s.groups = [][]int{indices(copies * spec.N)}
		s.size = max(1, o.Block)
	}
	return s
}

// indices are 0, 1, …, n−1.
func indices(n int) []int {
	units := make([]int, n)
	for k := range units {
		units[k] = k
	}
	return units
}

// shifted adds an offset to the numbers of units.
func shifted(units []int, offset int) []int {
	out := make([]int, len(units))
	for k, mu := range units {
		out[k] = mu + offset
	}
	return out
}

// moveSequence is the list of moves of one sweep; its memory is allocated once.
type moveSequence struct {
	units  []int // shuffled, group by group
	blocks [][]int
	moves  [][]int
}

func (s *scan) sequence() *moveSequence {
	n, moves := 0, 0
	for _, g := range s.groups {
		n += len(g)
		moves += len(g)
	}
	return &moveSequence{units: make([]int, 0, n), blocks: make([][]int, 0, n), moves: make([][]int, 0, moves)}
}

// fill chooses the moves of one sweep: units are shuffled within their groups and cut into blocks, and the blocks are
// shuffled.
func (s *scan) fill(a *moveSequence, d intSource) {
	a.units, a.blocks, a.moves = a.units[:0], a.blocks[:0], a.moves[:0]
	for _, g := range s.groups {
		from := len(a.units)
		a.units = append(a.units, g...)
		units := a.units[from:]
		shuffle(d, units)
		size := s.size
		if size == 0 {
			size = len(g)
		}
		for len(units) > 0 {
			cut := min(size, len(units))
			a.blocks = append(a.blocks, units[:cut])
			units = units[cut:]
		}
	}
	if len(s.groups) > 1 || s.size != 1 { // otherwise they are already shuffled
		shuffle(d, a.blocks)
	}
	if s.moves > 0 && len(a.blocks) > s.moves {
		a.blocks = a.blocks[:s.moves]
	}
	for _, b := range a.blocks {
		if !s.pairs || len(b) <= 2 {
			a.moves = append(a.moves, b)
			continue
		}
		for k := range len(b) - 1 {
			a.moves = append(a.moves, b[k:k+2])
		}
	}
}

// intSource returns integers from 0 to n−1, all equally likely.
type intSource interface{ below(n int) int }

// streamInts reads a random stream as integers.
type streamInts struct {
	stream rng.Stream
	used   uint32
}

func (d *streamInts) below(n int) int {
	b := d.stream.Block(d.used)
	d.used++
	return rng.Below(b[0], b[1], n)
}

func shuffle[T any](d intSource, x []T) {
	for k := len(x) - 1; k > 0; k-- {
		j := d.below(k + 1)
		x[k], x[j] = x[j], x[k]
	}
}

// checkGroups requires every unit to be in exactly one group.
func checkGroups(groups [][]int, units int) error {
	if groups == nil {
		return nil
	}
	seen := make([]bool, units)
	count := 0
	for k, g := range groups {
		if len(g) == 0 {
			return fmt.Errorf("group %d of hidden units is empty", k)
		}
		for _, mu := range g {
			if mu < 0 || mu >= units {
				return fmt.Errorf("group %d names hidden unit %d: expected 0 to %d", k, mu, units-1)
			}
			if seen[mu] {
				return fmt.Errorf("hidden unit %d is in two groups: expected one", mu)
			}
			seen[mu] = true
			count++
		}
	}
	if count < units {
		for mu, ok := range seen {
			if !ok {
				return fmt.Errorf("hidden unit %d is in no group: expected every unit in one", mu)
			}
		}
	}
	return nil
}
