package plot

import (
	"math"
	"testing"

	"gonum.org/v1/plot/vg"
)

func TestRunsSplitAtGaps(t *testing.T) {
	nan := vg.Length(math.NaN())
	pts := []vg.Point{{X: nan}, {X: 1}, {X: 2}, {Y: nan}, {X: 4}, {X: nan}}
	parts := runs(pts)
	if len(parts) != 2 || len(parts[0]) != 2 || len(parts[1]) != 1 || parts[1][0].X != 4 {
		t.Errorf("got %v", parts)
	}
	if parts := runs(nil); parts != nil {
		t.Errorf("no points gave %v", parts)
	}
}

// TestThinKeepsWhatIsSeen checks that thinning a long noisy line keeps its ends and, in every
// column, its extremes.
func TestThinKeepsWhatIsSeen(t *testing.T) {
	const n = 100000
	pts := make([]vg.Point, n)
	for i := range pts {
		pts[i] = vg.Point{X: vg.Length(i) * 200 / n, Y: vg.Length(math.Sin(float64(i) * float64(i)))}
	}
	pts[31234].Y = 9 // a spike
	out := thin(pts)
	if len(out) > 4*200*5+4 {
		t.Errorf("%d points are left of %d, expected at most four per column", len(out), n)
	}
	if out[0] != pts[0] || out[len(out)-1] != pts[n-1] {
		t.Error("the ends are lost")
	}
	spike := false
	for i, p := range out {
		spike = spike || p == pts[31234]
		if i > 0 && p.X < out[i-1].X {
			t.Fatalf("point %d is out of order", i)
		}
	}
	if !spike {
		t.Error("the spike is lost")
	}
	if short := thin(pts[:1999]); len(short) != 1999 {
		t.Errorf("a short line lost points: %d", len(short))
	}
}

// counter is a surface that counts what is drawn and remembers how far it reaches.
type counter struct {
	*pngSurface
	strokes int
	reach   vg.Rectangle
}

func (c *counter) stroke(p vg.Path, _ stroke) {
	c.strokes++
	c.reach = reach(p)
}

func TestLinesAreClipped(t *testing.T) {
	c := &counter{}
	p := Panel{xLo: 0, xHi: 1, yLo: 0, yHi: 1}
	a := p.area(c, vg.Rectangle{Max: vg.Point{X: 100, Y: 100}}, 8)
	Line{X: []float64{-1, 2}, Y: []float64{-1, 2}}.paint(a, seriesInk{})
	if r := c.reach; c.strokes != 1 || math.Abs(float64(r.Min.X)) > 1e-9 || math.Abs(float64(r.Max.Y)-100) > 1e-9 {
		t.Errorf("%d strokes reach %v, expected one from corner to corner", c.strokes, c.reach)
	}
	c.strokes = 0
	Line{X: []float64{2, 3}, Y: []float64{0, 1}}.paint(a, seriesInk{})
	Line{X: []float64{math.NaN(), 1}, Y: []float64{0, math.NaN()}}.paint(a, seriesInk{})
	if c.strokes != 0 {
		t.Errorf("%d strokes were drawn for lines outside and gaps", c.strokes)
	}
}
