package mixing

import "math"

// principal are the directions in which configurations vary most.
type principal struct {
	mean       []float64
	components [][]float64
	variances  []float64
}

// newPrincipal finds the first few components by orthogonal iteration.
func newPrincipal(x [][]float64, count int) *principal {
	p := &principal{mean: meanOf(x)}
	width := len(p.mean)
	count = min(count, width)
	centred := make([][]float64, len(x))
	for k, row := range x {
		centred[k] = make([]float64, width)
		for i, v := range row {
			centred[k][i] = v - p.mean[i]
		}
	}
	for range count {
		c, variance := p.next(centred)
		if variance < 1e-12 {
			break
		}
		p.components, p.variances = append(p.components, c), append(p.variances, variance)
	}
	return p
}

// next is the leading component orthogonal to those found before, by power iteration from
// the row that is longest.
func (p *principal) next(x [][]float64) ([]float64, float64) {
	var start []float64
	var longest float64
	c := make([]float64, len(p.mean))
	for _, row := range x {
		copy(c, row)
		p.orthogonalise(c)
		if l := dot(c, c); l > longest {
			longest, start = l, append([]float64(nil), c...)
		}
	}
	if longest < 1e-12 {
		return nil, 0
	}
	c = start
	next := make([]float64, len(c))
	var variance float64
	for range 60 {
		scale := 1 / math.Sqrt(dot(c, c))
		clear(next)
		before := variance
		variance = 0
		for _, row := range x {
			s := scale * dot(row, c)
			variance += s * s / float64(len(x))
			for i, v := range row {
				next[i] += s * v
			}
		}
		p.orthogonalise(next)
		c, next = next, c
		if math.Abs(variance-before) < 1e-9*variance || dot(c, c) == 0 {
			break
		}
	}
	length := math.Sqrt(dot(c, c))
	if length == 0 {
		return nil, 0
	}
	for i := range c {
		c[i] /= length
	}
	return c, variance
}

func (p *principal) orthogonalise(c []float64) {
	for _, other := range p.components {
		s := dot(c, other)
		for i := range c {
			c[i] -= s * other[i]
		}
	}
}

// project is the coordinate along component k.
func (p *principal) project(x []float64, k int) float64 {
	return dot(x, p.components[k]) - dot(p.mean, p.components[k])
}
