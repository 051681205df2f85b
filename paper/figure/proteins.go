package figure

import (
	"context"
	"fmt"

	"instanton/evaluate"
	"instanton/lattice"
	"instanton/paper/experiment"
	"instanton/paper/verdict"
	"instanton/pca"
	"instanton/plot"
	"instanton/sampler"
)

func proteinsFigure() verdict.Figure {
	return verdict.Figure{
		Name: "fig-dynamics-ags-lp", Title: "Lattice proteins under alternating Gibbs sampling",
		Shows: "A model of Potts units trained on two families of lattice proteins, sampled at low temperature by " +
			"copies of its hidden units: chains from either family among " +
			"the principal components of the sequences, and how well their sequences fold.",
		Version: 3, Run: runProteins,
	}
}

// proteinRuns say how long chains are.
type proteinRuns struct {
	chains, steps int
	every         int // steps between draws
	temperatures  experiment.TemperatureRun
}

func runProteins(ctx context.Context, s verdict.Settings) (*verdict.Result, error) {
	p := experiment.TwoFamilies(s)
	x, err := experiment.TrainProteins(ctx, s, p)
	if err != nil {
		return nil, err
	}
	runs := proteinRuns{chains: 40, steps: 100_000, every: 10, temperatures: experiment.TemperatureRuns(s.Quick)}
	if s.Quick {
		runs.chains, runs.steps = 20, 10_000
	}
	return proteinsResult(ctx, x, s, p.Bridge, runs)
}

// crossSteps is the number of steps between the crosses of the paper's figure, crosses the number of those
// that are drawn.
const (
	crossSteps = 250
	crosses    = 40
)

func proteinsResult(ctx context.Context, x *experiment.Proteins, s verdict.Settings, b evaluate.BridgeOptions,
	runs proteinRuns) (*verdict.Result, error) {
	var r verdict.Result
	levels, err := x.Temperatures(ctx, s, runs.temperatures)
	if err != nil {
		return nil, err
	}
	beta := experiment.FoldingBeta(levels)
	weights, err := x.FamilyWeights(ctx, s, b, beta)
	if err != nil {
		return nil, err
	}
	kernel, err := sampler.NewGibbs(x.Model, float64(beta))
	if err != nil {
		return nil, err
	}
	s.Progress("sampling %d chains of %d steps at β = %d", runs.chains, runs.steps, beta)
	run, err := x.Record(ctx, s, kernel, runs.chains, runs.steps, runs.every)
	if err != nil {
		return nil, err
	}
	modelTable(&r, x.Trained, weights)
	pnatTable(&r, levels)
	if err := drawProteins(x, &r, run, beta); err != nil {
		return nil, err
	}
	forget := experiment.MeasureDecorrelation(run, 2000/runs.every)
	r.Draw("forgetting",
		fmt.Sprintf("Correlation C(t) = 1 − d(t)/d(∞) of sequences of a chain at β = %d, with the mean Hamming "+
			"distance d(t) after t steps and that of independent chains in the same family, "+
			"d(∞). The line is at %d steps.", beta, crossSteps), forgettingPlot(forget))
	stuckClaim(&r, stuck{
		name: "stuck", where: "figure dynamics AGS LP (a)", within: crosses * crossSteps,
		statement: "Sampled proteins stay in the family that they start from.",
	}, run, weights)
	sampleClaims(x, &r, run, levels, beta)
	contactClaim(x, &r)
	r.Claim(decorrelationClaim(forget, verdict.Claim{
		Name: "decorrelation", Where: "figure dynamics AGS LP, caption",
		Statement: "250 steps are more than the decorrelation time, estimated from the Hamming distance between " +
			"sequences.",
	}, crossSteps))
	r.Values = map[string]any{"likelihood": x.Likelihood, "beta": beta, "modes": weights, "memory": forget,
		"occupancy": run.Share, "temperatures": levels}
	return &r, nil
}

