package plot

import (
	"fmt"

	"gonum.org/v1/plot/vg"
)

// Right is a line over a panel with an axis of its own on the right, such as a response over a histogram.
type Right struct {
	Axis
	Line Line // Auto means Black

	lo, hi float64
}

// resolve checks the line and chooses the limits of its axis.
func (r *Right) resolve(p *Panel) error {
	if err := r.check("right"); err != nil {
		return err
	}
	if _, ok := p.heatmap(); ok {
		return fmt.Errorf("it has both a colour bar and an axis on the right, expected one of them")
	}
	if err := r.Line.check(); err != nil {
		return fmt.Errorf("the line of the right axis: %w", err)
	}
	e := extent{logX: p.X.Log, logY: r.Log}
	r.Line.extend(&e)
	var err error
	if r.lo, r.hi, err = r.limits(e.y, 0.05, 0.06); err != nil {
		return fmt.Errorf("the right axis %w", err)
	}
	return nil
}

// scale is the axis along a frame.
func (r *Right) scale(frame vg.Rectangle) scale {
	return scale{r.lo, r.hi, r.Log, frame.Min.Y, frame.Max.Y}
}

// draw draws the line, the ticks and the labels.
func (r *Right) draw(a *area) {
	own := *a
	own.y = r.scale(a.rect)
	c := r.Line.Color
	if c == Auto {
		c = Black
	}
	r.Line.paint(&own, seriesInk{color: c.rgba()})
	ms := r.marks(own.y, a.size)
	for _, m := range ms {
		at, length := vg.Point{X: a.rect.Max.X, Y: own.y.at(m.value)}, minorTick
		if m.major {
			length = majorTick
		}
		a.stroke(polyline(at, vg.Point{X: at.X - length, Y: at.Y}), stroke{width: thinWidth, color: ink})
		label := vg.Point{X: at.X + tickGap, Y: at.Y}
		drawText(a, typeset(m.label, tickSize*a.size, regular), label, middleLeft, ink)
	}
	beside := vg.Point{X: a.rect.Max.X + 2*tickGap + widestMark(ms, a.size), Y: (a.rect.Min.Y + a.rect.Max.Y) / 2}
	drawText(a, typeset(r.Label, a.size, regular), beside, upwardLeft, ink)
}

// room is the width of what stands to the right of a frame.
func (r *Right) room(frame vg.Rectangle, size vg.Length) vg.Length {
	room := 2*tickGap + widestMark(r.marks(r.scale(frame), size), size)
	if r.Label != "" {
		room += typeset(r.Label, size, regular).height()
	}
	return room
}
