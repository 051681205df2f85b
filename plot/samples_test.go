package plot_test

import (
	"image"
	"math"
	"testing"

	"instanton/plot"
)

// linspace returns n values from lo to hi.
func linspace(lo, hi float64, n int) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = lo + (hi-lo)*float64(i)/float64(n-1)
	}
	return xs
}

func apply(f func(float64) float64, xs []float64) []float64 {
	ys := make([]float64, len(xs))
	for i, x := range xs {
		ys[i] = f(x)
	}
	return ys
}

// curieWeiss is the free energy per spin at magnetisation m.
func curieWeiss(beta, m float64) float64 {
	p, q := (1+m)/2, (1-m)/2
	s := 0.0
	for _, w := range []float64{p, q} {
		if w > 0 {
			s -= w * math.Log(w)
		}
	}
	return -m*m/2 - s/beta
}

// samples are the figures that golden images, formats and determinism are tested on.
func samples(t testing.TB) map[string]plot.Figure {
	return map[string]plot.Figure{
		"curves": curves(), "log": logarithmic(), "histogram": histogram(),
		"landscape": landscape(), "sheet": sheet(t), "crowded": crowded(), "walk": walk(), "diagram": diagram(),
		"right": response(),
	}
}

// response has a histogram with a curve on an axis of its own, and a logo with gaps.
func response() plot.Figure {
	edges := linspace(-3, 3, 31)
	shares := make([]float64, 30)
	for i := range shares {
		x := (edges[i] + edges[i+1]) / 2
		shares[i] = 0.08 * math.Exp(-x*x/2)
	}
	x := linspace(-3, 3, 61)
	gaps := plot.Logo{Letters: "-AK", Gaps: true, First: 1,
		Heights: [][]float64{{1, 0.5, -1.5}, {-2, 1, 1}, {0, 2, -2}}}
	return plot.Figure{Columns: 2, Panels: []plot.Panel{
		{X: plot.Axis{Label: "input $I$", Limits: plot.Between(-3, 3)}, Y: plot.Axis{Label: "share"},
			Series: []plot.Series{plot.Steps{Edges: edges, Y: shares, Fill: true}},
			Right: &plot.Right{Axis: plot.Axis{Label: "mean $⟨h|I⟩$"},
				Line: plot.Line{X: x, Y: apply(math.Tanh, x), Dash: plot.Dashed}}},
		{X: plot.Axis{Label: "site"}, Y: plot.Axis{Label: "weight"}, Series: []plot.Series{gaps}},
	}}
}

// curves has lines, a gap, a band, reference lines and Greek.
func curves() plot.Figure {
	m := linspace(-1, 1, 201)
	f := func(beta float64) []float64 {
		return apply(func(m float64) float64 { return curieWeiss(beta, m) }, m)
	}
	hot := f(0.8)
	for i := 90; i < 111; i++ {
		hot[i] = math.NaN()
	}
	t := linspace(0, 40, 41)
	mean := apply(func(t float64) float64 { return math.Exp(-t/9) - 0.02*math.Sin(t) }, t)
	lo := apply(func(t float64) float64 { return math.Exp(-t/9) - 0.1 }, t)
	hi := apply(func(t float64) float64 { return math.Exp(-t/9) + 0.1 }, t)
	return plot.Figure{Panels: []plot.Panel{
		{
			X: plot.Axis{Label: "magnetisation $m$"}, Y: plot.Axis{Label: "free energy $f(m)$"},
			Series: []plot.Series{
				plot.Line{Name: "$β=0.8$", X: m, Y: hot},
				plot.Line{Name: "$β=1.2$", X: m, Y: f(1.2), Dash: plot.Dashed},
				plot.Line{Name: "$β=1.6$", X: m, Y: f(1.6), Dash: plot.DashDotted},
				plot.VLine{At: 0, Label: "saddle"},
			},
		},
		{
			X: plot.Axis{Label: "steps $t$"}, Y: plot.Axis{Label: "overlap $⟨μ_0 μ_t⟩$"},
			Series: []plot.Series{
				plot.Band{Name: "AGS", X: t, Lo: lo, Hi: hi},
				plot.Line{Name: "AGS", X: t, Y: mean},
				plot.HLine{At: math.Exp(-1), Label: "$1/e$"},
			},
		},
	}}
}

