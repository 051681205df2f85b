package plot

import (
	"fmt"
	"image"
	"image/color"

	"gonum.org/v1/plot/vg"
)

// ImageSheet is a grid of small images with thin frames, such as samples of a model.
type ImageSheet struct {
	Rows []ImageRow
	// Columns are names above the columns; it may be empty.
	Columns []string
}

// ImageRow is a row of a sheet. A nil image leaves its place empty.
type ImageRow struct {
	Label  string
	Images []image.Image
}

// Picture makes a grey image with rows of width values: lo is white and hi is black. Use
// (0, 1) for bits and (−1, 1) for spins. Values that are NaN become the middle grey.
func Picture[T ~float32 | ~float64 | ~int | ~int8 | ~uint8](width int, values []T, lo, hi T) (image.Image, error) {
	if width < 1 || len(values) == 0 || len(values)%width != 0 {
		return nil, fmt.Errorf("plot: %d values do not fill rows of %d pixels", len(values), width)
	}
	if !(lo < hi) {
		return nil, fmt.Errorf("plot: white is %v and black is %v, expected white to be the lower value", lo, hi)
	}
	img := image.NewGray(image.Rect(0, 0, width, len(values)/width))
	for i, v := range values {
		dark := 0.5
		if v == v {
			dark = max(0, min(1, (float64(v)-float64(lo))/(float64(hi)-float64(lo))))
		}
		img.SetGray(i%width, i/width, color.Gray{Y: uint8(255*(1-dark) + 0.5)})
	}
	return img, nil
}

func (t *ImageSheet) check() error {
	if t.columns() == 0 {
		return fmt.Errorf("the image sheet has no image")
	}
	for i, row := range t.Rows {
		for j, m := range row.Images {
			if m != nil && m.Bounds().Empty() {
				return fmt.Errorf("image %d of row %d%s has no pixels", j+1, i+1, quoted(row.Label))
			}
		}
	}
	if len(t.Columns) > t.columns() {
		return fmt.Errorf("the image sheet has names for %d columns and has %d columns", len(t.Columns), t.columns())
	}
	return nil
}

func (t *ImageSheet) columns() (n int) {
	for _, row := range t.Rows {
		n = max(n, len(row.Images))
	}
	return n
}

// shape is the ratio of height to width of a place, that of the first image.
func (t *ImageSheet) shape() float64 {
	for _, row := range t.Rows {
		for _, m := range row.Images {
			if m != nil {
				return float64(m.Bounds().Dy()) / float64(m.Bounds().Dx())
			}
		}
	}
	return 1
}

func (t *ImageSheet) rowLabels() (labels []string) {
	for _, row := range t.Rows {
		labels = append(labels, row.Label)
	}
	return labels
}

// places is the width and height of a place and the gap between places, in a sheet of the given width.
func (t *ImageSheet) places(width vg.Length) (w, h, gap vg.Length) {
	n := vg.Length(t.columns())
	gap = min(3, 0.12*width/n)
	w = (width - (n-1)*gap) / n
	return w, w * vg.Length(t.shape()), gap
}

// height of the sheet at the given width.
func (t *ImageSheet) height(width vg.Length) vg.Length {
	_, h, gap := t.places(width)
	n := vg.Length(len(t.Rows))
	return n*h + (n-1)*gap
}

// draw fills r, or as much of it as keeps the shape of the images.
func (t *ImageSheet) draw(s surface, r vg.Rectangle, size vg.Length) {
	width := r.Size().X
	if room := r.Size().Y; t.height(width) > room {
		width *= room / t.height(width)
	}
	w, h, gap := t.places(width)
	for j, row := range t.Rows {
		y := r.Max.Y - vg.Length(j)*(h+gap)
		drawText(s, typeset(row.Label, tickSize*size, regular), vg.Point{X: r.Min.X - 4, Y: y - h/2}, middleRight, ink)
		for i, m := range row.Images {
			x := r.Min.X + vg.Length(i)*(w+gap)
			if j == 0 && i < len(t.Columns) {
				drawText(s, typeset(t.Columns[i], tickSize*size, regular), vg.Point{X: x + w/2, Y: y + 2}, bottomCentre,
					ink)
			}
			if m == nil {
				continue
			}
			place := vg.Rectangle{Min: vg.Point{X: x, Y: y - h}, Max: vg.Point{X: x + w, Y: y}}
			s.picture(place, m)
			s.stroke(rectangle(place), stroke{width: 0.5, color: palette[Grey]})
		}
	}
}
