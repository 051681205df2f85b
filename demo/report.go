package demo

import (
	"fmt"

	"instanton/plot"
	"instanton/report"
)

// Figures returns the figures of the tour by file name.
func (t *Tour) Figures() map[string]plot.Figure {
	return map[string]plot.Figure{"magnetization": t.smallFigure(), "hopfield": t.trapFigure()}
}

// smallFigure shows P(m): exact bars, measured points.
func (t *Tour) smallFigure() plot.Figure {
	s := t.Small
	m := make([]float64, s.N+1)
	for k := range m {
		m[k] = 2*float64(k)/float64(s.N) - 1
	}
	series := []plot.Series{plot.Bars{Name: "exact", X: m, Y: s.Distribution, Color: plot.Grey}}
	for k, x := range s.Measured {
		shifted := make([]float64, len(m)) // side by side
		for i := range m {
			shifted[i] = m[i] + float64(k-1)*0.025
		}
		series = append(series, plot.Points{Name: x.Sampler, X: shifted, Y: x.Distribution, YErr: x.Errors})
	}
	return plot.Figure{Panels: []plot.Panel{{
		X: plot.Axis{Label: "magnetization $m$"}, Y: plot.Axis{Label: "$P(m)$"}, Series: series, Label: plot.NoLabel, Legend: plot.LegendAbove,
	}}}
}

// trapFigure shows the overlaps of one chain with all patterns at each weight.
func (t *Tour) trapFigure() plot.Figure {
	var panels []plot.Panel
	for _, trap := range t.Trapped {
		p := plot.Panel{
			Title: fmt.Sprintf("$w = %g$", trap.W), Aspect: 0.5,
			X:      plot.Axis{Label: "sweeps / 1000"},
			Y:      plot.Axis{Label: "overlap $m_μ$", Limits: plot.Between(-1.1, 1.1)},
			Legend: plot.LegendNone,
		}
		time := make([]float64, len(trap.Overlaps[0]))
		for k := range time {
			time[k] = float64((k+1)*trapEvery) / 1000
		}
		for mu, m := range trap.Overlaps {
			p.Series = append(p.Series, plot.Line{Name: fmt.Sprintf("$μ = %d$", mu+1), X: time, Y: m, Width: 0.6})
		}
		panels = append(panels, p)
	}
	panels[len(panels)-1].Legend = plot.LegendAuto // the stuck chain leaves room
	return plot.Figure{Panels: panels, Columns: len(panels), Width: plot.TwoColumns}
}

// Findings are the sentences that the tour ends with.
func (t *Tour) Findings() []report.Finding {
	verdict, s := report.Holds, t.Small
	if s.Worst() > 4 {
		verdict = report.Fails
	}
	findings := []report.Finding{{
		Verdict: verdict,
		Text: fmt.Sprintf("Where everything can be enumerated, samplers can be checked: energy and ⟨m²⟩ of %d spins lie within %.1f standard errors of the exact values, for all three samplers.",
			s.N, s.Worst()),
		Numbers: []report.Fact{{Name: "log Z", Value: fmt.Sprintf("%.6f", s.LogZ)}, {Name: "⟨m²⟩ exact", Value: fmt.Sprintf("%.5f", s.M2)}},
	}}
	for _, x := range t.Trapped {
		switch {
		case x.Switches == 0:
			findings = append(findings, report.Finding{Verdict: "stuck",
				Text: fmt.Sprintf("Hopfield model at w = %g: %d chains of alternating Gibbs sampling, %d sweeps each, and none ever left the state it began in, though all %d states are equally likely.",
					x.W, x.Chains, x.Sweeps, x.Chains)})
		default:
			findings = append(findings, report.Finding{Verdict: "moves",
				Text: fmt.Sprintf("Hopfield model at w = %g: %d of %d chains changed state in %d sweeps, %d times in all.", x.W, x.Left, x.Chains, x.Sweeps, x.Switches)})
		}
	}
	return findings
}

// Report writes up the tour.
func (t *Tour) Report(seed uint64) report.Report {
	s := t.Small
	rows := [][]string{{"exact", fmt.Sprintf("%.4f", s.Energy), "", fmt.Sprintf("%.5f", s.M2), ""}}
	for _, m := range s.Measured {
		rows = append(rows, []string{m.Sampler,
			fmt.Sprintf("%.4f ± %.4f", m.Energy, m.EnergyError), fmt.Sprintf("%+.1f", (m.Energy-s.Energy)/m.EnergyError),
			fmt.Sprintf("%.5f ± %.5f", m.M2, m.M2Error), fmt.Sprintf("%+.1f", (m.M2-s.M2)/m.M2Error)})
	}
	return report.Report{
		Title:    "Instanton: a first look",
		Subtitle: "Alternating Gibbs sampling of Restricted Boltzmann Machines, beside exact numbers",
		Summary:  t.Findings(),
		Sections: []report.Section{
			{
				Heading: "Exact and measured",
				Paragraphs: []string{fmt.Sprintf("The Curie–Weiss model of %d spins at w = %g has two states, most spins up or most spins down. "+
					"It is small enough to sum over all %d configurations. %d independent chains of each sampler are compared with the sum.", s.N, s.W, 1<<s.N, smallChains)},
				Tables: []report.Table{{
					Caption: "Means with standard errors; z is the distance from the exact value in standard errors.",
					Header:  []string{"", "effective energy", "z", "⟨m²⟩", "z"}, Rows: rows,
				}},
				Figures: []report.Figure{{Plot: t.smallFigure(), Caption: "Distribution of the magnetization: exact (bars) and measured (points, one standard error)."}},
			},
			{
				Heading: "Alternating Gibbs sampling gets stuck",
				Paragraphs: []string{fmt.Sprintf("A Hopfield model with %d spins stores %d orthogonal patterns. Each pattern and its opposite is a state, and all %d are equally likely. "+
					"One chain starts in each. A sampler that works visits them all; alternating Gibbs sampling has to climb the barrier between them, which grows with the weight w.", trapSpins, trapPatterns, 2*trapPatterns)},
				Figures: []report.Figure{{Plot: t.trapFigure(), Caption: "Overlap of one chain with each of the patterns. An overlap near ±1 means that the chain sits in that pattern or its opposite."}},
			},
		},
		Facts: []report.Fact{{Name: "seed", Value: fmt.Sprint(seed)}},
		How:   []string{fmt.Sprintf("instanton demo --seed %d", seed)},
	}
}
