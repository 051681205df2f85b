package jump

import (
	"math"

	"instanton/batch"
	"instanton/internal/rng"
	"instanton/internal/vec"
	"instanton/rbm"
	"instanton/unit"
)

// ProductsOptions are the settings of the fit of a mixture of products.
type ProductsOptions struct {
	Components int // 2 to 256; 0 finds the number by the likelihood of rows held out
	Seed       uint64
	Workers    int
}

const (
	maxComponents = 64    // that are tried
	searchRows    = 4000  // for their number
	fitRows       = 16000 // for the fit
	emSteps       = 60    // at most
	emGain        = 1e-3  // nats per row, below which they end
)

// FitProducts fits a mixture of products to configurations of a layer by expectation maximisation from k-means++
// seeds. Real units have the layer's own potentials, scaled so that the mean variance within components is that of
// the configurations.
func FitProducts(x *unit.States, layer rbm.Layer, o ProductsOptions) (*Products, error) {
	if o.Components > 0 {
		return fitComponents(thin(x, fitRows), layer, o.Components, o)
	}
	few := thin(x, searchRows)
	at, rest := split(few.Len, 1, few.Len)
	train, held := pick(few, at), pick(few, rest)
	var best *Products
	most := math.Inf(-1)
	for k := 2; k <= maxComponents && k <= train.Len; k *= 2 {
		p, err := fitComponents(train, layer, k, o)
		if err != nil {
			return nil, err
		}
		score := meanScore(p, held)
		if best != nil && score < most+0.01 { // another doubling gains nothing: these are the clusters
			return fitComponents(thin(x, fitRows), layer, len(best.share), o)
		}
		best, most = p, score
	}
	return best, nil
}

// meanScore is the mean log q of configurations.
func meanScore(p Proposal, x *unit.States) float64 {
	logq := make([]float64, x.Len)
	p.Drawer().Score(logq, x, 0)
	return vec.WeightedMean(logq, nil)
}

// thin returns at most n evenly spaced rows.
func thin(x *unit.States, n int) *unit.States {
	if x.Len <= n {
		return x
	}
	y := unit.NewStates(x.Spec, n)
	for k := range n {
		y.CopyRow(k, x, k*x.Len/n)
	}
	return y
}

// split holds out a tenth of n rows: those of every tenth chain, where row k comes from chain k/group%chains.
func split(n, group, chains int) (train, held []int) {
	for k := range n {
		if k/group%chains%10 == 9 || k == n-1 {
			held = append(held, k)
		} else {
			train = append(train, k)
		}
	}
	return train, held
}

// pick returns the given rows.
func pick(x *unit.States, at []int) *unit.States {
	y := unit.NewStates(x.Spec, len(at))
	for j, k := range at {
		y.CopyRow(j, x, k)
	}
	return y
}

// mixtureFit is the state of expectation maximisation.
type mixtureFit struct {
	x      *unit.States
	model  *rbm.RBM
	share  []float64   // π_z
	mean   [][]float64 // by component and channel
	global []float64   // mean of all rows, by channel
	square []float64   // mean square of real units
}

func fitComponents(x *unit.States, layer rbm.Layer, components int, o ProductsOptions) (*Products, error) {
	m, err := rbm.New(x.Spec, unit.Spec{Type: unit.Potts, N: 1, Q: components})
	if err != nil {
		return nil, err
	}
	if !x.Type.Discrete() {
		to := m.Visible.Params()
		for k, p := range layer.Params() {
			copy(to[k].Data, p.Data)
		}
	}
	f := &mixtureFit{x: x, model: m}
	f.begin(components, o.Seed)
	f.maximise()
	engine, err := batch.New(m, o.Workers)
	if err != nil {
		return nil, err
	}
	averages := engine.Averages(x.Len, batch.AveragesOptions{})
	energies, last := make([]float64, x.Len), math.Inf(-1)
	for range emSteps {
		if err := engine.Set(m); err != nil {
			return nil, err
		}
		engine.EffectiveEnergies(energies, batch.Visible, x)
		score := -vec.WeightedMean(energies, nil) // log Z is zero
		if score < last+emGain {
			break
		}
		last = score
		averages.Take(x, nil)
		f.collect(averages)
		f.maximise()
	}
	return NewProducts(m)
}

// begin puts components around seeds that are picked with probability ∝ squared distance to those picked before.
func (f *mixtureFit) begin(components int, seed uint64) {
	x, width := f.x, f.x.Width()
	f.global, f.square = make([]float64, width), make([]float64, width)
	values := make([]float64, x.N)
	for k := range x.Len {
		x.Values(values, k)
		for i, v := range values {
			c, factor := x.Channel(i, v)
			f.global[c] += factor / float64(x.Len)
			f.square[c] += factor * factor / float64(x.Len)
		}
	}
	random := rng.New(seed, rng.Refit, 0, 0).Rand()
	far := make([]float64, x.Len)
	pick := random.IntN(x.Len)
	for z := range components {
		mean := make([]float64, width)
		x.Values(values, pick)
		for i, v := range values {
			c, factor := x.Channel(i, v)
			mean[c] = factor
		}
		if x.Type.Discrete() {
			for c := range mean {
				mean[c] = 0.7*mean[c] + 0.3*f.global[c]
			}
		}
		f.mean, f.share = append(f.mean, mean), append(f.share, 1/float64(components))
		var total float64
		for k := range far {
			if d := x.SquaredDistance(k, x, pick); z == 0 || d < far[k] {
				far[k] = d
			}
			total += far[k]
		}
		u := random.Float64() * total
		for k, d := range far {
			if u -= d; u < 0 {
				pick = k
				break
			}
		}
	}
}

