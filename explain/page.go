package explain

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"instanton/cluster"
	"instanton/dataset"
	"instanton/interpret"
	"instanton/plot"
	"instanton/rbm"
	"instanton/report"
)

// Page is what a report on hidden units shows.
type Page struct {
	Model *rbm.RBM
	Data  *dataset.Dataset // what the units were described by
	Units *interpret.Units
	Cards int // largest number of units that get a card
}

// Report is the whole page: an overview, then the cards.
func (p *Page) Report(title string) report.Report {
	r := report.Report{
		Title: title,
		Subtitle: fmt.Sprintf("%s visible and %s hidden units, %d configurations", p.Model.Visible.Spec(),
			p.Model.Hidden.Spec(), len(p.Units.Rows)),
		Summary:  p.findings(),
		Sections: []report.Section{p.overview()},
	}
	if len(p.Units.Units) > 1 {
		r.Sections = append(r.Sections, p.correlations())
	}
	r.Sections = append(r.Sections, p.Sections()...)
	return r
}

// Sections are the cards, most important unit first.
func (p *Page) Sections() []report.Section {
	var cards []report.Section
	for k := range p.Units.Units[:p.shown()] {
		cards = append(cards, p.card(k))
	}
	return cards
}

func (p *Page) shown() int { return min(p.Cards, len(p.Units.Units)) }

// classes are those of the data, none if there is only one.
func (p *Page) classes() []dataset.Class {
	if c := p.Data.Classes(); len(c) > 1 {
		return c
	}
	return nil
}

// name is how a unit is called: its index, and its state if it is a Potts unit.
func name(u *interpret.Unit) string {
	if u.State >= 0 {
		return fmt.Sprintf("unit %d, state %d", u.Index, u.State)
	}
	return fmt.Sprintf("unit %d", u.Index)
}

// short is the name in tables and on axes.
func short(u *interpret.Unit) string {
	if u.State >= 0 {
		return fmt.Sprintf("%d/%d", u.Index, u.State)
	}
	return strconv.Itoa(u.Index)
}

// anchor is the name of the section of unit k, empty if it has none.
func (p *Page) anchor(k int) string {
	if k >= p.shown() {
		return ""
	}
	u := &p.Units.Units[k]
	if u.State >= 0 {
		return fmt.Sprintf("unit-%d-state-%d", u.Index, u.State)
	}
	return fmt.Sprintf("unit-%d", u.Index)
}

// findings say which units are silent or duplicates, and which tell the classes.
func (p *Page) findings() []report.Finding {
	var silent, twice []string
	for k := range p.Units.Units {
		u := &p.Units.Units[k]
		if u.Silent {
			silent = append(silent, short(u))
		}
		if u.Duplicate >= 0 {
			twice = append(twice, fmt.Sprintf("%s (of %s)", short(u), short(&p.Units.Units[u.Duplicate])))
		}
	}
	all := len(p.Units.Units)
	f := []report.Finding{{Verdict: "in use", Text: fmt.Sprintf("%d of %d units respond to the data; about %.1f take "+
		"part in a configuration.", all-len(silent), all, p.Units.Active)}}
	if len(silent) > 0 {
		f = append(f, report.Finding{Verdict: "silent", Text: "The data determine less than 1 % of the variance of " +
			list("unit", silent) + "."})
	}
	if len(twice) > 0 {
		f = append(f, report.Finding{Verdict: "duplicates", Text: "Weights parallel to those of a more important " +
			"unit (|cosine| > 0.95): " + list("unit", twice) + "."})
	}
	for c, class := range p.classes() {
		best, at := 0.0, -1
		for k := range p.Units.Units {
			if u := &p.Units.Units[k]; u.AUC != nil && math.Abs(u.AUC[c]-0.5) > best {
				best, at = math.Abs(u.AUC[c]-0.5), k
			}
		}
		if at < 0 {
			continue
		}
		u := &p.Units.Units[at]
		direction := "large"
		if u.AUC[c] < 0.5 {
			direction = "small"
		}
		f = append(f, report.Finding{Verdict: "class " + p.Data.LabelName(class.Label), Section: p.anchor(at),
			Text: fmt.Sprintf("Best told from the others by %s inputs of %s, with an AUC of %.3f.", direction, name(u),
				0.5+best)})
	}
	return f
}

