package plot

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
)

// Widths of a figure in one column and across both columns of a Physical Review page, in centimetres.
const (
	OneColumn  = 8.6
	TwoColumns = 17.8
)

// Figure is a grid of panels. Every field except Panels may be left at its zero value.
type Figure struct {
	// Title is set above the whole figure. Papers usually leave it empty.
	Title string
	// Panels fill the grid row by row.
	Panels []Panel
	// Columns of the grid; 0 chooses 1 to 3 from the number of panels.
	Columns int
	// Width in centimetres; 0 means OneColumn for one column of panels, otherwise TwoColumns.
	Width float64
	// Height in centimetres; 0 follows from the aspect of the panels.
	Height float64
	// FontSize of axis labels in points; 0 means 8.5. Other text scales with it.
	FontSize float64
	// DPI is the resolution of PNG; 0 means 300.
	DPI int
}

// Formats lists the formats of Encode, which are also the file extensions of Save.
func Formats() []string { return []string{"pdf", "png", "svg"} }

// Save writes the figure to path in the format given by its extension. The file is not touched before the whole figure
// has been drawn.
func (f Figure) Save(path string) error {
	format := strings.ToLower(strings.TrimPrefix(filepath.Ext(path), "."))
	if !slices.Contains(Formats(), format) {
		return fmt.Errorf("plot: the extension of %q is not a known format: expected .pdf, .png or .svg", path)
	}
	var b bytes.Buffer
	if err := f.Encode(&b, format); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}

// Encode writes the figure to w as "pdf", "png" or "svg". The SVG has no XML prolog, so that it can
// be put into HTML as it is.
func (f Figure) Encode(w io.Writer, format string) error {
	f, err := f.resolved()
	if err != nil {
		return fmt.Errorf("plot: %w", err)
	}
	var s surface
	lay := f.layout()
	switch format {
	case "pdf":
		s = newPDF(lay.width, lay.height)
	case "png":
		s = newPNG(lay.width, lay.height, f.DPI)
	case "svg":
		s = newSVG(lay.width, lay.height, plainText(f.Title))
	default:
		return fmt.Errorf("plot: unknown format %q: expected pdf, png or svg", format)
	}
	f.draw(s, lay)
	if _, err := s.WriteTo(w); err != nil {
		return fmt.Errorf("plot: writing %s: %w", format, err)
	}
	return nil
}

// resolved checks the figure and fills in every default.
func (f Figure) resolved() (Figure, error) {
	if len(f.Panels) == 0 {
		return f, fmt.Errorf("the figure has no panel to draw")
	}
	if f.Columns < 0 {
		return f, fmt.Errorf("the figure has %d columns, expected 1 or more (0 to choose)", f.Columns)
	}
	for _, q := range []struct {
		what     string
		v, limit float64
	}{
		{"width (cm)", f.Width, 500}, {"height (cm)", f.Height, 500},
		{"font size (pt)", f.FontSize, 200}, {"resolution (dpi)", float64(f.DPI), 2400},
	} {
		if !(q.v >= 0 && q.v <= q.limit) {
			return f, fmt.Errorf("the figure's %s is %g, expected between 0 (the default) and %g", q.what, q.v, q.limit)
		}
	}
	if f.Columns == 0 {
		f.Columns = 3
		if n := len(f.Panels); n <= 1 {
			f.Columns = 1
		} else if n <= 4 {
			f.Columns = 2
		}
	}
	f.Columns = min(f.Columns, len(f.Panels))
	if f.Width == 0 {
		f.Width = TwoColumns
		if f.Columns == 1 {
			f.Width = OneColumn
		}
	}
	if f.FontSize == 0 {
		f.FontSize = 8.5
	}
	if f.DPI == 0 {
		f.DPI = 300
	}
	f.Panels = slices.Clone(f.Panels)
	for i := range f.Panels {
		p := &f.Panels[i]
		if err := p.resolve(); err != nil {
			return f, fmt.Errorf("panel %d%s: %w", i+1, quoted(p.Title), err)
		}
		switch {
		case p.Label == NoLabel:
			p.Label = ""
		case p.Label == "" && len(f.Panels) > 1 && len(f.Panels) <= 26:
			p.Label = "(" + string(rune('a'+i)) + ")"
		}
	}
	f.assignInks()
	return f, nil
}

// quoted is the name in brackets and quotes for an error message, or nothing.
func quoted(name string) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf(" (%q)", name)
}

func (f Figure) draw(s surface, lay layout) {
	s.fill(rectangle(vg.Rectangle{Max: vg.Point{X: lay.width, Y: lay.height}}), white)
	if f.Title != "" {
		at := vg.Point{X: lay.width / 2, Y: lay.height - lay.pad}
		drawText(s, typeset(f.Title, lay.size*1.1, bold), at, topCentre, ink)
	}
	for i := range f.Panels {
		f.Panels[i].draw(s, lay.cells[i], lay.size)
	}
}
