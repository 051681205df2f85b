package report_test

import (
	"bytes"
	"flag"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"instanton/plot"
	"instanton/report"
)

var update = flag.Bool("update", false, "write the golden page of testdata anew")

// small is a report with every part in it.
func small() report.Report {
	line := plot.Figure{Title: "decay", Panels: []plot.Panel{{
		X: plot.Axis{Label: "steps $t$"}, Y: plot.Axis{Label: "overlap $μ_t$"},
		Series: []plot.Series{plot.Line{X: []float64{0, 1, 2, 3}, Y: []float64{1, 0.5, 0.25, 0.125}}},
	}}}
	img := plot.Figure{Panels: []plot.Panel{
		{Series: []plot.Series{plot.Heatmap{Z: [][]float64{{1, 2}, {3, 4}}}}},
		{Series: []plot.Series{plot.Points{X: []float64{1, 2}, Y: []float64{3, 4}}}},
	}}
	return report.Report{
		Title: "Barriers of Bars and Stripes", Subtitle: "A small RBM, sampled two ways",
		Counts: []report.Count{{Verdict: report.Holds, Number: 2, Meaning: "As it is printed."},
			{Verdict: report.Fails, Number: 1, Meaning: "It is wrong: P_nat < 2^(L+1)."}},
		Summary: []report.Finding{
			{Verdict: report.Holds, Text: "The action predicts the measured rate.",
				Numbers: []report.Fact{{Name: "Φ/N", Value: "0.032"}, {Name: "measured", Value: "0.031 ± 0.002"}}},
			{Verdict: report.HoldsCorrected, Text: "The rate needs the prefactor of order 1/N."},
			{Verdict: report.Fails, Text: "Alternating Gibbs sampling does not mix."},
			{Verdict: "stuck", Text: "3 of 64 chains never left their mode."},
		},
		Folded: []report.Fold{{Title: "One more that holds",
			Findings: []report.Finding{{Verdict: report.Holds, Text: "√N W_i is w.", Section: "rates",
				Criterion: "within 2 %"}}}},
		Sections: []report.Section{
			{Heading: "Samples", Paragraphs: []string{"Two samplers ran for 1000 sweeps.",
				"Both started from the data."},
				Figures: []report.Figure{{Plot: line, Caption: "Overlap with the start."},
					{Plot: img, Caption: "Landscape and points."}}},
			{Heading: "Rates", Name: "rates", Tables: []report.Table{{
				Caption: "Transitions per 1000 sweeps.",
				Header:  []string{"sampler", "rate", "R̂"},
				Rows: [][]string{{"AGS", "1.2 ± 0.4", "1.8"}, {"tempering", "14 ± 2", "—"},
					{"stacked", "−3×10⁻⁴", "1.01"}},
			}}},
			{Heading: "Method", Paragraphs: []string{"See the paper."}},
		},
		Facts: []report.Fact{{Name: "seed", Value: "7"}, {Name: "model", Value: "9 spins, 12 hidden units"}},
		How:   []string{"instanton demo --seed 7", "instanton diagnose instanton-demo"},
	}
}

func write(t *testing.T, r report.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// drawing matches an inlined figure. The golden page leaves figures out: plot tests them, and their
// last digits may differ between processors.
var drawing = regexp.MustCompile(`(?s)<svg .*?</svg>`)

func TestGolden(t *testing.T) {
	got := drawing.ReplaceAllString(write(t, small()), "<svg></svg>")
	path := filepath.Join("testdata", "small.html")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (run the test with -update to make it)", err)
	}
	gotLines, wantLines := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range min(len(gotLines), len(wantLines)) {
		if gotLines[i] != wantLines[i] {
			t.Fatalf("line %d is\n  %s\nexpected\n  %s", i+1, gotLines[i], wantLines[i])
		}
	}
	if len(gotLines) != len(wantLines) {
		t.Errorf("the page has %d lines, expected %d", len(gotLines), len(wantLines))
	}
}

func TestSameBytesEveryTime(t *testing.T) {
	first, second := write(t, small()), write(t, small())
	if first != second {
		t.Error("the page differs between two writings")
	}
}

