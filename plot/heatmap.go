package plot

import (
	"fmt"
	"image"
	"math"

	"instanton/internal/special"

	"gonum.org/v1/plot/vg"
)

// Heatmap colours a regular grid of cells, with a colour bar beside the panel. Series after it are drawn over it. Cells
// that are NaN are grey.
type Heatmap struct {
	// Z[j][i] is the value of the cell in column i from the left and row j from below.
	Z [][]float64
	// X and Y are the outer edges of the grid; both zero means 0 to the number of cells.
	X, Y [2]float64
	// Bar is the axis of the colour bar: its label, limits, scale and ticks.
	Bar Axis
	// Map is the colour map.
	Map Colormap
}

var _ Series = Heatmap{}

func (h Heatmap) kind() string         { return "Heatmap" }
func (h Heatmap) name() string         { return "" }
func (h Heatmap) color() (Color, bool) { return Black, false }

func (h Heatmap) check() error {
	if len(h.Z) == 0 || len(h.Z[0]) == 0 {
		return fmt.Errorf("it has no cells")
	}
	for j := range h.Z {
		if len(h.Z[j]) != len(h.Z[0]) {
			return fmt.Errorf("row Z[%d] has %d cells and Z[0] has %d, expected equally many", j, len(h.Z[j]),
				len(h.Z[0]))
		}
	}
	x, y := h.edges()
	for _, e := range [][2]float64{x, y} {
		if !special.Finite(e[0]) || !special.Finite(e[1]) || e[0] >= e[1] {
			return fmt.Errorf("its edges are %g and %g, expected a lower edge below the upper one", e[0], e[1])
		}
	}
	if h.Map < Viridis || h.Map > Greys {
		return fmt.Errorf("its colour map is %d, expected Viridis, Diverging or Greys", h.Map)
	}
	if err := h.Bar.check("colour"); err != nil {
		return err
	}
	if _, _, err := h.colorLimits(); err != nil {
		return fmt.Errorf("the colour bar %w", err)
	}
	return nil
}

func (h Heatmap) edges() (x, y [2]float64) {
	x, y = h.X, h.Y
	if x == [2]float64{} {
		x[1] = float64(len(h.Z[0]))
	}
	if y == [2]float64{} {
		y[1] = float64(len(h.Z))
	}
	return x, y
}

// colorLimits are the values at the ends of the colour bar.
func (h Heatmap) colorLimits() (lo, hi float64, err error) {
	var s span
	for _, row := range h.Z {
		s.add(h.Bar.Log, row...)
	}
	if h.Map == Diverging && !h.Bar.Log && s.any {
		reach := max(math.Abs(s.lo), math.Abs(s.hi))
		s.lo, s.hi = -reach, reach
	}
	return h.Bar.limits(s, 0, 0)
}

func (h Heatmap) extend(e *extent) {
	e.tight = true
	x, y := h.edges()
	e.x.add(e.logX, x[:]...)
	e.y.add(e.logY, y[:]...)
}

func (h Heatmap) paint(a *area, _ seriesInk) {
	lo, hi, err := h.colorLimits()
	if err != nil {
		return // refused by check
	}
	colors := scale{lo: lo, hi: hi, log: h.Bar.Log, to: 1}
	x, y := h.edges()
	rows, columns := len(h.Z), len(h.Z[0])
	r := vg.Rectangle{Min: a.at(x[0], y[0]), Max: a.at(x[1], y[1])}
	whole := !a.x.log && !a.y.log && a.x.inside(x[0]) && a.x.inside(x[1]) && a.y.inside(y[0]) && a.y.inside(y[1])
	width, height := columns, rows
	if !whole { // resample the visible part of the grid, finely enough for print
		r = a.rect
		width, height = int(4*r.Size().X)+1, int(4*r.Size().Y)+1
	}
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for py := range height {
		for px := range width {
			i, j := px, rows-1-py
			if !whole {
				i = cellOf(a.x.value((float64(px)+0.5)/float64(width)), x, columns)
				j = cellOf(a.y.value(1-(float64(py)+0.5)/float64(height)), y, rows)
			}
			c := white
			if i >= 0 && j >= 0 {
				c = missing
				if t := float64(colors.at(h.Z[j][i])); special.Finite(h.Z[j][i]) && special.Finite(t) {
					c = h.Map.at(t)
				}
			}
			img.SetRGBA(px, py, c)
		}
	}
	a.picture(r, img)
}

// value is the inverse of at, for a fraction of the length of the axis.
func (s scale) value(t float64) float64 {
	if s.log {
		return s.lo * math.Pow(s.hi/s.lo, t)
	}
	return s.lo + t*(s.hi-s.lo)
}

// cellOf is the index of the cell that holds v, or −1.
func cellOf(v float64, edges [2]float64, n int) int {
	i := int(math.Floor((v - edges[0]) / (edges[1] - edges[0]) * float64(n)))
	if i < 0 || i >= n {
		return -1
	}
	return i
}

func (h Heatmap) key(surface, vg.Rectangle, seriesInk) {}

// drawBar draws the colour bar in r with its ticks on the right.
func (h Heatmap) drawBar(s surface, r vg.Rectangle, size vg.Length) {
	lo, hi, err := h.colorLimits()
	if err != nil {
		return
	}
	const shades = 256
	img := image.NewRGBA(image.Rect(0, 0, 1, shades))
	for i := range shades {
		img.SetRGBA(0, i, h.Map.at(1-float64(i)/(shades-1)))
	}
	s.picture(r, img)
	s.stroke(rectangle(r), stroke{width: thinWidth, color: ink})
	y := scale{lo: lo, hi: hi, log: h.Bar.Log, from: r.Min.Y, to: r.Max.Y}
	ms := h.Bar.marks(y, size)
	for _, m := range ms {
		if !m.major {
			continue
		}
		at := vg.Point{X: r.Max.X, Y: y.at(m.value)}
		s.stroke(polyline(at, vg.Point{X: at.X + majorTick, Y: at.Y}), stroke{width: thinWidth, color: ink})
		drawText(s, typeset(m.label, tickSize*size, regular), vg.Point{X: at.X + majorTick + tickGap, Y: at.Y},
			middleLeft, ink)
	}
	at := vg.Point{X: r.Max.X + majorTick + 2*tickGap + widestMark(ms, size), Y: (r.Min.Y + r.Max.Y) / 2}
	drawText(s, typeset(h.Bar.Label, size, regular), at, upwardLeft, ink)
}

// barRoom is the width of the colour bar to the right of a frame, for a bar of the given height.
func (h Heatmap) barRoom(height, size vg.Length) vg.Length {
	lo, hi, err := h.colorLimits()
	if err != nil {
		return 0
	}
	ms := h.Bar.marks(scale{lo: lo, hi: hi, log: h.Bar.Log, to: height}, size)
	room := barGap + barWidth + majorTick + 2*tickGap + widestMark(ms, size)
	if h.Bar.Label != "" {
		room += typeset(h.Bar.Label, size, regular).height()
	}
	return room
}

const (
	barGap   = vg.Length(6)
	barWidth = vg.Length(8)
)
