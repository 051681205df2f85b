package figure

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"

	"instanton/dataset"
	"instanton/landscape"
	"instanton/paper/experiment"
	"instanton/paper/verdict"
	"instanton/plot"
	"instanton/rbm"
)

func weightsBASFigure() verdict.Figure {
	return verdict.Figure{
		Name: "fig-weights-bas", Title: "Bars and Stripes: weights, and the potentials of two hidden units",
		Shows: "Weights learnt on Bars and Stripes with and without L1, and what a hidden unit that encodes a " +
			"stripe and one that encodes a bar feel while the others show a stripe image.",
		Version: 2, Run: runWeightsBAS,
	}
}

func runWeightsBAS(ctx context.Context, s verdict.Settings) (*verdict.Result, error) {
	sparse, err := experiment.TrainBAS(ctx, s, experiment.BASSparse)
	if err != nil {
		return nil, err
	}
	plain, err := experiment.TrainBAS(ctx, s, experiment.BASPlain)
	if err != nil {
		return nil, err
	}
	var r verdict.Result
	basTable(&r, sparse, plain)
	units := hiddenCodes(sparse)
	stripe, bar, err := hiddenPotentials(sparse, units)
	if err != nil {
		return nil, err
	}
	r.Draw("",
		fmt.Sprintf("Weights learnt on Bars and Stripes, L = %d, all hidden units, red positive and blue negative, "+
			"each with its own scale. (a) With L1. (b) Without. "+
			"(c) Potential of one hidden unit of (a), the others held at a stripe image, times the number of "+
			"visible units N, so that it is in units of the temperature. Hidden values are not rescaled.", sparse.Side),
		plot.Figure{Columns: 3, Width: plot.TwoColumns,
			Panels: []plot.Panel{weightSheet(sparse), weightSheet(plain),
				potentialPanel(stripe, bar, sparse.Model.Visible.Spec().N)}})
	weightClaims(&r, units, hiddenCodes(plain))
	potentialClaim(&r, stripe, bar, sparse.Model.Visible.Spec().N)
	return &r, nil
}

// lineCode is the line that a hidden unit encodes best.
type lineCode struct {
	class, line int
	share       float64 // of the unit's squared weights along the line: 1 for equal weights there and none elsewhere
}

// hiddenCodes finds the line of each hidden unit.
func hiddenCodes(b *experiment.BAS) []lineCode {
	all := make([]lineCode, b.Model.Hidden.Spec().N)
	for mu := range all {
		total, sums := 0.0, [2][]float64{make([]float64, b.Side), make([]float64, b.Side)}
		for i := range b.Side * b.Side {
			w := b.Model.Row(i)[mu]
			total += w * w
			sums[dataset.Bar][i%b.Side] += w
			sums[dataset.Stripe][i/b.Side] += w
		}
		for class, lines := range sums {
			for l, x := range lines {
				if share := x * x / (float64(b.Side) * total); share > all[mu].share {
					all[mu] = lineCode{class, l, share}
				}
			}
		}
	}
	return all
}

// hiddenPotentials are those of the clearest stripe unit and the clearest bar unit at an image of stripes, every
// other one on.
func hiddenPotentials(b *experiment.BAS, codes []lineCode) (stripe, bar *landscape.Landscape, err error) {
	v, h := make([]float64, b.Side*b.Side), make([]float64, len(codes))
	for i := range v {
		v[i] = 1 - 2*float64(i/b.Side%2)
	}
	I := make([]float64, len(codes))
	b.Model.Inputs(I, v)
	b.Model.Hidden.Mean(h, I)
	best := func(class int) int {
		at := slices.IndexFunc(codes, func(c lineCode) bool { return c.class == class })
		for mu, c := range codes {
			if c.class == class && c.share > codes[at].share {
				at = mu
			}
		}
		return at
	}
	for _, class := range []int{dataset.Stripe, dataset.Bar} {
		if !slices.ContainsFunc(codes, func(c lineCode) bool { return c.class == class }) {
			return nil, nil, fmt.Errorf("no hidden unit encodes a line of class %d: expected some of both", class)
		}
	}
	if stripe, err = landscape.New(b.Model, []int{best(dataset.Stripe)}, h); err != nil {
		return nil, nil, err
	}
	bar, err = landscape.New(b.Model, []int{best(dataset.Bar)}, h)
	return stripe, bar, err
}

// weightSheet shows the weights of all hidden units.
func weightSheet(b *experiment.BAS) plot.Panel {
	sheet := &plot.ImageSheet{}
	for mu := range b.Model.Hidden.Spec().N {
		if mu%4 == 0 {
			sheet.Rows = append(sheet.Rows, plot.ImageRow{})
		}
		row := &sheet.Rows[len(sheet.Rows)-1]
		row.Images = append(row.Images, weightImage(b.Model, mu, b.Side))
	}
	return plot.Panel{Images: sheet}
}

// weightImage paints the weights of a hidden unit, blue through white to red, with the sign that makes the
// largest positive.
func weightImage(m *rbm.RBM, mu, side int) image.Image {
	top := 0.0
	for i := range side * side {
		if w := m.Row(i)[mu]; math.Abs(w) > math.Abs(top) {
			top = w
		}
	}
	img := image.NewRGBA(image.Rect(0, 0, side, side))
	fade := func(full uint8, x float64) uint8 { return uint8(255 - x*float64(255-full) + 0.5) }
	for i := range side * side {
		x := m.Row(i)[mu] / top
		c := color.RGBA{fade(178, x), fade(24, x), fade(43, x), 255}
		if x < 0 {
			c = color.RGBA{fade(33, -x), fade(102, -x), fade(172, -x), 255}
		}
		img.SetRGBA(i%side, i/side, c)
	}
	return img
}

