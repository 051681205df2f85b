package figure

import (
	"context"
	"fmt"
	"math"
	"math/bits"

	"instanton/dataset"
	"instanton/paper/experiment"
	"instanton/paper/verdict"
	"instanton/plot"
	"instanton/unit"
)

func flipsBASFigure() verdict.Figure {
	return verdict.Figure{
		Name: "text-bas-flips", Title: "Bars and Stripes: which hidden units are silent, and what turning one does",
		Shows: "Every image of bars and of stripes is given to the model trained with L1, its hidden units take " +
			"their means, one of them is turned to the opposite value, and the most likely configuration given the " +
			"result is " +
			"compared with the image. How large the means are is compared between units that encode lines of the " +
			"image's class and the others.",
		Version: 2, Run: runFlipsBAS,
	}
}

// flips counts what becomes of images when one hidden unit is turned.
type flips struct {
	same, line, other, class int // unchanged; one line switched; otherwise changed; become the other class
}

func (f flips) all() float64 { return float64(f.same + f.line + f.other + f.class) }

// hiddenOfImages is what the hidden units of images do. Hidden units come in two kinds: those that encode lines of the
// image's class, and the others, which are said to be silent.
type hiddenOfImages struct {
	active, silent flips
	// turns that change the class, by the lines that the image is away from having all or none
	poor  []int
	size  []lineMeans // of images, by their number of lines that are on
	along float64     // share of squared weights along the lines that units encode, mean over units
}

// lineMeans are mean |⟨h|v⟩| of images with the same number of lines on, one of each image.
type lineMeans struct{ active, silent []float64 }

// flipEveryUnit turns every hidden unit of every image of one class alone.
func flipEveryUnit(ctx context.Context, b *experiment.BAS) (*hiddenOfImages, error) {
	f := &hiddenOfImages{poor: make([]int, b.Side/2+1), size: make([]lineMeans, b.Side+1)}
	n, units := b.Side*b.Side, b.Model.Hidden.Spec().N
	v, I, h, fields := make([]float64, n), make([]float64, units), make([]float64, units), make([]float64, n)
	after := unit.NewStates(b.Data.States.Spec, 1)
	codes := hiddenCodes(b)
	for _, c := range codes {
		f.along += c.share / float64(units)
	}
	for k := range b.Data.States.Len {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		class := b.Data.Labels[k]
		if class == dataset.Both {
			continue
		}
		b.Data.States.Values(v, k)
		b.Model.Inputs(I, v)
		b.Model.Hidden.Mean(h, I)
		before := experiment.NearestImage(b.Data.States, k, b.Side)
		var active, silent []float64
		for mu := range units {
			h[mu] = -h[mu]
			b.Model.Fields(fields, h)
			b.Model.Visible.Mode(v, fields)
			h[mu] = -h[mu]
			after.SetValues(0, v)
			kind := &f.silent
			if codes[mu].class == class {
				kind = &f.active
				active = append(active, math.Abs(h[mu]))
			} else {
				silent = append(silent, math.Abs(h[mu]))
			}
			was := kind.class
			kind.count(before, experiment.NearestImage(after, 0, b.Side))
			f.poor[before.LinesToUniform(b.Side)] += kind.class - was
		}
		if len(active) == 0 || len(silent) == 0 {
			return nil, fmt.Errorf("all hidden units encode lines of one class: expected some of both")
		}
		m := &f.size[bits.OnesCount64(before.Lines)]
		a, _ := experiment.MeanError(active)
		s, _ := experiment.MeanError(silent)
		m.active, m.silent = append(m.active, a), append(m.silent, s)
	}
	return f, nil
}

