package plot_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"instanton/plot"
)

func encode(t *testing.T, f plot.Figure, format string) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := f.Encode(&b, format); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestSameBytesEveryTime(t *testing.T) {
	for name, f := range samples(t) {
		f.DPI = 72
		for _, format := range plot.Formats() {
			if !bytes.Equal(encode(t, f, format), encode(t, f, format)) {
				t.Errorf("%s as %s differs between two drawings", name, format)
			}
		}
	}
}

func TestSVGIsXMLWithoutTextOrFonts(t *testing.T) {
	for name, f := range samples(t) {
		data := encode(t, f, "svg")
		d := xml.NewDecoder(bytes.NewReader(data))
		paths := 0
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			element, ok := token.(xml.StartElement)
			if !ok {
				continue
			}
			switch element.Name.Local {
			case "path":
				paths++
			case "svg", "image":
			default:
				t.Errorf("%s has the element %s, expected only paths and images", name, element.Name.Local)
			}
		}
		if paths < 10 {
			t.Errorf("%s has %d paths, expected a frame, ticks and letters", name, paths)
		}
		for _, bad := range []string{"font", "NaN", "Inf", "e+", "e-0"} {
			if i := bytes.Index(data, []byte(bad)); i >= 0 && !bytes.Contains(data, []byte("base64")) {
				t.Errorf("%s contains %q: …%s…", name, bad, data[max(0, i-30):min(len(data), i+30)])
			}
		}
	}
}

func TestPictureSizes(t *testing.T) {
	f := curves()
	f.Width, f.Height, f.DPI = 10, 5, 254 // 100 dots per centimetre
	img, err := png.Decode(bytes.NewReader(encode(t, f, "png")))
	if err != nil {
		t.Fatal(err)
	}
	if got := img.Bounds().Size(); got != image.Pt(1000, 500) {
		t.Errorf("10 cm × 5 cm at 100 dots per centimetre gave %v", got)
	}
	if svg := encode(t, f, "svg"); !bytes.Contains(svg, []byte(`viewBox="0 0 283.46 141.73"`)) {
		t.Errorf("the SVG is not 283.46 pt × 141.73 pt: %s", svg[:160])
	}
}

func TestSave(t *testing.T) {
	dir := t.TempDir()
	starts := map[string]string{"a.pdf": "%PDF-", "a.png": "\x89PNG", "a.SVG": "<svg "}
	f := sheet(t)
	for file, start := range starts {
		path := filepath.Join(dir, file)
		if err := f.Save(path); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(string(data), start) {
			t.Errorf("%s starts with %q, expected %q", file, data[:8], start)
		}
	}
	for _, file := range []string{"figure.jpg", "figure", "figure.", "png"} {
		path := filepath.Join(dir, file)
		err := f.Save(path)
		if err == nil || !strings.Contains(err.Error(), "expected .pdf, .png or .svg") {
			t.Errorf("saving as %q gave the error %v", file, err)
		}
		if _, err := os.Stat(path); err == nil {
			t.Errorf("saving as %q left a file", file)
		}
	}
	if err := (plot.Figure{}).Save(filepath.Join(dir, "empty.png")); err == nil {
		t.Error("a figure without panels was saved")
	}
	if _, err := os.Stat(filepath.Join(dir, "empty.png")); err == nil {
		t.Error("a figure that could not be drawn left a file")
	}
}

// panel is a figure of one panel with the series.
func panel(series ...plot.Series) plot.Figure {
	return plot.Figure{Panels: []plot.Panel{{Series: series}}}
}

