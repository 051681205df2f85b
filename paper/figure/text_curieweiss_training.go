package figure

import (
	"context"
	"fmt"
	"math"
	"path/filepath"

	"gonum.org/v1/gonum/stat"

	"instanton/dataset"
	"instanton/paper/experiment"
	"instanton/paper/verdict"
	"instanton/plot"
	"instanton/run"
	"instanton/train"
)

func trainedCurieWeissFigure() verdict.Figure {
	return verdict.Figure{
		Name: "text-curie-weiss-training", Title: "Training finds the Curie–Weiss weights",
		Shows: "One Gaussian hidden unit is trained on samples of the Curie–Weiss model, several times, each on " +
			"samples of its own. The paper says in a footnote that it finds the " +
			"weights w/√N.",
		Version: 2, Run: runTrainedCurieWeiss,
	}
}

// curieWeissWeight is the w of the samples.
const curieWeissWeight = 1.2

// trainCurieWeiss trains one hidden unit on samples that no other training sees.
func trainCurieWeiss(ctx context.Context, s verdict.Settings, number int) (*experiment.Trained, error) {
	n, count, epochs := 64, 100_000, 10
	switch {
	case s.Tiny:
		n, count, epochs = 16, 20_000, 8
	case s.Quick:
		n, count, epochs = 16, 50_000, 6
	}
	purpose := fmt.Sprintf("curie-weiss training %d", number)
	data, err := dataset.CurieWeiss(n, curieWeissWeight, count, s.SeedFor(purpose+", data"))
	if err != nil {
		return nil, err
	}
	cfg := train.Default()
	cfg.Epochs, cfg.Batch, cfg.Chains = epochs, 500, 1000
	cfg.Seed = s.SeedFor(purpose) >> 1 // config.toml holds signed numbers
	return experiment.Train(ctx, s, experiment.Training{Name: fmt.Sprintf("curie-weiss-%d", number), Data: data,
		Hidden: "gaussian:1", Config: cfg, Report: count * epochs / cfg.Batch / 30})
}

func runTrainedCurieWeiss(ctx context.Context, s verdict.Settings) (*verdict.Result, error) {
	trainings := 8
	switch {
	case s.Tiny:
		trainings = 3
	case s.Quick:
		trainings = 4
	}
	var r verdict.Result
	table := r.Table("weights",
		"Mean and spread over the sites of the weights times √N, and mean log-likelihood of the samples, of each "+
			"training.", "training", "mean", "standard deviation", "log-likelihood", "log Z by")
	table.Shown = true
	curve := r.Table("training", "Norm of the weights during each training; uniform weights w/√N have the norm w.",
		"training", "epoch", "norm")
	var norms, sites []plot.Series
	var means []float64
	widest, n := 0.0, 0
	for k := range trainings {
		t, err := trainCurieWeiss(ctx, s, k+1)
		if err != nil {
			return nil, err
		}
		n = t.Model.Visible.Spec().N
		x, mean, deviation := scaledWeights(t.Model.W)
		means, widest = append(means, mean), max(widest, deviation)
		table.Add(k+1, mean, deviation, t.Likelihood.Train, t.Likelihood.Method)
		reports, err := run.ReadMetrics(filepath.Join(t.Dir, "run", "metrics.jsonl"))
		if err != nil {
			return nil, err
		}
		line, points := plot.Line{Color: plot.Blue}, plot.Points{Color: plot.Blue, Marker: plot.Disc}
		for _, p := range reports {
			line.X, line.Y = append(line.X, p.Epoch), append(line.Y, p.WeightNorm)
			curve.Add(k+1, p.Epoch, p.WeightNorm)
		}
		for i, y := range x {
			points.X, points.Y = append(points.X, float64(i+1)), append(points.Y, y)
		}
		norms, sites = append(norms, line), append(sites, points)
	}
	target := plot.HLine{At: curieWeissWeight, Label: "$w$"}
	r.Draw("",
		fmt.Sprintf("%d trainings of one Gaussian hidden unit on samples of %d Curie–Weiss spins at w = 1.2. (a) "+
			"Norm of the weights, which is w for uniform weights w/√N. (b) Weights times √N after training.", trainings,
			n),
		plot.Figure{Columns: 2, Width: plot.TwoColumns, Panels: []plot.Panel{
			{X: plot.Axis{Label: "epoch"}, Y: plot.Axis{Label: "norm of $W$"}, Series: append(norms, target),
				Aspect: 0.7, Legend: plot.LegendNone},
			{X: plot.Axis{Label: "site $i$"}, Y: plot.Axis{Label: "$√N W_i$", Limits: plot.Between(0.9*curieWeissWeight,
				1.1*curieWeissWeight)}, Series: append(sites, target), Aspect: 0.7, Legend: plot.LegendNone}}})
	m, e := experiment.MeanError(means)
	r.Claim(verdict.Claim{
		Name: "weights", Where: "footnote on the Curie–Weiss RBM",
		Statement: "One Gaussian hidden unit trained on Curie–Weiss data converges to uniform weights w/√N.",
		Criterion: fmt.Sprintf("the mean of √N W_i over sites and %d trainings is within 2 %% of w, by two standard "+
			"errors of their spread, and the standard deviation over sites is below 3 %% of w in each", trainings),
		Measured: []verdict.Measured{{Name: "mean √N W_i, w = 1.2", Value: m, Error: e},
			{Name: "spread of the means over trainings", Value: stat.StdDev(means, nil)},
			{Name: "largest standard deviation over sites", Value: widest}},
		Verdict: verdict.Judge(math.Abs(m-curieWeissWeight)+2*e < 0.02*curieWeissWeight &&
			widest < 0.03*curieWeissWeight),
	})
	return &r, nil
}

// scaledWeights are √N W_i, with the sign that makes their mean positive, and their mean and standard deviation.
func scaledWeights(w []float64) (x []float64, mean, deviation float64) {
	root := math.Sqrt(float64(len(w)))
	var sum float64
	for _, v := range w {
		sum += v
	}
	for _, v := range w {
		x = append(x, math.Copysign(root, sum)*v)
	}
	mean, _ = experiment.MeanError(x)
	return x, mean, stat.StdDev(x, nil)
}