func runFlipsBAS(ctx context.Context, s verdict.Settings) (*verdict.Result, error) {
	b, err := experiment.TrainBAS(ctx, s, experiment.BASSparse)
	if err != nil {
		return nil, err
	}
	f, err := flipEveryUnit(ctx, b)
	if err != nil {
		return nil, err
	}
	var r verdict.Result
	basTable(&r, b)
	t := r.Table("flips",
		"What becomes of all images of bars and of stripes, for units that encode lines of the image's class and "+
			"for the others.", "units", "turns", "no change", "one line switched", "other changes", "the other class")
	t.Shown = true
	for _, k := range []struct {
		units string
		flips
	}{{"of the other class", f.silent}, {"of the image's class", f.active}} {
		t.Add(k.units, k.all(), k.same, k.line, k.other, k.class)
	}
	r.Draw("",
		fmt.Sprintf("Hidden units of images of bars or stripes, L = %d. (a) Turning one of them: what the most "+
			"likely configuration becomes, over all images and units. "+
			"(b) Mean size of the units' means, by the number of lines of the image that are on, in the colours of "+
			"(a); dashed: |2k − L|/L of the mean of units of the image's class.", b.Side),
		plot.Figure{Columns: 2, Width: plot.TwoColumns,
			Panels: []plot.Panel{flipsPanel(f), magnetizationPanel(b, &r, f)}})
	magnetizationClaim(b, &r, f)
	flipClaims(&r, f)
	return &r, nil
}

func flipsPanel(f *hiddenOfImages) plot.Panel {
	x := []float64{0, 1, 2, 3}
	series := func(f flips) []float64 {
		n := f.all()
		return []float64{float64(f.same) / n, float64(f.line) / n, float64(f.other) / n, float64(f.class) / n}
	}
	return plot.Panel{
		X: plot.Axis{Ticks: plot.Categories("no change", "one line", "other", "other class")},
		Y: plot.Axis{Label: "share", Limits: plot.Between(0, 1.05)}, Legend: plot.LegendAbove,
		Series: []plot.Series{
			plot.Bars{Name: "units of the image's class", X: shift(x, -0.2), Y: series(f.active), Width: 0.35,
				Color: plot.Blue},
			plot.Bars{Name: "units of the other class", X: shift(x, 0.2), Y: series(f.silent), Width: 0.35,
				Color: plot.Orange},
		}}
}

// magnetizationPanel draws and tabulates the size of hidden means.
func magnetizationPanel(b *experiment.BAS, r *verdict.Result, f *hiddenOfImages) plot.Panel {
	t := r.Table("magnetization",
		"Mean |⟨h|v⟩| of images of bars and of stripes, by the number of lines that are on, for units that encode "+
			"lines of the image's class and for the others.", "lines on", "images", "units of the image's class",
		"units of the other class", "ratio")
	t.Shown = true
	all, _ := f.means()
	var x, active, silent, rule []float64
	for k, m := range f.size {
		if len(m.active) == 0 {
			continue
		}
		a, _ := experiment.MeanError(m.active)
		s, _ := experiment.MeanError(m.silent)
		t.Add(k, len(m.active), a, s, s/a)
		x, active, silent = append(x, float64(k)), append(active, a), append(silent, s)
		rule = append(rule, all*imbalance(b, k))
	}
	return plot.Panel{
		X: plot.Axis{Label: "lines on, $k$"}, Y: plot.Axis{Label: "mean $|⟨h_μ|v⟩|$", Limits: plot.From(0)},
		Legend: plot.LegendNone,
		Series: []plot.Series{
			plot.Points{Name: "units of the image's class", X: x, Y: active, Color: plot.Blue},
			plot.Points{Name: "units of the other class", X: x, Y: silent, Color: plot.Orange},
			plot.Line{X: x, Y: rule, Color: plot.Grey, Dash: plot.Dashed},
		}}
}

// imbalance is |2k − L|/L: what a line across k lines that are on sees of them, next to a line that is on.
func imbalance(b *experiment.BAS, k int) float64 {
	return math.Abs(float64(2*k-b.Side)) / float64(b.Side)
}

// means are those over all images.
func (f *hiddenOfImages) means() (active, silent float64) {
	var a, s []float64
	for _, m := range f.size {
		a, s = append(a, m.active...), append(s, m.silent...)
	}
	active, _ = experiment.MeanError(a)
	silent, _ = experiment.MeanError(s)
	return active, silent
}

