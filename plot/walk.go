package plot

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot/vg"
)

// Walk is a chain of numbered beads on the sites of a cubic lattice, drawn in oblique projection: depth goes to
// the upper right, near bonds and beads are bold and cover far ones, which fade. The colour runs from blue
// at the first bead to vermilion at the last. A diagram that holds the walk alone has the width and
// height that Size gives.
type Walk struct {
	// Sites are the beads in order: across, up and into the page.
	Sites [][3]int
}

var _ Shape = Walk{}

// The oblique projection: how far a step into the page goes across and up. In a lattice with three layers, no two sites
// coincide, and no bond crosses a bead.
const (
	acrossDepth = 0.37
	upDepth     = 0.27
	beadRadius  = 0.155
	walkMargin  = 0.25
)

// Size is the width and height of the diagram that the walk fills.
func (w Walk) Size() (width, height float64) {
	lo, hi := w.bounds()
	depth := float64(hi[2] - lo[2])
	return float64(hi[0]-lo[0]) + acrossDepth*depth + 2*walkMargin, float64(hi[1]-lo[1]) + upDepth*depth + 2*walkMargin
}

func (w Walk) bounds() (lo, hi [3]int) {
	lo, hi = w.Sites[0], w.Sites[0]
	for _, s := range w.Sites {
		for c := range s {
			lo[c], hi[c] = min(lo[c], s[c]), max(hi[c], s[c])
		}
	}
	return lo, hi
}

func (w Walk) check() error {
	if len(w.Sites) < 2 {
		return fmt.Errorf("a walk has %d sites, expected at least 2", len(w.Sites))
	}
	taken := map[[3]int]int{}
	for i, s := range w.Sites {
		if first, twice := taken[s]; twice {
			return fmt.Errorf("a walk is on site %v at beads %d and %d, expected different sites", s, first+1, i+1)
		}
		taken[s] = i
		if i == 0 {
			continue
		}
		length := 0
		for c := range s {
			length += max(s[c]-w.Sites[i-1][c], w.Sites[i-1][c]-s[c])
		}
		if length != 1 {
			return fmt.Errorf("a walk goes from %v to %v, expected neighbouring sites", w.Sites[i-1], s)
		}
	}
	return nil
}

func (w Walk) sketch(s *sketch) {
	lo, hi := w.bounds()
	at := func(p [3]float64) vg.Point {
		x, y, z := p[0]-float64(lo[0]), p[1]-float64(lo[1]), p[2]-float64(lo[2])
		return s.at(walkMargin+x+acrossDepth*z, walkMargin+y+upDepth*z)
	}
	w.cage(s, lo, hi, at)

	// Parts are drawn from the back. A bond ends where its beads begin.
	type part struct {
		depth float64
		draw  func(near float64)
	}
	var parts []part
	for i, site := range w.Sites {
		here := [3]float64{float64(site[0]), float64(site[1]), float64(site[2])}
		ink := gradient(float64(i) / float64(len(w.Sites)-1))
		parts = append(parts, part{here[2], func(near float64) {
			drawBead(s, at(here), near, ink, strconv.Itoa(i+1))
		}})
		if i+1 == len(w.Sites) {
			break
		}
		there := [3]float64{float64(w.Sites[i+1][0]), float64(w.Sites[i+1][1]), float64(w.Sites[i+1][2])}
		parts = append(parts, part{(here[2] + there[2]) / 2, func(near float64) {
			drawBond(s, at(here), at(there), near, ink)
		}})
	}
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(b.depth, a.depth) })
	for _, p := range parts {
		near := 1.0
		if layers := float64(hi[2] - lo[2]); layers > 0 {
			near = (float64(hi[2]) - p.depth) / layers
		}
		p.draw(near)
	}
}

// cage draws the edges of the box around the walk.
func (w Walk) cage(s *sketch, lo, hi [3]int, at func([3]float64) vg.Point) {
	pale := stroke{width: 0.5, color: tint(palette[Grey], 0.35)}
	for axis := range 3 {
		for corner := range 4 {
			var from [3]float64
			for c := range from {
				from[c] = float64(lo[c])
			}
			for k, c := range [2]int{(axis + 1) % 3, (axis + 2) % 3} {
				if corner>>k&1 == 1 {
					from[c] = float64(hi[c])
				}
			}
			to := from
			to[axis] = float64(hi[axis])
			s.stroke(polyline(at(from), at(to)), pale)
		}
	}
}

// fading is the strength of colours at the back.
const fading = 0.45

func drawBond(s *sketch, from, to vg.Point, near float64, c color.RGBA) {
	along := to.Sub(from)
	cut := along.Scale(vg.Length(beadRadius) * s.unit / vg.Length(math.Hypot(float64(along.X), float64(along.Y))))
	p := polyline(from.Add(cut), to.Sub(cut))
	width := s.unit * vg.Length(0.055+0.045*near)
	s.stroke(p, stroke{width: width * 1.9, color: white}) // separates it from what it crosses
	s.stroke(p, stroke{width: width, color: tint(c, fading+(1-fading)*near)})
}

func drawBead(s *sketch, at vg.Point, near float64, c color.RGBA, text string) {
	r := s.unit * vg.Length(beadRadius*(0.85+0.15*near))
	s.fill(circle(at, r*1.12), white)
	s.fill(circle(at, r), tint(c, fading+(1-fading)*near))
	s.fill(circle(at, r*0.82), white)
	drawText(s, typeset(text, min(tickSize*s.size, 1.15*r), regular), at, anchor{across: 0.5, up: 0.5},
		tint(ink, 0.5+0.5*near))
}

// gradient runs from blue through purple to vermilion.
func gradient(t float64) color.RGBA {
	stops := [3]color.RGBA{palette[Blue], palette[Purple], palette[Vermilion]}
	k := min(int(2*t), 1)
	a, b, f := stops[k], stops[k+1], 2*t-float64(k)
	mix := func(x, y uint8) uint8 { return uint8(float64(x) + f*(float64(y)-float64(x)) + 0.5) }
	return color.RGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 255}
}
