package dynamics

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// gibbs is the chain v → h → v′, h integrated by the trapezoidal rule on a grid.
func (b *lumped) gibbs(kernel Kernel) (*Chain, error) {
	grid := b.grid(1e-14)
	if entries := grid.size() * float64(b.states); entries > maxGridEntries {
		return nil,
			fmt.Errorf("the integral over %d hidden units takes %.0f points for each of %d states: that is too "+
				"many, try fewer spins or units", b.units, grid.size(), b.states)
	}
	points := grid.points()
	c := b.chain(b.states - 1)
	up := mat.NewDense(b.states, len(points), nil)   // P(h|v)
	down := mat.NewDense(len(points), b.states, nil) // P(v|h)
	for i, count := range c.State {
		grid.gaussian(up.RawRowView(i), b.inputs(count))
	}
	table := make([][]float64, len(b.size))
	for k, size := range b.size {
		table[k] = make([]float64, size+1)
	}
	for j, h := range points {
		for k, x := range b.blockFields(h) {
			binomial(table[k], x)
		}
		row := down.RawRowView(j)
		for i, count := range c.State {
			row[i] = 1
			for k := range table {
				row[i] *= table[k][int(count[k])]
			}
		}
	}
	switch kernel {
	case FairFlip:
		flipped := mat.NewDense(len(points), b.states, nil)
		for j := range points {
			here, there := down.RawRowView(j), down.RawRowView(len(points)-1-j) // the grid is symmetric
			for i := range b.states {
				flipped.RawRowView(j)[i] = (here[i] + there[i]) / 2
			}
		}
		down = flipped
	case LatentRedraw:
		down = b.redraw(grid, points, down)
	}
	// Reversing all spins turns state i into state n−1−i, so half of the rows are enough.
	half := (b.states + 1) / 2
	mat.NewDense(half, b.states, c.p.data[:half*b.states]).Mul(up.Slice(0, half, 0, len(points)), down)
	for i := range b.states - half {
		from, to := c.p.data[i*b.states:(i+1)*b.states], c.p.data[(b.states-1-i)*b.states:(b.states-i)*b.states]
		for j, p := range from {
			to[b.states-1-j] = p
		}
	}
	return c, nil
}

// binomial fills p with the probabilities of k = 0 … n up spins of n = len(p) − 1 spins in a field x, by the ratio of
// neighbours outwards from the likeliest k.
func binomial(p []float64, x float64) {
	n := len(p) - 1
	odds := math.Exp(2 * x)
	mode := min(n, int(float64(n+1)/(1+1/odds)))
	p[mode] = 1
	sum := 1.0
	for k := mode; k < n; k++ {
		p[k+1] = p[k] * odds * float64(n-k) / float64(k+1)
		sum += p[k+1]
	}
	for k := mode; k > 0; k-- {
		p[k-1] = p[k] / odds * float64(k) / float64(n-k+1)
		sum += p[k-1]
	}
	for k := range p {
		p[k] /= sum
	}
}
