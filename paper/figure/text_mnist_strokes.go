package figure

import (
	"context"
	"fmt"
	"math"
	"slices"

	"instanton/paper/experiment"
	"instanton/paper/verdict"
	"instanton/plot"
	"instanton/unit"
)

func strokesFigure() verdict.Figure {
	return verdict.Figure{
		Name: "text-mnist-representations", Title: "Hidden representations of zeros and ones",
		Shows: "Hamming distances between the hidden representations of test images in the model of zeros and " +
			"ones: within either class and between them.",
		Version: 2, Run: runStrokes,
	}
}

func runStrokes(ctx context.Context, s verdict.Settings) (*verdict.Result, error) {
	d, err := experiment.TrainDigits(ctx, s, experiment.ZerosAndOnes(s.Quick))
	if err != nil {
		return withoutMNIST(s, err)
	}
	return strokesResult(d, 400)
}

// distances between two classes of configurations.
type distances struct {
	name      string
	all       []float64
	mean, err float64
}

// newDistances compares every configuration of a list with every other of another, or of the same. The error is that of
// drawing configurations, which take part in many pairs, again.
func newDistances(name string, v *unit.States, from, to []int) distances {
	x := distances{name: name}
	row, column := make([]float64, len(from)), make([]float64, len(to))
	pairs := 0.0
	for j, a := range from {
		for k, b := range to {
			if a != b {
				d := float64(v.Hamming(a, v, b))
				x.all = append(x.all, d)
				row[j] += d
				column[k] += d
				x.mean += d
				pairs++
			}
		}
	}
	x.mean /= pairs
	if slices.Equal(from, to) {
		_, err := experiment.MeanError(row)
		x.err = 2 * err / float64(len(to)-1)
		return x
	}
	_, one := experiment.MeanError(row)
	_, other := experiment.MeanError(column)
	x.err = math.Hypot(one/float64(len(to)), other/float64(len(from)))
	return x
}

// representations are the likeliest hidden configurations given images.
func representations(d *experiment.Digits, v *unit.States) *unit.States {
	h := unit.NewStates(d.Model.Hidden.Spec(), v.Len)
	x, in, mode := make([]float64, v.N), make([]float64, h.N), make([]float64, h.N)
	for k := range v.Len {
		v.Values(x, k)
		d.Model.Inputs(in, x)
		d.Model.Hidden.Mode(mode, in)
		h.SetValues(k, mode)
	}
	return h
}

// common is the share of hidden units that are alike in at least 90 % of the given images.
func common(h *unit.States, rows []int) float64 {
	alike := 0
	for mu := range h.N {
		up := 0
		for _, k := range rows {
			if h.Value(k, mu) > 0 {
				up++
			}
		}
		if 10*max(up, len(rows)-up) >= 9*len(rows) {
			alike++
		}
	}
	return float64(alike) / float64(h.N)
}

func strokesResult(d *experiment.Digits, each int) (*verdict.Result, error) {
	h := representations(d, d.Test.States)
	var class [2][]int
	for k, l := range d.Test.Labels {
		if len(class[l]) < each {
			class[l] = append(class[l], k)
		}
	}
	kinds := []distances{newDistances("within zeros", h, class[0], class[0]),
		newDistances("within ones", h, class[1], class[1]), newDistances("zero to one", h, class[0], class[1])}
	pixels := []distances{newDistances("within zeros", d.Test.States, class[0], class[0]),
		newDistances("within ones", d.Test.States, class[1], class[1]),
		newDistances("zero to one", d.Test.States, class[0], class[1])}
	var r verdict.Result
	table := r.Table("distances",
		"Mean Hamming distances of test images: hidden units of the likeliest representations, and pixels.", "pairs",
		"hidden units", "error", "pixels", "pixels' error")
	table.Shown = true
	const bins = 50
	edges := make([]float64, bins+1)
	for k := range edges {
		edges[k] = float64(k*h.N) / bins
	}
	histogram := r.Table("histogram", "Share of pairs per hidden unit, by the number of units that differ.", "pairs",
		"from", "to", "share")
	var series []plot.Series
	for k, x := range kinds {
		table.Add(x.name, x.mean, x.err, pixels[k].mean, pixels[k].err)
		y := make([]float64, bins)
		for _, dist := range x.all {
			y[min(bins-1, int(dist*bins/float64(h.N)))] += bins / float64(h.N) / float64(len(x.all))
		}
		for b, share := range y {
			histogram.Add(x.name, edges[b], edges[b+1], share)
		}
		series = append(series, plot.Steps{Name: x.name, Edges: edges, Y: y, Color: []plot.Color{plot.Blue,
			plot.Vermilion, plot.Black}[k]})
	}
	r.Draw("",
		fmt.Sprintf("Hamming distances between the likeliest hidden configurations, of %d units, of test images.", h.N),
		plot.Figure{Panels: []plot.Panel{{
			X: plot.Axis{Label: "hidden units that differ"}, Y: plot.Axis{Label: "share of pairs per unit"},
			Legend: plot.LegendAbove, Series: series,
		}}})
	zeros, ones, between := kinds[0], kinds[1], kinds[2]
	strokes := [2]float64{common(h, class[0]), common(h, class[1])}
	claim := verdict.Claim{
		Name: "strokes", Where: "section on MNIST 0/1",
		Statement: "Zeros have many strokes in common, and so have ones: their hidden representations are close to " +
			"each other.",
		Criterion: "images of one class differ in less than a third of the hidden units on average, by two standard " +
			"errors; closer than half of them, and than a zero is to a one, is the weaker statement",
		Measured: []verdict.Measured{
			{Name: "units that differ among zeros", Value: zeros.mean, Error: zeros.err},
			{Name: "among ones", Value: ones.mean, Error: ones.err}, {Name: "of", Value: float64(h.N)},
			{Name: "share of units alike in 90 % of zeros", Value: strokes[0]}, {Name: "of ones", Value: strokes[1]},
		},
	}
	most := max(zeros.mean+2*zeros.err, ones.mean+2*ones.err)
	claim.Verdict = verdict.JudgeOr(most < float64(h.N)/3, most < min(float64(h.N)/2, between.mean-2*between.err))
	if claim.Verdict == verdict.Corrected {
		claim.Correction = fmt.Sprintf("closer than chance and than the other class, not close: two zeros differ in "+
			"%.2g and two ones in %.2g of the units, where unrelated representations would in half of them.",
			zeros.mean/float64(h.N), ones.mean/float64(h.N))
	}
	r.Claim(claim)
	r.Claim(verdict.Claim{
		Name: "far", Where: "section on MNIST 0/1",
		Statement: "The hidden representations of zeros and ones are far from each other.",
		Criterion: "a zero and a one differ in more than a quarter of the hidden units, and in more than two zeros " +
			"or two ones do, both by two standard errors",
		Measured: []verdict.Measured{{Name: "units that differ between classes", Value: between.mean,
			Error: between.err}, {Name: "among zeros", Value: zeros.mean, Error: zeros.err},
			{Name: "among ones", Value: ones.mean, Error: ones.err},
			{Name: "pixels that differ between classes", Value: pixels[2].mean, Error: pixels[2].err}},
		Verdict: verdict.Judge(between.mean-2*between.err > max(float64(h.N)/4, zeros.mean+2*zeros.err,
			ones.mean+2*ones.err)),
	})
	return &r, nil
}
