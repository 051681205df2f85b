package train

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"instanton/batch"
	"instanton/internal/rng"
	"instanton/internal/vec"
	"instanton/rbm"
	"instanton/unit"
)

// contrast asks a classifier to tell the configurations of chains from data: a linear discriminant in sites, hidden
// means, the energy, and the products of those sites that are most correlated in the data. It is trained on a part of
// the rows and asked about the others, until it has been asked about all.
type contrast struct {
	data    *unit.States
	weights []float64
	sites   []int    // channels
	pairs   [][2]int // of channels
}

// Limits on the work of the classifier, and its regularisation.
const (
	contrastRows  = 400 // of each kind
	contrastSites = 128
	contrastUnits = 64 // hidden
	contrastPairs = 192
	contrastRidge = 0.1 // added to variances of one, besides the number of features per datum
	contrastLeast = 10  // rows of each kind
	contrastFolds = 10  // parts of the rows if there are few data, else 2
	contrastFew   = 100
)

// newContrast chooses the features by the data.
func newContrast(data *unit.States, weights []float64) *contrast {
	c := &contrast{data: data, weights: weights}
	if data.Len > contrastRows {
		c.data = unit.NewStates(data.Spec, contrastRows)
		var picked []float64
		for k := range contrastRows {
			row := k * data.Len / contrastRows
			c.data.CopyRow(k, data, row)
			if weights != nil {
				picked = append(picked, weights[row])
			}
		}
		c.weights = picked
	}
	width, n := data.Width(), c.data.Len
	x := mat.NewDense(n, width, nil)
	for k := range n {
		channels(x.RawRowView(k), c.data, k)
	}
	variance := standardiseColumns(x, c.weights)
	c.sites = largest(variance, contrastSites)
	corr := make([]float64, 0, len(c.sites)*(len(c.sites)+1)/2)
	var all [][2]int
	a, b := make([]float64, n), make([]float64, n)
	for s, i := range c.sites {
		mat.Col(a, i, x)
		if !data.Type.Discrete() { // a square says something new
			all, corr = append(all, [2]int{i, i}), append(corr, 2)
		}
		for _, j := range c.sites[:s] {
			if i/data.Channels() == j/data.Channels() {
				continue
			}
			mat.Col(b, j, x)
			var sum float64
			for k := range a {
				sum += weightOr1(c.weights, k) * a[k] * b[k]
			}
			all, corr = append(all, [2]int{i, j}), append(corr, math.Abs(sum))
		}
	}
	for _, k := range largest(corr, contrastPairs) {
		c.pairs = append(c.pairs, all[k])
	}
	return c
}

// separation is the probability that the classifier, shown a datum and the configuration of a chain, tells which is
// which (the area under its curve): one half where the chains look like the data. The error is its standard error.
func (c *contrast) separation(m *rbm.RBM, chains *unit.States) (area, standardError float64, err error) {
	if c.data.Len < contrastLeast || chains.Len < contrastLeast {
		return 0, 0, fmt.Errorf("%d samples and %d chains: expected at least %d of each", c.data.Len, chains.Len,
			contrastLeast)
	}
	if chains.Len > contrastRows {
		some := unit.NewStates(chains.Spec, contrastRows)
		for k := range contrastRows {
			some.CopyRow(k, chains, k*chains.Len/contrastRows)
		}
		chains = some
	}
	x, err := c.features(m, chains)
	if err != nil {
		return 0, 0, err
	}
	// Both kinds weigh the same.
	n := c.data.Len
	weights := make([]float64, n+chains.Len)
	var total, squares float64
	for k := range n {
		weights[k] = weightOr1(c.weights, k)
		total += weights[k]
		squares += weights[k] * weights[k]
	}
	for k := range weights {
		if k < n {
			weights[k] /= total
		} else {
			weights[k] = 1 / float64(chains.Len)
		}
	}
	standardiseColumns(x, weights)
	folds := 2
	if n < contrastFew {
		folds = contrastFolds
	}
	part := partition(n, chains.Len, folds)
	for fold := range folds {
		direction, ok := discriminant(x, weights, n, part, fold)
		if !ok {
			return 0, 0, fmt.Errorf("the features of data and chains are not finite")
		}
		area += areaUnderCurve(x, weights, direction, n, part, fold) / float64(folds)
	}
	return area, areaError(area, total*total/squares, float64(chains.Len)), nil
}

// partition deals data and chains to folds at random: their order may mean something.
func partition(data, chains, folds int) []int {
	r := rng.New(0, rng.Thin, 2, 0).Rand()
	part := make([]int, 0, data+chains)
	for _, count := range []int{data, chains} {
		for _, k := range r.Perm(count) {
			part = append(part, k%folds)
		}
	}
	return part
}

// areaError is the standard error of the area under the curve of n and m independent scores (Hanley and McNeil 1982).
func areaError(a, n, m float64) float64 {
	b, c := a/(2-a), 2*a*a/(1+a)
	return math.Sqrt(max(0, a*(1-a)+(n-1)*(b-a*a)+(m-1)*(c-a*a)) / (n * m))
}

