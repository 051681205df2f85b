package paper

import (
	"context"
	"math"

	"instanton/plot"
	"instanton/sampler"
	"instanton/train"
	"instanton/unit"
)

// basShort is a model on the way of a training, under alternating Gibbs sampling.
type basShort struct {
	*bas
	updates int
	run     *basRun

	leaving, leavingErr float64 // departures from the first image per 1000 steps
	valid, validErr     float64 // share of images among samples
}

// left tells that chains leave their image more often than so many times in 1000 steps, by two standard errors.
func (m *basShort) left(rate float64) bool { return m.leaving-2*m.leavingErr > rate }

// soonLeft is the rate above which chains soon leave their image: within 100 steps.
const soonLeft = 10

// basPath trains as for the model with L1, in steps so small that training for short can be told from training for
// long, and looks at the model at some times on the way.
func (s Settings) basPath(ctx context.Context) ([]*basShort, error) {
	rate, first, last := 0.004, 32, 512 // updates, a factor of √2 from one to the next
	if s.tiny {
		rate, first, last = 0.02, 8, 64
	}
	t, err := s.basTraining(basSparse, s.sparsity())
	if err != nil {
		return nil, err
	}
	t.config.Epochs, t.config.Optimizer.Rate, t.config.Schedule.Name = last, rate, "constant"
	hidden, err := unit.ParseSpec(t.hidden)
	if err != nil {
		return nil, err
	}
	trainer, err := t.config.New(hidden, train.Data{States: t.data.States, Shape: t.data.Shape}, s.Workers)
	if err != nil {
		return nil, err
	}
	s.say("training bas for short, %d updates", last)
	var path []*basShort
	for next := float64(first); trainer.Updates() < last; {
		if err := trainer.Update(ctx); err != nil {
			return nil, err
		}
		if trainer.Updates() < int(math.Round(next)) {
			continue
		}
		next *= math.Sqrt2
		m := &basShort{updates: trainer.Updates(), bas: &bas{kind: basSparse, side: s.basSide(), trained: &trained{Model: trainer.Model().Clone(), Data: t.data}}}
		if m.run, err = m.gibbs(ctx, s, 2000); err != nil {
			return nil, err
		}
		m.leaving, m.leavingErr = m.run.leaving()
		m.valid, m.validErr = m.run.valid()
		path = append(path, m)
	}
	return path, nil
}

// gibbs runs chains of alternating Gibbs sampling, with a draw every 10 steps.
func (b *bas) gibbs(ctx context.Context, s Settings, steps int) (*basRun, error) {
	kernel, err := sampler.NewGibbs(b.Model, 1)
	if err != nil {
		return nil, err
	}
	chains := 100
	if s.tiny {
		chains = 20
	}
	return b.run(ctx, s, kernel, chains, sampler.Plan{Every: 10, Draws: steps / 10})
}

// pathFigure draws what becomes of departures and of noise on the way, with what long training comes to.
func pathFigure(path []*basShort, long *basRun) plot.Figure {
	leaving, _ := long.leaving()
	valid, _ := long.valid()
	var x, rates, rateErrs, shares, shareErrs []float64
	for _, m := range path {
		x = append(x, float64(m.updates))
		rates, rateErrs = append(rates, m.leaving), append(rateErrs, m.leavingErr)
		shares, shareErrs = append(shares, m.valid), append(shareErrs, m.validErr)
	}
	panel := func(label string, log bool, y, errs []float64, end float64, limits plot.Limits) plot.Panel {
		return plot.Panel{X: plot.Axis{Label: "updates", Log: true}, Y: plot.Axis{Label: label, Log: log, Limits: limits}, Legend: plot.LegendAbove, Series: []plot.Series{
			plot.Points{Name: "on the way", X: x, Y: y, YErr: errs, Color: plot.Blue, Joined: true},
			plot.Line{Name: "after long training", X: []float64{x[0], x[len(x)-1]}, Y: []float64{end, end}, Color: plot.Orange, Dash: plot.Dashed},
		}}
	}
	return plot.Figure{Columns: 2, Width: plot.TwoColumns, Panels: []plot.Panel{
		panel("departures per 1000 steps", true, rates, rateErrs, math.Max(leaving, 1e-3), plot.Limits{}),
		panel("images among samples", false, shares, shareErrs, valid, plot.Between(0, 1.05)),
	}}
}