// list writes a noun with numbers.
func list(noun string, numbers []string) string {
	if len(numbers) > 1 {
		noun += "s"
	}
	return noun + " " + strings.Join(numbers, ", ")
}

// overview is the table of all units.
func (p *Page) overview() report.Section {
	t := report.Table{Header: []string{"unit", "importance", "sites", "determined", "input", "skewness", "remarks"}}
	classes := p.classes()
	if classes != nil {
		t.Header = append(t.Header, "tells", "AUC")
	}
	for k := range p.Units.Units {
		u := &p.Units.Units[k]
		row := []string{short(u), fmt.Sprintf("%.3g", u.Importance), fmt.Sprintf("%.1f", u.Sites),
			fmt.Sprintf("%.0f %%", 100*u.Determined), fmt.Sprintf("%.3g ± %.2g", u.InputMean, u.InputSD),
			fmt.Sprintf("%.2f", u.Skewness), p.remarks(u)}
		if classes != nil {
			told, auc := "", ""
			if u.Best >= 0 {
				told = p.Data.LabelName(classes[u.Best].Label)
				auc = fmt.Sprintf("%.3f", u.AUC[u.Best])
			}
			row = append(row, told, auc)
		}
		t.Rows = append(t.Rows, row)
	}
	return report.Section{Heading: "All units", Name: "units", Tables: []report.Table{t}, Paragraphs: []string{
		"Importance is ⟨Γ''⟩ Σ w², the strength of the couplings that a unit makes. Sites is the effective number of " +
			"visible units that its weights are spread over. Determined is the share of the variance of the unit " +
			"that the data fix. The input is its mean ± standard deviation over the data; a skewness of zero means " +
			"that it is as often as far above as below its mean. An AUC below 0.5 means that small inputs tell the " +
			"class."}}
}

func (p *Page) remarks(u *interpret.Unit) string {
	var words []string
	if u.Silent {
		words = append(words, "silent")
	}
	if u.Duplicate >= 0 {
		words = append(words, "duplicate of "+short(&p.Units.Units[u.Duplicate]))
	}
	return strings.Join(words, ", ")
}

// correlations is the matrix of correlations between inputs, with similar units side by side.
func (p *Page) correlations() report.Section {
	r := p.Units.Correlation()
	distance := make([][]float64, len(r))
	for k, row := range r {
		distance[k] = make([]float64, len(row))
		for j, x := range row {
			distance[k][j] = max(0, 1-math.Abs(x))
		}
		distance[k][k] = 0
	}
	order := make([]int, len(r))
	for k := range order {
		order[k] = k
	}
	if tree, err := cluster.Hierarchy(distance, cluster.Average, 0); err == nil {
		order = tree.Order()
	}
	z := make([][]float64, len(r))
	for k, a := range order {
		z[k] = make([]float64, len(r))
		for j, b := range order {
			z[k][j] = r[a][b]
		}
	}
	var ticks []plot.Tick
	every := (len(order) + 49) / 50
	for k := 0; k < len(order); k += every {
		label := ""
		if len(order) <= 30 || k%5 == 0 {
			label = short(&p.Units.Units[order[k]])
		}
		ticks = append(ticks, plot.Tick{Value: float64(k) + 0.5, Label: label})
	}
	return report.Section{Heading: "Correlations between units", Name: "correlations", Figures: []report.Figure{{
		Caption: "Correlations of the inputs over the data; units that are alike stand side by side.",
		Plot: plot.Figure{Width: 12, Panels: []plot.Panel{{Label: plot.NoLabel,
			X: plot.Axis{Label: "unit", Ticks: ticks}, Y: plot.Axis{Label: "unit", Ticks: ticks},
			Series: []plot.Series{plot.Heatmap{Z: z, Map: plot.Diverging,
				Bar: plot.Axis{Label: "correlation", Limits: plot.Between(-1, 1)}}}}}}}}}
}