// features has a row for every datum and then for every chain.
func (c *contrast) features(m *rbm.RBM, chains *unit.States) (*mat.Dense, error) {
	engine, err := batch.New(m, 0)
	if err != nil {
		return nil, err
	}
	width, units := c.data.Width(), m.Hidden.Spec().Width()
	shown := min(units, contrastUnits)
	x := mat.NewDense(c.data.Len+chains.Len, len(c.sites)+len(c.pairs)+shown+1, nil)
	row := make([]float64, width)
	at := 0
	for _, v := range []*unit.States{c.data, chains} {
		hidden, energies := make([]float64, v.Len*units), make([]float64, v.Len)
		engine.Means(hidden, batch.Hidden, v)
		engine.EffectiveEnergies(energies, batch.Visible, v)
		for k := range v.Len {
			channels(row, v, k)
			f := x.RawRowView(at)[:0]
			for _, i := range c.sites {
				f = append(f, row[i])
			}
			for _, p := range c.pairs {
				f = append(f, row[p[0]]*row[p[1]])
			}
			f = append(f, hidden[k*units:k*units+shown]...)
			_ = append(f, energies[k])
			at++
		}
	}
	return x, nil
}

// channels writes a configuration channel by channel.
func channels(dst []float64, v *unit.States, k int) {
	clear(dst)
	for i := range v.N {
		c, x := v.Channel(i, v.Value(k, i))
		dst[c] = x
	}
}

// standardiseColumns gives every column mean zero and variance one; constant columns become zero. It returns the
// variances.
func standardiseColumns(x *mat.Dense, weights []float64) []float64 {
	rows, cols := x.Dims()
	mean, variance := make([]float64, cols), make([]float64, cols)
	var total float64
	for k := range rows {
		w := weightOr1(weights, k)
		total += w
		vec.AddScaled(mean, w, x.RawRowView(k))
	}
	vec.Scale(1/total, mean)
	for k := range rows {
		row, w := x.RawRowView(k), weightOr1(weights, k)
		for j := range row {
			row[j] -= mean[j]
			variance[j] += w * row[j] * row[j] / total
		}
	}
	for k := range rows {
		row := x.RawRowView(k)
		for j, s := range variance {
			if s > 1e-12 {
				row[j] /= math.Sqrt(s)
			} else {
				row[j] = 0
			}
		}
	}
	return variance
}

// discriminant is Fisher's: S⁻¹ times the difference of the means, from the rows outside of a fold, of which those
// below n are data. S is the covariance within the two kinds.
func discriminant(x *mat.Dense, weights []float64, n int, part []int, fold int) ([]float64, bool) {
	rows, cols := x.Dims()
	var means [2][]float64
	var totals [2]float64
	kind := func(k int) int {
		if k < n {
			return 1
		}
		return 0
	}
	for s := range means {
		means[s] = make([]float64, cols)
	}
	for k := range rows {
		if part[k] == fold {
			continue
		}
		s := kind(k)
		totals[s] += weights[k]
		vec.AddScaled(means[s], weights[k], x.RawRowView(k))
	}
	for s := range means {
		vec.Scale(1/totals[s], means[s])
	}
	scaled := mat.NewDense(rows, cols, nil) // rows of the fold stay zero
	for k := range rows {
		if part[k] == fold {
			continue
		}
		row, s := scaled.RawRowView(k), kind(k)
		copy(row, x.RawRowView(k))
		vec.AddScaled(row, -1, means[s])
		vec.Scale(math.Sqrt(weights[k]/totals[s]/2), row)
	}
	var within mat.SymDense
	within.SymOuterK(1, scaled.T())
	for j := range cols {
		within.SetSym(j, j, within.At(j, j)+contrastRidge+float64(cols)/float64(n))
	}
	difference := mat.NewVecDense(cols, nil)
	for j := range cols {
		difference.SetVec(j, means[1][j]-means[0][j])
	}
	var chol mat.Cholesky
	if !chol.Factorize(&within) {
		return nil, false
	}
	var w mat.VecDense
	if err := chol.SolveVecTo(&w, difference); err != nil {
		return nil, false
	}
	return w.RawVector().Data, true
}

// areaUnderCurve is the probability that the score of a datum is above that of a chain, in one fold; ties count half.
func areaUnderCurve(x *mat.Dense, weights, direction []float64, n int, part []int, fold int) float64 {
	type scored struct {
		score, weight float64
		datum         bool
	}
	var all []scored
	rows, _ := x.Dims()
	for k := range rows {
		if part[k] == fold {
			all = append(all, scored{vec.Dot(x.RawRowView(k), direction), weights[k], k < n})
		}
	}
	slices.SortFunc(all, func(a, b scored) int { return cmp.Compare(a.score, b.score) })
	var data, chains, area float64 // weights so far
	for lo := 0; lo < len(all); {
		hi := lo
		var d, c float64
		for ; hi < len(all) && all[hi].score == all[lo].score; hi++ {
			if all[hi].datum {
				d += all[hi].weight
			} else {
				c += all[hi].weight
			}
		}
		area += d * (chains + c/2)
		data, chains, lo = data+d, chains+c, hi
	}
	return area / (data * chains)
}

// largest lists the positions of the largest numbers, at most count, in their order.
func largest(x []float64, count int) []int {
	order := make([]int, len(x))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(x[b], x[a]) })
	order = order[:min(count, len(order))]
	slices.Sort(order)
	return order
}

// weightOr1 is the weight of a row, or 1 without weights.
func weightOr1(weights []float64, k int) float64 {
	if weights == nil {
		return 1
	}
	return weights[k]
}
