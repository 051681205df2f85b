package interpret

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"instanton/batch"
	"instanton/dataset"
	"instanton/internal/vec"
	"instanton/rbm"
)

// Units is what the hidden units of a model make of data.
type Units struct {
	Units []Unit // most important first
	Rows  []int  // configurations of the data that were used
	// Active is the mean number of units that take part in a configuration, (Σ_μ x_μ²)²/Σ_μ x_μ⁴ where x_μ is the mean
	// of h_μ, relative to its own mean over the data and in units of its standard deviation.
	Active float64

	inputs []float64 // rows of hidden channels
	width  int
}

// Unit describes a hidden unit, or one state of a Potts unit: both have a column of weights and an input.
type Unit struct {
	Index int // of the unit
	State int // of a Potts unit, otherwise −1

	Weights []float64 // one per visible channel, in the zero-sum gauge
	// Importance is ⟨Γ''⟩ Σ w²: the strength of the effective couplings that the unit makes. It does not depend on the
	// scale of real units.
	Importance float64
	// Sites is the effective number of visible units with weights, (Σ_i n_i)²/Σ_i n_i² with n_i = Σ_a w_ia².
	Sites float64
	// Determined is the share of the variance of h that the data determine, Var⟨h|v⟩ / (Var⟨h|v⟩ + ⟨Var(h|v)⟩).
	Determined float64
	Silent     bool // it determines next to nothing: Determined < 0.01

	InputMean, InputSD float64
	// Skewness of the inputs over the data: zero if they are as often as far above as below their mean.
	Skewness float64
	// Share of configurations with an input above the middle of its range. Two-sided units are near one half.
	Upper float64
	// Duplicate is the index in Units of a more important unit whose weights are parallel (|cosine| > 0.95), or −1.
	// Silent units are nobody's duplicates.
	Duplicate int
	Cosine    float64 // with the unit whose weights are most parallel

	Up, Down []int     // configurations of the data with the largest and the smallest inputs
	AUC      []float64 // for each class of Classes, how well the input tells it from the others; nil without labels
	Best     int       // the class that the unit tells best, −1 without labels

	channel int
}

// Limits of what is called silent and a duplicate.
const (
	silentBelow    = 0.01
	parallelAbove  = 0.95
	drivingRows    = 8
	mostUnitRows   = 50000
	mostInputs     = 1 << 24 // rows times hidden channels
	pairwiseSample = 5000    // rows for correlations between units
)

// NewUnits describes the hidden units of a model by data: all of it, or evenly spaced rows if there are more than
// 50,000 (fewer for more than 335 hidden units). Weights of the data count in averages.
func NewUnits(m *rbm.RBM, d *dataset.Dataset) (*Units, error) {
	if d.States.Spec != m.Visible.Spec() {
		return nil, fmt.Errorf("data of %s: the model has visible units %s", d.States.Spec, m.Visible.Spec())
	}
	u := &Units{width: m.Hidden.Spec().Width()}
	most := max(1, min(mostUnitRows, mostInputs/u.width))
	step := (d.States.Len + most - 1) / most
	for k := 0; k < d.States.Len; k += step {
		u.Rows = append(u.Rows, k)
	}
	if step > 1 {
		d = d.Pick(u.Rows)
	}
	engine, err := batch.New(m, 0)
	if err != nil {
		return nil, err
	}
	u.inputs = make([]float64, d.States.Len*u.width)
	means := make([]float64, d.States.Len*u.width)
	engine.Inputs(u.inputs, batch.Hidden, d.States)
	engine.Means(means, batch.Hidden, d.States)
	couplings, err := NewCouplings(m, d.States, d.Weights)
	if err != nil {
		return nil, err
	}
	q := m.Hidden.Spec().Channels()
	standard := make([]float64, len(means))
	for c := range u.width {
		one := Unit{Index: c / q, State: -1, Duplicate: -1, Best: -1, channel: c}
		if q > 1 {
			one.State = c % q
		}
		one.describeWeights(couplings, c)
		x, h := column(u.inputs, u.width, c), column(means, u.width, c)
		one.describeInputs(x, h, d.Weights, couplings.Response[c], standard[c:], u.width)
		one.Up, one.Down = u.extremes(x)
		one.tell(x, d)
		u.Units = append(u.Units, one)
	}
	slices.SortStableFunc(u.Units, func(a, b Unit) int { return cmp.Compare(b.Importance, a.Importance) })
	u.findDuplicates()
	u.Active = active(standard, u.width, d.Weights)
	return u, nil
}

// column copies a column of a matrix.
func column(x []float64, width, c int) []float64 {
	out := make([]float64, len(x)/width)
	for k := range out {
		out[k] = x[k*width+c]
	}
	return out
}

// describeWeights takes the weights and how many sites they are spread over.
func (one *Unit) describeWeights(c *Couplings, channel int) {
	q := c.Spec.Channels()
	var sum, squares, norm float64
	for r := range c.Spec.Width() {
		w := c.weights[r*c.width+channel]
		one.Weights = append(one.Weights, w)
		norm += w * w
		if (r+1)%q == 0 {
			var n float64
			for _, w := range one.Weights[r+1-q:] {
				n += w * w
			}
			sum, squares = sum+n, squares+n*n
		}
	}
	one.Importance = c.Response[channel] * norm
	if squares > 0 {
		one.Sites = sum * sum / squares
	}
}

