package explain

import (
	"cmp"
	"fmt"
	"image"
	"math"
	"slices"
	"strconv"
	"strings"

	"instanton/dataset"
	"instanton/interpret"
	"instanton/plot"
	"instanton/report"
	"instanton/unit"
)

// card is the section of unit k.
func (p *Page) card(k int) report.Section {
	u := &p.Units.Units[k]
	heading := name(u)
	s := report.Section{Heading: "U" + heading[1:], Name: p.anchor(k), Facts: p.numbers(u)}
	if figure, caption, ok := p.weights(u); ok {
		s.Figures = append(s.Figures, report.Figure{Plot: figure, Caption: caption})
	}
	s.Figures = append(s.Figures, report.Figure{Plot: p.histogram(k),
		Caption: "Inputs over the data (steps) and the mean of the unit given its input (dashed, right axis)."})
	if sheet := p.drivingImages(u); sheet != nil {
		s.Figures = append(s.Figures, report.Figure{Caption: "Configurations with the largest and smallest inputs.",
			Plot: plot.Figure{Width: 12, Panels: []plot.Panel{{Images: sheet, Label: plot.NoLabel}}}})
	} else if len(u.Up) > 0 {
		s.Tables = append(s.Tables, p.drivingRows(u))
	}
	return s
}

// numbers are the facts of a unit.
func (p *Page) numbers(u *interpret.Unit) []report.Fact {
	n := p.Model.Visible.Spec().N
	facts := []report.Fact{
		{Name: "importance", Value: fmt.Sprintf("%.3g", u.Importance)},
		{Name: "effective number of sites", Value: fmt.Sprintf("%.1f of %d", u.Sites, n)},
		{Name: "share of its variance determined by the data", Value: fmt.Sprintf("%.1f %%", 100*u.Determined)},
		{Name: "input", Value: fmt.Sprintf("%.3g ± %.2g, skewness %.2f, above the middle of its range in %.0f %%",
			u.InputMean, u.InputSD, u.Skewness, 100*u.Upper)},
		{Name: "most parallel other unit", Value: fmt.Sprintf("cosine %.2f", u.Cosine)},
	}
	for c, class := range p.classes() {
		if u.AUC != nil {
			facts = append(facts, report.Fact{Name: "AUC of class " + p.Data.LabelName(class.Label),
				Value: fmt.Sprintf("%.3f", u.AUC[c])})
		}
	}
	if words := p.remarks(u); words != "" {
		facts = append(facts, report.Fact{Name: "remark", Value: words})
	}
	return facts
}

// weights draws the weights in the way that suits the visible units.
func (p *Page) weights(u *interpret.Unit) (figure plot.Figure, caption string, ok bool) {
	spec, top := p.Model.Visible.Spec(), 0.0
	for _, w := range u.Weights {
		top = max(top, math.Abs(w))
	}
	switch {
	case top == 0:
		return figure, "", false
	case spec.Type == unit.Potts && len(p.Data.Alphabet) == spec.Q:
		caption = "Weights in the zero-sum gauge."
		if strings.Contains(p.Data.Alphabet, "-") {
			caption += " A grey block is the gap."
		}
		return p.logo(u, top), caption, true
	case len(p.Data.Shape) == 2 && p.Data.Shape[0]*p.Data.Shape[1] == len(u.Weights):
		img, err := plot.Picture(p.Data.Shape[1], u.Weights, -top, top)
		if err != nil {
			return figure, "", false
		}
		sheet := &plot.ImageSheet{Rows: []plot.ImageRow{{Images: []image.Image{img}}}}
		return plot.Figure{Width: 5, Panels: []plot.Panel{{Images: sheet, Label: plot.NoLabel}}},
			fmt.Sprintf("Weights from −%.3g (white) to %.3g (black).", top, top), true
	}
	return p.bars(u), "The largest weights, in the order of their size; visible units are counted from 1.", true
}

// Sites per row of a logo.
const logoSites = 50

