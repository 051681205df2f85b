// Package report writes results as one self-contained HTML page.
//
// A [Report] begins with a summary: each [Finding] is a sentence with a verdict and the numbers behind it. Sections
// with text, figures of package plot and tables follow, then facts about the run and the commands that make the page
// again. [Report.Write] checks the report and writes the page:
//
//	page := report.Report{
//		Title:   "Does the sampler mix?",
//		Summary: []report.Finding{{Verdict: report.Mixes, Text: "Chains change their mode every 20 sweeps."}},
//		Sections: []report.Section{{
//			Heading: "Overlaps",
//			Figures: []report.Figure{{Plot: overlaps, Caption: "Mean overlap of 64 chains."}},
//		}},
//	}
//	err := page.Write(file)
//
// The page needs no network, no script and no other file: figures are inlined as SVG. It follows the reader's light or
// dark theme, fits on a phone, and can be printed. The same report gives the same bytes; a date appears only if the
// caller gives one, for instance in the subtitle or among the facts.
package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"regexp"
	"strings"

	"instanton/plot"
)

// Report is a page: what was found, the sections that show it, and how to reproduce it.
type Report struct {
	Title, Subtitle string
	// Counts says how many findings have each verdict, and what it means, for reports with many findings.
	Counts []Count
	// Summary holds the findings, most important first.
	Summary []Finding
	// Folded holds findings that are hidden until the reader unfolds them.
	Folded []Fold
	// Sections come after the summary.
	Sections []Section
	// Facts identify the run: version, seed, model, machine.
	Facts []Fact
	// How holds the commands that make this report again, one per line.
	How []string
}

// Finding is a result in one sentence.
type Finding struct {
	// Verdict is Holds, Fails, HoldsCorrected or any other short word, such as "stuck".
	Verdict string
	// Text is the sentence. Here and in captions, paragraphs and headers of tables, W_i, E_{eff} and 2^(L+1) are set
	// with subscripts and superscripts.
	Text string
	// Section, if not empty, is the name of the section that shows it.
	Section string
	// Numbers are the values behind the finding.
	Numbers []Fact
	// Criterion, if not empty, is the condition that decides the verdict.
	Criterion string
}

// Count says how many findings have a verdict.
type Count struct {
	Verdict string
	Number  int
	Meaning string
}

// Fold is a list of findings that is hidden until the reader unfolds it.
type Fold struct {
	Title    string
	Findings []Finding
}

// The verdicts that have a colour of their own: those of claims, of package mixing and of package train.
const (
	Holds          = "holds"
	Fails          = "fails"
	HoldsCorrected = "holds with a correction"
	Mixes          = "mixes"
	Stuck          = "stuck"
	Good           = "good"
	Drifted        = "drifted"
)

// Fact is a name and its value.
type Fact struct{ Name, Value string }

// Section is a part of the page. Its contents are shown in this order.
type Section struct {
	Heading string
	// Name, if not empty, is shown beside the heading and is the anchor of links: lower-case letters, digits and
	// dashes.
	Name       string
	Paragraphs []string
	Figures    []Figure
	Tables     []Table
	Findings   []Finding
	// Facts say what the section was made from.
	Facts []Fact
	// How holds the commands that make this section again, one per line.
	How []string
}

// Figure is a figure with its caption.
type Figure struct {
	Plot plot.Figure
	// SVG, if not empty, is a figure that package plot has encoded already, used instead of Plot.
	SVG     string
	Caption string
}

// Table is a header and rows with as many cells. Columns of numbers are aligned to the right; the cells of a column
// called verdict are coloured like those of findings.
type Table struct {
	Caption string
	Header  []string
	Rows    [][]string
}

//go:embed page.html
var page string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{"scripts": scripts}).Parse(page))

// Write writes the page, or nothing if a part of the report is wrong.
func (r Report) Write(w io.Writer) error {
	v, err := r.view()
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, v); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	_, err = w.Write(b.Bytes())
	return err
}

// view checks the report and prepares what the template shows.
func (r Report) view() (view, error) {
	v := view{Report: r, anchors: map[string]bool{}}
	if strings.TrimSpace(r.Title) == "" {
		return v, fmt.Errorf("the title is empty")
	}
	for i, s := range r.Sections {
		if strings.TrimSpace(s.Heading) == "" {
			return v, fmt.Errorf("section %d has no heading", i+1)
		}
		if v.anchors[s.Name] || s.Name != "" && !anchor.MatchString(s.Name) || strings.HasPrefix(s.Name, unnamed) {
			return v,
				fmt.Errorf("the section %q has the name %q: expected a unique name of lower-case letters, digits "+
					"and dashes that does not begin with %q", s.Heading, s.Name, unnamed)
		}
		if s.Name != "" {
			v.anchors[s.Name] = true
		}
	}
	var err error
	if v.Findings, err = v.findings(r.Summary); err != nil {
		return v, err
	}
	for _, c := range r.Counts {
		v.Tally = append(v.Tally, countView{c, tone(c.Verdict)})
	}
	for _, f := range r.Folded {
		list, err := v.findings(f.Findings)
		if err != nil {
			return v, fmt.Errorf("under %q: %w", f.Title, err)
		}
		v.Folds = append(v.Folds, foldView{f.Title, list})
	}
	figures := 0
	for i, s := range r.Sections {
		sv := sectionView{Section: s, ID: s.Name}
		if s.Name == "" {
			sv.ID = fmt.Sprint(unnamed, i+1)
		}
		if sv.Judged, err = v.findings(s.Findings); err != nil {
			return v, fmt.Errorf("the section %q: %w", s.Heading, err)
		}
		for j, f := range s.Figures {
			figures++
			fv, err := f.view(figures)
			if err != nil {
				return v, fmt.Errorf("figure %d of the section %q: %w", j+1, s.Heading, err)
			}
			sv.Drawings = append(sv.Drawings, fv)
		}
		for j, t := range s.Tables {
			tv, err := t.view()
			if err != nil {
				return v, fmt.Errorf("table %d of the section %q: %w", j+1, s.Heading, err)
			}
			sv.Grids = append(sv.Grids, tv)
		}
		v.Parts = append(v.Parts, sv)
	}
	return v, nil
}

// unnamed begins the anchors of sections without a name.
const unnamed = "section-"

// anchor matches the names that sections may have.
var anchor = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

// findings checks findings and gives them their colours.
func (v *view) findings(all []Finding) (views []findingView, err error) {
	for i, f := range all {
		if strings.TrimSpace(f.Verdict) == "" {
			return nil, fmt.Errorf("finding %d (%q) has no verdict", i+1, f.Text)
		}
		if f.Section != "" && !v.anchors[f.Section] {
			return nil, fmt.Errorf("finding %d (%q) refers to the section %q, which the report does not have", i+1,
				f.Text, f.Section)
		}
		views = append(views, findingView{f, tone(f.Verdict)})
	}
	return views, nil
}
