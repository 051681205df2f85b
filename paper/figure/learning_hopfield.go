package figure

import (
	"context"
	"fmt"
	"math"
	"slices"

	"instanton/paper/experiment"
	"instanton/paper/verdict"
	"instanton/plot"
	"instanton/rbm"
	"instanton/synthetic"
	"instanton/train"
	"instanton/unit"
)

func learningHopfieldFigure() verdict.Figure {
	return verdict.Figure{
		Name: "fig-learning-hopfield", Title: "Hopfield model: learnt weights, with and without a penalty",
		Shows: "RBM with six Gaussian hidden units are trained on samples of a Hopfield model with N = 128 spins " +
			"and six patterns. The product of the learnt weights with the patterns says which hidden units " +
			"a pattern excites: all of them, or one where the penalty on products of hidden units is added.",
		Version: 1, Run: runLearningHopfield,
	}
}

const learntWeight = 1.4 // of the Hopfield model that makes the data

// learntHopfield is trained on samples of the Hopfield model. Plain gradient ascent is indifferent to rotations
// of the hidden units; optimisers that scale every weight by itself are not.
func learntHopfield(ctx context.Context, s verdict.Settings, penalty float64) (*experiment.Trained, *rbm.RBM, error) {
	samples, batch, epochs, rate := 6000, 100, 1000, 1e-4
	switch {
	case s.Tiny:
		samples, batch, epochs, rate = 1000, 50, 200, 1e-3
	case s.Quick:
		samples, batch, epochs = 3000, 50, 400
	}
	m, err := experiment.AlignedHopfield(learntWeight)
	if err != nil {
		return nil, nil, err
	}
	data, err := synthetic.FromPatterns(ctx, m, samples, 20, s.Seed)
	if err != nil {
		return nil, nil, err
	}
	cfg := train.Default()
	cfg.Epochs, cfg.Batch, cfg.Method, cfg.Clip, cfg.Seed = epochs, batch, "cd", 0, s.Seed
	cfg.Optimizer.Name, cfg.Optimizer.Rate, cfg.Regularize.Penalty = "sgd", rate, penalty
	t, err := experiment.Train(ctx, s, experiment.Training{Name: fmt.Sprintf("hopfield-penalty-%g", penalty),
		Data: data, Hidden: fmt.Sprintf("gaussian:%d", experiment.HopfieldPatterns), Config: cfg})
	return t, m, err
}

func runLearningHopfield(ctx context.Context, s verdict.Settings) (*verdict.Result, error) {
	penalties := []float64{0, 0.001}
	var r verdict.Result
	table := r.Table("models",
		"The learnt models: mean log-likelihood of the samples with log Z by annealing, that of the model they came "+
			"from, the norm of the weights over that of this model's, and participation ratios of the patterns.",
		"penalty", "log-likelihood", "lower", "upper", "of the source", "norm over the source's", "participation",
		"error")
	table.Shown = true
	var panels []plot.Panel
	var ratios [][]float64
	var good []verdict.Measured
	var truth *experiment.Likelihood
	numbers := map[string][][]float64{}
	for k, penalty := range penalties {
		t, source, err := learntHopfield(ctx, s, penalty)
		if err != nil {
			return nil, err
		}
		x := overlapMatrix(t.Model, source.Patterns)
		numbers[fmt.Sprint(penalty)] = x
		ratios = append(ratios, participations(x))
		if truth == nil { // both models have the same data
			if truth, err = (experiment.Training{Data: t.Data, Config: train.Config{Seed: s.Seed}}).Score(ctx, source,
				s); err != nil {
				return nil, err
			}
		}
		mean, e := experiment.MeanError(ratios[k])
		norm := 0.0
		for _, w := range t.Model.W {
			norm += w * w
		}
		norm = math.Sqrt(norm / experiment.HopfieldPatterns)
		l := t.Likelihood
		table.Add(penalty, l.Train, l.Train-(l.Upper-l.LogZ), l.Train+(l.LogZ-l.Lower), truth.Train, norm/learntWeight,
			mean, e)
		good = append(good, verdict.Measured{Name: fmt.Sprintf("log-likelihood less the source's, λ = %g", penalty),
			Value: l.Train - truth.Train, Error: (l.Upper - l.Lower + truth.Upper - truth.Lower) / 6})
		panels = append(panels, plot.Panel{Title: fmt.Sprintf("$λ_{pen} = %g$", penalty),
			X:      plot.Axis{Label: "pattern $ν$", Ticks: units(experiment.HopfieldPatterns)},
			Y:      plot.Axis{Label: "hidden unit $μ$", Ticks: units(experiment.HopfieldPatterns)},
			Series: []plot.Series{plot.Heatmap{Z: x, Map: plot.Diverging, Bar: plot.Axis{Label: "$(W^T ξ)_{μν}$"}}}})
	}
	r.Values = numbers
	r.Draw("",
		"Product of the transposed learnt weights with the patterns, N = 128, M = 6. (a) Without a penalty: a "+
			"pattern excites many hidden units. (b) With it: one.",
		plot.Figure{Columns: 2, Width: plot.TwoColumns, Panels: panels})
	free, fe := experiment.MeanError(ratios[0])
	bound, be := experiment.MeanError(ratios[1])
	r.Claim(verdict.Claim{
		Name: "delocalised", Where: "figure learning Hopfield (a)",
		Statement: "Trained by gradient ascent on Hopfield data, the hidden representation of a pattern is spread " +
			"over the hidden units.",
		Criterion: "a mean participation ratio of more than 2 of 6 hidden units",
		Measured:  []verdict.Measured{{Name: "participation ratio", Value: free, Error: fe}, good[0]},
		Verdict:   verdict.Judge(free > 2),
	})
	r.Claim(verdict.Claim{
		Name: "localised", Where: "figure learning Hopfield (b)",
		Statement: "With λ_pen = 0.001 each pattern magnetizes one hidden unit.",
		Criterion: "a mean participation ratio of less than 1.5",
		Measured: []verdict.Measured{{Name: "participation ratio", Value: bound, Error: be},
			{Name: "largest", Value: slices.Max(ratios[1]), Error: 0}, good[1]},
		Verdict: verdict.Judge(bound < 1.5),
	})
	r.Note("The Hopfield model is invariant under rotations of its Gaussian hidden units, and so is plain gradient " +
		"ascent, which keeps whatever rotation it started with. RMSprop moves every weight by itself and prefers " +
		"axes even without a penalty, so the training here is plain ascent.")
	return &r, nil
}

// overlapMatrix is W^T ξ, a row a hidden unit.
func overlapMatrix(m *rbm.RBM, patterns *unit.States) [][]float64 {
	x := make([][]float64, m.Hidden.Spec().N)
	for mu := range x {
		x[mu] = make([]float64, patterns.Len)
		for nu := range patterns.Len {
			for i := range patterns.N {
				x[mu][nu] += m.Row(i)[mu] * patterns.Value(nu, i)
			}
		}
	}
	return x
}

// participations are those of each pattern over the hidden units: the number of units that share it.
func participations(x [][]float64) []float64 {
	out := make([]float64, len(x[0]))
	for nu := range out {
		out[nu] = participation(column(x, nu))
	}
	return out
}

// units are ticks in the middle of cells, numbered from one.
func units(n int) []plot.Tick {
	var t []plot.Tick
	for k := range n {
		t = append(t, plot.Tick{Value: float64(k) + 0.5, Label: fmt.Sprint(k + 1)})
	}
	return t
}
