package verdict

import (
	"path/filepath"
	"slices"

	"instanton/internal/atomicfile"
	"instanton/internal/meta"
)

// Summary is paper.json: all claims of a folder of results.
type Summary struct {
	Format   string          `json:"format"`
	Version  int             `json:"version"`
	Settings Settings        `json:"settings"`
	Report   string          `json:"report"`
	Verdicts map[Verdict]int `json:"verdicts"`
	Figures  []SummaryFigure `json:"figures"`
	Claims   []Claim         `json:"claims"`

	finished []*Finished
}

// SummaryFigure is a finished figure.
type SummaryFigure struct {
	Name    string  `json:"name"`
	Title   string  `json:"title"`
	Seconds float64 `json:"seconds"`
	Missing string  `json:"missing,omitempty"` // data that could not be had
}

var summaryHeader = meta.Header{Format: "instanton-paper", Version: 1}

// newSummary is the summary of no figure.
func newSummary(settings Settings, report string) *Summary {
	return &Summary{
		Format: summaryHeader.Format, Version: summaryHeader.Version, Settings: settings, Report: report,
		Verdicts: map[Verdict]int{Holds: 0, Corrected: 0, Fails: 0, Open: 0},
		Figures:  []SummaryFigure{}, Claims: []Claim{},
	}
}

// add takes up a figure.
func (s *Summary) add(f *Finished) {
	s.finished = append(s.finished, f)
	s.Figures = append(s.Figures, SummaryFigure{f.Name, f.Title, f.Seconds, f.Missing})
	for _, c := range f.Claims {
		s.Verdicts[c.Verdict]++
		s.Claims = append(s.Claims, c)
	}
}

// Of is the summary of some figures alone.
func (s *Summary) Of(figures []Figure) *Summary {
	part := newSummary(s.Settings, s.Report)
	for _, done := range s.finished {
		if slices.ContainsFunc(figures, func(f Figure) bool { return f.Name == done.Name }) {
			part.add(done)
		}
	}
	return part
}

// Missing names the figures that were made without some of their data.
func (s *Summary) Missing() (names []string) {
	for _, f := range s.Figures {
		if f.Missing != "" {
			names = append(names, f.Name)
		}
	}
	return names
}

// summarise gathers all finished figures of the folder and writes paper.json, claims.md and report.html. What is
// damaged is left out.
func summarise(o Options) (*Summary, error) {
	s := newSummary(o.Settings, filepath.Join(o.Dir, "report.html"))
	for _, f := range o.Registry {
		done, err := load(o.Dir, f.Name)
		switch {
		case err != nil:
			o.Progress("%s: left out of the report, as %v", f.Name, err)
		case done != nil && done.FigureVersion == f.Version:
			s.add(done)
		}
	}
	page, err := s.page(o.command)
	if err != nil {
		return nil, err
	}
	if err := atomicfile.Write(s.Report, true, page.Write); err != nil {
		return nil, err
	}
	if err := atomicfile.Write(filepath.Join(o.Dir, "claims.md"), true, s.markdown); err != nil {
		return nil, err
	}
	return s, atomicfile.Write(filepath.Join(o.Dir, "paper.json"), true, AsJSON(s))
}
