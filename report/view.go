package report

import (
	"bytes"
	"fmt"
	"html/template"
	"regexp"
	"strconv"
	"strings"
)

// view is the report as the template needs it.
type view struct {
	Report
	Tally    []countView
	Findings []findingView
	Folds    []foldView
	Parts    []sectionView

	anchors map[string]bool // names of sections
}

type countView struct {
	Count
	Tone string
}

type foldView struct {
	Title    string
	Findings []findingView
}

type findingView struct {
	Finding
	Tone string // the class of the badge
}

type sectionView struct {
	Section
	ID       string
	Drawings []figureView
	Grids    []tableView
	Judged   []findingView
}

type figureView struct {
	Number  int
	Caption string
	Wide    bool
	SVG     template.HTML
}

type tableView struct {
	Caption string
	Header  []cellView
	Rows    [][]cellView
}

type cellView struct {
	Text    string
	Numeric bool
	Tone    string // of a verdict
}

// tone is the colour of a verdict; unknown verdicts are neutral.
func tone(verdict string) string {
	switch strings.ToLower(strings.TrimSpace(verdict)) {
	case Holds, Mixes, Good:
		return "good"
	case HoldsCorrected:
		return "fair"
	case Fails, Stuck, Drifted:
		return "bad"
	}
	return "plain"
}

// wideFrom is the width in centimetres above which a figure is scrolled on a phone instead of shrunk.
const wideFrom = 12

var svgWidth = regexp.MustCompile(`width="([0-9.]+)pt"`)

func (f Figure) view(number int) (figureView, error) {
	svg := f.SVG
	if svg == "" {
		var b bytes.Buffer
		if err := f.Plot.Encode(&b, "svg"); err != nil {
			return figureView{}, err
		}
		svg = b.String()
	}
	if !strings.HasPrefix(svg, "<svg ") {
		return figureView{}, fmt.Errorf("the drawing is not SVG as package plot writes it")
	}
	// HTML knows the namespace of an svg element, so the page does not have to give its address.
	svg = strings.Replace(svg, ` xmlns="http://www.w3.org/2000/svg"`, "", 1)
	var points float64
	if size := svgWidth.FindStringSubmatch(svg); size != nil {
		points, _ = strconv.ParseFloat(size[1], 64)
	}
	return figureView{
		Number: number, Caption: f.Caption,
		Wide: points > wideFrom*72/2.54,
		SVG:  template.HTML(svg), // escaped by plot: it holds paths, images and one quoted label
	}, nil
}

func (t Table) view() (tableView, error) {
	v := tableView{Caption: t.Caption}
	if len(t.Header) == 0 {
		return v, fmt.Errorf("the header is empty")
	}
	for i, row := range t.Rows {
		if len(row) != len(t.Header) {
			return v, fmt.Errorf("row %d has %d cells and the header %d, expected equally many", i+1, len(row),
				len(t.Header))
		}
	}
	numeric := make([]bool, len(t.Header))
	for c := range t.Header {
		numeric[c] = t.numeric(c)
		v.Header = append(v.Header, cellView{Text: t.Header[c], Numeric: numeric[c]})
	}
	for _, row := range t.Rows {
		var cells []cellView
		for c, text := range row {
			cell := cellView{Text: text, Numeric: numeric[c]}
			if t.Header[c] == "verdict" {
				cell.Tone = tone(text)
			}
			cells = append(cells, cell)
		}
		v.Rows = append(v.Rows, cells)
	}
	return v, nil
}

// number matches numbers as physicists write them in tables, with signs, errors, powers of ten and percent signs.
var number = regexp.MustCompile(`^[+\-−±~≈<>≤≥]?\s*\d[\d.,\x{2009}\x{202f} ]*` +
	`([eE][+-]?\d+|\s*[×·]\s*10[⁻⁰¹²³⁴-⁹^−\-\d]*)?(\(\d+\))?(\s*±\s*[\d.,]+([eE][+-]?\d+)?)?\s*%?$`)

// numeric tells whether a column holds numbers; blanks and dashes may stand for missing ones.
func (t Table) numeric(column int) bool {
	any := false
	for _, row := range t.Rows {
		switch cell := strings.TrimSpace(row[column]); strings.ToLower(cell) {
		case "", "-", "–", "—", "nan", "∞", "inf", "-inf", "+inf":
		default:
			if !number.MatchString(cell) {
				return false
			}
			any = true
		}
	}
	return any
}