func magnetizationClaim(b *experiment.BAS, r *verdict.Result, f *hiddenOfImages) {
	active, silent := f.means()
	images, weak, off, top := 0.0, 0.0, 0.0, 0.0
	for k, m := range f.size {
		for i := range m.active {
			ratio := m.silent[i] / m.active[i]
			images++
			if ratio < 0.5 {
				weak++
			}
			top = math.Max(top, ratio)
			off += math.Abs(ratio - imbalance(b, k))
		}
	}
	off /= images
	pa, _ := experiment.MeanError(f.size[1].active)
	ps, _ := experiment.MeanError(f.size[1].silent)
	r.Claim(verdict.Claim{
		Name: "silent", Where: "section on the BAS data",
		Statement: "For an image of bars, hidden units that encode bars are strongly magnetized and those that " +
			"encode stripes weakly: they are silent; and the other way about.",
		Criterion: "in every image the units of the other class have less than half the mean |⟨h|v⟩| of those of " +
			"the image's; with a correction, so in three of four images, with less than a third on average and more " +
			"than half with one line on, " +
			"and the ratio of an image with k lines on is |2k − L|/L to 0.2 on average",
		Measured: []verdict.Measured{{Name: "mean |h| of units of the image's class", Value: active, Error: 0},
			{Name: "of units of the other class", Value: silent, Error: 0},
			{Name: "share of images where the ratio is below a half", Value: weak / images, Error: 0},
			{Name: "ratio with one line on", Value: ps / pa, Error: 0}, {Name: "largest ratio", Value: top, Error: 0},
			{Name: "mean distance of the ratio from |2k − L|/L", Value: off, Error: 0}},
		Verdict: verdict.JudgeOr(weak == images, weak > 0.75*images && silent < active/3 && ps > pa/2 && off < 0.2),
		Correction: "A stripe unit sees the bars of its line, k of them on and L − k off, so that it is magnetized " +
			"about |2k − L|/L as much as a bar unit: nearly silent when about half of the bars are on, as in most " +
			"images, " +
			"but more than half as strong as the bar units when one bar is on, or off.",
	})
}

func flipClaims(r *verdict.Result, f *hiddenOfImages) {
	one := float64(f.active.line) / f.active.all()
	turned := f.active.class + f.silent.class
	r.Claim(verdict.Claim{
		Name: "one-line", Where: "section on applications to BAS",
		Statement: "Flipping a hidden unit switches one bar or stripe on or off.",
		Criterion: "one line is switched in more than 80 % of all turns of units that encode lines of the image's " +
			"class; with a correction, in more than half",
		Measured: []verdict.Measured{{Name: "share of turns that switch one line", Value: one, Error: 0},
			{Name: "that change nothing", Value: float64(f.active.same) / f.active.all(), Error: 0},
			{Name: "of turns of the other units that switch one line", Value: float64(f.silent.line) / f.silent.all(),
				Error: 0},
			{Name: "share of the units' squared weights along their lines", Value: f.along, Error: 0}},
		Verdict: verdict.JudgeOr(one > 0.8, one > 0.5),
		Correction: "In most turns, not in nearly all: others leave the image as it is or change it otherwise, " +
			"since units have weights beside their lines.",
	})
	r.Claim(verdict.Claim{
		Name: "no-class", Where: "conclusion",
		Statement: "Flipping one hidden unit never turns bars into stripes.",
		Criterion: "not once over all images and hidden units; with a correction, not once but for images with one " +
			"line on, or off",
		Measured: []verdict.Measured{{Name: "turns that change the class", Value: float64(turned), Error: 0},
			{Name: "of these, of images with one line on or off", Value: float64(f.poor[1]), Error: 0},
			{Name: "turns tried", Value: f.active.all() + f.silent.all(), Error: 0}},
		Verdict: verdict.JudgeOr(turned == 0, f.poor[1] == turned),
		Correction: "Images with one line on, or one off, are an exception: they are nearly stripes and bars at " +
			"once, and the units of the other class are not silent.",
	})
}

func (f *flips) count(before, after experiment.BASImage) {
	changed := bits.OnesCount64(before.Lines ^ after.Lines)
	switch {
	case after.Same(before):
		f.same++
	case after.Class != before.Class && after.Class != dataset.Both:
		f.class++
	// the last line, too
	case changed == 1 && after.Distance == 0 && (after.Class == before.Class || after.Class == dataset.Both):
		f.line++
	default:
		f.other++
	}
}

// shift moves the places of bars.
func shift(x []float64, by float64) []float64 {
	y := make([]float64, len(x))
	for k := range x {
		y[k] = x[k] + by
	}
	return y
}