// logarithmic has both axes logarithmic, error bars that reach below zero, and all markers.
func logarithmic() plot.Figure {
	n := []float64{10, 20, 50, 100, 200, 500, 1000, 2000}
	var series []plot.Series
	for k, name := range []string{"AGS", "tempering", "$Φ_T$ bound", "stacked", "exact", "mean field"} {
		exponent := -0.4 - 0.3*float64(k)
		y := apply(func(n float64) float64 { return math.Pow(n, exponent) }, n)
		var e []float64
		if k == 0 {
			e = apply(func(y float64) float64 { return 0.25 * y }, y)
			e[7] = 2 * y[7]
		}
		series = append(series, plot.Points{Name: name, X: n, Y: y, YErr: e, Joined: k%2 == 0})
	}
	return plot.Figure{Panels: []plot.Panel{{
		X: plot.Axis{Label: "size $N$", Log: true}, Y: plot.Axis{Label: "rate $r_{→}$", Log: true},
		Series: series,
	}}}
}

// histogram has steps, bars with categories, and a title.
func histogram() plot.Figure {
	edges := linspace(-3, 3, 25)
	var y, e []float64
	for i := range len(edges) - 1 {
		c := (edges[i] + edges[i+1]) / 2
		y = append(y, math.Exp(-c*c/2)/math.Sqrt(2*math.Pi))
		e = append(e, 0.1*math.Sqrt(y[i]))
	}
	x := linspace(-3, 3, 121)
	gauss := apply(func(x float64) float64 { return math.Exp(-x*x/2) / math.Sqrt(2*math.Pi) }, x)
	return plot.Figure{Title: "Occupancy of the modes, ξ¹ and ξ²", Panels: []plot.Panel{
		{
			Title: "inputs", X: plot.Axis{Label: "input $I_μ$"}, Y: plot.Axis{Label: "density"},
			Series: []plot.Series{
				plot.Steps{Name: "samples", Edges: edges, Y: y, YErr: e, Fill: true},
				plot.Line{Name: "theory", X: x, Y: gauss},
			},
		},
		{
			Title: "transitions", Y: plot.Axis{Label: "rate per 1000 sweeps"},
			X: plot.Axis{Ticks: plot.Categories("AGS", "tempering", "stacked")},
			Series: []plot.Series{
				plot.Bars{X: []float64{0, 1, 2}, Y: []float64{1.2, 14, 22}, YErr: []float64{0.4, 2, 1.5}},
			},
		},
	}}
}

// landscape has heat maps with both colour maps, one cut by its limits, and a path over one.
func landscape() plot.Figure {
	const n = 40
	z, w := make([][]float64, n), make([][]float64, n)
	for j := range z {
		z[j], w[j] = make([]float64, n), make([]float64, n)
		for i := range z[j] {
			x, y := 4*(float64(i)+0.5)/n-2, 4*(float64(j)+0.5)/n-2
			z[j][i] = (x*x-1)*(x*x-1) + y*y/2 + 0.3*x*y
			w[j][i] = x * y * math.Exp(-(x*x+y*y)/2)
		}
	}
	w[3][10] = math.NaN()
	s := linspace(-1, 1, 50)
	path := apply(func(x float64) float64 { return -0.3 * x }, s)
	side := [2]float64{-2, 2}
	return plot.Figure{Panels: []plot.Panel{
		{
			X: plot.Axis{Label: "$m_1$"}, Y: plot.Axis{Label: "$m_2$"},
			Series: []plot.Series{
				plot.Heatmap{Z: z, X: side, Y: side, Bar: plot.Axis{Label: "free energy $f$", Limits: plot.UpTo(4)}},
				plot.Line{Name: "instanton", X: s, Y: path, Color: plot.Vermilion, Width: 1.6},
				plot.Points{Name: "minima", X: []float64{-1, 1}, Y: []float64{0.3, -0.3}, Color: plot.Black,
					Marker: plot.Circle, Size: 5},
			},
		},
		{
			X: plot.Axis{Label: "$m_1$", Limits: plot.Between(-1.5, 2)}, Y: plot.Axis{Label: "$m_2$"},
			Series: []plot.Series{plot.Heatmap{Z: w, X: side, Y: side, Map: plot.Diverging,
				Bar: plot.Axis{Label: "$ΔE$"}}},
		},
	}}
}