// describeInputs takes the moments of inputs x and means h, and sets every width-th number of standard to the
// standardised means.
func (one *Unit) describeInputs(x, h, weights []float64, response float64, standard []float64, width int) {
	one.InputMean = vec.WeightedMean(x, weights)
	lo, hi := slices.Min(x), slices.Max(x)
	second, third, upper := make([]float64, len(x)), make([]float64, len(x)), make([]float64, len(x))
	for k, v := range x {
		d := v - one.InputMean
		second[k], third[k] = d*d, d*d*d
		if v > (lo+hi)/2 {
			upper[k] = 1
		}
	}
	one.InputSD = math.Sqrt(vec.WeightedMean(second, weights))
	if one.InputSD > 0 {
		one.Skewness = vec.WeightedMean(third, weights) / math.Pow(one.InputSD, 3)
	}
	one.Upper = vec.WeightedMean(upper, weights)
	mean := vec.WeightedMean(h, weights)
	for k, v := range h {
		second[k] = (v - mean) * (v - mean)
	}
	variance := vec.WeightedMean(second, weights)
	if variance+response > 0 {
		one.Determined = variance / (variance + response)
	}
	one.Silent = one.Determined < silentBelow
	if variance > 0 {
		for k, v := range h {
			standard[k*width] = (v - mean) / math.Sqrt(variance)
		}
	}
}

// extremes are the rows with the largest and the smallest inputs, as rows of the whole data.
func (u *Units) extremes(x []float64) (up, down []int) {
	order := make([]int, len(x))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(x[b], x[a]) })
	n := min(drivingRows, len(order)/2)
	for k := range n {
		up = append(up, u.Rows[order[k]])
		down = append(down, u.Rows[order[len(order)-1-k]])
	}
	return up, down
}

// tell finds how well the inputs tell each class from the others.
func (one *Unit) tell(x []float64, d *dataset.Dataset) {
	classes := d.Classes()
	if len(classes) < 2 {
		return
	}
	first, ranks := make([]bool, len(x)), Ranks(x)
	best := 0.0
	for k, class := range classes {
		for row, l := range d.Labels {
			first[row] = l == class.Label
		}
		a := aucOfRanks(ranks, first)
		one.AUC = append(one.AUC, a)
		// Of two classes that are told equally well, the one with large inputs counts.
		e := math.Abs(a - 0.5)
		if one.Best < 0 || e > best+1e-9 || e > best-1e-9 && a > 0.5 && one.AUC[one.Best] < 0.5 {
			one.Best, best = k, e
		}
	}
}

// findDuplicates compares the weights of all pairs of units.
func (u *Units) findDuplicates() {
	directions := make([][]float64, len(u.Units))
	for k, one := range u.Units {
		if norm := vec.Norm(one.Weights); norm > 0 {
			directions[k] = slices.Clone(one.Weights)
			vec.Scale(1/norm, directions[k])
		}
	}
	for k := range u.Units {
		for j := range k {
			if directions[k] == nil || directions[j] == nil {
				continue
			}
			a, b, cosine := &u.Units[k], &u.Units[j], vec.Dot(directions[k], directions[j])
			for _, one := range []*Unit{a, b} {
				if math.Abs(cosine) > math.Abs(one.Cosine) {
					one.Cosine = cosine
				}
			}
			if math.Abs(cosine) > parallelAbove && a.Duplicate < 0 && !a.Silent {
				a.Duplicate = j
			}
		}
	}
}

// Correlation is that of the inputs of units over the data, or over 5,000 evenly spaced rows of them, in the order of
// Units; it is zero for an input that never changes.
func (u *Units) Correlation() [][]float64 {
	rows := len(u.inputs) / u.width
	step := (rows + pairwiseSample - 1) / pairwiseSample
	columns := make([][]float64, len(u.Units)) // with the mean zero and the norm one
	for k, one := range u.Units {
		var x []float64
		for row := 0; row < rows; row += step {
			x = append(x, u.inputs[row*u.width+one.channel])
		}
		mean := vec.Sum(x) / float64(len(x))
		for n := range x {
			x[n] -= mean
		}
		if norm := vec.Norm(x); norm > 1e-12*math.Abs(mean)*math.Sqrt(float64(len(x))) {
			vec.Scale(1/norm, x)
		} else {
			clear(x)
		}
		columns[k] = x
	}
	r := matrix(len(columns))
	for k := range columns {
		r[k][k] = 1
		for j := range k {
			r[k][j] = vec.Dot(columns[k], columns[j])
			r[j][k] = r[k][j]
		}
	}
	return r
}

// active is the mean participation of units in rows of standardised means.
func active(x []float64, width int, weights []float64) float64 {
	counts := make([]float64, len(x)/width)
	for k := range counts {
		var second, fourth float64
		for _, v := range x[k*width : (k+1)*width] {
			second += v * v
			fourth += v * v * v * v
		}
		if fourth > 0 {
			counts[k] = second * second / fourth
		}
	}
	return vec.WeightedMean(counts, weights)
}
