// Package report writes what a run found as one self-contained HTML page.
//
// The page needs no network, no script and no other file: figures are inlined as SVG. It follows the
// reader's light or dark theme, fits a phone, and prints. The same report gives the same bytes; a
// date appears only if the caller gives one, for instance in the subtitle or among the facts.
package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"instanton/plot"
)

// Report is a page: what was found, the sections that show it, and how to get it again.
type Report struct {
	Title, Subtitle string
	// Summary holds the findings, most important first.
	Summary []Finding
	// Sections come after the summary.
	Sections []Section
	// Facts are what identifies the run: version, seed, model, machine.
	Facts []Fact
	// How holds the commands that make this report again, one a line.
	How []string
}

// Finding is one result in a sentence.
type Finding struct {
	// Verdict is Holds, Fails, HoldsCorrected or any other short word, such as "stuck".
	Verdict string
	// Text is the sentence.
	Text string
	// Numbers are the values behind it.
	Numbers []Fact
}

// The verdicts that have a colour of their own.
const (
	Holds          = "holds"
	Fails          = "fails"
	HoldsCorrected = "holds with a correction"
)

// Fact is a name and its value.
type Fact struct{ Name, Value string }

// Section shows its parts in this order.
type Section struct {
	Heading    string
	Paragraphs []string
	Figures    []Figure
	Tables     []Table
	Findings   []Finding
	// How holds the commands that make this section again, one a line.
	How []string
}

// Figure is a drawing with the sentence under it.
type Figure struct {
	Plot plot.Figure
	// SVG, if not empty, is a drawing that was encoded by package plot before, in place of Plot.
	SVG     string
	Caption string
}

// Table is a header and rows of as many cells. Columns of numbers are aligned to the right.
type Table struct {
	Caption string
	Header  []string
	Rows    [][]string
}

//go:embed page.html
var page string

var pageTemplate = template.Must(template.New("page").Parse(page))

// Write writes the page. Nothing is written if a part of the report is wrong.
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
	v := view{Report: r}
	if strings.TrimSpace(r.Title) == "" {
		return v, fmt.Errorf("the title is empty")
	}
	var err error
	if v.Findings, err = findings(r.Summary); err != nil {
		return v, err
	}
	figures := 0
	for i, s := range r.Sections {
		if strings.TrimSpace(s.Heading) == "" {
			return v, fmt.Errorf("section %d has no heading", i+1)
		}
		sv := sectionView{Section: s, ID: fmt.Sprintf("section-%d", i+1)}
		if sv.Judged, err = findings(s.Findings); err != nil {
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

// findings checks findings and gives them their colours.
func findings(all []Finding) (views []findingView, err error) {
	for i, f := range all {
		if strings.TrimSpace(f.Verdict) == "" {
			return nil, fmt.Errorf("finding %d (%q) has no verdict", i+1, f.Text)
		}
		views = append(views, findingView{f, tone(f.Verdict)})
	}
	return views, nil
}
