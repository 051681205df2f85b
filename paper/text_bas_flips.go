package paper

import (
	"context"
	"fmt"
	"math"
	"math/bits"

	"instanton/dataset"
	"instanton/plot"
	"instanton/unit"
)

func flipsBASFigure() Figure {
	return Figure{
		Name: "text-bas-flips", Title: "Bars and Stripes: which hidden units are silent, and what turning one does",
		Shows: "Every image of bars and of stripes is given to the model trained with L1, its hidden units take their means, one of them is turned to the opposite value, and the most likely configuration given the result is " +
			"compared with the image. How large the means are is compared between units that encode lines of the image's class and the others.",
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
	poor           []int       // turns that change the class, by the lines that the image is away from having all or none
	size           []lineMeans // of images, by their number of lines that are on
	along          float64     // share of squared weights along the lines that units encode, mean over units
}

// lineMeans are mean |⟨h|v⟩| of images with the same number of lines on, one of each image.
type lineMeans struct{ active, silent []float64 }

// turns turns every hidden unit of every image of one class alone.
func (b *bas) turns(ctx context.Context) (*hiddenOfImages, error) {
	f := &hiddenOfImages{poor: make([]int, b.side/2+1), size: make([]lineMeans, b.side+1)}
	n, units := b.side*b.side, b.Model.Hidden.Spec().N
	v, I, h, fields := make([]float64, n), make([]float64, units), make([]float64, units), make([]float64, n)
	after := unit.NewStates(b.Data.States.Spec, 1)
	codes := b.codes()
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
		before := nearestImage(b.Data.States, k, b.side)
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
			kind.count(before, nearestImage(after, 0, b.side))
			f.poor[before.poor(b.side)] += kind.class - was
		}
		if len(active) == 0 || len(silent) == 0 {
			return nil, fmt.Errorf("all hidden units encode lines of one class: expected some of both")
		}
		m := &f.size[bits.OnesCount64(before.lines)]
		a, _ := meanAndError(active)
		s, _ := meanAndError(silent)
		m.active, m.silent = append(m.active, a), append(m.silent, s)
	}
	return f, nil
}

func runFlipsBAS(ctx context.Context, s Settings) (*Result, error) {
	b, err := s.bas(ctx, basSparse)
	if err != nil {
		return nil, err
	}
	f, err := b.turns(ctx)
	if err != nil {
		return nil, err
	}
	var r Result
	r.basTable(b)
	t := r.Table("flips", "What becomes of all images of bars and of stripes, for units that encode lines of the image's class and for the others.", "units", "turns", "no change", "one line switched", "other changes", "the other class")
	t.Shown = true
	for _, k := range []struct {
		units string
		flips
	}{{"of the other class", f.silent}, {"of the image's class", f.active}} {
		t.Add(k.units, k.all(), k.same, k.line, k.other, k.class)
	}
	r.Draw("", fmt.Sprintf("Hidden units of images of bars or stripes, L = %d. (a) Turning one of them: what the most likely configuration becomes, over all images and units. "+
		"(b) Mean size of the units' means, by the number of lines of the image that are on, in the colours of (a); dashed: |2k − L|/L of the mean of units of the image's class.", b.side),
		plot.Figure{Columns: 2, Width: plot.TwoColumns, Panels: []plot.Panel{flipsPanel(f), b.magnetizationPanel(&r, f)}})
	b.magnetizationClaim(&r, f)
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
		X: plot.Axis{Ticks: plot.Categories("no change", "one line", "other", "other class")}, Y: plot.Axis{Label: "share", Limits: plot.Between(0, 1.05)}, Legend: plot.LegendAbove,
		Series: []plot.Series{
			plot.Bars{Name: "units of the image's class", X: shift(x, -0.2), Y: series(f.active), Width: 0.35, Color: plot.Blue},
			plot.Bars{Name: "units of the other class", X: shift(x, 0.2), Y: series(f.silent), Width: 0.35, Color: plot.Orange},
		}}
}

// magnetizationPanel draws and tabulates the size of hidden means.
func (b *bas) magnetizationPanel(r *Result, f *hiddenOfImages) plot.Panel {
	t := r.Table("magnetization", "Mean |⟨h|v⟩| of images of bars and of stripes, by the number of lines that are on, for units that encode lines of the image's class and for the others.", "lines on", "images", "units of the image's class", "units of the other class", "ratio")
	t.Shown = true
	all, _ := f.means()
	var x, active, silent, rule []float64
	for k, m := range f.size {
		if len(m.active) == 0 {
			continue
		}
		a, _ := meanAndError(m.active)
		s, _ := meanAndError(m.silent)
		t.Add(k, len(m.active), a, s, s/a)
		x, active, silent = append(x, float64(k)), append(active, a), append(silent, s)
		rule = append(rule, all*b.imbalance(k))
	}
	return plot.Panel{
		X: plot.Axis{Label: "lines on, $k$"}, Y: plot.Axis{Label: "mean $|⟨h_μ|v⟩|$", Limits: plot.From(0)}, Legend: plot.LegendNone,
		Series: []plot.Series{
			plot.Points{Name: "units of the image's class", X: x, Y: active, Color: plot.Blue},
			plot.Points{Name: "units of the other class", X: x, Y: silent, Color: plot.Orange},
			plot.Line{X: x, Y: rule, Color: plot.Grey, Dash: plot.Dashed},
		}}
}

