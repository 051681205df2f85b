package figure

import (
	"context"
	"fmt"

	"instanton/paper/verdict"
	"instanton/plot"
	"instanton/rbm"
)

func modelFigure() verdict.Figure {
	return verdict.Figure{
		Name: "fig-model", Title: "Hidden units that share visible units",
		Shows: "The structured model with three hidden units: visible units see one hidden unit or two, and fall " +
			"into six areas.",
		Version: 2, Run: runModel,
	}
}

func runModel(context.Context, verdict.Settings) (*verdict.Result, error) {
	const m, n, alpha = 3, 300, 0.06
	overlap, err := rbm.AllToAll(m, alpha)
	if err != nil {
		return nil, err
	}
	blocks := overlap.Blocks(n)
	var r verdict.Result
	r.Draw("",
		fmt.Sprintf("The structured model for M = 3. Each hidden unit (green) is tied to three areas of the visible "+
			"layer (blue) with the weight w/√N: one of its own, "+
			"of α_{μμ} N units, and one with each other hidden unit, of α_{μν} N. Widths are to scale for α_{μν} = "+
			"%g. Area μν has the magnetization m_{μν}.", alpha), modelPlot(blocks, n))
	table := r.Table("areas", "The areas of 300 visible units with α = 0.06 between every two hidden units.", "area",
		"units")
	total := 0
	for _, b := range blocks {
		table.Add(fmt.Sprintf("%d%d", b.Mu+1, b.Nu+1), b.Size)
		total += b.Size
	}
	r.Claim(verdict.Claim{
		Name: "areas", Where: "figure model and the definition of α",
		Statement: "The overlap matrix parts the visible layer into M(M+1)/2 areas.",
		Criterion: "6 areas for M = 3, which hold every unit once",
		Tautology: "pairs μ ≤ ν are as many.",
		Measured: []verdict.Measured{{Name: "areas", Value: float64(len(blocks))},
			{Name: "units in them, of 300", Value: float64(total)}},
		Verdict: verdict.Judge(len(blocks) == m*(m+1)/2 && total == n),
	})
	return &r, nil
}

// modelPlot shows the visible layer as a strip: own areas under their hidden units, shared ones
// between them, the one of the outer two units at the right end.
func modelPlot(blocks []rbm.Block, n int) plot.Figure {
	const width = 15.0
	d := plot.Diagram{Width: 16, Height: 7.6}
	order := [][2]int{{0, 0}, {0, 1}, {1, 1}, {1, 2}, {2, 2}, {0, 2}}
	hidden := [3]float64{2.6, 7.2, 11.8}
	const top, bottom, high = 2.6, 1.2, 6.5
	x := 0.5
	type area struct {
		x0, x1 float64
		units  []int
		text   string
	}
	var areas []area
	for _, o := range order {
		for _, b := range blocks {
			if b.Mu == o[0] && b.Nu == o[1] {
				a := area{x0: x, x1: x + width*float64(b.Size)/float64(n), units: []int{b.Mu},
					text: fmt.Sprintf("$m_{%d%d}$", b.Mu+1, b.Nu+1)}
				if b.Mu != b.Nu {
					a.units = append(a.units, b.Nu)
				}
				areas, x = append(areas, a), a.x1
			}
		}
	}
	for _, a := range areas {
		for _, mu := range a.units {
			for k := 0; k <= 4; k++ {
				share := (float64(k) + 0.5) / 5
				d.Shapes = append(d.Shapes, plot.Curve{X: []float64{hidden[mu], a.x0 + share*(a.x1-a.x0)},
					Y: []float64{high, top}, Color: plot.Grey, Width: 0.5})
			}
		}
	}
	for _, a := range areas {
		c := plot.Blue
		if len(a.units) == 2 {
			c = plot.SkyBlue
		}
		d.Shapes = append(d.Shapes, plot.Tile{X0: a.x0, X1: a.x1, Y0: bottom, Y1: top, Color: c, Text: a.text})
	}
	for mu, x := range hidden {
		d.Shapes = append(d.Shapes, plot.Node{X: x, Y: high, R: 0.9, Color: plot.Green, Text: fmt.Sprintf("$h_%d$",
			mu+1)})
	}
	for _, a := range areas {
		label := "$α_{" + a.text[4:6] + "} N$"
		d.Shapes = append(d.Shapes, plot.Words{X: (a.x0 + a.x1) / 2, Y: 0.5, Text: label, Color: plot.Blue})
	}
	return plot.Figure{Panels: []plot.Panel{{Diagram: &d}}, Width: plot.OneColumn * 1.25}
}
