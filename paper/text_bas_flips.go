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
		Name: "text-bas-flips", Title: "Bars and Stripes: what turning one hidden unit does",
		Shows: "Every image of bars and of stripes is given to the model trained with L1, its hidden units take their means, one of them is turned to the opposite value, and the most likely configuration given the result is " +
			"compared with the image.",
		Version: 1, Run: runFlipsBAS,
	}
}

// flips counts what becomes of images when one hidden unit is turned.
type flips struct {
	same, line, other, class int // unchanged; one line switched; otherwise changed; become the other class
}

func (f flips) all() float64 { return float64(f.same + f.line + f.other + f.class) }

func runFlipsBAS(ctx context.Context, s Settings) (*Result, error) {
	b, err := s.bas(ctx, basSparse)
	if err != nil {
		return nil, err
	}
	// Hidden units come in two kinds by their size: those of the image's lines, and silent ones.
	var size []float64
	var found [2]flips                  // of silent and of active units
	poor := make([]float64, b.side/2+1) // turns that change the class, by the lines that the image is away from all or none
	n, units := b.side*b.side, b.Model.Hidden.Spec().N
	v, I, h, fields := make([]float64, n), make([]float64, units), make([]float64, units), make([]float64, n)
	after := unit.NewStates(b.Data.States.Spec, 1)
	codes := b.codes()
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
		for mu := range units {
			h[mu] = -h[mu]
			b.Model.Fields(fields, h)
			b.Model.Visible.Mode(v, fields)
			h[mu] = -h[mu]
			after.SetValues(0, v)
			kind := 0
			if codes[mu].class == class {
				kind = 1
				size = append(size, math.Abs(h[mu]))
			}
			was := found[kind].class
			found[kind].count(before, nearestImage(after, 0, b.side))
			poor[before.poor(b.side)] += float64(found[kind].class - was)
		}
	}
	var r Result
	r.basTable(b)
	t := r.Table("flips", "What becomes of all images of bars and of stripes, for units that encode lines of the image's class and for the others.", "units", "turns", "no change", "one line switched", "other changes", "the other class")
	t.Shown = true
	for k, f := range found {
		t.Add([]string{"of the other class", "of the image's class"}[k], f.all(), f.same, f.line, f.other, f.class)
	}
	active, silent := found[1], found[0]
	x := []float64{0, 1, 2, 3}
	series := func(f flips) []float64 {
		n := f.all()
		return []float64{float64(f.same) / n, float64(f.line) / n, float64(f.other) / n, float64(f.class) / n}
	}
	r.Draw("", fmt.Sprintf("Turning one hidden unit of an image of bars or stripes, L = %d: what the most likely configuration becomes, over all images and units.", b.side), plot.Figure{Panels: []plot.Panel{{
		X: plot.Axis{Ticks: plot.Categories("no change", "one line", "other", "other class")}, Y: plot.Axis{Label: "share", Limits: plot.Between(0, 1.05)}, Legend: plot.LegendAbove,
		Series: []plot.Series{
			plot.Bars{Name: "units of the image's class", X: shift(x, -0.2), Y: series(active), Width: 0.35, Color: plot.Blue},
			plot.Bars{Name: "units of the other class", X: shift(x, 0.2), Y: series(silent), Width: 0.35, Color: plot.Orange},
		}}}})
	one := float64(active.line) / active.all()
	turned := float64(active.class + silent.class)
	mean, _ := meanAndError(size)
	r.Claim(Claim{
		Name: "one-line", Where: "section on applications to BAS",
		Statement: "Flipping a hidden unit switches one bar or stripe on or off.",
		Criterion: "one line is switched in more than 80 % of all turns of units that encode lines of the image's class",
		Measured:  []Measured{{"share of turns that switch one line", one, 0}, {"of turns of the other units", float64(silent.line) / silent.all(), 0}, {"mean |h| of units of the image's class", mean, 0}},
		Verdict:   Judge(one > 0.8),
	})
	never := Claim{
		Name: "no-class", Where: "conclusion",
		Statement: "Flipping one hidden unit never turns bars into stripes.",
		Criterion: "not once over all images and hidden units; with a correction, not once but for images with one line on, or off",
		Measured:  []Measured{{"turns that change the class", turned, 0}, {"of these, of images with one line on or off", poor[1], 0}, {"turns tried", active.all() + silent.all(), 0}},
		Verdict:   Judge(turned == 0),
	}
	if turned > 0 {
		never.Verdict = JudgeCorrected(poor[1] == turned)
		never.Correction = "Images with one line on, or one off, are an exception: they are nearly stripes and bars at once, and the units of the other class are nearly as strong."
	}
	r.Claim(never)
	return &r, nil
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
