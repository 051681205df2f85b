package dataset

import (
	"fmt"

	"instanton/internal/rng"
	"instanton/unit"
)

// Classes of Bars and Stripes images.
const (
	Bar    = iota // whole columns are on or off
	Stripe        // whole rows
	Both          // all off or all on: a bar and a stripe image at once
)

// MaxBAS is the largest side of Bars and Stripes images.
const MaxBAS = 60

// MaxAllBAS is the largest side for which all images are listed.
const MaxAllBAS = 16

// BarsAndStripes lists all 2^(L+1)−2 distinct images of side L: the all-off and the all-on image belong to both
// classes and are counted once.
func BarsAndStripes(size int, kind unit.Type) (*Dataset, error) {
	if size > MaxAllBAS {
		return nil, fmt.Errorf("all Bars and Stripes images of side %d: expected a side of at most %d, or a number "+
			"of random ones", size, MaxAllBAS)
	}
	d, err := newBAS(size, kind, 1<<(max(size, 0)+1)-2)
	if err != nil {
		return nil, err
	}
	full := uint64(1)<<size - 1
	k := 0
	for lines := range full + 1 {
		class := Bar
		if lines == 0 || lines == full {
			class = Both
		}
		d.draw(k, lines, class)
		k++
	}
	for lines := uint64(1); lines < full; lines++ {
		d.draw(k, lines, Stripe)
		k++
	}
	return d, nil
}

// RandomBarsAndStripes draws images uniformly from the distinct ones of side L.
func RandomBarsAndStripes(size, count int, kind unit.Type, seed uint64) (*Dataset, error) {
	if count < 1 {
		return nil, fmt.Errorf("%d images: expected at least one", count)
	}
	d, err := newBAS(size, kind, count)
	if err != nil {
		return nil, err
	}
	full := uint64(1)<<size - 1
	r := rng.New(seed, rng.Data, 0, 0).Rand()
	for k := range count {
		switch pick := r.Uint64N(2 * full); { // bars first, then stripes except for the two images shared with bars
		case pick == 0 || pick == full:
			d.draw(k, pick, Both)
		case pick < full:
			d.draw(k, pick, Bar)
		default:
			d.draw(k, pick-full, Stripe)
		}
	}
	return d, nil
}

func newBAS(size int, kind unit.Type, count int) (*Dataset, error) {
	if size < 2 || size > MaxBAS {
		return nil, fmt.Errorf("images of side %d: expected a side from 2 to %d", size, MaxBAS)
	}
	if kind != unit.Spin && kind != unit.Bernoulli {
		return nil, fmt.Errorf("pixels of %s units: expected spin or bernoulli", kind)
	}
	spec := unit.Spec{Type: kind, N: size * size}
	if err := spec.CheckCount(count); err != nil {
		return nil, err
	}
	return &Dataset{
		Name:       fmt.Sprintf("bars-and-stripes-%d", size),
		States:     unit.NewStates(spec, count),
		Labels:     make([]int, count),
		LabelNames: []string{"bar", "stripe", "both"},
		Shape:      []int{size, size},
	}, nil
}

// draw sets image k: the set bits are the lines that are on.
func (d *Dataset) draw(k int, lines uint64, class int) {
	size := d.Shape[0]
	d.Labels[k] = class
	for row := range size {
		for column := range size {
			line := column
			if class == Stripe {
				line = row
			}
			if lines>>line&1 == 1 {
				d.States.Set(k, row*size+column, 1)
			}
		}
	}
}