// drawProteins shows the two chains among the families, and how well the one from B folds.
func drawProteins(x *experiment.Proteins, r *verdict.Result, run *experiment.ClassRun, beta int) error {
	axes, err := pca.Fit(x.Data.States, nil, 2)
	if err != nil {
		return err
	}
	data, err := axes.Projections(x.Data.States)
	if err != nil {
		return err
	}
	const shown = 500 // of each family
	var learnt [2][2][]float64
	for k, at := range data {
		if c := x.Data.Labels[k]; len(learnt[c][0]) < shown {
			learnt[c][0], learnt[c][1] = append(learnt[c][0], at[0]), append(learnt[c][1], at[1])
		}
	}
	families := r.Table("families", "Training sequences among the principal components.", "family", "component 1",
		"component 2")
	for c := range learnt {
		for k := range learnt[c][0] {
			families.Add(x.Data.LabelNames[c], learnt[c][0][k], learnt[c][1][k])
		}
	}
	tracks, err := axes.Projections(run.V.Slice(0, 2*run.Draws))
	if err != nil {
		return err
	}
	var track [2][2][]float64
	var fold [2][]float64
	var t []float64
	table := r.Table("paths", "The two chains that are drawn.", "start", "step", "component 1", "component 2",
		"P_nat A", "P_nat B")
	sequences, err := lattice.Sequences(run.V.Slice(0, 2*run.Draws))
	if err != nil {
		return err
	}
	for c := range 2 {
		for k := 1; k <= crosses && k*crossSteps/run.Every <= run.Draws; k++ {
			at := c*run.Draws + k*crossSteps/run.Every - 1
			p := x.Pnat(sequences[at])
			track[c][0], track[c][1] = append(track[c][0], tracks[at][0]), append(track[c][1], tracks[at][1])
			if c == 1 {
				t, fold[0], fold[1] = append(t, float64(k*crossSteps)), append(fold[0], p[0]), append(fold[1], p[1])
			}
			table.Add(x.Data.LabelNames[c], k*crossSteps, tracks[at][0], tracks[at][1], p[0], p[1])
		}
	}
	r.Draw("",
		fmt.Sprintf("(a) The first two principal components of the training sequences of families A and B, and of "+
			"two chains of alternating Gibbs sampling at β = %d, one from either family, "+
			"%d steps from one mark to the next. (b) Probability of the sequences of the chain from family B to "+
			"fold into either structure.", beta, crossSteps)+run.Departures(2, crosses*crossSteps), plot.Figure{
			Columns: 2, Width: plot.TwoColumns, Panels: []plot.Panel{
				{X: plot.Axis{Label: "component 1"}, Y: plot.Axis{Label: "component 2"}, Legend: plot.LegendAbove,
					Aspect: 0.8, Series: []plot.Series{
						plot.Points{Name: "A", X: learnt[0][0], Y: learnt[0][1], Color: plot.SkyBlue, Marker: plot.Disc,
							Size: 1.6},
						plot.Points{Name: "B", X: learnt[1][0], Y: learnt[1][1], Color: plot.Vermilion,
							Marker: plot.Disc,
							Size:   1.6},
						plot.Points{Name: "from A", X: track[0][0], Y: track[0][1], Color: plot.Purple,
							Marker: plot.Diamond, Size: 3.4, Joined: true},
						plot.Points{Name: "from B", X: track[1][0], Y: track[1][1], Color: plot.Orange,
							Marker: plot.Square, Size: 3.4, Joined: true},
					}},
				{X: plot.Axis{Label: "step"}, Y: plot.Axis{Label: "$P_{nat}$", Limits: plot.Between(-0.03, 1.03)},
					Aspect: 0.8, Legend: plot.LegendAbove, Series: []plot.Series{
						plot.Points{Name: "$S_A$", X: t, Y: fold[0], Color: plot.SkyBlue, Joined: true,
							Marker: plot.Disc},
						plot.Points{Name: "$S_B$", X: t, Y: fold[1], Color: plot.Vermilion, Joined: true,
							Marker: plot.Square},
					}},
			}})
	return nil
}

func forgettingPlot(m experiment.Decorrelation) plot.Figure {
	t := make([]float64, len(m.Lag))
	for k, lag := range m.Lag {
		t[k] = float64(lag)
	}
	return plot.Figure{Panels: []plot.Panel{{
		X: plot.Axis{Label: "steps $t$", Log: true}, Y: plot.Axis{Label: "$C(t)$", Limits: plot.From(0)},
		Legend: plot.LegendNone,
		Series: []plot.Series{plot.Line{X: t, Y: m.Correlation}, plot.VLine{At: crossSteps}},
	}}}
}

// pnatTable shows the distribution of P_nat at each β.
func pnatTable(r *verdict.Result, levels []experiment.Temperature) {
	t := r.Table("pnat-beta",
		"P_nat of sampled sequences, the larger of both structures, and changes of family at each inverse temperature.",
		"beta", "quantile 0.1", "quantile 0.25", "median", "quantile 0.75", "quantile 0.9", "share above 0.99", "error",
		"changes of family", "steps")
	t.Shown = true
	for _, l := range levels {
		t.Add(l.Beta, l.Pnat[0], l.Pnat[1], l.Pnat[2], l.Pnat[3], l.Pnat[4], l.Good, l.GoodError, l.Transitions,
			l.Steps)
	}
}
