package demo

import (
	"fmt"
	"image"
	"strings"

	"instanton/dataset"
	"instanton/mixing"
	"instanton/plot"
	"instanton/report"
	"instanton/unit"
)

// Figures returns the figures of the tour by file name.
func (t *Tour) Figures() map[string]plot.Figure {
	return map[string]plot.Figure{"weights": t.weights(), "frames": t.frames(), "classes": t.classes()}
}

// weights shows what the hidden units see, dark for the sign that dominates.
func (t *Tour) weights() plot.Figure {
	sheet := &plot.ImageSheet{}
	side, units := t.Learnt.Size, t.Model.Hidden.Spec().N
	for mu := range units {
		if mu%side == 0 {
			sheet.Rows = append(sheet.Rows, plot.ImageRow{})
		}
		w, sum, top := make([]float64, side*side), 0.0, 0.0
		for i := range w {
			w[i] = t.Model.Row(i)[mu]
			sum += w[i]
			top = max(top, w[i], -w[i])
		}
		if sum < 0 {
			for i := range w {
				w[i] = -w[i]
			}
		}
		row := &sheet.Rows[len(sheet.Rows)-1]
		row.Images = append(row.Images, draw(side, w, top))
	}
	return plot.Figure{Panels: []plot.Panel{{Images: sheet, Label: plot.NoLabel}}}
}

// draw paints values from −top to top.
func draw(side int, values []float64, top float64) image.Image {
	img, err := plot.Picture(side, values, -top, top)
	if err != nil {
		panic(err) // the values fill the square
	}
	return img
}

// Frames of the figure, and the sweeps between them.
const (
	frames     = 9
	frameEvery = 50
)

// frames shows chains of both samplers, from the same starts.
func (t *Tour) frames() plot.Figure {
	var panels []plot.Panel
	for _, s := range []Sampled{t.Gibbs, t.Latent} {
		sheet := &plot.ImageSheet{}
		v := make([]float64, t.Learnt.Size*t.Learnt.Size)
		picture := func(states *unit.States, k int) image.Image {
			states.Values(v, k)
			return draw(t.Learnt.Size, v, 1)
		}
		for chain := range 4 {
			row := plot.ImageRow{Images: []image.Image{picture(s.start, chain)}}
			for f := 1; f < frames && f*frameEvery <= s.Sweeps; f++ {
				row.Images = append(row.Images, picture(s.record.V, chain*s.record.Draws+f*frameEvery/every-1))
			}
			sheet.Rows = append(sheet.Rows, row)
		}
		panels = append(panels, plot.Panel{Title: s.title(), Images: sheet})
	}
	return plot.Figure{Columns: 2, Width: plot.TwoColumns, Panels: panels}
}

func (s Sampled) title() string {
	if s.Sampler == "gibbs" {
		return "alternating Gibbs sampling"
	}
	return "with latent moves"
}

// classes shows which chains are at bars at each time.
func (t *Tour) classes() plot.Figure {
	var panels []plot.Panel
	for _, s := range []Sampled{t.Gibbs, t.Latent} {
		modes, err := mixing.Labels(t.Images, t.Images.States.Spec)
		if err != nil {
			panic(err) // it was done before
		}
		draws := s.record.Draws
		o := mixing.Occupy(s.record.V, chains, draws, modes)
		bins := min(200, draws)
		z := make([][]float64, chains)
		for c := range z {
			z[c] = make([]float64, bins)
			for d, mode := range o.Path[c] {
				switch mode {
				case dataset.Bar:
					z[c][d*bins/draws] -= float64(bins) / float64(draws)
				case dataset.Stripe:
					z[c][d*bins/draws] += float64(bins) / float64(draws)
				}
			}
		}
		panels = append(panels, plot.Panel{Title: s.title(), X: plot.Axis{Label: "sweep"}, Y: plot.Axis{Label: "chain"},
			Aspect: 0.6, Series: []plot.Series{
				plot.Heatmap{Z: z, X: [2]float64{0, float64(s.Sweeps)}, Y: [2]float64{0.5, chains + 0.5},
					Map: plot.Diverging, Bar: plot.Axis{Limits: plot.Between(-1, 1),
						Ticks: []plot.Tick{{Value: -1, Label: "bars"}, {Value: 1, Label: "stripes"}}}}}})
	}
	return plot.Figure{Columns: 2, Width: plot.TwoColumns, Panels: panels}
}

// signed writes a number with a true minus sign.
func signed(x float64, places int) string {
	return strings.Replace(fmt.Sprintf("%.*f", places, x), "-", "−", 1)
}

// percent writes a share, small ones with a digit more.
func percent(x float64) string {
	if x < 0.1 {
		return fmt.Sprintf("%.2g", 100*x)
	}
	return fmt.Sprintf("%.0f", 100*x)
}

// Findings are the sentences that the tour ends with.
func (t *Tour) Findings() []report.Finding {
	l := t.Learnt
	learnt := report.Finding{Verdict: l.verdict(),
		Text: fmt.Sprintf("An RBM with %d Gaussian hidden units and L1 was trained on the %d images of bars and "+
			"stripes of %d × %d pixels, %d updates: its mean log-likelihood is %s, where %s would be perfect and "+
			"independent pixels have %s, "+
			"so that these images have at least %s %% of its probability.",
			2*l.Size, l.Images, l.Size, l.Size, l.Updates, signed(l.LogLikelihood, 2), signed(l.Perfect, 2),
			signed(l.Independent, 2), percent(l.onImages())),
		Numbers: []report.Fact{{Name: "bounds", Value: signed(l.Lower, 3) + " to " + signed(l.Upper, 3)},
			{Name: "squared weights along one line", Value: fmt.Sprintf("%.2f", l.OnLine)}}}
	if l.doubt != "" {
		learnt.Numbers = append(learnt.Numbers, report.Fact{Name: "doubt", Value: l.doubt})
	}
	return []report.Finding{learnt, t.Gibbs.finding("Alternating Gibbs sampling", l.Images),
		t.Latent.finding("Latent moves, from the same starts", l.Images)}
}