func TestBadInputGivesSentences(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	one := []float64{1}
	line := plot.Line{X: []float64{0, 1}, Y: []float64{1, 2}}
	axes := func(x, y plot.Axis, series ...plot.Series) plot.Figure {
		return plot.Figure{Panels: []plot.Panel{{X: x, Y: y, Series: series}}}
	}
	for _, c := range []struct {
		figure plot.Figure
		want   string // part of the error
	}{
		{plot.Figure{}, "no panel"},
		{plot.Figure{Panels: []plot.Panel{{}}}, "panel 1: there is nothing to draw"},
		{plot.Figure{Panels: []plot.Panel{{Diagram: &plot.Diagram{}}}}, "the diagram is 0 by 0"},
		{plot.Figure{Panels: []plot.Panel{{Diagram: &plot.Diagram{Width: 1, Height: 1}}}}, "the diagram has no shapes"},
		{plot.Figure{Panels: []plot.Panel{{Diagram: &plot.Diagram{Width: 1, Height: 1,
			Shapes: []plot.Shape{plot.Node{}}}}}}, "shape 1 of the diagram: a node has the radius 0"},
		{plot.Figure{Panels: []plot.Panel{{Diagram: &plot.Diagram{Width: 1, Height: 1,
			Shapes: []plot.Shape{plot.Curve{}}}}}}, "a curve has 0 points"},
		{plot.Figure{Panels: []plot.Panel{{Title: "T"}}}, `panel 1 ("T")`},
		{plot.Figure{Panels: []plot.Panel{{Series: []plot.Series{line}}}, Columns: -1}, "-1 columns"},
		{plot.Figure{Panels: []plot.Panel{{Series: []plot.Series{line}}}, Width: nan}, "width (cm) is NaN"},
		{plot.Figure{Panels: []plot.Panel{{Series: []plot.Series{line}}}, Height: -3}, "height (cm) is -3"},
		{plot.Figure{Panels: []plot.Panel{{Series: []plot.Series{line}}}, DPI: 1 << 30}, "resolution"},
		{plot.Figure{Panels: []plot.Panel{{Series: []plot.Series{line}, Aspect: inf}}}, "aspect is +Inf"},
		{panel(nil), "series 1 is nil"},
		{panel(plot.Line{Name: "m", X: one, Y: nil}), `series 1, Line ("m"): X has 1 values and Y has 0`},
		{panel(plot.Line{}), "it has no values"},
		{panel(line, plot.Line{X: []float64{1, 2}, Y: []float64{nan, inf}}),
			"series 2, Line: none of its 2 points is finite"},
		{panel(plot.Points{X: one, Y: one, YErr: []float64{1, 2}}), "Y has 1 values and YErr has 2"},
		{panel(plot.Points{X: one, Y: one, YErr: []float64{-1}}), "YErr[0] is -1"},
		{panel(plot.Steps{Edges: one, Y: one}), "1 edges and 1 levels"},
		{panel(plot.Steps{}), "0 edges and 0 levels"},
		{panel(plot.Steps{Edges: one}), "no values"},
		{panel(plot.Steps{Edges: []float64{1, 1}, Y: one}), "Edges[1] is 1"},
		{panel(plot.Bars{X: one, Y: []float64{nan}}), "none of its 1 points"},
		{panel(plot.Band{X: one, Lo: one}), "X has 1 values and Hi has 0"},
		{panel(plot.HLine{At: nan, Label: "μ"}), `"μ" has the coordinate NaN`},
		{panel(plot.HLine{At: 1}), "the x axis has no finite value"},
		{panel(plot.Note{X: inf}), "+Inf"},
		{panel(plot.Heatmap{}), "no cells"},
		{panel(plot.Heatmap{Z: [][]float64{{1, 2}, {3}}}), "Z[1] has 1 cells and Z[0] has 2"},
		{panel(plot.Heatmap{Z: [][]float64{{nan}}}), "the colour bar has no finite value"},
		{panel(plot.Heatmap{Z: [][]float64{{1}}, X: [2]float64{2, 1}}), "edges are 2 and 1"},
		{panel(plot.Heatmap{Z: [][]float64{{1}}, Map: 9}), "colour map is 9"},
		{panel(plot.Heatmap{Z: [][]float64{{1}}}, plot.Heatmap{Z: [][]float64{{1}}}), "2 heat maps"},
		{axes(plot.Axis{Log: true}, plot.Axis{}, plot.Line{X: []float64{-1, 0}, Y: []float64{1, 2}}),
			"x axis has no positive value"},
		{axes(plot.Axis{}, plot.Axis{Limits: plot.Between(2, 1)}, line), "y axis runs from 2 to 1"},
		{axes(plot.Axis{Limits: plot.From(nan)}, plot.Axis{}, line), "limits of the x axis"},
		{axes(plot.Axis{}, plot.Axis{Log: true, Limits: plot.From(0)}, line), "logarithmic y axis has the limits 0"},
		{axes(plot.Axis{Ticks: []plot.Tick{{Value: nan, Label: "AGS"}}}, plot.Axis{}, line), `("AGS") is at NaN`},
		{panel(plot.Line{X: []float64{-math.MaxFloat64, math.MaxFloat64}, Y: []float64{0, 1}}), "too far"},
		{plot.Figure{Panels: []plot.Panel{{Images: &plot.ImageSheet{}}}}, "has no image"},
		{plot.Figure{Panels: []plot.Panel{{Images: &plot.ImageSheet{}, Series: []plot.Series{line}}}},
			"both an image sheet and 1 series"},
		{plot.Figure{Panels: []plot.Panel{{Images: &plot.ImageSheet{Rows: []plot.ImageRow{{Label: "AGS",
			Images: []image.Image{image.NewGray(image.Rectangle{})}}}}}}}, `image 1 of row 1 ("AGS") has no pixels`},
	} {
		var b bytes.Buffer
		err := c.figure.Encode(&b, "svg")
		if err == nil || !strings.HasPrefix(err.Error(), "plot: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("the error is %v, expected one that says %q", err, c.want)
		}
		if b.Len() > 0 {
			t.Errorf("%d bytes were written before the error %v", b.Len(), err)
		}
	}
	if err := panel(line).Encode(io.Discard, "gif"); err == nil ||
		!strings.Contains(err.Error(), `unknown format "gif"`) {
		t.Errorf("the format gif gave the error %v", err)
	}
}