// logo stacks the letters by their weights. Letters too small to be read are left out.
func (p *Page) logo(u *interpret.Unit, top float64) plot.Figure {
	q := p.Model.Visible.Spec().Q
	n := len(u.Weights) / q
	width := min(n, logoSites)
	f := plot.Figure{Columns: 1, Width: plot.TwoColumns}
	var lo, hi float64
	heights := make([][]float64, n)
	for i := range heights {
		var up, down float64
		for _, w := range u.Weights[i*q : (i+1)*q] {
			if math.Abs(w) < 0.04*top {
				w = 0
			}
			heights[i] = append(heights[i], w)
			up, down = up+max(0, w), down+min(0, w)
		}
		lo, hi = min(lo, down), max(hi, up)
	}
	for from := 0; from < n; from += width {
		to := min(from+width, n)
		var ticks []plot.Tick
		for x := from + 1; x <= to; x++ {
			if x%5 == 0 || x == 1 {
				ticks = append(ticks, plot.Tick{Value: float64(x), Label: strconv.Itoa(x)})
			}
		}
		f.Panels = append(f.Panels, plot.Panel{Label: plot.NoLabel, Aspect: 0.22,
			X: plot.Axis{Ticks: ticks, Limits: plot.Between(float64(from)+0.4, float64(from+width)+0.6)},
			Y: plot.Axis{Label: "weight", Limits: plot.Between(1.05*lo, 1.05*hi)},
			Series: []plot.Series{plot.HLine{At: 0, Dash: plot.Dotted},
				plot.Logo{Letters: p.Data.Alphabet, Gaps: true, Heights: heights[from:to], First: from + 1}}})
	}
	f.Panels[len(f.Panels)-1].X.Label = "site"
	return f
}

// Number of weights that bars show.
const mostBars = 30

// bars lists the largest weights.
func (p *Page) bars(u *interpret.Unit) plot.Figure {
	order := make([]int, len(u.Weights))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(math.Abs(u.Weights[b]), math.Abs(u.Weights[a]))
	})
	order = order[:min(mostBars, len(order))]
	var series plot.Bars
	series.Color = plot.Blue
	var ticks []plot.Tick
	q := p.Model.Visible.Spec().Channels()
	for k, c := range order {
		series.X, series.Y = append(series.X, float64(k)), append(series.Y, u.Weights[c])
		label := strconv.Itoa(c/q + 1)
		if q > 1 {
			label += "/" + strconv.Itoa(c%q)
		}
		ticks = append(ticks, plot.Tick{Value: float64(k), Label: label})
	}
	return plot.Figure{Width: plot.TwoColumns, Panels: []plot.Panel{{Label: plot.NoLabel, Aspect: 0.25,
		X: plot.Axis{Label: "visible unit", Ticks: ticks}, Y: plot.Axis{Label: "weight"},
		Series: []plot.Series{series}}}}
}

// Bins of histograms, and points of the curve of means.
const (
	bins   = 40
	points = 81
)

// histogram shows the inputs by class and, over them, the mean of the unit.
func (p *Page) histogram(k int) plot.Figure {
	classes, labels, names := p.groups(&p.Units.Units[k])
	edges, shares := p.Units.Histogram(k, bins, labels, classes)
	lo, hi := edges[0], edges[bins]
	var x []float64
	for n := range points {
		x = append(x, lo+(hi-lo)*float64(n)/(points-1))
	}
	mean := plot.Line{X: x, Y: p.Units.MeanAt(p.Model, k, x), Color: plot.Black, Dash: plot.Dashed}
	inputs := plot.Panel{Label: plot.NoLabel, Aspect: 0.3,
		X: plot.Axis{Label: "input $I$", Limits: plot.Between(lo, hi)}, Y: plot.Axis{Label: "share of the data"},
		Right: &plot.Right{Axis: plot.Axis{Label: "mean $⟨h|I⟩$"}, Line: mean}}
	for c, row := range shares {
		s := plot.Steps{Edges: edges, Y: row, Fill: len(shares) == 1}
		if len(classes) > 0 {
			s.Name = names[c]
		} else {
			s.Color = plot.Blue
		}
		inputs.Series = append(inputs.Series, s)
	}
	return plot.Figure{Width: plot.TwoColumns, Panels: []plot.Panel{inputs}}
}