// imbalance is |2k − L|/L: what a line across k lines that are on sees of them, next to a line that is on.
func (b *bas) imbalance(k int) float64 { return math.Abs(float64(2*k-b.side)) / float64(b.side) }

// means are those over all images.
func (f *hiddenOfImages) means() (active, silent float64) {
	var a, s []float64
	for _, m := range f.size {
		a, s = append(a, m.active...), append(s, m.silent...)
	}
	active, _ = meanAndError(a)
	silent, _ = meanAndError(s)
	return active, silent
}

func (b *bas) magnetizationClaim(r *Result, f *hiddenOfImages) {
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
			off += math.Abs(ratio - b.imbalance(k))
		}
	}
	off /= images
	pa, _ := meanAndError(f.size[1].active)
	ps, _ := meanAndError(f.size[1].silent)
	r.Claim(Claim{
		Name: "silent", Where: "section on the BAS data",
		Statement: "For an image of bars, hidden units that encode bars are strongly magnetized and those that encode stripes weakly: they are silent; and the other way about.",
		Criterion: "in every image the units of the other class have less than half the mean |⟨h|v⟩| of those of the image's; with a correction, so in three of four images, with less than a third on average and more than half with one line on, " +
			"and the ratio of an image with k lines on is |2k − L|/L to 0.2 on average",
		Measured: []Measured{{"mean |h| of units of the image's class", active, 0}, {"of units of the other class", silent, 0}, {"share of images where the ratio is below a half", weak / images, 0},
			{"ratio with one line on", ps / pa, 0}, {"largest ratio", top, 0}, {"mean distance of the ratio from |2k − L|/L", off, 0}},
		Verdict: JudgeOr(weak == images, weak > 0.75*images && silent < active/3 && ps > pa/2 && off < 0.2),
		Correction: "A stripe unit sees the bars of its line, k of them on and L − k off, so that it is magnetized about |2k − L|/L as much as a bar unit: nearly silent when about half of the bars are on, as in most images, " +
			"but more than half as strong as the bar units when one bar is on, or off.",
	})
}

func flipClaims(r *Result, f *hiddenOfImages) {
	one := float64(f.active.line) / f.active.all()
	turned := f.active.class + f.silent.class
	r.Claim(Claim{
		Name: "one-line", Where: "section on applications to BAS",
		Statement: "Flipping a hidden unit switches one bar or stripe on or off.",
		Criterion: "one line is switched in more than 80 % of all turns of units that encode lines of the image's class; with a correction, in more than half",
		Measured: []Measured{{"share of turns that switch one line", one, 0}, {"that change nothing", float64(f.active.same) / f.active.all(), 0}, {"of turns of the other units that switch one line", float64(f.silent.line) / f.silent.all(), 0},
			{"share of the units' squared weights along their lines", f.along, 0}},
		Verdict:    JudgeOr(one > 0.8, one > 0.5),
		Correction: "In most turns, not in nearly all: others leave the image as it is or change it otherwise, since units have weights beside their lines.",
	})
	r.Claim(Claim{
		Name: "no-class", Where: "conclusion",
		Statement:  "Flipping one hidden unit never turns bars into stripes.",
		Criterion:  "not once over all images and hidden units; with a correction, not once but for images with one line on, or off",
		Measured:   []Measured{{"turns that change the class", float64(turned), 0}, {"of these, of images with one line on or off", float64(f.poor[1]), 0}, {"turns tried", f.active.all() + f.silent.all(), 0}},
		Verdict:    JudgeOr(turned == 0, f.poor[1] == turned),
		Correction: "Images with one line on, or one off, are an exception: they are nearly stripes and bars at once, and the units of the other class are not silent.",
	})
}

func (f *flips) count(before, after basImage) {
	changed := bits.OnesCount64(before.lines ^ after.lines)
	switch {
	case after.same(before):
		f.same++
	case after.class != before.class && after.class != dataset.Both:
		f.class++
	case changed == 1 && after.apart == 0 && (after.class == before.class || after.class == dataset.Both): // the last line, too
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