func (s Sampled) finding(who string, images int) report.Finding {
	d := s.Diagnosis
	return report.Finding{Verdict: string(d.Verdict),
		Text: fmt.Sprintf("%s: %d chains of %d sweeps saw %.1f of the %d images each, and went %d times from one "+
			"class to another (bars, stripes, or all or no lines); %.0f %% of the samples are images.",
			who, s.Chains, s.Sweeps, s.Images, images, d.Transitions, 100*s.Valid),
		Numbers: []report.Fact{{Name: "diagnosis", Value: d.Reason}}}
}

// Report writes up the tour.
func (t *Tour) Report() report.Report {
	l := t.Learnt
	return report.Report{
		Title: "Bars and Stripes in a minute",
		Subtitle: "A Restricted Boltzmann Machine is trained, sampled in two ways, and asked whether its samples can " +
			"be trusted",
		Summary: t.Findings(),
		Sections: []report.Section{
			{
				Heading: "The model",
				Paragraphs: []string{fmt.Sprintf("Images of bars have whole columns on or off, images of stripes "+
					"whole rows: %d of %d × %d pixels. The model has %d real hidden units, and L1 keeps its weights "+
					"sparse, so that a hidden unit comes to "+
					"encode one bar or one stripe: on average %.0f %% of a unit's squared weights lie along one "+
					"line. Weights are tied under transposition, which gives bars and stripes the same probability.",
					l.Images, l.Size, l.Size, 2*l.Size, 100*l.OnLine)},
				Figures: []report.Figure{{Plot: t.weights(), Caption: "Weights of the hidden units, black for " +
					"positive and white for negative values, each with its own scale."}},
				How: l.how(t.seed),
			},
			{
				Heading:    "The same starts, two samplers",
				Paragraphs: t.explain(),
				Figures: []report.Figure{
					{Plot: t.frames(), Caption: fmt.Sprintf("Four chains of each sampler, %d sweeps from frame to "+
						"frame, from the same images.", frameEvery)},
					{Plot: t.classes(), Caption: "Chains over time: blue while a chain shows bars, red while it " +
						"shows stripes; a configuration that is no image counts as the nearest one. " +
						"White is neither: an image with all or no lines, or as much of bars as of stripes within " +
						"one dot of the figure."},
				},
				Tables: []report.Table{{
					Caption: "Chains from bars and from stripes, half of each. R-hat near 1 means that chains agree.",
					Header: []string{"sampler", "verdict", "images a chain", "changes of class", "bars",
						"R-hat of bars"},
					Rows: [][]string{t.Gibbs.row(), t.Latent.row()},
				}},
			},
		},
		Facts: []report.Fact{{Name: "seed", Value: fmt.Sprint(t.seed)},
			{Name: "chains", Value: fmt.Sprintf("%d of %d sweeps", chains, t.Gibbs.Sweeps)}},
		How: []string{fmt.Sprintf("instanton demo --size %d --updates %d --sweeps %d --seed %d", l.Size, l.Updates,
			t.Gibbs.Sweeps, t.seed)},
	}
}

// fewer is how many times fewer images alternating Gibbs sampling has to show for it to be called slow.
const fewer = 2

// explain says how the samplers work and what came of it here, in the words that the numbers bear.
func (t *Tour) explain() []string {
	g, m, l := t.Gibbs, t.Latent, t.Learnt
	seen := fmt.Sprintf("a chain saw %.1f of the %d images in %d sweeps, and %.1f with latent moves", g.Images,
		l.Images, g.Sweeps, m.Images)
	outcome := "Here they make no great difference: " + seen + "."
	if fewer*g.Images < m.Images {
		outcome = "Without them lines change rarely here: " + seen + "."
	}
	all := []string{"Alternating Gibbs sampling draws all hidden units given the pixels, then all pixels given the " +
		"hidden units. A bar is held by its hidden unit, and the hidden unit by its bar. " +
		"Latent moves draw a hidden unit with the pixels summed out, in between: that switches a whole bar at once. " +
		outcome}
	if m.Diagnosis.Transitions > 0 {
		all = append(all, fmt.Sprintf("The paper says that moves of single hidden units cannot turn bars into "+
			"stripes. Here chains with latent moves changed their class %d times. There is a rare way, over images "+
			"with at most one line on, or off, "+
			"which are bars and stripes at once or nearly so: %d of the %d images of this size, 2 + 4L of 2^(L+1) − "+
			"2, so that the way closes as images grow. See instanton paper fig-bas.",
			m.Diagnosis.Transitions, 2+4*l.Size, l.Images))
	}
	return all
}

// row is a line of the table.
func (s Sampled) row() []string {
	d := s.Diagnosis
	share, rhat := "–", "–"
	for _, m := range d.Modes {
		if m.Name == "bar" {
			share = fmt.Sprintf("%.3f ± %.3f", m.Occupancy, m.Error)
		}
	}
	for _, q := range d.Quantities {
		if q.Name == "mode bar" {
			rhat = fmt.Sprintf("%.3f", q.RHat)
		}
	}
	return []string{s.Sampler, string(d.Verdict), fmt.Sprintf("%.1f", s.Images), fmt.Sprint(d.Transitions), share, rhat}
}