func potentialPanel(stripe, bar *landscape.Landscape, n int) plot.Panel {
	line := func(name string, l *landscape.Landscape, c plot.Color) plot.Line {
		y := make([]float64, len(l.X))
		for k, e := range l.E[0] {
			y[k] = float64(n) * e
		}
		return plot.Line{Name: name, X: l.X, Y: y, Color: c}
	}
	low, high := stripe.X[0], stripe.X[len(stripe.X)-1]
	return plot.Panel{X: plot.Axis{Label: "$h_μ$", Limits: plot.Between(low, high)},
		Y: plot.Axis{Label: "$N e_μ(h_μ|h_{¬μ})$", Limits: plot.Between(-1, 40)}, Aspect: 1, Legend: plot.LegendAbove,
		Series: []plot.Series{line("stripe unit", stripe, plot.Blue), line("bar unit", bar, plot.Orange)}}
}

func weightClaims(r *verdict.Result, sparse, plain []lineCode) {
	mean := func(codes []lineCode) (mean, err float64, lines int) {
		var x []float64
		seen := map[[2]int]bool{}
		for _, c := range codes {
			x = append(x, c.share)
			seen[[2]int{c.class, c.line}] = true
		}
		mean, err = experiment.MeanError(x)
		return mean, err, len(seen)
	}
	with, we, lines := mean(sparse)
	without, oe, _ := mean(plain)
	t := r.Table("codes",
		"The line that each hidden unit encodes best, with the share of its squared weights along it.", "model", "unit",
		"class", "line", "share")
	for k, codes := range [][]lineCode{sparse, plain} {
		for mu, c := range codes {
			t.Add([]string{"L1", "plain"}[k], mu+1, []string{"bar", "stripe"}[c.class], c.line+1, c.share)
		}
	}
	r.Claim(verdict.Claim{
		Name: "sparse-weights", Where: "figure weights BAS (a)",
		Statement: "With L1 each hidden unit focuses on one bar or one stripe.",
		Criterion: "on average more than 0.7 of a unit's squared weights along its best line, by two standard " +
			"errors, and at least 80 % of all lines encoded",
		Measured: []verdict.Measured{{Name: "share along the best line", Value: with, Error: we},
			{Name: fmt.Sprintf("lines encoded of %d", len(sparse)), Value: float64(lines), Error: 0}},
		Verdict: verdict.Judge(with-2*we > 0.7 && float64(lines) >= 0.8*float64(len(sparse))),
	})
	r.Claim(verdict.Claim{
		Name: "dense-weights", Where: "figure weights BAS (b)",
		Statement: "Without L1 each hidden unit focuses on several bars and stripes.",
		Criterion: "on average less than 0.5 of a unit's squared weights along its best line, by two standard errors",
		Measured:  []verdict.Measured{{Name: "share along the best line", Value: without, Error: oe}},
		Verdict:   verdict.Judge(without+2*oe < 0.5),
	})
}

// potentialClaim judges panel (c). Minima are sorted by their depth.
func potentialClaim(r *verdict.Result, stripe, bar *landscape.Landscape, n int) {
	second := func(l *landscape.Landscape) float64 { // the lowest minimum of the other sign
		for _, m := range l.Minima[1:] {
			if m.H[0]*l.Minima[0].H[0] < 0 {
				return float64(n) * m.E
			}
		}
		return math.Inf(1)
	}
	at := func(l *landscape.Landscape) float64 { return math.Abs(l.Minima[0].H[0]) }
	level := second(stripe)
	measured := []verdict.Measured{{Name: "minima of the stripe unit", Value: float64(len(stripe.Minima)), Error: 0},
		{Name: "|h| of the stripe unit", Value: at(stripe), Error: 0},
		{Name: "minima of the bar unit", Value: float64(len(bar.Minima)), Error: 0},
		{Name: "|h| of the bar unit", Value: at(bar), Error: 0}}
	if !math.IsInf(level, 0) {
		measured = append(measured, verdict.Measured{Name: "N·e of the stripe unit's other minimum", Value: level,
			Error: 0})
	}
	if on := second(bar); !math.IsInf(on, 0) {
		measured = append(measured, verdict.Measured{Name: "N·e of the bar unit's other minimum", Value: on, Error: 0})
	}
	// The energy of a bar that is switched on is read where a switched-on line has its hidden unit.
	cost := math.Inf(1)
	for k, x := range bar.X {
		if math.Abs(math.Abs(x)-at(stripe)) <= bar.X[1]-bar.X[0] {
			cost = min(cost, float64(n)*bar.E[0][k])
		}
	}
	if !math.IsInf(cost, 0) {
		measured = append(measured, verdict.Measured{Name: "N·e of the bar unit where a line is on", Value: cost,
			Error: 0})
	}
	c := verdict.Claim{
		Name: "potentials", Where: "figure weights BAS (c)",
		Statement: "At a stripe image the potential of a stripe unit has two minima of about the same energy, the " +
			"stripe on and off; that of a bar unit has a minimum for the bar on, far above that for the bar off.",
		Criterion: "the bar unit's potential is more than 5 in N·e where a line is on and has a second minimum, " +
			"and the stripe unit's two minima differ by less than a third of that; with a correction, without the " +
			"second minimum",
		Measured: measured,
		Verdict:  verdict.JudgeOr(len(bar.Minima) > 1 && level < cost/3 && cost > 5, level < cost/3 && cost > 5),
		Correction: "The bar unit has one minimum, at a small value: it is silent. There is no minimum for a bar " +
			"that is on.",
	}
	r.Claim(c)
}
