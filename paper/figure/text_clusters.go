package figure

import (
	"context"
	"fmt"
	"math"

	"instanton/mixing"
	"instanton/paper/experiment"
	"instanton/paper/verdict"
	"instanton/plot"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

func clustersFigure() verdict.Figure {
	return verdict.Figure{
		Name: "text-clusters", Title: "Block size and clusters of hidden units",
		Shows: "The paper proposes to read the size D of blocks of hidden units that are moved together off the " +
			"clusters of the hidden units' covariance, sampled from different data points. Here the clusters are " +
			"compared with the " +
			"number of hidden units that differ between states that a chain should go between.",
		Version: 3, Run: runClusters,
	}
}

// clusterCase is a model with pairs of states that chains should go between.
type clusterCase struct {
	name    string
	machine *rbm.RBM
	starts  *unit.States
	pairs   [][2]int // of starts

	needed, neededErr float64
	largest           float64
	correlation       [][]float64
}

func runClusters(ctx context.Context, s verdict.Settings) (*verdict.Result, error) {
	b, err := experiment.TrainBAS(ctx, s, experiment.BASSparse)
	if err != nil {
		return nil, err
	}
	aligned, err := experiment.AlignedHopfield(pairWeight)
	if err != nil {
		return nil, err
	}
	rotated, err := experiment.RotatedHopfield(pairWeight, rotationSeed(s, 0))
	if err != nil {
		return nil, err
	}
	lines, classes := neighbours(b)
	var states [][2]int // all pairs of Mattis states but opposites
	for a := range 2 * experiment.HopfieldPatterns {
		for c := range a {
			if a%experiment.HopfieldPatterns != c%experiment.HopfieldPatterns {
				states = append(states, [2]int{a, c})
			}
		}
	}
	cases := []*clusterCase{
		{name: "BAS, a line more or less", machine: b.Model, starts: b.Data.States, pairs: lines},
		{name: "BAS, bars to stripes", machine: b.Model, starts: b.Data.States, pairs: classes},
		{name: "Hopfield, aligned", machine: aligned, starts: aligned.PatternsAndOpposites(),
			pairs: states},
		{name: "Hopfield, rotated", machine: rotated, starts: rotated.PatternsAndOpposites(),
			pairs: states},
	}
	var r verdict.Result
	basTable(&r, b)
	t := r.Table("blocks",
		"Hidden units that differ between two states by more than three standard deviations of their law given the "+
			"visible units, mean over pairs of states, and the largest cluster of hidden units.", "states",
		"units that differ", "error", "largest cluster")
	t.Shown = true
	claim := verdict.Claim{
		Name: "block-size", Where: "conclusion",
		Statement: "The order of magnitude of D can be estimated by clustering the covariance matrix of the hidden " +
			"units, sampled from different data points.",
		Criterion: "the largest cluster is within a factor of two of the number of hidden units that have to " +
			"change, in all four cases",
	}
	within := true
	smallest, largest, few, many := math.Inf(1), 0.0, math.Inf(1), 0.0
	for _, c := range cases {
		if err := c.measure(ctx, s); err != nil {
			return nil, err
		}
		t.Add(c.name, c.needed, c.neededErr, c.largest)
		claim.Measured = append(claim.Measured, verdict.Measured{Name: "units to change: " + c.name, Value: c.needed,
			Error: c.neededErr}, verdict.Measured{Name: "largest cluster", Value: c.largest, Error: 0})
		within = within && c.largest <= 2*c.needed && c.needed <= 2*c.largest
		smallest, largest, few, many = min(smallest, c.largest), max(largest, c.largest), min(few, c.needed),
			max(many, c.needed)
	}
	claim.Verdict = verdict.Judge(within)
	size := "one unit"
	if largest > 1 {
		size = fmt.Sprintf("%g to %g units", smallest, largest)
	}
	claim.Correction = fmt.Sprintf("The largest cluster has %s in the four cases, where states differ by %.3g to "+
		"%.3g: it is no estimate of D. ", size, few, many) +
		"Clusters miss collective changes that leave no correlation: bars and stripes have lines on and off alike, " +
		"so that units of one class are uncorrelated although all fall silent together; " +
		"and the Mattis states are orthogonal and come with their opposites, so that the covariance of the hidden " +
		"units is a multiple of one in any basis."
	r.Claim(claim)
	var panels []plot.Panel
	for k, c := range []*clusterCase{cases[0], cases[2], cases[3]} {
		n := len(c.correlation)
		panels = append(panels,
			plot.Panel{Title: []string{"Bars and Stripes", "Hopfield, aligned", "Hopfield, rotated"}[k],
				X: plot.Axis{Label: "hidden unit"}, Y: plot.Axis{Label: "hidden unit"},
				Series: []plot.Series{plot.Heatmap{Z: c.correlation, X: [2]float64{0.5, float64(n) + 0.5},
					Y: [2]float64{0.5, float64(n) + 0.5}, Map: plot.Diverging,
					Bar: plot.Axis{Label: "correlation", Limits: plot.Between(-1, 1)}}}})
	}
	r.Draw("",
		fmt.Sprintf("Correlations of hidden units over samples of alternating Gibbs sampling from all data points. "+
			"(a) RBM trained on Bars and Stripes with L1, L = %d. (b), (c) Hopfield model, N = 128, M = 6, w = 1.5, "+
			"weights aligned with the patterns and rotated.", b.Side),
		plot.Figure{Columns: 3, Width: plot.TwoColumns, Panels: panels})
	return &r, nil
}

// neighbours are pairs of images that differ by one line, and pairs of bars and stripes, some of each.
func neighbours(b *experiment.BAS) (lines, classes [][2]int) {
	each := 1 << b.Side // bars by their lines; stripes with lines l are number 2^L − 1 + l
	for a := 1; a < each-1; a++ {
		for l := range b.Side {
			if c := a ^ 1<<l; c > a && c < each-1 {
				lines = append(lines, [2]int{a, c})
			}
		}
		classes = append(classes, [2]int{a, each - 1 + a})
	}
	return lines, classes
}

// measure counts the units that differ, and clusters those of samples from the starts.
func (c *clusterCase) measure(ctx context.Context, s verdict.Settings) error {
	h := mixing.Representations(c.machine, c.starts)
	deviation := make([]float64, c.machine.Hidden.Spec().N)
	c.machine.Hidden.Variance(deviation, make([]float64, len(deviation)))
	var x []float64
	for _, p := range c.pairs {
		n := 0.0
		for mu, v := range deviation {
			if math.Abs(h[p[0]][mu]-h[p[1]][mu]) > 3*math.Sqrt(v) {
				n++
			}
		}
		x = append(x, n)
	}
	if c.needed, c.neededErr = experiment.MeanError(x); c.neededErr < 1e-9 { // the same for all pairs
		c.needed, c.neededErr = x[0], 0
	}
	kernel, err := sampler.NewGibbs(c.machine, 1)
	if err != nil {
		return err
	}
	many := c.starts.Len
	for many < 200 { // over and over from few starts
		many += c.starts.Len
	}
	chains := sampler.NewChains(c.machine, many, s.SeedFor("clusters "+c.name))
	if err := chains.Begin(c.starts); err != nil {
		return err
	}
	if err := sampler.NewPool(kernel, s.Workers).Run(ctx, chains, 20); err != nil {
		return err
	}
	for _, group := range mixing.HiddenClusters(c.machine, chains.V, len(deviation)) {
		c.largest = max(c.largest, float64(len(group)))
	}
	c.correlation = mixing.Correlation(mixing.Representations(c.machine, chains.V))
	return nil
}
