package plot

import (
	"image"

	"gonum.org/v1/plot/vg"
)

// captioned is a series with a text in the panel that may be put in several places.
type captioned interface {
	// caption returns the text and the places to try, best first.
	caption(a *area) (setting, []place)
}

// place is where a text may be put.
type place struct {
	at vg.Point
	anchor
}

var _, _ captioned = HLine{}, VLine{}

// placeWords decides where captions and the legend go. It draws the data coarsely and looks for places where the page
// stays white.
func (p *Panel) placeWords(frame vg.Rectangle, size vg.Length) {
	if p.Images != nil || p.Diagram != nil {
		return
	}
	const dpi = 72 // one pixel per point
	room := frame.Size()
	page := newPNG(room.X, room.Y, dpi)
	a := p.area(page, vg.Rectangle{Max: room}, size)
	for i, s := range p.Series {
		s.paint(a, p.inks[i])
	}
	if p.Right != nil {
		p.Right.draw(a)
	}
	p.captionPlace = make([]int, len(p.Series))
	for i, s := range p.Series {
		c, ok := s.(captioned)
		if !ok {
			continue
		}
		text, places := c.caption(a)
		for k, q := range places {
			if page.blank(text.box(q)) {
				p.captionPlace[i] = k
				break
			}
		}
		if len(text.path) > 0 {
			page.fill(rectangle(text.box(places[p.captionPlace[i]])), p.inks[i].color)
		}
	}
	p.placeLegend(page, room, size)
}

// drawCaptions draws the captions over the data.
func (p *Panel) drawCaptions(a *area) {
	for i, s := range p.Series {
		if c, ok := s.(captioned); ok {
			text, places := c.caption(a)
			q := places[p.captionPlace[i]]
			drawHaloed(a, text, q.at, q.anchor, p.inks[i].color)
		}
	}
}

// box is the rectangle that a text covers at a place.
func (t setting) box(q place) vg.Rectangle {
	low := vg.Point{X: q.at.X - vg.Length(q.across)*t.width, Y: q.at.Y - vg.Length(q.up)*t.height()}
	return vg.Rectangle{Min: low, Max: low.Add(vg.Point{X: t.width, Y: t.height()})}
}

// blank tells whether nothing was drawn in r. A page of 72 dots per inch has one pixel per point.
func (s *pngSurface) blank(r vg.Rectangle) bool {
	img := s.canvas.Image()
	height := vg.Length(img.Bounds().Dy())
	box := image.Rect(int(r.Min.X), int(height-r.Max.Y), int(r.Max.X)+1, int(height-r.Min.Y)+1)
	if !box.In(img.Bounds()) {
		return false
	}
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			if r, g, b, _ := img.At(x, y).RGBA(); r != 0xffff || g != 0xffff || b != 0xffff {
				return false
			}
		}
	}
	return true
}
