package plot

import (
	"encoding/json"
	"image"
	"image/color"
	"io"
	"strconv"

	"instanton/internal/special"
)

// panelData is what a panel shows, as numbers.
type panelData struct {
	Title  string       `json:"title,omitempty"`
	X      string       `json:"x,omitempty"` // labels of the axes
	Y      string       `json:"y,omitempty"`
	Series []seriesData `json:"series,omitempty"`
	// Images are numbers from 0 for white to 255 for black, by row of the sheet, image and row of pixels.
	Images [][][][]int `json:"images,omitempty"`
	// Sites are the beads of a walk.
	Sites [][3]int `json:"sites,omitempty"`
}

type seriesData struct {
	Kind  string    `json:"kind"`
	Name  string    `json:"name,omitempty"`
	X     numbers   `json:"x,omitempty"`
	Y     numbers   `json:"y,omitempty"`
	Error numbers   `json:"error,omitempty"`
	Lo    numbers   `json:"lo,omitempty"`
	Hi    numbers   `json:"hi,omitempty"`
	Z     []numbers `json:"z,omitempty"` // rows from below
}

// numbers are written to JSON with null for those that are not finite.
type numbers []float64

// MarshalJSON writes the list.
func (n numbers) MarshalJSON() ([]byte, error) {
	text := []byte{'['}
	for k, x := range n {
		if k > 0 {
			text = append(text, ',')
		}
		if !special.Finite(x) {
			text = append(text, "null"...)
			continue
		}
		text = strconv.AppendFloat(text, x, 'g', -1, 64)
	}
	return append(text, ']'), nil
}

// WriteData writes the numbers that the figure shows as JSON, panel by panel, without texts and arrows.
func (f Figure) WriteData(w io.Writer) error {
	panels := []panelData{}
	for _, p := range f.Panels {
		d := panelData{Title: p.Title, X: p.X.Label, Y: p.Y.Label}
		for _, s := range p.Series {
			if x, ok := dataOf(s); ok {
				d.Series = append(d.Series, x)
			}
		}
		if p.Right != nil {
			x, _ := dataOf(p.Right.Line)
			d.Series = append(d.Series, x)
		}
		if p.Images != nil {
			d.Images = p.Images.greys()
		}
		if p.Diagram != nil {
			for _, s := range p.Diagram.Shapes {
				if walk, ok := s.(Walk); ok {
					d.Sites = append(d.Sites, walk.Sites...)
				}
			}
		}
		panels = append(panels, d)
	}
	return json.NewEncoder(w).Encode(map[string]any{"panels": panels})
}

func dataOf(s Series) (d seriesData, ok bool) {
	d = seriesData{Kind: s.kind(), Name: s.name()}
	switch s := s.(type) {
	case Line:
		d.X, d.Y = s.X, s.Y
	case Points:
		d.X, d.Y, d.Error = s.X, s.Y, s.YErr
	case Bars:
		d.X, d.Y, d.Error = s.X, s.Y, s.YErr
	case Steps:
		d.X, d.Y, d.Error = s.Edges, s.Y, s.YErr
	case Band:
		d.X, d.Lo, d.Hi = s.X, s.Lo, s.Hi
	case Heatmap:
		d.X, d.Y = s.X[:], s.Y[:]
		for _, row := range s.Z {
			d.Z = append(d.Z, row)
		}
	case HLine:
		d.Name, d.Y = s.Label, numbers{s.At}
	case VLine:
		d.Name, d.X = s.Label, numbers{s.At}
	default:
		return d, false
	}
	return d, true
}

// greys are the pixels of all images; an empty place has none.
func (s *ImageSheet) greys() (all [][][][]int) {
	for _, row := range s.Rows {
		var images [][][]int
		for _, img := range row.Images {
			images = append(images, pixels(img))
		}
		all = append(all, images)
	}
	return all
}

func pixels(img image.Image) (rows [][]int) {
	if img == nil {
		return nil
	}
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		var row []int
		for x := b.Min.X; x < b.Max.X; x++ {
			row = append(row, 255-int(color.GrayModel.Convert(img.At(x, y)).(color.Gray).Y))
		}
		rows = append(rows, row)
	}
	return rows
}
