package verdict

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"instanton/report"
)

// meanings of the verdicts, the most important first.
var meanings = []struct {
	verdict Verdict
	meaning string
}{
	{Fails, "What the paper says does not meet its criterion; what was found instead is said where it is known."},
	{Open, "The numbers do not decide it, or other seeds decide otherwise; what it would take is said."},
	{Corrected, "It is right in essence, with another number, formula or condition, which is given."},
	{Holds, "It meets its criterion as it is printed."},
}

// page is the report on all finished figures.
func (s *Summary) page(command func(figure string, s Settings) string) (report.Report, error) {
	kind := "Full run, with the paper's parameters"
	if s.Settings.Quick {
		kind = "Quick run: smaller images (Bars and Stripes of 8 × 8 pixels in place of 10 × 10), fewer data, " +
			"shorter chains and shorter training than the paper's"
	}
	p := report.Report{
		Title: "The paper, reproduced",
		Subtitle: fmt.Sprintf("Barriers and dynamical paths in alternating Gibbs sampling of RBM, "+
			"figure by figure. %s. %s.", Count(s.Claims), kind),
		Facts: []report.Fact{
			{Name: "paper",
				Value: "Roussel, Cocco, Monasson: Barriers and Dynamical Paths in Alternating Gibbs Sampling of " +
					"Restricted Boltzmann Machines"},
			{Name: "settings", Value: s.Settings.String()},
		},
		How: how(command("all", s.Settings)),
	}
	for _, m := range meanings {
		p.Counts = append(p.Counts, report.Count{Verdict: string(m.verdict), Number: s.Verdicts[m.verdict],
			Meaning: m.meaning})
	}
	p.Summary = append(s.findings(Fails), s.missing()...)
	p.Summary = append(p.Summary, s.findings(Open)...)
	p.Summary = append(p.Summary, s.findings(Corrected)...)
	if n := s.Verdicts[Holds]; n > 0 {
		p.Folded = []report.Fold{{Title: fmt.Sprintf("Claims that hold as they are printed: %d", n),
			Findings: s.findings(Holds)}}
	}
	for _, f := range s.finished {
		section, err := f.section(command)
		if err != nil {
			return p, err
		}
		p.Sections = append(p.Sections, section)
	}
	if len(s.finished) > 0 {
		p.Facts = append(p.Facts, report.Fact{Name: "made by", Value: strings.Join(s.makers(), "; ")},
			report.Fact{Name: "time", Value: s.time()})
	}
	return p, nil
}

// findings are the claims with a verdict, in short: numbers are beside the figures, and here only for what fails or is
// open.
func (s *Summary) findings(v Verdict) (list []report.Finding) {
	for _, c := range s.Claims {
		if c.Verdict != v {
			continue
		}
		f := report.Finding{Verdict: string(v), Text: c.Statement + asides(c), Section: c.Figure}
		if v == Fails || v == Open {
			f.Numbers = facts(c)
		}
		list = append(list, f)
	}
	return list
}

// missing are the figures that lack data.
func (s *Summary) missing() (list []report.Finding) {
	for _, f := range s.finished {
		if f.Missing != "" {
			list = append(list, report.Finding{Verdict: "data missing", Text: f.lacks(), Section: f.Name})
		}
	}
	return list
}

func (f *Finished) lacks() string {
	return f.Missing + ". Once the data are there, the same command makes the figure."
}

// makers are the programs and machines that made the figures.
func (s *Summary) makers() (list []string) {
	for _, f := range s.finished {
		maker := f.Program
		if h := f.Host; h.Go != "" {
			maker += fmt.Sprintf(" (%s, %s/%s, %d processors)", h.Go, h.OS, h.Arch, h.Processors)
		}
		if !slices.Contains(list, maker) {
			list = append(list, maker)
		}
	}
	return list
}

// time says how long the figures took: added up, and by the clock, where they ran side by side.
func (s *Summary) time() string {
	sum := 0.0
	var spans [][2]time.Time
	for _, f := range s.finished {
		sum += f.Seconds
		if !f.Started.IsZero() {
			spans = append(spans, [2]time.Time{f.Started, f.Started.Add(seconds(f.Seconds))})
		}
	}
	own := round(seconds(sum))
	clock := round(covered(spans))
	switch {
	case len(spans) < len(s.finished): // some were made before starts were noted
		return fmt.Sprintf("the times of %d figures, some of which may have run side by side, add up to %s",
			len(s.finished), own)
	case clock < own:
		return fmt.Sprintf("%d figures in %s by the clock; their own times, in which others ran beside them, "+
			"add up to %s", len(s.finished), clock, own)
	}
	return fmt.Sprintf("%d figures, one after the other, in %s", len(s.finished), own)
}

func seconds(x float64) time.Duration { return time.Duration(x * float64(time.Second)) }

// round leaves out what nobody reads of a time.
func round(d time.Duration) time.Duration {
	if d < 10*time.Second {
		return d.Round(100 * time.Millisecond)
	}
	return d.Round(time.Second)
}

// covered is the length of the union of spans of time.
func covered(spans [][2]time.Time) (total time.Duration) {
	slices.SortFunc(spans, func(a, b [2]time.Time) int { return a[0].Compare(b[0]) })
	var end time.Time
	for _, s := range spans {
		from := s[0]
		if from.Before(end) {
			from = end
		}
		if s[1].After(from) {
			total += s[1].Sub(from)
			end = s[1]
		}
	}
	return total
}

// section shows one figure: pictures, tables, and what each verdict demands.
func (f *Finished) section(command func(figure string, s Settings) string) (report.Section, error) {
	s := report.Section{
		Heading: f.Title, Name: f.Name, Paragraphs: append([]string{f.Shows}, f.Notes...),
		Facts: []report.Fact{{Name: "time", Value: round(seconds(max(f.Seconds, 0.1))).String()}},
		How:   how(command(f.Name, f.Settings)),
	}
	if len(f.Models) > 0 {
		s.Facts = append(s.Facts, report.Fact{Name: "trained models", Value: strings.Join(f.Models, ", ")})
	}
	if f.Missing != "" {
		s.Paragraphs = append(s.Paragraphs, f.lacks())
	}
	for _, d := range f.Drawings {
		svg, err := os.ReadFile(filepath.Join(f.dir, d.Name+".svg"))
		if err != nil {
			return s, err
		}
		s.Figures = append(s.Figures, report.Figure{SVG: string(svg), Caption: d.Caption})
	}
	for _, t := range f.Shown {
		table := report.Table{Caption: t.Caption, Header: t.Header}
		for _, row := range t.Rows {
			table.Rows = append(table.Rows, typeset(t.Header, row))
		}
		s.Tables = append(s.Tables, table)
	}
	for _, c := range f.Claims {
		s.Findings = append(s.Findings, report.Finding{Verdict: string(c.Verdict), Text: fmt.Sprintf("%s: %s%s",
			c.Where, c.Statement, asides(c)), Numbers: facts(c), Criterion: c.Criterion})
	}
	return s, nil
}

// how is a command, if there is one.
func how(command string) []string {
	if command == "" {
		return nil
	}
	return []string{command}
}

// asides are the remarks on a claim as sentences.
func asides(c Claim) (text string) {
	for _, a := range c.Asides() {
		text += fmt.Sprintf(" %s: %s", a.Heading, a.Text)
	}
	return text
}

// facts are the measured numbers, none of which breaks at the end of a line.
func facts(c Claim) (all []report.Fact) {
	for _, m := range c.Measured {
		all = append(all, report.Fact{Name: m.Name, Value: strings.ReplaceAll(m.String(), " ", "\u00a0")})
	}
	return all
}
