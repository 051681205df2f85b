package plot

import (
	"fmt"

	"instanton/internal/special"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Series is something drawn on the axes of a panel: Line, Points, Steps, Bars, Band, Heatmap, HLine,
// VLine or Note. Later series are drawn over earlier ones. Values that are NaN or infinite, or not
// positive on a logarithmic axis, are gaps.
type Series interface {
	// kind and name identify the series in errors; name is also its entry in the legend.
	kind() string
	name() string
	// color is the colour of the series, and whether Auto takes the next in turn.
	color() (c Color, turns bool)
	// check says what is wrong with the data.
	check() error
	// extend adds what must be visible.
	extend(e *extent)
	// paint draws the data, and key a sample for the legend in a box.
	paint(a *area, k seriesInk)
	key(s surface, r vg.Rectangle, k seriesInk)
}

// extent is what the series of a panel require of its axes.
type extent struct {
	x, y       span
	logX, logY bool
	padX       bool // data should keep off the left and right sides
	floor      bool // bars stand on the lower side
	tight      bool // a heat map fills the frame
}

// add extends the axes by the points whose coordinates can both be shown.
func (e *extent) add(x, y float64) {
	if special.Finite(x) && special.Finite(y) && !(e.logX && x <= 0) && !(e.logY && y <= 0) {
		e.x.add(e.logX, x)
		e.y.add(e.logY, y)
	}
}

// Dash is the pattern of a line.
type Dash int

// The patterns.
const (
	Solid Dash = iota
	Dashed
	Dotted
	DashDotted
)

func (d Dash) lengths() []vg.Length {
	switch d {
	case Dashed:
		return []vg.Length{4, 2}
	case Dotted:
		return []vg.Length{1, 1.6}
	case DashDotted:
		return []vg.Length{4, 1.6, 1, 1.6}
	}
	return nil
}

const (
	lineWidth = vg.Length(1.1)
	thinWidth = vg.Length(0.6)
)

// sameLength checks columns of data that must be equally long.
func sameLength(xName string, x []float64, yName string, y []float64) error {
	if len(x) != len(y) {
		return fmt.Errorf("%s has %d values and %s has %d, expected equally many", xName, len(x), yName, len(y))
	}
	return nil
}

// someFinite checks that there is a point to show.
func someFinite(x, y []float64) error {
	if len(x) == 0 {
		return fmt.Errorf("it has no values")
	}
	for i := range x {
		if special.Finite(x[i]) && special.Finite(y[i]) {
			return nil
		}
	}
	return fmt.Errorf("none of its %d points is finite", len(x))
}

// checkErrors checks optional error bars.
func checkErrors(name string, e, y []float64) error {
	if e == nil {
		return nil
	}
	if err := sameLength("Y", y, name, e); err != nil {
		return err
	}
	for i, v := range e {
		if v < 0 {
			return fmt.Errorf("%s[%d] is %g, expected an error of at least 0", name, i, v)
		}
	}
	return nil
}

// withError is y−e, y and y+e, or y alone if it has no error.
func withError(y, e []float64, i int) (lo, hi float64) {
	if e == nil || !special.Finite(e[i]) {
		return y[i], y[i]
	}
	return y[i] - e[i], y[i] + e[i]
}

// strokeClipped draws the parts of a line that lie in the frame.
func (a *area) strokeClipped(pts []vg.Point, l stroke) {
	if len(pts) < 2 {
		return
	}
	c := draw.Canvas{Rectangle: a.rect}
	for _, part := range c.ClipLinesXY(thin(pts)) {
		if len(part) > 1 {
			a.stroke(polyline(part...), l)
		}
	}
}

// clipped is the part of a rectangle that lies in the frame.
func (a *area) clipped(r vg.Rectangle) (vg.Rectangle, bool) {
	r.Min.X, r.Min.Y = max(r.Min.X, a.rect.Min.X), max(r.Min.Y, a.rect.Min.Y)
	r.Max.X, r.Max.Y = min(r.Max.X, a.rect.Max.X), min(r.Max.Y, a.rect.Max.Y)
	return r, r.Min.X < r.Max.X && r.Min.Y <= r.Max.Y
}

// errorBar draws a vertical bar with caps around x.
func (a *area) errorBar(x, lo, hi float64, l stroke) {
	if lo == hi {
		return
	}
	const cap = vg.Length(1.6)
	px, p0, p1 := a.x.at(x), a.y.at(lo), a.y.at(hi)
	if a.y.log && lo <= 0 { // the bar reaches below every power of ten
		p0 = a.rect.Min.Y - 1
	}
	if !a.x.inside(x) || !special.Finite(float64(p1)) {
		return
	}
	a.strokeClipped([]vg.Point{{X: px, Y: p0}, {X: px, Y: p1}}, l)
	for _, y := range []vg.Length{p0, p1} {
		a.strokeClipped([]vg.Point{{X: px - cap, Y: y}, {X: px + cap, Y: y}}, l)
	}
}

// runs splits points at the gaps.
func runs(pts []vg.Point) (parts [][]vg.Point) {
	start := 0
	for i := 0; i <= len(pts); i++ {
		if i == len(pts) || !visible(pts[i]) {
			if i > start {
				parts = append(parts, pts[start:i])
			}
			start = i + 1
		}
	}
	return parts
}

// thin drops points of a long line that no printer could show: of those that follow each other
// within a fifth of a point to the side, it keeps the first, the lowest, the highest and the last.
func thin(pts []vg.Point) []vg.Point {
	const column = vg.Length(0.2)
	if len(pts) < 2000 {
		return pts
	}
	var out []vg.Point
	for i := 0; i < len(pts); {
		j, lo, hi := i, i, i
		for ; j < len(pts) && pts[j].X-pts[i].X < column && pts[i].X-pts[j].X < column; j++ {
			if pts[j].Y < pts[lo].Y {
				lo = j
			}
			if pts[j].Y > pts[hi].Y {
				hi = j
			}
		}
		last := -1
		for _, k := range []int{i, min(lo, hi), max(lo, hi), j - 1} {
			if k != last {
				out = append(out, pts[k])
			}
			last = k
		}
		i = j
	}
	return out
}
