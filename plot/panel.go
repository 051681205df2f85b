package plot

import (
	"fmt"

	"gonum.org/v1/plot/vg"
)

// Panel is one pair of axes with its series, a sheet of images, or a diagram.
type Panel struct {
	// Title is set above the panel.
	Title string
	// Label replaces the letter (a), (b), … that panels get when there are several; NoLabel hides it.
	Label string
	// X and Y are the axes.
	X, Y Axis
	// Series are drawn in order. A heat map gets a colour bar; at most one is allowed.
	Series []Series
	// Right, if given, is drawn over the series.
	Right *Right
	// Images or Diagram, if given, replaces the axes and series.
	Images  *ImageSheet
	Diagram *Diagram
	// Legend says where the names of the series go.
	Legend Legend
	// Aspect is the height of the frame over its width; 0 means 0.7, or square for a heat map.
	Aspect float64

	inks                   []seriesInk
	xLo, xHi, yLo, yHi     float64
	captionPlace           []int // the place that the caption of each series takes
	legendAbove            bool
	legendAcross, legendUp float64 // position of the legend in the frame, as fractions
}

// NoLabel as the label of a panel hides its letter.
const NoLabel = "-"

// resolve checks the panel and chooses its limits.
func (p *Panel) resolve() error {
	if !(p.Aspect >= 0 && p.Aspect <= 20) {
		return fmt.Errorf("its aspect is %g, expected between 0 (the default) and 20", p.Aspect)
	}
	switch {
	case p.Images != nil && p.Diagram != nil:
		return fmt.Errorf("it has both an image sheet and a diagram, expected one of them")
	case p.Images != nil:
		if len(p.Series) > 0 {
			return fmt.Errorf("it has both an image sheet and %d series, expected one of them", len(p.Series))
		}
		return p.Images.check()
	case p.Diagram != nil:
		if len(p.Series) > 0 {
			return fmt.Errorf("it has both a diagram and %d series, expected one of them", len(p.Series))
		}
		return p.Diagram.check()
	}
	if len(p.Series) == 0 {
		return fmt.Errorf("there is nothing to draw: give it a series, an image sheet or a diagram")
	}
	if err := p.X.check("x"); err != nil {
		return err
	}
	if err := p.Y.check("y"); err != nil {
		return err
	}
	e := extent{logX: p.X.Log, logY: p.Y.Log}
	maps := 0
	for i, s := range p.Series {
		if s == nil {
			return fmt.Errorf("series %d is nil", i+1)
		}
		if err := s.check(); err != nil {
			return fmt.Errorf("series %d, %s%s: %w", i+1, s.kind(), quoted(s.name()), err)
		}
		if _, ok := s.(Heatmap); ok {
			maps++
		}
		s.extend(&e)
	}
	if maps > 1 {
		return fmt.Errorf("it has %d heat maps, expected at most one", maps)
	}
	if p.Right != nil {
		own := *p.Right
		p.Right = &own // the caller's stays as it is
		if err := own.resolve(p); err != nil {
			return err
		}
	}
	return p.chooseLimits(e)
}

func (p *Panel) chooseLimits(e extent) (err error) {
	padX, padLo, padHi := 0.0, 0.05, 0.06
	if e.padX {
		padX = 0.04
	}
	if e.floor && !p.Y.Log && e.y.any && e.y.lo == 0 {
		padLo = 0
	}
	if e.tight {
		padX, padLo, padHi = 0, 0, 0
	}
	for _, t := range p.X.Ticks {
		e.x.add(p.X.Log, t.Value)
	}
	for _, t := range p.Y.Ticks {
		e.y.add(p.Y.Log, t.Value)
	}
	if p.xLo, p.xHi, err = p.X.limits(e.x, padX, padX); err != nil {
		return fmt.Errorf("the x axis %w", err)
	}
	if p.yLo, p.yHi, err = p.Y.limits(e.y, padLo, padHi); err != nil {
		return fmt.Errorf("the y axis %w", err)
	}
	return nil
}

// aspect is the height of the frame over its width, with the default filled in.
func (p *Panel) aspect() float64 {
	if p.Aspect > 0 {
		return p.Aspect
	}
	if p.Diagram != nil {
		return p.Diagram.Height / p.Diagram.Width
	}
	if _, ok := p.heatmap(); ok {
		return 1
	}
	return 0.7
}

func (p *Panel) heatmap() (Heatmap, bool) {
	for _, s := range p.Series {
		if h, ok := s.(Heatmap); ok {
			return h, true
		}
	}
	return Heatmap{}, false
}

// area is the inside of the panel's frame on a surface.
func (p *Panel) area(s surface, frame vg.Rectangle, size vg.Length) *area {
	return &area{
		surface: s, rect: frame, size: size,
		x: scale{p.xLo, p.xHi, p.X.Log, frame.Min.X, frame.Max.X},
		y: scale{p.yLo, p.yHi, p.Y.Log, frame.Min.Y, frame.Max.Y},
	}
}

// draw draws the panel: its data, the frame over them, and the text around it.
func (p *Panel) draw(s surface, c cell, size vg.Length) {
	frame := c.frame
	switch {
	case p.Images != nil:
		p.Images.draw(s, frame, size)
	case p.Diagram != nil:
		p.Diagram.draw(s, frame, size)
	default:
		a := p.area(s, frame, size)
		for i, d := range p.Series {
			d.paint(a, p.inks[i])
		}
		p.drawCaptions(a)
		if p.Right != nil {
			p.Right.draw(a)
		}
		p.drawFrame(a)
		if h, ok := p.heatmap(); ok {
			left := frame.Max.X + barGap
			h.drawBar(s, vg.Rectangle{
				Min: vg.Point{X: left, Y: frame.Min.Y},
				Max: vg.Point{X: left + barWidth, Y: frame.Max.Y},
			}, size)
		}
		p.drawLegend(a)
	}
	drawText(s, typeset(p.Label, size, regular), vg.Point{X: c.left, Y: c.top}, topLeft, ink)
	title := vg.Point{X: (frame.Min.X + frame.Max.X) / 2, Y: c.top}
	drawText(s, typeset(p.Title, size, bold), title, topCentre, ink)
}

// headRoom is the height above the frame for the title, the letter, a legend and column names.
func (p *Panel) headRoom(width, size vg.Length) vg.Length {
	line := (ascent+descent)*size + 2
	room := vg.Length(2)
	if p.Title != "" || p.Label != "" {
		room += line + 1
	}
	if p.Images != nil && len(p.Images.Columns) > 0 {
		room += line
	}
	if p.legendAbove {
		rows := len(p.legendRows(width, size))
		// The letter is to the left of the frame, beside the legend, so they may share a line.
		if p.Title == "" && p.Label != "" {
			rows--
		}
		room += vg.Length(rows) * (legendLine * size)
		room += 2
	}
	return room
}
