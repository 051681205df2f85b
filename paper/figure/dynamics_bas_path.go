package figure

import (
	"context"
	"math"

	"instanton/paper/experiment"
	"instanton/paper/verdict"
	"instanton/plot"
	"instanton/sampler"
	"instanton/train"
	"instanton/unit"
)

// basShort is a model on the way of a training, under alternating Gibbs sampling.
type basShort struct {
	*experiment.BAS
	updates int
	run     *experiment.BASRun

	leaving, leavingErr float64 // departures from the first image per 1000 steps
	valid, validErr     float64 // share of images among samples
}

// left tells that chains leave their image more often than so many times in 1000 steps, by two standard errors.
func (m *basShort) left(rate float64) bool { return m.leaving-2*m.leavingErr > rate }

// soonLeft is the rate above which chains soon leave their image: within 100 steps.
const soonLeft = 10

// trainingPath trains as for the model with L1, in steps so small that training for short can be told from training for
// long, and looks at the model at some times on the way.
func trainingPath(ctx context.Context, s verdict.Settings) ([]*basShort, error) {
	rate, first, last := 0.004, 32, 512 // updates, a factor of √2 from one to the next
	if s.Tiny {
		rate, first, last = 0.02, 8, 64
	}
	t, err := experiment.BASTraining(s, experiment.BASSparse, experiment.BASSparsity(s))
	if err != nil {
		return nil, err
	}
	t.Config.Epochs, t.Config.Optimizer.Rate, t.Config.Schedule.Name = last, rate, "constant"
	hidden, err := unit.ParseSpec(t.Hidden)
	if err != nil {
		return nil, err
	}
	trainer, err := t.Config.New(hidden, train.Data{States: t.Data.States, Shape: t.Data.Shape}, s.Workers)
	if err != nil {
		return nil, err
	}
	s.Progress("training bas for short, %d updates", last)
	var path []*basShort
	for next := float64(first); trainer.Updates() < last; {
		if err := trainer.Update(ctx); err != nil {
			return nil, err
		}
		if trainer.Updates() < int(math.Round(next)) {
			continue
		}
		next *= math.Sqrt2
		m := &basShort{updates: trainer.Updates(),
			BAS: &experiment.BAS{Kind: experiment.BASSparse, Side: experiment.BASSide(s),
				Trained: &experiment.Trained{Model: trainer.Model().Clone(), Data: t.Data}}}
		if m.run, err = runGibbs(ctx, m.BAS, s, 2000); err != nil {
			return nil, err
		}
		m.leaving, m.leavingErr = m.run.LeavingRate()
		m.valid, m.validErr = m.run.ValidShare()
		path = append(path, m)
	}
	return path, nil
}

// runGibbs runs chains of alternating Gibbs sampling, with a draw every 10 steps.
func runGibbs(ctx context.Context, b *experiment.BAS, s verdict.Settings, steps int) (*experiment.BASRun, error) {
	kernel, err := sampler.NewGibbs(b.Model, 1)
	if err != nil {
		return nil, err
	}
	chains := 100
	if s.Tiny {
		chains = 20
	}
	return b.Sample(ctx, s, kernel, chains, sampler.Plan{Every: 10, Draws: steps / 10})
}

// pathFigure draws what becomes of departures and of noise on the way, with what long training comes to.
func pathFigure(path []*basShort, long *experiment.BASRun) plot.Figure {
	leaving, _ := long.LeavingRate()
	valid, _ := long.ValidShare()
	var x, rates, rateErrs, shares, shareErrs []float64
	for _, m := range path {
		x = append(x, float64(m.updates))
		rates, rateErrs = append(rates, m.leaving), append(rateErrs, m.leavingErr)
		shares, shareErrs = append(shares, m.valid), append(shareErrs, m.validErr)
	}
	panel := func(label string, log bool, y, errs []float64, end float64, limits plot.Limits) plot.Panel {
		return plot.Panel{X: plot.Axis{Label: "updates", Log: true},
			Y: plot.Axis{Label: label, Log: log, Limits: limits}, Legend: plot.LegendAbove, Series: []plot.Series{
				plot.Points{Name: "on the way", X: x, Y: y, YErr: errs, Color: plot.Blue, Joined: true},
				plot.Line{Name: "after long training", X: []float64{x[0], x[len(x)-1]}, Y: []float64{end, end},
					Color: plot.Orange, Dash: plot.Dashed},
			}}
	}
	return plot.Figure{Columns: 2, Width: plot.TwoColumns, Panels: []plot.Panel{
		panel("departures per 1000 steps", true, rates, rateErrs, math.Max(leaving, 1e-3), plot.Limits{}),
		panel("images among samples", false, shares, shareErrs, valid, plot.Between(0, 1.05)),
	}}
}
