package plot

import "image/color"

// Colormap maps a range of values to colours.
type Colormap int

// The colour maps. Viridis (S. van der Walt and N. Smith) runs from dark blue to yellow in even steps
// of lightness. Diverging runs from blue through white to red (RdBu of C. Brewer's maps) and puts the
// middle of its range at zero unless limits are given. Greys runs from white to black.
const (
	Viridis Colormap = iota
	Diverging
	Greys
)

// Each table holds evenly spaced colours as 0xRRGGBB.
var (
	viridis = []uint32{0x440154, 0x482878, 0x3e4a89, 0x31688e, 0x26828e, 0x1f9e89, 0x35b779, 0x6ece58, 0xb5de2b,
		0xfde725}
	diverging = []uint32{0x053061, 0x2166ac, 0x4393c3, 0x92c5de, 0xd1e5f0, 0xf7f7f7, 0xfddbc7, 0xf4a582, 0xd6604d,
		0xb2182b, 0x67001f}
	greys = []uint32{0xffffff, 0x000000}
)

// missing is the colour of cells that have no finite value.
var missing = color.RGBA{205, 205, 205, 255}

// at is the colour at the fraction t of the range.
func (m Colormap) at(t float64) color.RGBA {
	table := viridis
	switch m {
	case Diverging:
		table = diverging
	case Greys:
		table = greys
	}
	t = max(0, min(1, t)) * float64(len(table)-1)
	i := min(int(t), len(table)-2)
	a, b, f := table[i], table[i+1], t-float64(i)
	mix := func(shift uint) uint8 {
		from, to := float64(a>>shift&0xff), float64(b>>shift&0xff)
		return uint8(from + f*(to-from) + 0.5)
	}
	return color.RGBA{mix(16), mix(8), mix(0), 255}
}
