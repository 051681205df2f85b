package figure

import (
	"context"
	"fmt"
	"slices"

	"instanton/landscape"
	"instanton/latent"
	"instanton/paper/experiment"
	"instanton/paper/verdict"
	"instanton/plot"
	"instanton/rbm"
	"instanton/theory"
)

func mhHopfieldFigure() verdict.Figure {
	return verdict.Figure{
		Name: "fig-mh-hopfields", Title: "Hopfield model: moves of two hidden units",
		Shows: "N = 128, M = 6 orthogonal patterns, w = 1.5. Potentials of two hidden units with the others fixed, " +
			"for weights along the patterns and for rotated ones, and the share of " +
			"time in each of the twelve Mattis states when pairs of hidden units are moved.",
		Version: 3, Run: runMHHopfield,
	}
}

const pairWeight = 1.5

func runMHHopfield(ctx context.Context, s verdict.Settings) (*verdict.Result, error) {
	aligned, err := experiment.AlignedHopfield(pairWeight)
	if err != nil {
		return nil, err
	}
	rotated, err := experiment.RotatedHopfield(pairWeight, rotationSeed(s, 0))
	if err != nil {
		return nil, err
	}
	var r verdict.Result
	maps, err := pairLandscapes(aligned, rotated)
	if err != nil {
		return nil, err
	}
	long := 9_000
	if s.Quick {
		long = 2_000
	}
	shares := make([]*experiment.HopfieldRun, 2) // one long chain, as in the paper
	for k, m := range []*rbm.RBM{aligned, rotated} {
		name := []string{"aligned", "rotated"}[k]
		s.Progress("moving pairs of hidden units, weights %s", name)
		kernel, err := latent.New(m, 1, latent.Options{Block: 2})
		if err != nil {
			return nil, err
		}
		if shares[k], err = experiment.RunHopfield(ctx, kernel, experiment.HopfieldPlan{Chains: 1, Draws: long,
			FirstOnly: true, Seed: s.SeedFor("pairs of hidden units " + name)}, s); err != nil {
			return nil, err
		}
	}
	r.Draw("",
		"Hopfield model, N = 128, M = 6, w = 1.5, in a state condensed on pattern 1. (a) Potential of two hidden "+
			"units that are not that of the pattern: one minimum. (b) Of the pattern's unit and "+
			"another: four minima, the Mattis states of both. (c) Of two units after a random rotation. (d) Share "+
			"of time in each of the twelve Mattis states, from pattern 1, when random pairs of hidden units are "+
			"moved in every step: solid for patterns, dashed for their opposites, of the same colour; the grey line "+
			"is 1/12. (e) The same for rotated weights. Hidden values are not rescaled."+firstChange(shares[1]),
		mhHopfieldPlot(maps, shares))
	t := r.Table("shares",
		"Share of the steps so far in each Mattis state, every tenth of the run; a minus sign for opposites.",
		"weights", "step", "+1", "+2", "+3", "+4", "+5", "+6", "-1", "-2", "-3", "-4", "-5", "-6")
	for k, run := range shares {
		for _, step := range []int{run.Draws / 10, run.Draws / 2, run.Draws} {
			row := []any{[]string{"aligned", "rotated"}[k], step}
			for state := range 2 * experiment.HopfieldPatterns {
				row = append(row, runningShare(run, state)[step-1])
			}
			t.Add(row...)
		}
	}
	landscapeClaims(&r, maps)
	if err := singleUnitClaims(&r, aligned); err != nil {
		return nil, err
	}
	if err := occupancyClaims(ctx, &r, aligned, s); err != nil {
		return nil, err
	}
	return &r, rotationsClaim(ctx, &r, s)
}

// firstChange says, for the caption, when the chain with rotated weights first leaves its state.
func firstChange(run *experiment.HopfieldRun) string {
	if len(run.Changes) == 0 {
		return ""
	}
	return fmt.Sprintf(" The chain of (e) leaves its first state at step %d.", run.Changes[0].Draw+1)
}

// rotationSeed is the seed of one of the random rotations of this figure; number 0 is drawn.
func rotationSeed(s verdict.Settings, k int) uint64 { return s.SeedFor(fmt.Sprintf("rotation %d", k)) }

