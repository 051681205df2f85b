package main

import (
	"bytes"
	"fmt"
	"image"
	"io"
	"math"
	"slices"
	"strconv"

	"instanton/dataset"
	"instanton/internal/atomicfile"
	"instanton/plot"
)

// encodePreview draws a data set in the format of the output file.
func encodePreview(d *dataset.Dataset, out *figureOutput) ([]byte, error) {
	format, err := out.format()
	if err != nil {
		return nil, usage(err)
	}
	figure, err := preview(d)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = figure.Encode(&b, format)
	return b.Bytes(), err
}

// writeBytes writes a whole file.
func writeBytes(path string, force bool, content []byte) error {
	return atomicfile.Write(path, force, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// preview is a sheet of images or a sequence logo.
func preview(d *dataset.Dataset) (plot.Figure, error) {
	switch {
	case d.Shape != nil:
		return imageSheet(d)
	case d.Alphabet != "":
		return sequenceLogo(d), nil
	}
	return plot.Figure{}, usage(fmt.Errorf("%s has neither the shape of images nor an alphabet, so there is nothing "+
		"to preview", d.Name))
}

// Images per row of a sheet, rows per sheet, and the largest ratio of height to width of an image: the
// width of the sheet is fixed, its height is not.
const (
	sheetColumns = 12
	sheetRows    = 8
	sheetTallest = 8
)

// imageSheet has one or more rows for each class, or the first images if there are no classes.
func imageSheet(d *dataset.Dataset) (plot.Figure, error) {
	if rows, columns := d.Shape[0], d.Shape[1]; rows > sheetTallest*columns {
		return plot.Figure{}, usage(fmt.Errorf("images of %d rows and %d columns are too tall for a preview: "+
			"expected at most %d times as many rows as columns", rows, columns, sheetTallest))
	}
	sheet := &plot.ImageSheet{}
	classes := d.Classes()
	if len(classes) == 0 {
		classes = []dataset.Class{{Label: -1}}
	}
	lines := max(1, sheetRows/2/len(classes)) // rows of a class
	if classes[0].Label < 0 {
		lines = sheetRows
	}
	for _, class := range classes[:min(len(classes), 2*sheetRows)] {
		var images []image.Image
		for k := 0; k < d.States.Len && len(images) < lines*sheetColumns; k++ {
			if class.Label >= 0 && d.Labels[k] != class.Label {
				continue
			}
			m, err := picture(d, k)
			if err != nil {
				return plot.Figure{}, err
			}
			images = append(images, m)
		}
		label := class.Name
		for len(images) > 0 {
			n := min(sheetColumns, len(images))
			sheet.Rows = append(sheet.Rows, plot.ImageRow{Label: label, Images: images[:n]})
			images, label = images[n:], ""
		}
	}
	return plot.Figure{Width: 12, Panels: []plot.Panel{{Images: sheet}}}, nil
}

// picture is configuration k as an image: black is on.
func picture(d *dataset.Dataset, k int) (image.Image, error) {
	values := make([]float64, d.States.N)
	d.States.Values(values, k)
	lo, hi := d.States.Range()
	if !d.States.Type.Discrete() {
		lo, hi = slices.Min(values), max(slices.Max(values), slices.Min(values)+1e-9)
	}
	return plot.Picture(d.Shape[1], values, lo, hi)
}

// Columns of an alignment per row of a logo, and the largest number of columns that are drawn.
const (
	logoColumns = 50
	logoMost    = 1000
)

// sequenceLogo stacks the letters of each column; the height of the stack is the information of the column.
func sequenceLogo(d *dataset.Dataset) plot.Figure {
	shares := d.Marginals()
	top := math.Log2(float64(d.States.Q))
	f := plot.Figure{Columns: 1, Width: plot.TwoColumns}
	n := min(len(shares), logoMost)
	width := min(n, logoColumns)
	for from := 0; from < n; from += width {
		to := min(from+width, n)
		logo := plot.Logo{Letters: d.Alphabet, First: from + 1}
		for _, p := range shares[from:to] {
			height := make([]float64, len(p))
			for a, x := range p {
				height[a] = x * dataset.Information(p)
			}
			logo.Heights = append(logo.Heights, height)
		}
		var ticks []plot.Tick
		for x := from + 1; x <= to; x++ {
			if x%10 == 0 || x == 1 {
				ticks = append(ticks, plot.Tick{Value: float64(x), Label: strconv.Itoa(x)})
			}
		}
		f.Panels = append(f.Panels, plot.Panel{
			Label: plot.NoLabel, Aspect: 0.13, Series: []plot.Series{logo},
			X: plot.Axis{Ticks: ticks, Limits: plot.Between(float64(from)+0.4, float64(from+width)+0.6)},
			Y: plot.Axis{Label: "bits", Limits: plot.Between(0, 1.04*top)},
		})
	}
	f.Panels[len(f.Panels)-1].X.Label = "column"
	return f
}
