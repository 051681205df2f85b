package figure

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"instanton/mixing"
	"instanton/paper/experiment"
	"instanton/paper/verdict"
	"instanton/plot"
)

func weightsMNISTFigure() verdict.Figure {
	return verdict.Figure{
		Name: "fig-weights-mnist", Title: "Zeros and ones in the hidden units",
		Shows: "Correlations of the inputs of the hidden units of the model of zeros and ones over its training " +
			"images, the units sorted by the top eigenvector, and the weights of two units.",
		Version: 3, Run: runWeightsMNIST,
	}
}

func runWeightsMNIST(ctx context.Context, s verdict.Settings) (*verdict.Result, error) {
	d, err := experiment.TrainDigits(ctx, s, experiment.ZerosAndOnes(s.Quick))
	if err != nil {
		return withoutMNIST(s, err)
	}
	return weightsResult(d)
}

// collective is the common mode of the hidden units: the top eigenvector of the correlations of their inputs.
type collective struct {
	inputs      [][]float64 // by image
	correlation [][]float64
	values      []float64 // eigenvalues, falling
	top         []float64 // components, positive for units that ones excite
	order       []int     // units by falling component
	accuracy    float64   // share of images whose class the mode tells
}

func collectiveMode(d *experiment.Digits) (*collective, error) {
	m := d.Model
	n, units := d.Train.States.Len, m.Hidden.Spec().N
	c := &collective{inputs: make([][]float64, n)}
	v := make([]float64, d.Train.States.N)
	for k := range c.inputs {
		c.inputs[k] = make([]float64, units)
		d.Train.States.Values(v, k)
		m.Inputs(c.inputs[k], v)
	}
	c.correlation = mixing.Correlation(c.inputs)
	symmetric := mat.NewSymDense(units, nil)
	for a, row := range c.correlation {
		for b := range a + 1 {
			symmetric.SetSym(a, b, row[b])
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(symmetric, true) {
		return nil, fmt.Errorf("the eigenvalues of %d × %d correlations were not found", units, units)
	}
	c.values = eigen.Values(nil)
	slices.Reverse(c.values)
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	c.top = mat.Col(nil, units-1, &vectors)
	c.align(d.Train.Labels)
	for mu := range units {
		c.order = append(c.order, mu)
	}
	slices.SortStableFunc(c.order, func(a, b int) int { return cmp.Compare(c.top[b], c.top[a]) })
	return c, nil
}

// align gives the mode the sign that is positive for ones, and finds how well the sign tells the images.
func (c *collective) align(labels []int) {
	mean, deviation := make([]float64, len(c.top)), make([]float64, len(c.top))
	for mu := range c.top {
		x := make([]float64, len(c.inputs))
		for k, in := range c.inputs {
			x[k] = in[mu]
		}
		mean[mu], _ = experiment.MeanError(x)
		deviation[mu] = stat.StdDev(x, nil)
	}
	right := 0
	for k, in := range c.inputs {
		sum := 0.0
		for mu, x := range in {
			if deviation[mu] > 0 {
				sum += c.top[mu] * (x - mean[mu]) / deviation[mu]
			}
		}
		if sum > 0 == (labels[k] == 1) {
			right++
		}
	}
	c.accuracy = float64(right) / float64(len(labels))
	if c.accuracy < 0.5 {
		c.accuracy = 1 - c.accuracy
		for mu := range c.top {
			c.top[mu] = -c.top[mu]
		}
	}
}

// blocks are the mean correlations of different units on the same side of the mode and on different sides, and
// the number of units on the side of ones.
func (c *collective) blocks() (same, other float64, ones int) {
	var n, m int
	for a, row := range c.correlation {
		if c.top[a] > 0 {
			ones++
		}
		for b, x := range row[:a] {
			if c.top[a] > 0 == (c.top[b] > 0) {
				same, n = same+x, n+1
			} else {
				other, m = other+x, m+1
			}
		}
	}
	return same / float64(max(1, n)), other / float64(max(1, m)), ones
}

func weightsResult(d *experiment.Digits) (*verdict.Result, error) {
	c, err := collectiveMode(d)
	if err != nil {
		return nil, err
	}
	var r verdict.Result
	units := len(c.top)
	first, last := c.order[0], c.order[units-1]
	r.Draw("",
		fmt.Sprintf("(a) Correlations of the inputs I_μ of the %d hidden units over the training images, the units "+
			"sorted by their components of the top eigenvector. Weights of the unit that is most "+
			"excited by ones (b) and by zeros (c), on the pixels of an image.", units),
		plot.Figure{Columns: 3, Width: plot.TwoColumns, Panels: []plot.Panel{
			{X: plot.Axis{Label: "hidden unit, sorted"}, Y: plot.Axis{Label: "hidden unit, sorted"},
				Series: []plot.Series{
					plot.Heatmap{Z: c.sorted(), Map: plot.Diverging,
						Bar: plot.Axis{Label: "correlation", Limits: plot.Between(-1, 1)}}}},
			weightPanel(d, first), weightPanel(d, last),
		}})
	table := r.Table("units", "Components of the top eigenvector, sorted.", "unit", "component")
	for _, mu := range c.order {
		table.Add(mu, c.top[mu])
	}
	same, other, ones := c.blocks()
	clusters := verdict.Claim{
		Name: "two-clusters", Where: "figure weights MNIST (a)",
		Statement: "The inputs of the hidden units form two clusters, of zeros and of ones.",
		Criterion: "the top eigenvalue of their correlations is at least three times the second, and its mode tells " +
			"zeros from ones in 95 % of the training images",
		Measured: []verdict.Measured{
			{Name: "top eigenvalue over M", Value: c.values[0] / float64(units)},
			{Name: "second", Value: c.values[1] / float64(units)}, {Name: "images told", Value: c.accuracy},
			{Name: "mean correlation within clusters", Value: same}, {Name: "between", Value: other},
		},
		Verdict: verdict.Judge(c.values[0] >= 3*c.values[1] && c.accuracy >= 0.95),
	}
	if c.accuracy >= 0.95 {
		clusters.Correction = fmt.Sprintf("one collective mode tells the digits, in which units take part to all "+
			"degrees, rather than two separate clusters: its eigenvalue is %.2g times the second.",
			c.values[0]/c.values[1])
	}
	r.Claim(clusters)
	change, err := turnedToOnes(d, c)
	if err != nil {
		return nil, err
	}
	share, binomial := float64(ones)/float64(units), 0.5/math.Sqrt(float64(units))
	r.Claim(verdict.Claim{
		Name: "half", Where: "figure weights MNIST, caption",
		Statement: "Either digit is attached to roughly half of the hidden units.",
		Criterion: "the share of units on the side of ones is 1/2 within three standard errors of a fair coin per unit",
		Tautology: "turning a spin with its weights and field, h → −h, leaves P(v) as it is and puts the unit on the " +
			"other side: the side of a unit is a convention, set by the random signs that training starts from.",
		Measured: []verdict.Measured{{Name: "share on the side of ones", Value: share, Error: binomial},
			{Name: "largest change of E_eff of a test image when all units are turned to that side", Value: change}},
		Verdict: verdict.Judge(math.Abs(share-0.5) < 3*binomial),
	})
	r.Values = map[string]any{"eigenvalues": c.values, "correlations_sorted": c.sorted()}
	return &r, nil
}

// sorted are the correlations in the order of the mode.
func (c *collective) sorted() [][]float64 {
	z := make([][]float64, len(c.order))
	for j, a := range c.order {
		for _, b := range c.order {
			z[j] = append(z[j], c.correlation[a][b])
		}
	}
	return z
}

// weightPanel shows the weights of a hidden unit as an image.
func weightPanel(d *experiment.Digits, mu int) plot.Panel {
	side := int(math.Round(math.Sqrt(float64(d.Model.Visible.Spec().N))))
	z := make([][]float64, side)
	most := 0.0
	for i := range side * side {
		w := d.Model.Row(i)[mu]
		row := side - 1 - i/side // rows of a heat map rise
		z[row] = append(z[row], w)
		most = max(most, math.Abs(w))
	}
	return plot.Panel{Series: []plot.Series{plot.Heatmap{Z: z, Map: plot.Diverging,
		Bar: plot.Axis{Label: fmt.Sprintf("$W_{i,%d}$", mu+1), Limits: plot.Between(-most, most)}}},
		X: plot.Axis{Label: "column", Ticks: []plot.Tick{{Value: 0, Label: "0"}, {Value: float64(side),
			Label: fmt.Sprint(side)}}},
		Y: plot.Axis{Label: "row", Ticks: []plot.Tick{{Value: 0, Label: fmt.Sprint(side)}, {Value: float64(side),
			Label: "0"}}}}
}

// turnedToOnes is the largest change of the effective energy of test images when every unit is turned to the side of
// ones.
func turnedToOnes(d *experiment.Digits, c *collective) (float64, error) {
	m := d.Model.Clone()
	for mu, x := range c.top {
		if x < 0 {
			if err := m.Flip(mu); err != nil {
				return 0, err
			}
		}
	}
	most := 0.0
	v := make([]float64, d.Test.States.N)
	for _, k := range evenlySpaced(d.Test.States, 100) {
		d.Test.States.Values(v, k)
		most = max(most, math.Abs(m.EffectiveEnergy(v)-d.Model.EffectiveEnergy(v)))
	}
	return most, nil
}
