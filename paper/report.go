package paper

import (
	"fmt"
	"os"
	"path/filepath"

	"instanton/report"
)

// page is the report on all finished figures.
func (s *Summary) page() (report.Report, error) {
	kind := "Full run"
	if s.Settings.Quick {
		kind = "Quick run, with shorter chains and training than the paper's"
	}
	p := report.Report{
		Title:    "The paper, reproduced",
		Subtitle: fmt.Sprintf("Barriers and dynamical paths in alternating Gibbs sampling of RBM, figure by figure. %s. %s.", Count(s.Claims), kind),
		Facts: []report.Fact{
			{Name: "paper", Value: "Roussel, Cocco, Monasson: Barriers and Dynamical Paths in Alternating Gibbs Sampling of Restricted Boltzmann Machines"},
			{Name: "settings", Value: s.Settings.flags()},
		},
		How: []string{"instanton paper all " + s.Settings.flags() + " --out DIR"},
	}
	seconds := 0.0
	for _, c := range s.Claims {
		p.Summary = append(p.Summary, report.Finding{Verdict: string(c.Verdict), Text: c.Statement + instead(c) + " (" + c.Figure + ")", Numbers: facts(c)})
	}
	for _, f := range s.finished {
		section, err := f.section()
		if err != nil {
			return p, err
		}
		p.Sections = append(p.Sections, section)
		seconds += f.Seconds
	}
	if n := len(s.finished); n > 0 {
		p.Facts = append(p.Facts,
			report.Fact{Name: "made by", Value: s.finished[n-1].Program},
			report.Fact{Name: "time", Value: fmt.Sprintf("%.0f s for %d figures, one after the other", seconds, n)})
	}
	return p, nil
}

// section shows one figure: pictures, tables, and what each verdict demands.
func (f *Finished) section() (report.Section, error) {
	s := report.Section{
		Heading: f.Title, Paragraphs: append([]string{f.Shows}, f.Notes...),
		How: []string{regenerate(f.Name, f.Settings)},
	}
	if f.Missing != "" {
		s.Paragraphs = append(s.Paragraphs, f.Missing+". Once the data are there, the same command makes the figure.")
	}
	for _, d := range f.Drawings {
		svg, err := os.ReadFile(filepath.Join(f.dir, d.Name+".svg"))
		if err != nil {
			return s, err
		}
		s.Figures = append(s.Figures, report.Figure{SVG: string(svg), Caption: d.Caption})
	}
	for _, t := range f.Shown {
		s.Tables = append(s.Tables, report.Table{Caption: t.Caption, Header: t.Header, Rows: t.Rows})
	}
	for _, c := range f.Claims {
		text := fmt.Sprintf("%s: %s%s", c.Where, c.Statement, instead(c))
		s.Findings = append(s.Findings, report.Finding{Verdict: string(c.Verdict), Text: text, Numbers: append(facts(c), report.Fact{Name: "criterion:", Value: c.Criterion})})
	}
	return s, nil
}

// instead is the correction of a claim as a sentence, if it has one.
func instead(c Claim) string {
	if c.Correction == "" {
		return ""
	}
	return " Instead: " + c.Correction
}

func facts(c Claim) (all []report.Fact) {
	for _, m := range c.Measured {
		all = append(all, report.Fact{Name: m.Name, Value: m.String()})
	}
	return all
}