// TestTagsAreBalanced walks the tags with a stack, as a validator would.
func TestTagsAreBalanced(t *testing.T) {
	html := write(t, small())
	html = regexp.MustCompile(`(?s)<style>.*?</style>`).ReplaceAllString(html, "")
	void := map[string]bool{"meta": true}
	var open []string
	for _, m := range regexp.MustCompile(`<(/?)([a-z0-9]+)[^>]*?(/?)>`).FindAllStringSubmatch(html, -1) {
		closing, name, empty := m[1] == "/", m[2], m[3] == "/"
		switch {
		case void[name] || empty:
		case !closing:
			open = append(open, name)
		case len(open) == 0 || open[len(open)-1] != name:
			t.Fatalf("</%s> closes %v", name, open)
		default:
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		t.Errorf("%v is never closed", open)
	}
	for tag, n := range map[string]int{"<h1>": 1, "<h2>": 5, "<figure>": 2, "<table>": 1, "<svg ": 2, "<main>": 1,
		`class="badge`: 7, "<details>": 1} {
		if got := strings.Count(html, tag); got != n {
			t.Errorf("the page has %d × %s, expected %d", got, tag, n)
		}
	}
}

func TestNothingFromOutside(t *testing.T) {
	html := write(t, small())
	for _, bad := range []string{"http:", "https:", "//www", "src=", "<script", "<link", "<iframe", "@import", "url(",
		"<foreignObject"} {
		if i := strings.Index(html, bad); i >= 0 {
			t.Errorf("the page contains %q: …%s…", bad, html[max(0, i-40):min(len(html), i+60)])
		}
	}
	for _, m := range regexp.MustCompile(`href="([^"]{0,40})`).FindAllStringSubmatch(html, -1) {
		if !strings.HasPrefix(m[1], "#") && !strings.HasPrefix(m[1], "data:image/png;base64,") {
			t.Errorf("the page refers to %q", m[1])
		}
	}
	for _, m := range regexp.MustCompile(`href="#([^"]*)"`).FindAllStringSubmatch(html, -1) {
		if !strings.Contains(html, `id="`+m[1]+`"`) {
			t.Errorf("the link to #%s leads nowhere", m[1])
		}
	}
}

func TestHostileStringsAreEscaped(t *testing.T) {
	const evil = `</title></svg>"'><script>alert(1)</script><img src=x onerror=alert(2)>&amp;`
	one := []float64{1}
	r := report.Report{
		Title: evil, Subtitle: evil,
		Counts: []report.Count{{Verdict: evil, Meaning: evil}},
		Summary: []report.Finding{{Verdict: evil, Text: evil, Numbers: []report.Fact{{Name: evil, Value: evil}},
			Criterion: evil}},
		Folded: []report.Fold{{Title: evil, Findings: []report.Finding{{Verdict: evil, Text: evil}}}},
		Sections: []report.Section{{
			Heading: evil, Paragraphs: []string{evil},
			Figures: []report.Figure{{Caption: evil, Plot: plot.Figure{Title: evil, Panels: []plot.Panel{{
				Title: evil, Label: evil, X: plot.Axis{Label: evil, Ticks: []plot.Tick{{Value: 1, Label: evil}}},
				Series: []plot.Series{plot.Line{Name: evil, X: one, Y: one}, plot.HLine{At: 1, Label: evil}},
			}}}}},
			Tables: []report.Table{{Caption: evil, Header: []string{evil}, Rows: [][]string{{evil}}}},
		}},
		Facts: []report.Fact{{Name: evil, Value: evil}},
		How:   []string{evil},
	}
	html := write(t, r)
	for _, bad := range []string{"<script", "<img", `"'>`, "onerror=alert(2)>"} {
		if i := strings.Index(html, bad); i >= 0 {
			t.Errorf("the page contains %q unescaped: …%s…", bad, html[max(0, i-60):i+20])
		}
	}
	if n := strings.Count(html, "</svg>"); n != 1 {
		t.Errorf("the page closes %d drawings, expected 1", n)
	}
}

func TestNumericColumns(t *testing.T) {
	r := report.Report{Title: "t", Sections: []report.Section{{Heading: "h", Tables: []report.Table{{
		Header: []string{"words", "numbers", "mixed", "blank"},
		Rows: [][]string{
			{"AGS", "1.5", "1", ""}, {"2D", "−3×10⁻⁴", "1a", "—"}, {"", "0.12(3)", "2", ""}, {"x", "≈ 7 %", "3", ""},
			{"y", "1e-5 ± 2e-6", "", ""}, {"z", "10 000", "", ""}, {"a", "−8.3·10⁻¹⁷", "", ""},
			{"b", "150,000 ± 20,000", "", ""}, {"w", "NaN", "", ""},
		},
	}}}}}
	html := write(t, r)
	for _, want := range []string{
		`<th scope="col">words</th><th scope="col" class="number">numbers</th>` +
			`<th scope="col">mixed</th><th scope="col">blank</th>`,
		`<td>AGS</td><td class="number">1.5</td><td>1</td><td></td>`,
	} {
		if !strings.Contains(html, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

func TestBadReportsGiveSentences(t *testing.T) {
	section := func(s report.Section) report.Report {
		return report.Report{Title: "t", Sections: []report.Section{s}}
	}
	nan := plot.Figure{Panels: []plot.Panel{{Series: []plot.Series{plot.Line{X: []float64{1},
		Y: []float64{math.NaN()}}}}}}
	for _, c := range []struct {
		report report.Report
		want   string
	}{
		{report.Report{}, "the title is empty"},
		{report.Report{Title: "t", Summary: []report.Finding{{Text: "It mixes."}}},
			`finding 1 ("It mixes.") has no verdict`},
		{section(report.Section{}), "section 1 has no heading"},
		{section(report.Section{Heading: "Rates", Name: "My Rates"}), `the section "Rates" has the name "My Rates"`},
		{section(report.Section{Heading: "Rates", Name: "section-1"}), "does not begin with"},
		{report.Report{Title: "t", Sections: []report.Section{{Heading: "A", Name: "a"}, {Heading: "B", Name: "a"}}},
			"expected a unique name"},
		{report.Report{Title: "t", Summary: []report.Finding{{Verdict: report.Holds, Text: "It does.",
			Section: "none"}}}, `refers to the section "none", which the report does not have`},
		{report.Report{Title: "t", Folded: []report.Fold{{Title: "More",
			Findings: []report.Finding{{Text: "It does."}}}}}, `under "More": finding 1 ("It does.") has no verdict`},
		{section(report.Section{Heading: "Rates", Figures: []report.Figure{{Plot: nan}}}),
			`figure 1 of the section "Rates": plot: panel 1: series 1, Line: none`},
		{section(report.Section{Heading: "Rates", Tables: []report.Table{{}}}), "the header is empty"},
		{section(report.Section{Heading: "Rates",
			Tables: []report.Table{{Header: []string{"a", "b"}, Rows: [][]string{{"1"}}}}}),
			"row 1 has 1 cells and the header 2"},
	} {
		var b bytes.Buffer
		err := c.report.Write(&b)
		if err == nil || !strings.HasPrefix(err.Error(), "report: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("the error is %v, expected one that says %q", err, c.want)
		}
		if b.Len() > 0 {
			t.Errorf("%d bytes were written before the error %v", b.Len(), err)
		}
	}
}

// Verdicts on samplers have the colours of good and bad news; unknown verdicts have none.
func TestColoursOfVerdicts(t *testing.T) {
	for verdict, tone := range map[string]string{report.Holds: "good", report.HoldsCorrected: "fair",
		report.Fails: "bad", report.Mixes: "good", report.Stuck: "bad", report.Good: "good",
		report.Drifted: "bad", "too short": "plain"} {
		html := write(t, report.Report{Title: "t", Summary: []report.Finding{{Verdict: verdict, Text: "So it is."}}})
		if want := `<span class="badge ` + tone + `">` + verdict; !strings.Contains(html, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

func TestSmallestReport(t *testing.T) {
	html := write(t, report.Report{Title: "Nothing yet"})
	for _, absent := range []string{"<nav", "<footer", "<ul", "<section"} {
		if strings.Contains(html, absent) {
			t.Errorf("an empty report has %s", absent)
		}
	}
}

// A section may have figures that were encoded before, findings of its own, and how to make it again.
func TestSectionsOfEarlierResults(t *testing.T) {
	var svg bytes.Buffer
	if err := small().Sections[0].Figures[0].Plot.Encode(&svg, "svg"); err != nil {
		t.Fatal(err)
	}
	r := report.Report{Title: "t", Sections: []report.Section{{
		Heading: "h", Figures: []report.Figure{{SVG: svg.String(), Caption: "A drawing."}},
		Findings: []report.Finding{{Verdict: report.Fails, Text: "It does not.",
			Numbers: []report.Fact{{Name: "x", Value: "1"}}}},
		How: []string{"instanton paper fig-a", "instanton paper fig-b"},
	}}}
	html := write(t, r)
	for _, want := range []string{`<span class="badge bad">fails</span>`, "It does not.", "<svg ", "A drawing.",
		"instanton paper fig-a\ninstanton paper fig-b</code>"} {
		if !strings.Contains(html, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(html, "http:") {
		t.Error("the page names an address")
	}
	for want, section := range map[string]report.Section{
		"not SVG":    {Heading: "h", Figures: []report.Figure{{SVG: "<script>"}}},
		"no verdict": {Heading: "h", Findings: []report.Finding{{Text: "It does."}}},
	} {
		var b bytes.Buffer
		if err := (report.Report{Title: "t", Sections: []report.Section{section}}).Write(&b); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, expected one that says %q", err, want)
		}
	}
}