// maxClasses is the largest number of classes whose histograms are drawn separately.
const maxClasses = 5

// groups are the classes whose histograms are drawn, with the label of every configuration and their names. Of many
// classes only the one that the unit tells best is drawn, and all others together.
func (p *Page) groups(u *interpret.Unit) (classes []dataset.Class, labels []int, names []string) {
	classes, labels = p.classes(), p.Data.Labels
	if len(classes) > maxClasses {
		best := classes[u.Best].Label
		labels = make([]int, len(p.Data.Labels))
		for k, l := range p.Data.Labels {
			if l != best {
				labels[k] = 1
			}
		}
		return []dataset.Class{{Label: 0}, {Label: 1}}, labels, []string{p.Data.LabelName(best), "all others"}
	}
	for _, c := range classes {
		names = append(names, p.Data.LabelName(c.Label))
	}
	return classes, labels, names
}

// drivingImages is a sheet of the images with the largest and the smallest inputs.
func (p *Page) drivingImages(u *interpret.Unit) *plot.ImageSheet {
	shape, states := p.Data.Shape, p.Data.States
	if len(shape) != 2 || shape[0]*shape[1] != states.N || len(u.Up) == 0 {
		return nil
	}
	sheet := &plot.ImageSheet{}
	values := make([]float64, states.N)
	for _, row := range []struct {
		label string
		rows  []int
	}{{"up", u.Up}, {"down", u.Down}} {
		images := plot.ImageRow{Label: row.label}
		for _, k := range row.rows {
			states.Values(values, k)
			lo, hi := states.Range()
			if !states.Type.Discrete() {
				lo, hi = slices.Min(values), max(slices.Max(values), slices.Min(values)+1e-9)
			}
			img, err := plot.Picture(shape[1], values, lo, hi)
			if err != nil {
				return nil
			}
			images.Images = append(images.Images, img)
		}
		sheet.Rows = append(sheet.Rows, images)
	}
	return sheet
}

// drivingRows is a table of the configurations with the largest and the smallest inputs.
func (p *Page) drivingRows(u *interpret.Unit) report.Table {
	t := report.Table{Caption: "Configurations with the largest and smallest inputs.",
		Header: []string{"", "configuration", "name"}}
	labelled := p.classes() != nil
	if labelled {
		t.Header = append(t.Header, "class")
	}
	add := func(word string, rows []int) {
		for _, k := range rows {
			row := []string{word, p.text(k), p.rowName(k)}
			if labelled {
				row = append(row, p.Data.LabelName(p.Data.Labels[k]))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	add("up", u.Up)
	add("down", u.Down)
	return t
}

func (p *Page) rowName(k int) string {
	if p.Data.Names != nil && p.Data.Names[k] != "" {
		return p.Data.Names[k]
	}
	return "row " + strconv.Itoa(k+1)
}

// text writes a configuration: letters, signs or numbers, as many as fit.
func (p *Page) text(k int) string {
	states := p.Data.States
	if states.Type == unit.Potts && len(p.Data.Alphabet) == states.Q {
		return p.Data.Letters(k)
	}
	const most = 60
	text := ""
	for i := range min(states.N, most) {
		x := states.Value(k, i)
		switch {
		case states.Type == unit.Spin && x > 0:
			text += "+"
		case states.Type == unit.Spin:
			text += "−"
		case states.Type == unit.Bernoulli:
			text += strconv.Itoa(int(x))
		default:
			text += fmt.Sprintf("%.3g ", x)
		}
		if len(text) > 3*most {
			break
		}
	}
	if states.N > most || len(text) > 3*most {
		text += "…"
	}
	return text
}
