package interpret

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"instanton/batch"
	"instanton/internal/parallel"
	"instanton/internal/vec"
	"instanton/rbm"
	"instanton/unit"
)

// Couplings are the effective couplings between visible units: minus the second derivatives of E_eff with respect to
// two of them, averaged over data,
//
//	J_ij(a,b) = ⟨−∂²E_eff/∂v_ia ∂v_jb⟩ = Σ_μ W_iaμ W_jbμ ⟨Γ_μ''(I_μ(v))⟩
//
// where v_ia is the indicator of state a for Potts units, and v_i itself for others. For Gaussian hidden units they do
// not depend on the data and are those of the Hopfield–Potts model, W_iaμ W_jbμ/γ_μ. A Potts hidden unit has a matrix
// of covariances between its states in place of Γ”.
//
// The couplings of Potts units are in the zero-sum gauge, Σ_a J_ij(a,b) = Σ_b J_ij(a,b) = 0, in which they are
// smallest: nothing that fields can say is left in them.
type Couplings struct {
	Spec     unit.Spec // of the visible layer
	Response []float64 // ⟨Γ''⟩ of each hidden channel

	width    int       // of the hidden layer
	weights  []float64 // in the zero-sum gauge
	response []float64 // weights times ⟨Γ''⟩
}

// NewCouplings averages over data, weighted if weights is non-nil.
func NewCouplings(m *rbm.RBM, data *unit.States, weights []float64) (*Couplings, error) {
	if data.Spec != m.Visible.Spec() {
		return nil, fmt.Errorf("data of %s: the model has visible units %s", data.Spec, m.Visible.Spec())
	}
	covariance, err := meanResponse(m, data, weights)
	if err != nil {
		return nil, err
	}
	gauged := m.Clone()
	gauged.ZeroSum()
	spec, width := m.Hidden.Spec(), m.Hidden.Spec().Width()
	c := &Couplings{Spec: m.Visible.Spec(), Response: make([]float64, width), width: width, weights: gauged.W,
		response: make([]float64, len(m.W))}
	q := spec.Channels()
	for mu := range width {
		c.Response[mu] = covariance[mu*q+mu%q]
	}
	for r := range c.Spec.Width() {
		to, from := c.response[r*width:(r+1)*width], gauged.Row(r)
		for mu := range to {
			first := mu - mu%q // of the unit
			to[mu] = vec.Dot(covariance[mu*q:(mu+1)*q], from[first:first+q])
		}
	}
	return c, nil
}

// meanResponse averages the covariances of the channels of each hidden unit given data: q in a row for each channel.
func meanResponse(m *rbm.RBM, data *unit.States, weights []float64) ([]float64, error) {
	engine, err := batch.New(m, 0)
	if err != nil {
		return nil, err
	}
	layer, width, q := m.Hidden, m.Hidden.Spec().Width(), m.Hidden.Spec().Channels()
	blocks := parallel.Blocks(data.Len, responseBlock)
	sums, totals := make([][]float64, len(blocks)), make([]float64, len(blocks))
	workers := make([]batch.Worker, parallel.Workers(0, len(blocks)))
	for w := range workers {
		workers[w] = engine.Worker()
	}
	parallel.For(0, len(blocks), func(worker, k int) {
		block := blocks[k]
		sums[k] = make([]float64, width*q)
		inputs := make([]float64, block.Len()*width)
		mean, variance := make([]float64, width), make([]float64, width)
		workers[worker].Inputs(inputs, batch.Hidden, data, block.Lo)
		for row := block.Lo; row < block.Hi; row++ {
			w := 1.0
			if weights != nil {
				w = weights[row]
			}
			I := inputs[(row-block.Lo)*width:][:width]
			layer.Variance(variance, I)
			if q > 1 {
				layer.Mean(mean, I)
			}
			totals[k] += w
			for mu, x := range variance {
				for a := range q {
					other := mu - mu%q + a
					if other == mu {
						sums[k][mu*q+a] += w * x
					} else { // −p_a p_b between two states of one Potts unit
						sums[k][mu*q+a] -= w * mean[mu] * mean[other]
					}
				}
			}
		}
	})
	average, total := make([]float64, width*q), vec.Sum(totals)
	if !(total > 0) {
		return nil, fmt.Errorf("the weights of the data sum to %g: expected a positive number", total)
	}
	for _, s := range sums {
		vec.AddScaled(average, 1/total, s)
	}
	return average, nil
}

// responseBlock is the number of configurations of one task.
const responseBlock = 1024

// Pair returns J_ij(a,b), row by row.
func (c *Couplings) Pair(i, j int) [][]float64 {
	q := c.Spec.Channels()
	pair := matrix(q)
	for a := range q {
		for b := range q {
			pair[a][b] = vec.Dot(c.response[(i*q+a)*c.width:][:c.width], c.weights[(j*q+b)*c.width:][:c.width])
		}
	}
	return pair
}

// Scores is the strength of every pair of sites: the Frobenius norm of J_ij, which for units with one channel is its
// absolute value. Entries of a state to be skipped, usually the gap, do not count; −1 skips none. The diagonal is zero.
func (c *Couplings) Scores(skip int) [][]float64 {
	scores := matrix(c.Spec.N)
	parallel.For(0, c.Spec.N, func(_, i int) {
		for j := i + 1; j < c.Spec.N; j++ {
			var sum float64
			for a, row := range c.Pair(i, j) {
				for b, x := range row {
					if a != skip && b != skip {
						sum += x * x
					}
				}
			}
			scores[i][j] = math.Sqrt(sum)
		}
	})
	for i := range scores {
		for j := range i {
			scores[i][j] = scores[j][i]
		}
	}
	return scores
}

// APC is the average-product correction S_ij − S_i S_j / S, where S_i is the mean over the pairs of site i and S that
// over all pairs: it removes what a site has in common with all others (Dunn, Wahl and Gloor, Bioinformatics 24, 333,
// 2008).
func APC(scores [][]float64) [][]float64 {
	n := len(scores)
	means, all := make([]float64, n), 0.0
	for i, row := range scores {
		means[i] = (vec.Sum(row) - row[i]) / float64(n-1)
		all += means[i] / float64(n)
	}
	corrected := matrix(n)
	for i, row := range scores {
		for j, s := range row {
			if i != j && all > 0 {
				corrected[i][j] = s - means[i]*means[j]/all
			}
		}
	}
	return corrected
}

// Scored is a pair of sites I < J with its score.
type Scored struct {
	I, J  int
	Score float64
}

// Ranked lists the pairs of sites that are at least separation apart, highest score first.
func Ranked(scores [][]float64, separation int) []Scored {
	var pairs []Scored
	for i, row := range scores {
		for j := i + max(separation, 1); j < len(row); j++ {
			pairs = append(pairs, Scored{i, j, row[j]})
		}
	}
	slices.SortStableFunc(pairs, func(a, b Scored) int { return cmp.Compare(b.Score, a.Score) })
	return pairs
}
