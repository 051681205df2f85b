package dynamics

import (
	"fmt"
	"math"

	"instanton/internal/special"
	"instanton/theory"
)

// HiddenChain is AGS seen from the hidden layer, h → v → h′, for two equivalent units and N too large for the chain of
// block counts. It has the same relaxation times as [BlockCounts]: the two are products of the same two kernels in
// either order. The states are the points of a grid whose quadrature error is at most accuracy (1e-9 if 0), without
// those so improbable that they matter less than that, and with (h₁, h₂) and (h₂, h₁) taken as one state: the overlaps
// are ferromagnetic, so the slowest mode is an increasing function of the hidden values and can be chosen symmetric.
func HiddenChain(s theory.Structured, n int, accuracy float64) (*Chain, error) {
	b, err := newLumped(s, n)
	if err != nil {
		return nil, err
	}
	if accuracy == 0 {
		accuracy = 1e-9
	}
	if !(accuracy >= 1e-16 && accuracy <= 0.01) {
		return nil, fmt.Errorf("the accuracy %g was asked for: it must be between 1e-16 and 0.01", accuracy)
	}
	if !pairOfEquals(s) {
		return nil, fmt.Errorf("the hidden chain takes two hidden units with as many spins of their own: "+
			"this model has %d units", len(s.Overlap))
	}
	grid := b.grid(accuracy)
	c := &Chain{
		Method: fmt.Sprintf("on a grid of hidden values, relaxation time to %g; first passage of the hidden values",
			accuracy),
		model: b.model, spins: n, onHidden: true, hidden: func(h []float64) []float64 { return h },
	}
	side := 2*grid.half + 1
	value := func(i int) float64 { return grid.step * float64(i-grid.half) }
	var place [][2]int
	for i := range side {
		for j := range i + 1 {
			place = append(place, [2]int{i, j})
		}
	}
	weight := make([]float64, len(place))
	top := math.Inf(-1)
	for k, p := range place {
		weight[k] = b.logHidden([]float64{value(p[0]), value(p[1])})
		top = math.Max(top, weight[k])
	}
	keep, err := depth(s, n)
	if err != nil {
		return nil, err
	}
	keep += math.Log(1/accuracy) + 5
	for k, p := range place {
		if weight[k] > top-keep {
			c.State = append(c.State, []float64{value(p[0]), value(p[1])})
			w := weight[k]
			if p[0] != p[1] {
				w += math.Ln2
			}
			c.logWeight = append(c.logWeight, w)
			place[len(c.State)-1] = p
		}
	}
	place = place[:len(c.State)]
	if len(place) > maxDenseStates {
		return nil, fmt.Errorf("%d spins need %d points in hidden space: the transition matrix takes at most %d, "+
			"try fewer spins or a lower accuracy", n, len(place), maxDenseStates)
	}
	b.fillHidden(c, grid, place)
	return c, nil
}

// pairOfEquals tells whether the model has two hidden units with as many spins of their own.
func pairOfEquals(s theory.Structured) bool {
	return len(s.Overlap) == 2 && s.Overlap[0][0] == s.Overlap[1][1] && s.Overlap[0][0] > 0
}

// logHidden is log P(h) up to a constant.
func (b *lumped) logHidden(h []float64) float64 {
	s := 0.0
	for _, x := range h {
		s -= x * x / 2
	}
	for k, x := range b.blockFields(h) {
		s += float64(b.size[k]) * special.Log2Cosh(x)
	}
	return s
}

// depth is N times the highest barrier between minima, how far up the landscape the slow modes reach.
func depth(s theory.Structured, n int) (float64, error) {
	l, err := s.Landscape()
	if err != nil {
		return 0, err
	}
	g, err := l.Graph()
	if err != nil {
		return 0, err
	}
	highest := 0.0
	for _, p := range g.Passes {
		highest = math.Max(highest, p.Saddle.F-g.Minima[0].F)
	}
	return float64(n) * highest, nil
}

// fillHidden computes the transition matrix. Given the number s of up spins in the shared block, the two units are
// independent:
//
//	P(h → h′) = Σ_s B(s|h₁+h₂) q(h₁, s, h₁′) q(h₂, s, h₂′),
//
// with q the Gaussian of mean I averaged over the spins of the unit's own block.
func (b *lumped) fillHidden(c *Chain, grid hiddenGrid, place [][2]int) {
	side := 2*grid.half + 1
	own, shared := b.size[0], 0
	for k, bl := range b.blocks {
		if bl.Mu != bl.Nu {
			shared = b.size[k]
		}
	}
	table := make([]float64, own+1)
	q := make([][]float64, shared+1) // q[s][i·side + j] from h_i to h_j
	for s := range q {
		q[s] = make([]float64, side*side)
	}
	norm := grid.step / math.Sqrt(2*math.Pi)
	for i := range side {
		binomial(table, b.w*grid.step*float64(i-grid.half))
		for s := range q {
			row := q[s][i*side : (i+1)*side]
			for up, p := range table {
				if p < 1e-300 {
					continue
				}
				input := b.w * float64(2*up-own+2*s-shared)
				for j := range row {
					d := grid.step*float64(j-grid.half) - input
					if d*d < 1400 {
						row[j] += norm * p * math.Exp(-d*d/2)
					}
				}
			}
		}
	}
	c.p = newBandMatrix(len(place), len(place)-1)
	mixture := make([]float64, shared+1)
	for a, from := range place {
		binomial(mixture, b.w*grid.step*float64(from[0]+from[1]-2*grid.half))
		row, _ := c.p.row(a)
		for s, weight := range mixture {
			q1, q2 := q[s][from[0]*side:(from[0]+1)*side], q[s][from[1]*side:(from[1]+1)*side]
			for d, to := range place {
				x := q1[to[0]] * q2[to[1]]
				if to[0] != to[1] {
					x += q1[to[1]] * q2[to[0]]
				}
				row[d] += weight * x
			}
		}
	}
}