// sheet has Bars and Stripes in rows.
func sheet(t testing.TB) plot.Figure {
	row := func(shift int) (images []image.Image) {
		for k := range 12 {
			bits := make([]uint8, 36)
			for i := range bits {
				line := i % 6
				if k%2 == 1 {
					line = i / 6
				}
				bits[i] = uint8((k*7 + shift*5 + 3) >> (line % 5) & 1)
			}
			m, err := plot.Picture(6, bits, 0, 1)
			if err != nil {
				t.Fatal(err)
			}
			images = append(images, m)
		}
		return images
	}
	return plot.Figure{Width: plot.OneColumn, Panels: []plot.Panel{{Images: &plot.ImageSheet{
		Rows: []plot.ImageRow{{Label: "data", Images: row(0)}, {Label: "AGS", Images: row(1)},
			{Label: "$β=0.5$", Images: row(2)}},
	}}}}
}

// crowded fills its frame, so that the legend must go above; its numbers are awkward.
func crowded() plot.Figure {
	t := linspace(0, 200000, 3001)
	trace := func(k float64) []float64 {
		return apply(func(t float64) float64 { return 2e-5 * math.Sin(t*k/3e3) * math.Cos(t*k*t/2e8) }, t)
	}
	return plot.Figure{Panels: []plot.Panel{{
		X: plot.Axis{Label: "sweep"}, Y: plot.Axis{Label: "log-likelihood error"},
		Series: []plot.Series{
			plot.Line{Name: "persistent chains", X: t, Y: trace(1)},
			plot.Line{Name: "contrastive divergence", X: t, Y: trace(1.7)},
			plot.Line{Name: "reverse annealing", X: t, Y: trace(2.3)},
		},
	}}}
}

// diagram has every shape, bent arrows and texts on all sides of them.
func diagram() plot.Figure {
	d := plot.Diagram{Width: 12, Height: 6, Shapes: []plot.Shape{
		plot.Curve{X: []float64{0.5, 11.5, 6}, Y: []float64{0.3, 0.3, 2}, Fill: true, Color: plot.SkyBlue},
		plot.Curve{X: []float64{0.5, 6, 11.5}, Y: []float64{0.3, 2, 0.3}, Dash: plot.Dashed},
		plot.Arrow{X0: 2.8, Y0: 3.5, X1: 5, Y1: 3.5, Bend: 0.3, Text: "$P(h|v)$", Color: plot.Vermilion},
		plot.Arrow{X0: 5, Y0: 3.3, X1: 2.8, Y1: 3.3, Bend: 0.3, Text: "$P(v|h)$", Width: 1.5},
		plot.Arrow{X0: 9.5, Y0: 1.5, X1: 9.5, Y1: 5, Text: "up", Dash: plot.Dotted},
		plot.Node{X: 2, Y: 3.4, R: 0.7, Text: "$v^t$", Color: plot.Blue},
		plot.Node{X: 5.8, Y: 3.4, R: 0.7, Text: "$h_μ$"},
		plot.Tile{X0: 7, X1: 8.5, Y0: 3, Y1: 4, Text: "$α_{12} N$", Color: plot.Green},
		plot.Words{X: 0.2, Y: 5.5, Text: "from here", Left: true, Bold: true},
		plot.Words{X: 6, Y: 5.5, Text: "centred", Color: plot.Grey},
	}}
	return plot.Figure{Width: plot.TwoColumns, Columns: 2, Panels: []plot.Panel{
		{Diagram: &d, Title: "shapes"},
		{X: plot.Axis{Label: "$x$"}, Series: []plot.Series{plot.Line{X: []float64{0, 1}, Y: []float64{0, 1}}}},
	}}
}
