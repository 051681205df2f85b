package plot

import (
	"bytes"
	"encoding/json"
	"image"
	"math"
	"strings"
	"testing"
)

func TestWriteData(t *testing.T) {
	img, err := Picture(2, []float64{-1, 1, 1, -1}, -1, 1)
	if err != nil {
		t.Fatal(err)
	}
	f := Figure{Panels: []Panel{
		{X: Axis{Label: "$t$"}, Series: []Series{
			Line{Name: "a", X: []float64{0, 1}, Y: []float64{0.1, math.Inf(1)}},
			Points{X: []float64{2}, Y: []float64{3}, YErr: []float64{0.5}},
			Heatmap{Z: [][]float64{{1, math.NaN()}}, X: [2]float64{0, 2}}, HLine{At: 7, Label: "top"},
			Note{Text: "words"},
		}},
		{Images: &ImageSheet{Rows: []ImageRow{{Images: []image.Image{img, nil}}}}},
		{Diagram: &Diagram{Shapes: []Shape{Walk{Sites: [][3]int{{0, 0, 0}, {1, 0, 0}}}}}},
	}}
	var text bytes.Buffer
	if err := f.WriteData(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`{"kind":"Line","name":"a","x":[0,1],"y":[0.1,null]}`, `{"kind":"Points","x":[2],"y":[3],"error":[0.5]}`,
		`"z":[[1,null]]`,
		`{"kind":"HLine","name":"top","y":[7]}`, `"images":[[[[0,255],[255,0]],null]]`, `"sites":[[0,0,0],[1,0,0]]`,
		`"x":"$t$"`,
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %s in %s", want, text.String())
		}
	}
	if strings.Contains(text.String(), "words") || !json.Valid(text.Bytes()) {
		t.Errorf("%s", text.String())
	}
}
