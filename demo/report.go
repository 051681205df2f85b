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

// Figures returns the figures by file name.
func (t *Result) Figures() map[string]plot.Figure {
	return map[string]plot.Figure{"weights": t.weights(), "frames": t.frames(), "classes": t.classes(),
		"rotated": t.rotated()}
}

// weights draws the weights of the hidden units, dark for the sign that dominates.
func (t *Result) weights() plot.Figure {
	sheet := &plot.ImageSheet{}
	side, units := t.Training.Size, t.Model.Hidden.Spec().N
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

// draw makes an image of values from −top to top.
func draw(side int, values []float64, top float64) image.Image {
	img, err := plot.Picture(side, values, -top, top)
	if err != nil {
		panic(err) // the values fill the square
	}
	return img
}

// Number of frames of the figure, and of sweeps between them.
const (
	frames     = 9
	frameEvery = 50
)

// frames draws chains of both samplers from the same starts.
func (t *Result) frames() plot.Figure {
	var panels []plot.Panel
	for _, s := range []Sampling{t.Gibbs, t.Latent} {
		sheet := &plot.ImageSheet{}
		v := make([]float64, t.Training.Size*t.Training.Size)
		picture := func(states *unit.States, k int) image.Image {
			states.Values(v, k)
			return draw(t.Training.Size, v, 1)
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

func (s Sampling) title() string {
	if s.Sampler == "gibbs" {
		return "alternating Gibbs sampling"
	}
	return "with latent moves"
}

// classes draws which chains show bars and which show stripes, over time.
func (t *Result) classes() plot.Figure {
	var panels []plot.Panel
	for _, s := range []Sampling{t.Gibbs, t.Latent} {
		modes, err := mixing.Labels(t.Images, t.Images.States.Spec)
		if err != nil {
			panic(err) // sample has called it before
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

// signed formats a number with a true minus sign.
func signed(x float64, places int) string {
	return strings.Replace(fmt.Sprintf("%.*f", places, x), "-", "−", 1)
}

// percent formats a fraction in percent, small ones with two digits.
func percent(x float64) string {
	if x < 0.1 {
		return fmt.Sprintf("%.2g", 100*x)
	}
	return fmt.Sprintf("%.0f", 100*x)
}

// Findings are the conclusions in sentences.
func (t *Result) Findings() []report.Finding {
	l := t.Training
	learnt := report.Finding{Verdict: l.verdict(),
		Text: fmt.Sprintf("An RBM with %d Gaussian hidden units was trained with L1 regularisation on "+
			"the %d images of "+
			"bars and stripes of %d × %d pixels in %d updates. Its mean log-likelihood is %s; a perfect model would "+
			"have %s, independent pixels have %s. The images therefore have at least %s %% of its probability.",
			2*l.Size, l.Images, l.Size, l.Size, l.Updates, signed(l.LogLikelihood, 2), signed(l.Perfect, 2),
			signed(l.Independent, 2), percent(l.onImages())),
		Numbers: []report.Fact{{Name: "bounds", Value: signed(l.Lower, 3) + " to " + signed(l.Upper, 3)},
			{Name: "squared weights along one line", Value: fmt.Sprintf("%.2f", l.OnLine)}}}
	if l.doubt != "" {
		learnt.Numbers = append(learnt.Numbers, report.Fact{Name: "doubt", Value: l.doubt})
	}
	all := []report.Finding{learnt, t.Gibbs.finding("Alternating Gibbs sampling", l.Images),
		t.Latent.finding("Latent moves, from the same starts", l.Images)}
	for _, s := range t.Rotated {
		all = append(all, s.finding())
	}
	return all
}

func (s Sampling) finding(who string, images int) report.Finding {
	d := s.Diagnosis
	return report.Finding{Verdict: string(d.Verdict),
		Text: fmt.Sprintf("%s: %d chains of %d sweeps visited %.1f of the %d images each on average and changed %d "+
			"times from one class (bars, stripes, all or no lines) to another; %.0f %% of the samples are images.",
			who, s.Chains, s.Sweeps, s.Images, images, d.Transitions, 100*s.Valid),
		Numbers: []report.Fact{{Name: "diagnosis", Value: d.Reason}}}
}

// Report is the page about the demo.
func (t *Result) Report() report.Report {
	l := t.Training
	return report.Report{
		Title:    "Bars and Stripes in a minute",
		Subtitle: "A Restricted Boltzmann Machine is trained and sampled in two ways. Which samples can be trusted?",
		Summary:  t.Findings(),
		Sections: []report.Section{
			{
				Heading: "The model",
				Paragraphs: []string{fmt.Sprintf("Whole columns are on or off in images of bars, whole rows in images "+
					"of stripes; there are %d such images of %d × %d pixels. The model has %d Gaussian hidden units. "+
					"L1 regularisation keeps the weights sparse, so that each hidden unit learns to encode one bar or "+
					"one stripe: on average, %.0f %% of a unit's squared weights lie along one line. Weights are tied "+
					"under transposition, so bars and stripes have the same probability.",
					l.Images, l.Size, l.Size, 2*l.Size, 100*l.OnLine)},
				Figures: []report.Figure{{Plot: t.weights(), Caption: "Weights of the hidden units, black for " +
					"positive and white for negative values, each on its own scale."}},
				How: l.how(t.seed),
			},
			{
				Heading:    "The same starts, two samplers",
				Paragraphs: t.explain(),
				Figures: []report.Figure{
					{Plot: t.frames(),
						Caption: fmt.Sprintf("Four chains of each sampler from the same images, %d sweeps "+
							"from frame to frame.", frameEvery)},
					{Plot: t.classes(), Caption: "Chains over time: blue while a chain shows bars, red while it " +
						"shows stripes; other configurations count as the nearest image. White is neither: an image " +
						"with all or no lines, or equal numbers of bars and stripes within one pixel of the figure."},
				},
				Tables: []report.Table{{
					Caption: "Half of the chains start from bars, half from stripes. R-hat near 1 means that the " +
						"chains agree.",
					Header: []string{"sampler", "verdict", "images per chain", "changes of class", "bars",
						"R-hat of bars"},
					Rows: [][]string{t.Gibbs.row(), t.Latent.row()},
				}},
			},
			t.beyond(),
		},
		Facts: []report.Fact{{Name: "seed", Value: fmt.Sprint(t.seed)},
			{Name: "chains", Value: fmt.Sprintf("%d of %d sweeps", chains, t.Gibbs.Sweeps)}},
		How: []string{fmt.Sprintf("instanton demo --size %d --updates %d --sweeps %d --seed %d", l.Size, l.Updates,
			t.Gibbs.Sweeps, t.seed)},
	}
}

// fewer is the factor by which alternating Gibbs sampling has to visit fewer images for it to be called slow.
const fewer = 2

// explain says how the samplers work and what they did here, as the numbers show.
func (t *Result) explain() []string {
	g, m, l := t.Gibbs, t.Latent, t.Training
	seen := fmt.Sprintf("a chain visited %.1f of the %d images in %d sweeps, and %.1f with latent moves", g.Images,
		l.Images, g.Sweeps, m.Images)
	outcome := "Here they make little difference: " + seen + "."
	if fewer*g.Images < m.Images {
		outcome = "Without them, lines rarely change here: " + seen + "."
	}
	all := []string{"Alternating Gibbs sampling draws all hidden units given the pixels, then all pixels given the " +
		"hidden units. A bar is held in place by its hidden unit, and the hidden unit by its bar. " +
		"In between, latent moves draw a hidden unit with the pixels summed out, which switches a whole bar at once. " +
		outcome}
	if m.Diagnosis.Transitions > 0 {
		all = append(all, fmt.Sprintf("The paper says that moves of single hidden units cannot turn bars into "+
			"stripes. Here, chains with latent moves changed their class %d times. There is a rare way: "+
			"through images "+
			"with at most one line on, or at most one line off, which are, or nearly are, bars and stripes at once. "+
			"At this size they are %d of the %d images, 2 + 4L of 2^(L+1) − 2 in general, so the way closes as "+
			"images grow. See instanton paper fig-bas.",
			m.Diagnosis.Transitions, 2+4*l.Size, l.Images))
	}
	return all
}

// row is a line of the table.
func (s Sampling) row() []string {
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
