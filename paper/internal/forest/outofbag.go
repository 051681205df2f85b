package forest

import (
	"context"
	"math"

	"instanton/internal/parallel"
	"instanton/unit"
)

// outOfBag classifies every example by the trees that have not seen it.
func (f *Forest) outOfBag(ctx context.Context, x *unit.States, t *table, bags [][]uint64, workers int) error {
	const unseen, right, wrong = 0, 1, 2
	result := make([]uint8, x.Len)
	shares := make([]float64, parallel.Workers(workers, x.Len)*f.Classes)
	err := parallel.ForContext(ctx, workers, x.Len, func(worker, s int) {
		p := shares[worker*f.Classes:][:f.Classes]
		clear(p)
		voted := false
		for k := range f.trees {
			if bags[k][s>>6]>>(s&63)&1 == 0 {
				f.trees[k].vote(p, x.BitRow(t.order[s]))
				voted = true
			}
		}
		switch c := largest(p); {
		case !voted:
			result[s] = unseen
		case s >= t.first[c] && s < t.first[c+1]:
			result[s] = right
		default:
			result[s] = wrong
		}
	})
	var counts [3]float64
	for _, r := range result {
		counts[r]++
	}
	f.OutOfBag = math.NaN()
	if all := counts[right] + counts[wrong]; all > 0 {
		f.OutOfBag = counts[wrong] / all
	}
	return err
}
