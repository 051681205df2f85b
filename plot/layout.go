package plot

import (
	"gonum.org/v1/plot/vg"
)

// layout holds the positions of everything on the page.
type layout struct {
	width, height vg.Length
	size          vg.Length // of axis labels
	pad           vg.Length // around the page
	cells         []cell    // one per panel
}

// cell is the position of a panel: its frame, and the left and upper edges of the space around it.
type cell struct {
	frame     vg.Rectangle
	left, top vg.Length
}

// margins is the space that a panel needs around its frame.
type margins struct{ left, right, top, bottom vg.Length }

const (
	columnGap = vg.Length(10)
	rowGap    = vg.Length(6)
)

// layout finds frames of equal width that line up along columns and rows. The space for tick labels depends on the
// ticks, these depend on the size of the frame, and the legend depends on where the data lie in it, so the frames are
// found by a few iterations.
func (f *Figure) layout() layout {
	l := f.place(nil)
	l = f.place(l.cells)
	for i := range f.Panels {
		f.Panels[i].placeWords(l.cells[i].frame, l.size)
	}
	l = f.place(l.cells)
	return f.place(l.cells)
}

// place lays the page out with margins for the frames of the last iteration, or for a first guess.
func (f *Figure) place(before []cell) layout {
	l := layout{
		width: vg.Length(f.Width) * vg.Centimeter,
		size:  vg.Points(f.FontSize),
		pad:   3,
		cells: make([]cell, len(f.Panels)),
	}
	rows := (len(f.Panels) + f.Columns - 1) / f.Columns
	left, right := make([]vg.Length, f.Columns), make([]vg.Length, f.Columns)
	top, bottom := make([]vg.Length, rows), make([]vg.Length, rows)
	guess := l.width/vg.Length(f.Columns) - 6*l.size
	for i := range f.Panels {
		p := &f.Panels[i]
		frame := vg.Rectangle{Max: vg.Point{X: guess, Y: guess * vg.Length(p.aspect())}}
		if before != nil {
			frame = before[i].frame
		}
		m := p.margins(frame, l.size)
		c, r := i%f.Columns, i/f.Columns
		left[c], right[c] = max(left[c], m.left), max(right[c], m.right)
		top[r], bottom[r] = max(top[r], m.top), max(bottom[r], m.bottom)
	}
	free := l.width - 2*l.pad - vg.Length(f.Columns-1)*columnGap - sum(left) - sum(right)
	width := max(free/vg.Length(f.Columns), 10)
	heights := make([]vg.Length, rows)
	for i := range f.Panels {
		p, r := &f.Panels[i], i/f.Columns
		h := width * vg.Length(p.aspect())
		if p.Images != nil {
			h = p.Images.height(width)
		}
		heights[r] = max(heights[r], h)
	}
	head := l.pad
	if f.Title != "" {
		head += typeset(f.Title, l.size*1.1, bold).height() + 4
	}
	around := head + l.pad + sum(top) + sum(bottom) + vg.Length(rows-1)*rowGap
	if f.Height > 0 {
		l.height = vg.Length(f.Height) * vg.Centimeter
		stretch := max(l.height-around, 10*vg.Length(rows)) / sum(heights)
		for r := range heights {
			heights[r] *= stretch
		}
	} else {
		l.height = around + sum(heights)
	}
	y := l.height - head
	for r := range rows {
		y -= top[r] + heights[r]
		x := l.pad
		for c := 0; c < f.Columns && r*f.Columns+c < len(f.Panels); c++ {
			l.cells[r*f.Columns+c] = cell{left: x, top: y + heights[r] + top[r], frame: vg.Rectangle{
				Min: vg.Point{X: x + left[c], Y: y},
				Max: vg.Point{X: x + left[c] + width, Y: y + heights[r]},
			}}
			x += left[c] + width + right[c] + columnGap
		}
		y -= bottom[r] + rowGap
	}
	return l
}

func sum(ls []vg.Length) (total vg.Length) {
	for _, l := range ls {
		total += l
	}
	return total
}

// margins is the space that the text around a frame needs.
func (p *Panel) margins(frame vg.Rectangle, size vg.Length) margins {
	m := margins{top: p.headRoom(frame.Size().X, size), right: 2, bottom: 2}
	if p.Images != nil {
		m.left = widest(p.Images.rowLabels(), tickSize*size) + 6
		if p.Label != "" {
			m.left = max(m.left, typeset(p.Label, size, regular).width+3)
		}
		return m
	}
	if p.Diagram != nil { // the letter is above it
		return margins{left: 2, right: 2, top: m.top, bottom: 2}
	}
	a := p.area(nil, frame, size)
	clear := p.tickClearance()
	m.left = clear + widestMark(p.Y.marks(a.y, size), size) + labelGap
	if p.Y.Label != "" {
		m.left += typeset(p.Y.Label, size, regular).height()
	}
	xs := p.X.marksAlong(a.x, size)
	below := labelsAlong(xs, a.x, size)
	m.bottom = clear + 1 + labelGap + below.height()
	for i, k := range xs {
		if half := width(below.lines[i]) / 2; !below.turned && half > 0 {
			m.left = max(m.left, half-(a.x.at(k.value)-frame.Min.X))
			m.right = max(m.right, half-(frame.Max.X-a.x.at(k.value)))
		}
	}
	if p.X.Label != "" {
		m.bottom += typeset(p.X.Label, size, regular).height()
	}
	if p.Label != "" { // keep the letter clear of the title and of a legend over the frame
		m.left = max(m.left, typeset(p.Label, size, regular).width+3)
	}
	if h, ok := p.heatmap(); ok {
		m.right = max(m.right, h.barRoom(frame.Size().Y, size))
	}
	if p.Right != nil {
		m.right = max(m.right, p.Right.room(frame, size))
	}
	return m
}
