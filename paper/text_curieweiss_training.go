package paper

import (
	"context"
	"fmt"
	"math"

	"instanton/dataset"
	"instanton/plot"
	"instanton/train"
	"instanton/unit"
)

func trainedCurieWeissFigure() Figure {
	return Figure{
		Name: "text-curie-weiss-training", Title: "Training finds the Curie–Weiss weights",
		Shows:   "One Gaussian hidden unit is trained on samples of the Curie–Weiss model. The paper says in a footnote that it finds the weights w/√N.",
		Version: 1, Run: runTrainedCurieWeiss,
	}
}

func runTrainedCurieWeiss(ctx context.Context, s Settings) (*Result, error) {
	n, count, epochs := 64, 100_000, 10
	if s.Quick {
		n, count, epochs = 16, 50_000, 6
	}
	const w = 1.2
	data, err := dataset.CurieWeiss(n, w, count, s.Seed)
	if err != nil {
		return nil, err
	}
	cfg := train.Default()
	cfg.Epochs, cfg.Batch, cfg.Chains, cfg.Seed = epochs, 500, 1000, s.Seed
	t, err := train.New(cfg, unit.Spec{Type: unit.Gaussian, N: 1}, train.Data{States: data.States}, s.Workers)
	if err != nil {
		return nil, err
	}
	var r Result
	table := r.Table("weights", "Mean and spread of the weights times √N during training.", "epoch", "mean", "standard deviation")
	var epoch, mean, lo, hi []float64
	for t.Updates() < t.Total() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := t.Update(ctx); err != nil {
			return nil, err
		}
		if t.Updates()%max(1, t.Total()/200) == 0 || t.Updates() == t.Total() {
			m, d := weights(t.Model().W, n)
			epoch, mean, lo, hi = append(epoch, t.Epoch()), append(mean, m), append(lo, m-d), append(hi, m+d)
			table.Add(t.Epoch(), m, d)
		}
	}
	m, d := weights(t.Model().W, n)
	r.Draw("", fmt.Sprintf("Training one Gaussian hidden unit on %d samples of %d Curie–Weiss spins at w = 1.2: mean of the weights times √N and their spread.", count, n), plot.Figure{
		Panels: []plot.Panel{{X: plot.Axis{Label: "epoch"}, Y: plot.Axis{Label: "$√N W_i$"}, Series: []plot.Series{
			plot.Band{Name: "weights", X: epoch, Lo: lo, Hi: hi}, plot.Line{Name: "weights", X: epoch, Y: mean}, plot.HLine{At: w, Label: "$w$"},
		}}}})
	r.Claim(Claim{
		Name: "weights", Where: "footnote on the Curie–Weiss RBM",
		Statement: "One Gaussian hidden unit trained on Curie–Weiss data converges to uniform weights w/√N.",
		Criterion: "the mean of √N W_i is within 2 % of w, and their standard deviation below 3 % of it",
		Measured:  []Measured{{Name: "mean √N W_i, w = 1.2", Value: m, Error: d / math.Sqrt(float64(n))}, {Name: "standard deviation", Value: d}},
		Verdict:   Judge(math.Abs(m/w-1) < 0.02 && d < 0.03*w),
	})
	return &r, nil
}

// weights are the mean and standard deviation of √N W_i, with the sign that makes the mean positive.
func weights(all []float64, n int) (mean, deviation float64) {
	for _, x := range all {
		mean += x
	}
	mean /= float64(n)
	for _, x := range all {
		deviation += (x - mean) * (x - mean)
	}
	root := math.Sqrt(float64(n))
	return math.Abs(mean) * root, math.Sqrt(deviation/float64(n-1)) * root
}
