package plot

import (
	"gonum.org/v1/plot/vg"
)

const (
	majorTick = vg.Length(3)
	minorTick = vg.Length(1.6)
	tickGap   = vg.Length(2.4)
	labelGap  = vg.Length(2.6) // between tick labels and the name of the axis
	tickSize  = 0.9            // of the size of axis labels
)

// marks chooses the ticks of an axis so that their labels do not crowd it.
func (a Axis) marks(s scale, size vg.Length) []mark {
	if len(a.Ticks) > 0 {
		ms := make([]mark, 0, len(a.Ticks))
		for _, t := range a.Ticks {
			if s.inside(t.Value) {
				ms = append(ms, mark{t.Value, t.Label, true})
			}
		}
		return ms
	}
	length := s.to - s.from
	return marks(s.lo, s.hi, s.log, max(2, min(6, int(length/(2*size)))))
}

// marksAlong is marks for a horizontal axis, where the room a label takes is its width.
func (a Axis) marksAlong(s scale, size vg.Length) []mark {
	if len(a.Ticks) > 0 {
		return a.marks(s, size)
	}
	for n := 6; n > 1; n-- {
		ms := marks(s.lo, s.hi, s.log, n)
		if !labelsAlong(ms, s, size).turned {
			return ms
		}
	}
	return marks(s.lo, s.hi, s.log, 1)
}

func widestMark(ms []mark, size vg.Length) vg.Length {
	var labels []string
	for _, m := range ms {
		labels = append(labels, m.label)
	}
	return widest(labels, tickSize*size)
}

// drawFrame draws the box, ticks on all four sides, and the labels of both axes.
func (p *Panel) drawFrame(a *area) {
	line := stroke{width: thinWidth, color: ink}
	_, outward := p.heatmap() // ticks would hide in the colours
	tick := func(x, y, dx, dy vg.Length) {
		a.stroke(polyline(vg.Point{X: x, Y: y}, vg.Point{X: x + dx, Y: y + dy}), line)
	}
	length := func(m mark) vg.Length {
		l := minorTick
		if m.major {
			l = majorTick
		}
		if outward {
			l = -l
		}
		return l
	}
	clear := p.tickClearance()
	r := a.rect
	xs := p.X.marksAlong(a.x, a.size)
	below := labelsAlong(xs, a.x, a.size)
	for i, m := range xs {
		x := a.x.at(m.value)
		if len(p.X.Ticks) == 0 {
			tick(x, r.Min.Y, 0, length(m))
			if !outward {
				tick(x, r.Max.Y, 0, -length(m))
			}
		}
		below.draw(a, i, vg.Point{X: x, Y: r.Min.Y - clear - 1})
	}
	ys := p.Y.marks(a.y, a.size)
	for _, m := range ys {
		y := a.y.at(m.value)
		if len(p.Y.Ticks) == 0 {
			tick(r.Min.X, y, length(m), 0)
			if !outward && p.Right == nil {
				tick(r.Max.X, y, -length(m), 0)
			}
		}
		drawText(a, typeset(m.label, tickSize*a.size, regular), vg.Point{X: r.Min.X - clear, Y: y}, middleRight, ink)
	}
	a.stroke(rectangle(r), line)
	under := vg.Point{X: (r.Min.X + r.Max.X) / 2, Y: r.Min.Y - clear - 1 - below.height() - labelGap}
	drawText(a, typeset(p.X.Label, a.size, regular), under, topCentre, ink)
	beside := vg.Point{X: r.Min.X - clear - widestMark(ys, a.size) - labelGap, Y: (r.Min.Y + r.Max.Y) / 2}
	drawText(a, typeset(p.Y.Label, a.size, regular), beside, upwardRight, ink)
}

// tickClearance is the distance from the frame to the tick labels.
func (p *Panel) tickClearance() vg.Length {
	if _, outward := p.heatmap(); outward {
		return majorTick + tickGap
	}
	return tickGap
}
