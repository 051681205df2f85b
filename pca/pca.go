package pca

import (
	"fmt"
	"math"

	"instanton/internal/special"
	"instanton/unit"
)

// PCA holds the directions in which configurations vary most. Vectors have one entry per channel: q for a Potts unit,
// one for other units.
type PCA struct {
	Spec       unit.Spec
	Mean       []float64
	Components [][]float64 // orthonormal, in order of decreasing variance; the largest entry is positive
	Variances  []float64   // along the components, normalised by the number of configurations (not minus one)
	Total      float64     // total variance in all directions
}

// Fit finds the first count components of configurations, weighted if weights is non-nil. There are fewer if the
// configurations vary in fewer directions.
func Fit(v *unit.States, weights []float64, count int) (*PCA, error) {
	if v.Len == 0 {
		return nil, fmt.Errorf("principal components of no configurations: expected at least one")
	}
	if count < 1 {
		return nil, fmt.Errorf("%d principal components: expected at least one", count)
	}
	if weights != nil && len(weights) != v.Len {
		return nil, fmt.Errorf("%d weights for %d configurations: expected one each", len(weights), v.Len)
	}
	total := float64(v.Len)
	if weights != nil {
		total = 0
		for k, w := range weights {
			if !(w >= 0 && special.Finite(w)) {
				return nil, fmt.Errorf("weight %d is %g: expected a number that is not negative", k, w)
			}
			total += w
		}
		if !(total > 0 && special.Finite(total)) {
			return nil, fmt.Errorf("the weights sum to %g: expected a positive number", total)
		}
	}
	c := newCovariance(v, weights, total)
	p := &PCA{Spec: v.Spec, Mean: c.mean, Total: c.trace()}
	p.Variances, p.Components = leading(c, v.Width(), min(count, v.Width()))
	for k, variance := range p.Variances {
		if variance <= rounding*p.Total { // the rest is rounding
			p.Variances, p.Components = p.Variances[:k], p.Components[:k]
			break
		}
	}
	for _, x := range p.Components {
		orient(x)
	}
	return p, nil
}

// rounding is the fraction of the total variance below which a component is regarded as rounding error.
const rounding = 1e-12

// orient chooses the sign of a direction so that its largest entry, or the first of equal ones, is positive.
func orient(x []float64) {
	at := 0
	for i, v := range x {
		if math.Abs(v) > math.Abs(x[at])*(1+1e-9) {
			at = i
		}
	}
	if x[at] < 0 {
		for i := range x {
			x[i] = -x[i]
		}
	}
}

// Along is the coordinate of a vector of channels along component k.
func (p *PCA) Along(x []float64, k int) float64 {
	var sum float64
	for i, c := range p.Components[k] {
		sum += (x[i] - p.Mean[i]) * c
	}
	return sum
}

// Projections returns the coordinates of configurations along the components, one row per configuration. The
// configurations must have the shape that the components were found for.
func (p *PCA) Projections(v *unit.States) ([][]float64, error) {
	if v.Spec != p.Spec {
		return nil, fmt.Errorf("the components are of %s: got configurations of %s", p.Spec, v.Spec)
	}
	b := len(p.Components)
	c := &covariance{v: v, mean: p.Mean}
	y := columns(p.Components, v.Width())
	flat := make([]float64, v.Len*b)
	out := make([][]float64, v.Len)
	shift := c.shift(y, b)
	for k := range out {
		out[k] = flat[k*b : (k+1)*b]
		c.coordinates(out[k], y, shift, k)
	}
	return out, nil
}
