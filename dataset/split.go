package dataset

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"instanton/internal/rng"
	"instanton/unit"
)

// Split divides the rows at random into parts of the given fractions, which sum to one; their sizes are rounded. Rows
// keep their order within a part, and all random numbers come from the seed.
//
// With identity > 0, rows that agree in at least this fraction of the units are kept together, and with everything
// linked to them: a part then has no close relative in another one. Families are dealt out whole, the largest first, to
// the part that lacks most, so that the sizes are as close as the families allow.
func (d *Dataset) Split(fractions []float64, identity float64, seed uint64) ([][]int, error) {
	var sum float64
	for _, f := range fractions {
		if !(f > 0 && f < 1) {
			return nil, fmt.Errorf("a part of %g: expected fractions above 0 and below 1", f)
		}
		sum += f
	}
	if len(fractions) < 2 || math.Abs(sum-1) > 1e-9 {
		return nil, fmt.Errorf("parts of %v: expected two or more fractions that sum to 1", fractions)
	}
	families := make([]int, d.States.Len)
	for k := range families {
		families[k] = k
	}
	if identity != 0 {
		var err error
		if families, err = Families(d.States, identity); err != nil {
			return nil, err
		}
	}
	return deal(families, fractions, seed), nil
}

// deal gives families, in random order but the largest first, to the part that lacks most.
func deal(families []int, fractions []float64, seed uint64) [][]int {
	size := make([]int, len(families))
	for _, f := range families {
		size[f]++
	}
	var order []int
	for f, n := range size {
		if n > 0 {
			order = append(order, f)
		}
	}
	r := rng.New(seed, rng.Split, 1, 0).Rand()
	r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	bySize(order, size)
	lacks := make([]float64, len(fractions))
	for k, x := range fractions {
		lacks[k] = x * float64(len(families))
	}
	part := make([]int, len(families))
	for _, f := range order {
		most := 0
		for k, x := range lacks {
			if x > lacks[most] {
				most = k
			}
		}
		part[f] = most
		lacks[most] -= float64(size[f])
	}
	parts := make([][]int, len(fractions))
	for k, f := range families {
		parts[part[f]] = append(parts[part[f]], k)
	}
	return parts
}

// bySize sorts by falling size; equal sizes keep their order.
func bySize(order, size []int) {
	buckets := map[int][]int{}
	largest := 0
	for _, f := range order {
		buckets[size[f]] = append(buckets[size[f]], f)
		largest = max(largest, size[f])
	}
	k := 0
	for n := largest; n > 0; n-- {
		k += copy(order[k:], buckets[n])
	}
}

// Families links configurations that agree in at least the fraction identity of the units (single linkage) and returns
// for each the first configuration of its family.
func Families(s *unit.States, identity float64) ([]int, error) {
	most, err := differences(s, identity)
	if err != nil {
		return nil, err
	}
	p := newPlanes(s)
	first := make([]int, s.Len)
	for k := range first {
		first[k] = k
	}
	find := func(k int) int {
		for first[k] != k {
			first[k] = first[first[k]]
			k = first[k]
		}
		return k
	}
	stride := p.blocks * p.depth
	for k := range s.Len {
		p.eachNear(p.row(k), p.words[(k+1)*stride:], most, func(j int) {
			a, b := find(k), find(k+1+j)
			first[max(a, b)] = min(a, b)
		})
	}
	for k := range first {
		first[k] = find(k)
	}
	return first, nil
}

// Representatives keeps the first of every set of configurations that agree with an earlier kept one in at least the
// fraction identity of the units, and returns the rows kept.
func Representatives(s *unit.States, identity float64) ([]int, error) {
	most, err := differences(s, identity)
	if err != nil {
		return nil, err
	}
	p := newPlanes(s)
	var kept []int
	for k := range s.Len {
		near := false
		for _, j := range kept {
			if near = !p.differ(p.row(k), p.row(j), most); near {
				break
			}
		}
		if !near {
			kept = append(kept, k)
		}
	}
	return kept, nil
}

// rowsText lists rows as ranges, counted from 1, as in "1-3,7".
func rowsText(rows []int) string {
	var b strings.Builder
	for k := 0; k < len(rows); {
		end := k
		for end+1 < len(rows) && rows[end+1] == rows[end]+1 {
			end++
		}
		if k > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(rows[k] + 1))
		if end > k {
			b.WriteString("-" + strconv.Itoa(rows[end]+1))
		}
		k = end + 1
	}
	return b.String()
}

// PickRecorded is Pick, with the rows, counted from 1, in the info of the result.
func (d *Dataset) PickRecorded(rows []int) *Dataset {
	p := d.Pick(rows)
	p.Info = map[string]string{}
	for key, value := range d.Info {
		p.Info[key] = value
	}
	p.Info["rows"] = rowsText(rows)
	return p
}
