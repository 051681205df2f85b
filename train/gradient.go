package train

import (
	"math"

	"instanton/batch"
	"instanton/internal/kernel"
	"instanton/internal/parallel"
	"instanton/internal/special"
	"instanton/internal/vec"
	"instanton/rbm"
	"instanton/unit"
)

// gradient is the derivative of the mean log-likelihood of the data minus the regularisers R,
//
//	∂L/∂W_iμ = ⟨v_i h_μ⟩_data − ⟨v_i h_μ⟩_model − ∂R/∂W_iμ,
//
// and likewise for the parameters of the layers. The derivatives with respect to W are computed row by row, when the
// step needs them.
type gradient struct {
	model              *rbm.RBM
	tie                *Symmetry // or nil
	terms              terms
	positive, negative batch.Averages // over the data and over the model
	layers             [4]params      // of these: visible and hidden, first of the data

	visible, hidden params                 // derivatives with respect to the parameters of the layers
	fields          params                 // of the model's visible units
	onWeights       []func(g, w []float64) // of the regularisers, for the current model
	untied          []float64              // derivatives with respect to W before tying
	squares         []float64              // of every row

	gatherTask, sumTask, untiedTask func(worker, i int) // bound once
}

func newGradient(m *rbm.RBM, c *chains, t terms, tie *Symmetry, standardised bool, samples, workers int) *gradient {
	g := &gradient{model: m, tie: tie, terms: t, fields: paramsOf(m.Visible)}
	parts := workers // for each of the two averages
	if workers%2 == 0 {
		parts /= 2
	}
	wanted := batch.AveragesOptions{Variance: standardised, Workers: parts}
	g.negative = c.up.Engine().Averages(c.V.Len, batch.AveragesOptions{Workers: parts})
	for _, term := range t.means {
		wanted.Responses = append(wanted.Responses, term.OnMeans)
	}
	g.positive = c.up.Engine().Averages(samples, wanted)
	g.layers = [4]params{
		paramsOf(g.positive.Visible()), paramsOf(g.positive.Hidden()),
		paramsOf(g.negative.Visible()), paramsOf(g.negative.Hidden()),
	}
	g.visible, g.hidden = zeroParams(m)
	g.squares = make([]float64, m.Visible.Spec().Width())
	if tie != nil {
		g.untied = make([]float64, len(m.W))
	}
	g.gatherTask = func(_, i int) {
		if n := g.positive.Groups(); i < n {
			g.positive.Gather(i)
		} else {
			g.negative.Gather(i - n)
		}
	}
	g.sumTask = func(_, i int) {
		if n := g.positive.Parts(); i < n {
			g.positive.Correlate(i)
		} else {
			g.negative.Correlate(i - n)
		}
	}
	g.untiedTask = func(_, i int) {
		cols := m.Hidden.Spec().Width()
		g.untiedRow(g.untied[i*cols:(i+1)*cols], i)
	}
	return g
}

// weighted holds configurations and their weights; nil weights are all one.
type weighted struct {
	states  *unit.States
	weights []float64
}

// average computes the averages over the data and over the model from weighted configurations, and sets the derivatives
// with respect to the parameters of the layers.
func (g *gradient) average(team *parallel.Team, data, model weighted) error {
	g.positive.Begin(data.states, data.weights)
	g.negative.Begin(model.states, model.weights)
	team.For(g.positive.Groups()+g.negative.Groups(), g.gatherTask)
	g.positive.Finish()
	g.negative.Finish()
	if !g.positive.Finite() || !g.negative.Finite() {
		return diverged("the mean of a hidden unit", math.NaN())
	}
	team.For(g.positive.Parts()+g.negative.Parts(), g.sumTask)

	g.visible.clear()
	g.hidden.clear()
	g.visible.add(-1, g.layers[0])
	g.hidden.add(-1, g.layers[1])
	g.visible.add(1, g.layers[2])
	g.hidden.add(1, g.layers[3])
	g.regularise()
	if g.tie != nil {
		g.tie.averageLayers(g.visible.layer, g.hidden.layer)
		team.For(len(g.squares), g.untiedTask)
	}
	if norm := math.Sqrt(g.visible.squares() + g.hidden.squares()); !special.Finite(norm) {
		return diverged("the norm of the gradient", norm)
	}
	return nil
}

// regularise subtracts the regularisers' derivatives with respect to the fields, and prepares those with respect to the
// weights.
func (g *gradient) regularise() {
	for _, t := range g.terms.fields {
		for k, p := range g.fields.data {
			if !g.fields.positive[k] {
				t.OnFields(g.visible.data[k], p)
			}
		}
	}
	g.onWeights = g.onWeights[:0]
	for _, t := range g.terms.weights {
		g.onWeights = append(g.onWeights, t.OnWeights(g.model))
	}
}

// row sets dst to the derivatives with respect to the weights of visible channel i.
func (g *gradient) row(dst []float64, i int) {
	if g.tie == nil {
		g.untiedRow(dst, i)
	} else {
		q, cols := g.model.Visible.Spec().Channels(), len(dst)
		partner := g.tie.Visible[i/q]*q + i%q
		copy(dst, g.untied[i*cols:])
		g.tie.averageRows(dst, g.untied[partner*cols:][:cols], g.model.Hidden.Spec().Channels())
	}
	g.squares[i] = kernel.Squares(dst)
}

// untiedRow is row before weights are tied.
func (g *gradient) untiedRow(dst []float64, i int) {
	clear(dst)
	g.positive.AddVH(dst, i, 1)
	g.negative.AddVH(dst, i, -1)
	for _, subtract := range g.onWeights {
		subtract(dst, g.model.Row(i))
	}
}

// norm is the norm of the gradient, once all of its rows have been computed.
func (g *gradient) norm() float64 {
	return math.Sqrt(vec.Sum(g.squares) + g.visible.squares() + g.hidden.squares())
}
