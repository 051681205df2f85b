package plot

import "gonum.org/v1/plot/vg"

// Legend says where the legend is placed.
type Legend int

// The places. LegendAuto takes the first free corner or side of the frame, or the space above it if none is free.
const (
	LegendAuto Legend = iota
	LegendAbove
	LegendTopRight
	LegendTopLeft
	LegendBottomRight
	LegendBottomLeft
	LegendNone
)

const (
	legendLine = 1.3 // of the size
	keyWidth   = vg.Length(15)
	keyGap     = vg.Length(4)
	entryGap   = vg.Length(10)
	inset      = vg.Length(6) // from the frame
)

// spots are the places to try in turn, as fractions of the free space across and up.
var spots = [][2]float64{{1, 1}, {0, 1}, {1, 0}, {0, 0}, {1, 0.5}, {0, 0.5}, {0.5, 1}, {0.5, 0}}

// entry is a line of the legend, shared by series of the same name.
type entry struct {
	name   setting
	series []int
}

func (p *Panel) entries(size vg.Length) (es []entry) {
	at := map[string]int{}
	for i, s := range p.Series {
		name := s.name()
		if name == "" {
			continue
		}
		k, known := at[name]
		if !known {
			k = len(es)
			at[name] = k
			es = append(es, entry{name: typeset(name, tickSize*size, regular)})
		}
		es[k].series = append(es[k].series, i)
	}
	return es
}

// legendRows breaks the legend above a frame into rows that fit its width.
func (p *Panel) legendRows(width, size vg.Length) (rows [][]entry) {
	var x vg.Length
	for _, e := range p.entries(size) {
		w := keyWidth + keyGap + e.name.width
		if len(rows) == 0 || x+w > width {
			rows, x = append(rows, nil), 0
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], e)
		x += w + entryGap
	}
	return rows
}

// legendBox is the size of the legend inside the frame.
func (p *Panel) legendBox(size vg.Length) (w, h vg.Length) {
	es := p.entries(size)
	for _, e := range es {
		w = max(w, keyWidth+keyGap+e.name.width)
	}
	return w, vg.Length(len(es)) * legendLine * tickSize * size
}

// placeLegend decides where the legend goes, given the page that the data were drawn on.
func (p *Panel) placeLegend(page *pngSurface, room vg.Point, size vg.Length) {
	if len(p.entries(size)) == 0 {
		return
	}
	switch p.Legend {
	case LegendNone:
		return
	case LegendAbove:
		p.legendAbove = true
		return
	case LegendAuto:
	default:
		spot := spots[min(int(p.Legend-LegendTopRight), 3)]
		p.legendAcross, p.legendUp = spot[0], spot[1]
		return
	}
	w, h := p.legendBox(size)
	free := vg.Point{X: room.X - w - 2*inset, Y: room.Y - h - 2*inset}
	for _, spot := range spots {
		if free.X < 0 || free.Y < 0 {
			break
		}
		low := vg.Point{X: inset + free.X*vg.Length(spot[0]), Y: inset + free.Y*vg.Length(spot[1])}
		const near = 2 // keep this many points off the data
		high := low.Add(vg.Point{X: w + near, Y: h + near})
		low = low.Sub(vg.Point{X: near, Y: near})
		if page.blank(vg.Rectangle{Min: low, Max: high}) {
			p.legendAcross, p.legendUp = spot[0], spot[1]
			return
		}
	}
	p.legendAbove = true
}

func (p *Panel) drawLegend(a *area) {
	if p.Legend == LegendNone {
		return
	}
	size := a.size
	if p.legendAbove {
		rows := p.legendRows(a.rect.Size().X, size)
		for i, row := range rows {
			x := a.rect.Min.X
			y := a.rect.Max.Y + 3 + (vg.Length(len(rows)-i)-0.5)*legendLine*size
			for _, e := range row {
				p.drawEntry(a, e, x, y)
				x += keyWidth + keyGap + e.name.width + entryGap
			}
		}
		return
	}
	w, h := p.legendBox(size)
	free := vg.Point{X: a.rect.Size().X - w - 2*inset, Y: a.rect.Size().Y - h - 2*inset}
	x := a.rect.Min.X + inset + free.X*vg.Length(p.legendAcross)
	top := a.rect.Min.Y + inset + free.Y*vg.Length(p.legendUp) + h
	for i, e := range p.entries(size) {
		p.drawEntry(a, e, x, top-(vg.Length(i)+0.5)*legendLine*tickSize*size)
	}
}

func (p *Panel) drawEntry(a *area, e entry, x, y vg.Length) {
	half := 0.3 * a.size
	box := vg.Rectangle{Min: vg.Point{X: x, Y: y - half}, Max: vg.Point{X: x + keyWidth, Y: y + half}}
	for _, i := range e.series {
		p.Series[i].key(a, box, p.inks[i])
	}
	drawText(a, e.name, vg.Point{X: x + keyWidth + keyGap, Y: y}, middleLeft, ink)
}
