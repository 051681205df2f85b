package plot

import "image/color"

// Color is an entry of the palette of Okabe and Ito (Color Universal Design, 2008). The zero value, Auto, takes the
// next one in turn; series of the same name share a colour across the panels of a figure.
type Color int

// The palette. Yellow is too faint for lines and is never chosen in turn.
const (
	Auto Color = iota
	Blue
	Vermilion
	Green
	Orange
	SkyBlue
	Purple
	Black
	Yellow
	Grey
)

var palette = [...]color.RGBA{
	Blue:      {0, 114, 178, 255},
	Vermilion: {213, 94, 0, 255},
	Green:     {0, 158, 115, 255},
	Orange:    {230, 159, 0, 255},
	SkyBlue:   {86, 180, 233, 255},
	Purple:    {204, 121, 167, 255},
	Black:     {0, 0, 0, 255},
	Yellow:    {240, 228, 66, 255},
	Grey:      {110, 110, 110, 255},
}

// cycle is the number of colours taken in turn: Blue to Black.
const cycle = int(Black)

var (
	white = color.RGBA{255, 255, 255, 255}
	ink   = color.RGBA{20, 20, 20, 255}
)

func (c Color) rgba() color.RGBA {
	if c <= Auto || int(c) >= len(palette) {
		return palette[Black]
	}
	return palette[c]
}

// tint mixes c with white. Tints are opaque, because readers of PDF and SVG differ on transparency.
func tint(c color.RGBA, strength float64) color.RGBA {
	mix := func(v uint8) uint8 { return uint8(255 - strength*(255-float64(v)) + 0.5) }
	return color.RGBA{mix(c.R), mix(c.G), mix(c.B), 255}
}

// assignInks gives every series of the figure its colour, and its marker with the colour. Names keep the colour that
// they have in an earlier panel; the others take the remaining colours in turn.
func (f *Figure) assignInks() {
	known := map[string]Color{}
	for i := range f.Panels {
		p := &f.Panels[i]
		p.inks = make([]seriesInk, len(p.Series))
		used := map[Color]bool{}
		for _, s := range p.Series {
			if c, turns := s.color(); turns && c != Auto {
				used[c] = true
			} else if c, ok := known[s.name()]; turns && ok {
				used[c] = true
			}
		}
		for j, s := range p.Series {
			c, turns := s.color()
			if turns && c == Auto {
				var ok bool
				if c, ok = known[s.name()]; !ok {
					c = firstFree(used)
					used[c] = true
				}
				if s.name() != "" {
					known[s.name()] = c
				}
			}
			p.inks[j] = seriesInk{color: c.rgba(), marker: Marker(max(0, int(c)-1) % markers)}
		}
	}
}

// firstFree is the first colour that the panel has not used yet; after the last one they start again.
func firstFree(used map[Color]bool) Color {
	for c := Blue; int(c) <= cycle; c++ {
		if !used[c] {
			return c
		}
	}
	clear(used)
	return Blue
}

// seriesInk is the colour and marker of a series.
type seriesInk struct {
	color  color.RGBA
	marker Marker
}
