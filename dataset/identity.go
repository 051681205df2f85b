package dataset

import (
	"fmt"
	"math/bits"

	"instanton/internal/parallel"
	"instanton/unit"
)

// IdentityWeights gives each configuration the weight 1/n, where n is the number of configurations, itself included,
// that agree with it in at least the fraction identity of the units. Gaps count as letters. The sum of the weights is
// the effective number of sequences. The result does not depend on the number of workers; 0 means one per processor.
func IdentityWeights(s *unit.States, identity float64, workers int) ([]float64, error) {
	most, err := differences(s, identity)
	if err != nil {
		return nil, err
	}
	counts := newPlanes(s).neighbours(most, workers)
	weights := make([]float64, s.Len)
	for k, n := range counts {
		weights[k] = 1 / float64(n)
	}
	return weights, nil
}

// differences is the number of units in which two configurations may differ and still agree in the fraction identity.
func differences(s *unit.States, identity float64) (int, error) {
	if !s.Type.Discrete() {
		return 0, fmt.Errorf("identity of %s units: expected discrete ones", s.Type)
	}
	if !(identity > 0 && identity <= 1) {
		return 0, fmt.Errorf("identity %g: expected a share above 0 and up to 1", identity)
	}
	// The small excess lets 20 of 100 pass at identity 0.8 despite rounding.
	return int((1-identity)*float64(s.N) + 1e-9), nil
}

// planes holds configurations bit by bit: word p of block b of a row has bit p of the states of 64 units. Two rows
// differ where any of the planes differ, so that a few XOR operations compare 64 units at once.
type planes struct {
	rows, blocks, depth int
	words               []uint64
}

func newPlanes(s *unit.States) *planes {
	p := &planes{rows: s.Len, blocks: (s.N + 63) / 64, depth: 1}
	if s.Type != unit.Potts {
		p.words = s.Bits
		return p
	}
	p.depth = bits.Len(uint(s.Q - 1))
	p.words = make([]uint64, s.Len*p.blocks*p.depth)
	for k := range s.Len {
		row := p.row(k)
		for i, a := range s.CodeRow(k) {
			for b := range p.depth {
				row[i>>6*p.depth+b] |= uint64(a) >> b & 1 << (i & 63)
			}
		}
	}
	return p
}

func (p *planes) row(k int) []uint64 {
	n := p.blocks * p.depth
	return p.words[k*n : (k+1)*n]
}

// differ reports whether two rows differ in more than most units, and stops as soon as they do.
func (p *planes) differ(a, b []uint64, most int) bool {
	n := 0
	for i := 0; i < len(a); i += p.depth {
		var d uint64
		for k, x := range a[i : i+p.depth] {
			d |= x ^ b[i+k]
		}
		if n += bits.OnesCount64(d); n > most {
			return true
		}
	}
	return false
}

// tile is the number of rows compared with each other while in the cache.
const tile = 128

// neighbours counts, for each row, the rows that differ from it in at most the given number of units.
func (p *planes) neighbours(most, workers int) []uint32 {
	tiles := (p.rows + tile - 1) / tile
	counts := make([][]uint32, parallel.Workers(workers, tiles))
	for w := range counts {
		counts[w] = make([]uint32, p.rows)
	}
	parallel.For(workers, tiles, func(worker, a int) { // a row of tiles, above the diagonal
		for b := a; b < tiles; b++ {
			p.compare(counts[worker], a*tile, b*tile, most)
		}
	})
	for _, more := range counts[1:] {
		for k, n := range more {
			counts[0][k] += n
		}
	}
	for k := range counts[0] {
		counts[0][k]++ // itself
	}
	return counts[0]
}

// compare counts the neighbours among the rows of two tiles, taking each pair once.
func (p *planes) compare(counts []uint32, from, with, most int) {
	stride := p.blocks * p.depth
	for k := from; k < min(from+tile, p.rows); k++ {
		lo, hi := max(with, k+1), min(with+tile, p.rows)
		if lo >= hi {
			continue
		}
		near := func(j int) { counts[k]++; counts[lo+j]++ }
		if others := p.words[lo*stride : hi*stride]; p.depth == 5 {
			p.eachNear5(p.row(k), others, most, near)
		} else {
			p.eachNear(p.row(k), others, most, near)
		}
	}
}

// eachNear calls near for the rows that differ from a in at most the given number of units.
func (p *planes) eachNear(a, others []uint64, most int, near func(j int)) {
	for j := 0; len(others) >= len(a); j, others = j+1, others[len(a):] {
		if !p.differ(a, others, most) {
			near(j)
		}
	}
}

// eachNear5 is eachNear for five planes, as for proteins. Most pairs already differ enough in their first block, which
// is handled in registers.
func (p *planes) eachNear5(a, others []uint64, most int, near func(j int)) {
	a0, a1, a2, a3, a4 := a[0], a[1], a[2], a[3], a[4]
	for j := 0; len(others) >= len(a); j, others = j+1, others[len(a):] {
		b := (*[5]uint64)(others)
		d := (a0 ^ b[0]) | (a1 ^ b[1]) | (a2 ^ b[2]) | (a3 ^ b[3]) | (a4 ^ b[4])
		if bits.OnesCount64(d) <= most && !p.differ(a, others, most) {
			near(j)
		}
	}
}