// pairLandscapes are the potentials of panels (a) to (c).
func pairLandscapes(aligned, rotated *rbm.RBM) (maps []*landscape.Landscape, err error) {
	for _, c := range []struct {
		m     *rbm.RBM
		units []int
	}{{aligned, []int{1, 2}}, {aligned, []int{0, 3}}, {rotated, []int{0, 1}}} {
		h, err := firstState(c.m)
		if err != nil {
			return nil, err
		}
		l, err := landscape.New(c.m, c.units, h)
		if err != nil {
			return nil, err
		}
		maps = append(maps, l)
	}
	return maps, nil
}

// firstState is the hidden configuration of the state condensed on pattern 1: w√N m* along it.
func firstState(m *rbm.RBM) ([]float64, error) {
	star, err := theory.CurieWeiss{W: pairWeight}.Magnetization()
	if err != nil {
		return nil, err
	}
	v, h := make([]float64, m.Visible.Spec().N), make([]float64, m.Hidden.Spec().N)
	m.Patterns.Values(v, 0)
	for i := range v {
		v[i] *= star
	}
	m.Inputs(h, v)
	return h, nil
}

// runningShare is the share of the time so far that the first chain spent in a state.
func runningShare(r *experiment.HopfieldRun, state int) []float64 {
	x := make([]float64, r.Draws)
	in := 0
	for d, s := range r.States[0] {
		if s == state {
			in++
		}
		x[d] = float64(in) / float64(d+1)
	}
	return x
}

func mhHopfieldPlot(maps []*landscape.Landscape, shares []*experiment.HopfieldRun) plot.Figure {
	names := [][2]string{{"$h_μ$", "$h_ν$"}, {"$h_1$", "$h_ν$"}, {"$h_μ$", "$h_ν$"}}
	var panels []plot.Panel
	for k, l := range maps {
		panels = append(panels, landscapePanel(l, names[k][0], names[k][1]))
	}
	for _, run := range shares {
		p := plot.Panel{X: plot.Axis{Label: "sampling step", Log: true},
			Y: plot.Axis{Label: "share of time in a state", Limits: plot.Between(0, 1)}, Aspect: 1,
			Legend: plot.LegendNone}
		var steps []int // evenly spaced on a logarithmic axis
		for x := 1.0; int(x) <= run.Draws; x *= 1.02 {
			if n := int(x); len(steps) == 0 || n > steps[len(steps)-1] {
				steps = append(steps, n)
			}
		}
		for state := range 2 * experiment.HopfieldPatterns {
			all := runningShare(run, state)
			var t, y []float64
			for _, n := range steps {
				t, y = append(t, float64(n)), append(y, all[n-1])
			}
			line := plot.Line{X: t, Y: y, Color: plot.Color(int(plot.Blue) + state%experiment.HopfieldPatterns)}
			if state >= experiment.HopfieldPatterns {
				line.Dash = plot.Dashed
			}
			p.Series = append(p.Series, line)
		}
		p.Series = append(p.Series, plot.HLine{At: 1.0 / 12})
		panels = append(panels, p)
	}
	return plot.Figure{Columns: 3, Width: plot.TwoColumns, Panels: panels}
}

// landscapePanel shows the potential of two units with its minima.
func landscapePanel(l *landscape.Landscape, x, y string) plot.Panel {
	var mx, my []float64
	for _, m := range l.Minima {
		mx, my = append(mx, m.H[0]), append(my, m.H[1])
	}
	var all []float64
	for _, row := range l.E {
		all = append(all, row...)
	}
	slices.Sort(all)
	edge := func(x []float64) [2]float64 {
		half := (x[1] - x[0]) / 2
		return [2]float64{x[0] - half, x[len(x)-1] + half}
	}
	return plot.Panel{X: plot.Axis{Label: x}, Y: plot.Axis{Label: y}, Legend: plot.LegendNone, Series: []plot.Series{
		plot.Heatmap{Z: l.E, X: edge(l.X), Y: edge(l.Y),
			Bar: plot.Axis{Label: "$e_{μ,ν}$", Limits: plot.UpTo(all[len(all)*4/5])}},
		plot.Points{X: mx, Y: my, Color: plot.Black, Marker: plot.Disc},
	}}
}
