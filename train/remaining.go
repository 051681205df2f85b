package train

import (
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"instanton/batch"
	"instanton/internal/special"
	"instanton/internal/vec"
	"instanton/rbm"
	"instanton/unit"
)

// remaining estimates by how much the mean log-likelihood L could still be raised along its gradient g, the difference
// of the moments ⟨v⟩, ⟨h⟩ and ⟨vh⟩ of data and model. With s(v) = g·(v, ⟨h|v⟩, v⟨h|v⟩), the law P(v) e^{εs(v)} has the
// log-likelihood
//
//	L + ε⟨s⟩_data − log⟨e^{εs}⟩_model,
//
// of which the largest value is taken as far as the chains tell the last term. To first order in ε, this is an RBM. The
// gradient comes from one half of the chains and the averages from the other, so that their noise does not look like a
// slope; then the halves change places.
func remaining(m *rbm.RBM, data *unit.States, weights []float64, chains *unit.States) (float64, error) {
	engine, err := batch.New(m, 0)
	if err != nil {
		return 0, err
	}
	half := chains.Len / 2
	kinds := []moments{newMoments(engine, data, weights), newMoments(engine, chains.Slice(0, half), nil),
		newMoments(engine, chains.Slice(half, chains.Len), nil)}
	var sum float64
	for fold := range 2 {
		gradient, other := kinds[0].minus(kinds[1+fold]), kinds[2-fold]
		seen, model := kinds[0].along(gradient), other.along(gradient)
		sum += tilt(vec.WeightedMean(seen, weights), model) / 2
	}
	return sum, nil
}

// unexplained estimates by how much the log-likelihood could be raised by couplings between the sites of the data that
// are most correlated, along the difference of their moments, whether or not the hidden units can provide them: at
// weights of zero the gradient vanishes, too. What chance gives to many couplings and many data is left out; few data
// are taken at their word.
func (c *contrast) unexplained(chains *unit.States) float64 {
	half, n := chains.Len/2, c.data.Len
	product := func(dst []float64, row []float64) {
		for k, p := range c.pairs {
			dst[k] = row[p[0]] * row[p[1]]
		}
	}
	table := func(v *unit.States) *mat.Dense {
		x, row := mat.NewDense(v.Len, len(c.pairs), nil), make([]float64, v.Width())
		for k := range v.Len {
			channels(row, v, k)
			product(x.RawRowView(k), row)
		}
		return x
	}
	if len(c.pairs) == 0 {
		return 0
	}
	data, parts := table(c.data), [2]*mat.Dense{table(chains.Slice(0, half)), table(chains.Slice(half, chains.Len))}
	mean := func(x *mat.Dense, weights []float64) []float64 {
		rows, cols := x.Dims()
		sum := make([]float64, cols)
		var total float64
		for k := range rows {
			total += weightOr1(weights, k)
			vec.AddScaled(sum, weightOr1(weights, k), x.RawRowView(k))
		}
		vec.Scale(1/total, sum)
		return sum
	}
	seen := mean(data, c.weights)
	var sum float64
	for fold, x := range parts {
		gradient := append([]float64(nil), seen...)
		vec.AddScaled(gradient, -1, mean(x, nil))
		other := parts[1-fold]
		model := make([]float64, other.RawMatrix().Rows)
		for k := range model {
			model[k] = vec.Dot(other.RawRowView(k), gradient)
		}
		sum += tilt(vec.Dot(seen, gradient), model) / 2
	}
	if n >= contrastFew {
		sum -= float64(len(c.pairs)) / float64(n)
	}
	return max(0, sum)
}

// tilt is the largest value of ε⟨s⟩_data − log⟨e^{εs}⟩_model, ε ≥ 0, for which a fifth of the chains carry weight.
func tilt(data float64, model []float64) (most float64) {
	mean, variance := stat.MeanVariance(model, nil)
	if !(data > mean && variance > 0) {
		return 0
	}
	logs := make([]float64, len(model))
	for step := 1; step <= tiltSteps; step++ { // the parabola is highest at ε = (⟨s⟩_data − ⟨s⟩_model)/Var(s)
		e := 2 * (data - mean) / variance * float64(step) / tiltSteps
		for k, s := range model {
			logs[k] = e * (s - mean)
		}
		norm, spread := special.LogMeanExp(logs)
		if n := float64(len(model)); 1+spread*spread*n > tiltESS { // the inverse of the share that carries weight
			break
		}
		most = max(most, e*(data-mean)-norm)
	}
	return most
}

const (
	tiltSteps = 40
	tiltESS   = 5
)

// moments are the averages of v, ⟨h|v⟩ and their products over configurations.
type moments struct {
	v, h   *mat.Dense // a row for every configuration
	onV    []float64
	onH    []float64
	onBoth *mat.Dense
}

func newMoments(engine batch.Engine, x *unit.States, weights []float64) moments {
	width, units := x.Width(), engine.Model().Hidden.Spec().Width()
	a := moments{v: mat.NewDense(x.Len, width, nil), h: mat.NewDense(x.Len, units, nil),
		onV: make([]float64, width), onH: make([]float64, units), onBoth: mat.NewDense(width, units, nil)}
	engine.Means(a.h.RawMatrix().Data, batch.Hidden, x)
	weighted := mat.NewDense(x.Len, width, nil)
	var total float64
	for k := range x.Len {
		total += weightOr1(weights, k)
	}
	for k := range x.Len {
		w := weightOr1(weights, k) / total
		channels(a.v.RawRowView(k), x, k)
		vec.AddScaled(weighted.RawRowView(k), w, a.v.RawRowView(k))
		vec.AddScaled(a.onV, w, a.v.RawRowView(k))
		vec.AddScaled(a.onH, w, a.h.RawRowView(k))
	}
	a.onBoth.Mul(weighted.T(), a.h)
	return a
}

// minus is the difference of the averages.
func (a moments) minus(b moments) moments {
	g := moments{onV: append([]float64(nil), a.onV...), onH: append([]float64(nil), a.onH...), onBoth: &mat.Dense{}}
	vec.AddScaled(g.onV, -1, b.onV)
	vec.AddScaled(g.onH, -1, b.onH)
	g.onBoth.Sub(a.onBoth, b.onBoth)
	return g
}

// along is s(v) of every configuration.
func (a moments) along(g moments) []float64 {
	var toHidden mat.Dense
	toHidden.Mul(a.v, g.onBoth)
	rows, _ := a.v.Dims()
	s := make([]float64, rows)
	for k := range s {
		s[k] = vec.Dot(a.v.RawRowView(k), g.onV) + vec.Dot(a.h.RawRowView(k), g.onH) +
			vec.Dot(toHidden.RawRowView(k), a.h.RawRowView(k))
	}
	return s
}
