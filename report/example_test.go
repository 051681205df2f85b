package report_test

import (
	"bytes"
	"fmt"
	"strings"

	"instanton/plot"
	"instanton/report"
)

func Example() {
	page := report.Report{
		Title:    "Does the sampler mix?",
		Subtitle: "Bars and Stripes, 64 chains",
		Summary: []report.Finding{{
			Verdict: report.Fails, Text: "Alternating Gibbs sampling stays in its mode.",
			Numbers: []report.Fact{{Name: "transitions", Value: "0"}},
		}},
		Sections: []report.Section{{
			Heading:    "Overlaps",
			Paragraphs: []string{"The overlap with the first mode never falls."},
			Figures: []report.Figure{{
				Plot: plot.Figure{Panels: []plot.Panel{{
					X: plot.Axis{Label: "sweep"}, Y: plot.Axis{Label: "overlap $μ$", Limits: plot.Between(0, 1)},
					Series: []plot.Series{plot.Line{X: []float64{0, 100}, Y: []float64{1, 0.98}}},
				}}},
				Caption: "Mean overlap of 64 chains.",
			}},
		}},
		How: []string{"instanton demo --seed 7"},
	}
	var b bytes.Buffer
	if err := page.Write(&b); err != nil {
		fmt.Println(err)
		return
	}
	html := b.String()
	fmt.Println(strings.Contains(html, `<span class="badge bad">fails</span>`), strings.Contains(html, "http:"))
	// Output: true false
}
