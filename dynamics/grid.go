package dynamics

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/combin"

	"instanton/internal/special"
)

// hiddenGrid is a cubic grid of hidden values, symmetric around 0. The trapezoidal rule on it converges faster than any
// power of the step, because all integrands are analytic and at least as wide as a Gaussian of variance 1/(1 +
// w²λ_max(C)): the relative error is 2·exp(−2π²σ²/step²), and exp(−2π·d/step) from the poles of 1/cosh at distance d.
type hiddenGrid struct {
	units, half int // points −half … half along each unit
	step        float64
}

// grid has the relative error asked for in every transition probability. It reaches as far as the integrand of any two
// states does to that accuracy.
func (b *lumped) grid(accuracy float64) hiddenGrid {
	stiff, reach := 0.0, 0.0
	for mu := range b.units { // row sums bound λ_max, and are the largest inputs
		row, input := 0.0, 0.0
		for k, bl := range b.blocks {
			if bl.Mu != mu && bl.Nu != mu {
				continue
			}
			input += b.w * float64(b.size[k])
			row += b.w * b.w * float64(b.size[k])
			if bl.Mu != bl.Nu {
				row += b.w * b.w * float64(b.size[k])
			}
		}
		stiff, reach = math.Max(stiff, row), math.Max(reach, input)
	}
	depth := math.Log(2 / accuracy)
	sigma := 1 / math.Sqrt(1+stiff)
	step := math.Min(sigma*math.Pi*math.Sqrt(2/depth), math.Pi*math.Pi/(b.w*depth))
	// the integrand of two saturated states peaks where h = I + I′ − I(h), a little beyond the largest input
	peak := 2 * reach
	for range 200 {
		s := 0.0
		for k, bl := range b.blocks {
			if bl.Mu == 0 || bl.Nu == 0 {
				s += b.w * float64(b.size[k]) * math.Tanh(b.w*peak)
			}
		}
		peak = math.Max(peak-0.5*(peak-(2*reach-s)), reach)
	}
	half := int(math.Ceil((peak + math.Sqrt(2*depth)) / step))
	return hiddenGrid{b.units, half, step}
}

// size is the number of points.
func (g hiddenGrid) size() float64 { return math.Pow(float64(2*g.half+1), float64(g.units)) }

// points lists the hidden values of the grid, the last unit fastest. Point j and point len−1−j are opposite.
func (g hiddenGrid) points() [][]float64 {
	side := 2*g.half + 1
	list := make([][]float64, int(g.size()))
	for j := range list {
		list[j] = make([]float64, g.units)
		rest := j
		for mu := g.units - 1; mu >= 0; mu-- {
			list[j][mu] = g.step * float64(rest%side-g.half)
			rest /= side
		}
	}
	return list
}

// gaussian fills row with the weights of the points in an integral over normal hidden values of unit variance around
// the inputs.
func (g hiddenGrid) gaussian(row, input []float64) {
	side, filled := 2*g.half+1, 1
	row[0] = 1
	weight := make([]float64, side)
	for _, mean := range input {
		for k := range weight {
			d := g.step*float64(k-g.half) - mean
			weight[k] = g.step / math.Sqrt(2*math.Pi) * math.Exp(-d*d/2)
		}
		for j := filled - 1; j >= 0; j-- { // every point so far becomes a line of points
			x := row[j]
			for k, w := range weight {
				row[j*side+k] = x * w
			}
		}
		filled *= side
	}
}

// redraw applies to the rows of P(v|h) the redraw of every hidden unit from its conditional, averaged over the orders.
func (b *lumped) redraw(g hiddenGrid, points [][]float64, down *mat.Dense) *mat.Dense {
	weight := make([]float64, len(points)) // log P(h)
	for j, h := range points {
		for _, x := range h {
			weight[j] -= x * x / 2
		}
		for k, x := range b.blockFields(h) {
			weight[j] += float64(b.size[k]) * special.Log2Cosh(x)
		}
	}
	orders := combin.Permutations(b.units, b.units)
	sum := mat.NewDense(len(points), b.states, nil)
	for _, order := range orders {
		next := mat.DenseCopyOf(down)
		for _, mu := range order {
			g.redrawUnit(mu, weight, next)
		}
		sum.Add(sum, next)
	}
	sum.Scale(1/float64(len(orders)), sum)
	return sum
}

// redrawUnit replaces every row by the average of the rows that differ from it in unit μ, weighted by P(h).
func (g hiddenGrid) redrawUnit(mu int, logWeight []float64, rows *mat.Dense) {
	side, stride := 2*g.half+1, 1
	for range g.units - 1 - mu {
		stride *= side
	}
	points, states := rows.Dims()
	mean := make([]float64, states)
	for start := range points {
		if start/stride%side != 0 {
			continue
		}
		top, total := math.Inf(-1), 0.0
		for k := range side {
			top = math.Max(top, logWeight[start+k*stride])
		}
		clear(mean)
		for k := range side {
			p := math.Exp(logWeight[start+k*stride] - top)
			total += p
			row := rows.RawRowView(start + k*stride)
			for i, x := range row {
				mean[i] += p * x
			}
		}
		for k := range side {
			row := rows.RawRowView(start + k*stride)
			for i := range row {
				row[i] = mean[i] / total
			}
		}
	}
}
