package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"instanton/contest"
	"instanton/report"
)

// report is the page of a contest.
func (f *mixFlags) report(r *contest.Contest, args []string) report.Report {
	verdict := report.Stuck
	for _, row := range r.Rows {
		if row.Mixed {
			verdict = report.Mixes
		}
	}
	head, rows := r.Table()
	table := report.Section{Heading: "The contest", Paragraphs: append([]string{
		"The measure is the effective sample size (ESS) of the mode that a chain is in: how many independent draws " +
			"would know the weights of the modes as well. It is given per 10⁵ steps of alternating Gibbs sampling " +
			"(AGS) that cost as much, and per second on one core. Where R-hat exceeds 1.05 the runs disagree, and " +
			"there is none. Setup is not counted."}, r.Notes()...),
		Tables: []report.Table{{Header: head, Rows: rows, Caption: fmt.Sprintf("%d runs of each sampler. The last "+
			"columns are the weights of modes, with errors from the spread of the runs.", r.Runs)}}}
	if figure := mixFigure(r); len(figure.Panels) > 0 {
		table.Figures = []report.Figure{{Plot: figure, Caption: "The mode of each run in the course of time, grey " +
			"before it is in any. Runs that started in the same mode lie side by side."}}
	}
	return report.Report{
		Title:    "Which sampler mixes?",
		Subtitle: fmt.Sprintf("%s, β = %g", filepath.Base(args[0]), f.beta),
		Summary:  []report.Finding{{Verdict: verdict, Text: r.Conclusion}},
		Sections: []report.Section{table, byStart(r)},
		Facts: []report.Fact{{Name: "modes", Value: strings.Join(r.Modes, ", ")},
			{Name: "seed", Value: fmt.Sprint(f.seed)}},
		How: []string{f.again(args)},
	}
}

// byStart shows the weights that runs from each place found: equal ones if they have forgotten where they came from.
func byStart(r *contest.Contest) report.Section {
	s := report.Section{Heading: "Weights by start", Paragraphs: []string{
		"Runs that have forgotten where they started find the same weights from everywhere."}}
	for _, row := range r.Rows {
		if row.Error != "" {
			continue
		}
		t := report.Table{Caption: row.Sampler, Header: append([]string{"started in"}, r.Modes...)}
		for k, place := range r.Starts {
			cells := []string{place}
			for _, share := range row.ByStart[k] {
				cells = append(cells, fmt.Sprintf("%.3f", float64(share)))
			}
			t.Rows = append(t.Rows, cells)
		}
		s.Tables = append(s.Tables, t)
	}
	return s
}

// again is the command that makes the contest again.
func (f *mixFlags) again(args []string) string {
	words := append([]string{"instanton mix"}, args...)
	add := func(flag, value string) {
		if value != "" {
			words = append(words, "--"+flag, value)
		}
	}
	add("samplers", strings.Join(f.samplers, ","))
	add("modes", f.modes)
	add("trajectory", f.ladder.trajectory)
	add("stack", f.ladder.stack)
	add("proposal", f.proposal)
	if f.beta != 1 {
		add("beta", fmt.Sprint(f.beta))
	}
	add("runs", fmt.Sprint(f.runs))
	if f.sweeps > 0 {
		add("sweeps", fmt.Sprint(f.sweeps))
	} else {
		add("budget", fmt.Sprint(f.budget))
	}
	add("seed", fmt.Sprint(f.seed))
	return strings.Join(append(words, "-o", f.dir), " ")
}