// collect takes the shares and means of the components from averages over the rows.
func (f *mixtureFit) collect(a batch.Averages) {
	joint := make([]float64, len(f.share))
	copy(f.share, a.H())
	for c := range f.global {
		clear(joint)
		a.AddVH(joint, c, 1)
		for z, x := range joint {
			f.mean[z][c] = x / max(f.share[z], 1e-300)
		}
	}
}

// prior is the number of rows, with the means of all rows, that are added to each component.
const prior = 2.0

// maximise sets the parameters of the mixture to its shares and means.
func (f *mixtureFit) maximise() {
	spec, rows := f.x.Spec, float64(f.x.Len)
	h := f.model.Hidden.(*rbm.Potts)
	inputs := make([][]float64, len(f.share))
	for z, share := range f.share {
		keep := rows * share / (rows*share + prior)
		mean := make([]float64, len(f.global))
		for c := range mean {
			mean[c] = keep*f.mean[z][c] + (1-keep)*towardsUniform(spec, f.global[c])
		}
		f.mean[z], inputs[z] = mean, make([]float64, len(mean))
	}
	switch spec.Type {
	case unit.Spin:
		f.invert(inputs, math.Atanh)
	case unit.Bernoulli:
		f.invert(inputs, func(p float64) float64 { return math.Log(p) - math.Log1p(-p) })
	case unit.Potts:
		f.invert(inputs, math.Log)
	default:
		f.fitReals(inputs)
	}
	for z, I := range inputs {
		for c, x := range I {
			f.model.Row(c)[z] = x
		}
		h.Fields[z] = math.Log(f.share[z]+1e-6) - math.Log1p(1e-6*float64(len(f.share))) - f.model.Visible.CGF(I)
	}
}

// towardsUniform keeps the mean of a discrete unit away from the ends of its range.
func towardsUniform(spec unit.Spec, mean float64) float64 {
	switch spec.Type {
	case unit.Spin:
		return 0.9 * mean
	case unit.Bernoulli:
		return 0.9*mean + 0.05
	case unit.Potts:
		return 0.9*mean + 0.1/float64(spec.Q)
	}
	return mean
}

func (f *mixtureFit) invert(inputs [][]float64, link func(mean float64) float64) {
	for z, mean := range f.mean {
		for c, x := range mean {
			inputs[z][c] = link(x)
		}
	}
}

// fitReals scales the potentials by the ratio of variances within components, and finds the inputs that give the
// means; both once per step of expectation maximisation.
func (f *mixtureFit) fitReals(inputs [][]float64) {
	l, n := f.model.Visible, len(f.global)
	for z, mean := range f.mean {
		inputsOf(l, inputs[z], mean)
	}
	have, variance, total := make([]float64, n), make([]float64, n), vec.Sum(f.share)
	want := append([]float64(nil), f.square...)
	for z, I := range inputs {
		l.Variance(variance, I)
		p := f.share[z] / total
		for i, mean := range f.mean[z] {
			have[i] += p * variance[i]
			want[i] -= p * mean * mean
		}
	}
	for _, p := range l.Params() {
		for i := range p.Data {
			ratio := have[i] / max(want[i], 1e-3*f.square[i], 1e-12)
			p.Data[i] *= min(max(ratio, 0.2), 5)
		}
	}
	for z, mean := range f.mean {
		inputsOf(l, inputs[z], mean)
	}
}

// inputsOf finds, by bisection, the inputs at which real units have the given means.
func inputsOf(l rbm.Layer, I, mean []float64) {
	n := len(I)
	lo, hi, got := make([]float64, n), make([]float64, n), make([]float64, n)
	low, _ := l.Spec().Range()
	for i := range I {
		lo[i], hi[i] = -1, 1
	}
	for range 40 { // widen
		l.Mean(got, lo)
		for i := range lo {
			if got[i] > mean[i] {
				lo[i] *= 2
			}
		}
		l.Mean(got, hi)
		for i := range hi {
			if got[i] < mean[i] {
				hi[i] *= 2
			}
		}
	}
	if low == 0 { // a mean of zero is the limit of an input of −∞
		for i := range lo {
			lo[i] = max(lo[i], -1e6)
		}
	}
	for range 60 {
		for i := range I {
			I[i] = (lo[i] + hi[i]) / 2
		}
		l.Mean(got, I)
		for i := range I {
			if got[i] < mean[i] {
				lo[i] = I[i]
			} else {
				hi[i] = I[i]
			}
		}
	}
}