// TestOddInputIsDrawn holds what is unusual but right: it must draw, with finite coordinates only.
func TestOddInputIsDrawn(t *testing.T) {
	nan := math.NaN()
	many := make([]plot.Panel, 30)
	for i := range many {
		many[i].Series = []plot.Series{plot.Points{X: []float64{1}, Y: []float64{2}}}
	}
	far := plot.Line{X: []float64{-1e300, 0, 1, 1e300}, Y: []float64{1, 2, 3, 4}}
	for name, f := range map[string]plot.Figure{
		"one point":     panel(plot.Line{X: []float64{3}, Y: []float64{4}}),
		"zero":          panel(plot.Points{X: []float64{0}, Y: []float64{0}}),
		"gaps":          panel(plot.Line{X: []float64{0, 1, 2, 3, 4}, Y: []float64{1, nan, 2, nan, 3}}),
		"thirty panels": {Panels: many},
		"narrow":        {Width: 0.5, Panels: many[:1]},
		"flat":          {Height: 0.2, Panels: many[:1]},
		"outside": {Panels: []plot.Panel{{X: plot.Axis{Limits: plot.Between(5, 6)},
			Series: []plot.Series{plot.Line{X: []float64{0, 1}, Y: []float64{0, 1}}}}}},
		"far away": {Panels: []plot.Panel{{X: plot.Axis{Limits: plot.Between(0, 1)},
			Series: []plot.Series{far}}}},
		"lower end above": {Panels: []plot.Panel{{Y: plot.Axis{Limits: plot.From(9)},
			Series: []plot.Series{plot.Line{X: []float64{0, 1}, Y: []float64{0, 1}}}}}},
		"lone dollar":     {Title: "5 $", Panels: many[:1]},
		"open group":      {Title: "$x^{2$ and $_$ and $^", Panels: many[:1]},
		"unknown letters": {Title: "漢字 \x00\xff", Panels: many[:1]},
		"unknown enums": panel(plot.Points{X: []float64{1}, Y: []float64{1}, Color: 99, Marker: 99},
			plot.Line{X: []float64{1, 2}, Y: []float64{1, 2}, Color: -4, Dash: 77}),
	} {
		for _, format := range plot.Formats() {
			f.DPI = 72
			data := encode(t, f, format)
			if format == "svg" && (bytes.Contains(data, []byte("NaN")) || bytes.Contains(data, []byte("Inf"))) {
				t.Errorf("%s has a coordinate that is not finite", name)
			}
		}
	}
}
