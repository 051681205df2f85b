package rates

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// fluxes are the same J, in units of P at the top, from parts of the crossings: over surfaces on the side of the first
// state and on that of the second, by steps up and by steps down.
type fluxes struct{ near, far, up, down float64 }

func (t *tally) fluxes(c *coordinate, w *umbrella, surface int, over *surfaces) (f fluxes, err error) {
	logP, lo, err := t.profile(c, w)
	if err != nil {
		return f, err
	}
	often := t.often(logP, lo, surface)
	middle := over.draw(0.5)
	share := over.share(middle)
	for _, s := range t.crossed {
		x, y := often(s.x), often(s.y)
		if x+y > 0 {
			if s.surface <= middle {
				f.near += s.gain / (x + y) / share
			} else if share < 1 {
				f.far += s.gain / (x + y) / (1 - share)
			}
		}
		switch {
		case x > 0 && s.x < s.y:
			f.up += s.gain / x
		case x > 0:
			f.down += s.gain / x
		}
	}
	if share == 1 {
		f.far = f.near
	}
	return f, nil
}

// share is the weight of the surfaces up to one.
func (s *surfaces) share(surface int) float64 {
	return s.below[surface-s.first] / s.below[len(s.below)-1]
}

// agree are the probabilities of differences as large, between the two sides and between the two directions, by the
// jackknife.
func agree(groups []*group, w *umbrella, surface int, over *surfaces) (sides, directions float64, err error) {
	c := groups[0].c
	all, err := newTally(groups, -1).fluxes(c, w, surface, over)
	if err != nil {
		return 0, 0, err
	}
	differences := func(f fluxes) [2]float64 { return [2]float64{f.near - f.far, f.up - f.down} }
	middle := differences(all)
	var sum, square, p [2]float64
	for g := range groups {
		f, err := newTally(groups, g).fluxes(c, w, surface, over)
		if err != nil {
			return 0, 0, err
		}
		for k, x := range differences(f) {
			x -= middle[k]
			sum[k], square[k] = sum[k]+x, square[k]+x*x
		}
	}
	n, total := float64(len(groups)), (all.near+all.far)/2
	for k, x := range middle {
		v := (n-1)/n*(square[k]-sum[k]*sum[k]/n) + 1e-6*total*total // what differs by a thousandth does not matter
		p[k] = 2 * distuv.StudentsT{Sigma: 1, Nu: n - 1}.Survival(math.Abs(x)/math.Sqrt(v))
	}
	return p[0], p[1], nil
}
