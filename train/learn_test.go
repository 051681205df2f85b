package train_test

import (
	"context"
	"math"
	"testing"

	"instanton/dataset"
	"instanton/evaluate"
	"instanton/internal/rng"
	"instanton/rbm"
	"instanton/synthetic"
	"instanton/train"
	"instanton/unit"
)

// fit trains to the end.
func fit(t *testing.T, cfg train.Config, hidden unit.Spec, data train.Data) *train.Trainer {
	t.Helper()
	tr, err := cfg.New(hidden, data, 2)
	if err != nil {
		t.Fatal(err)
	}
	for tr.Updates() < tr.Total() {
		if err := tr.Update(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	return tr
}

// Trained on samples of a known small RBM, the exact divergence of the learnt law from it is below 0.01.
func TestLearnsAKnownModel(t *testing.T) {
	if testing.Short() {
		t.Skip("trains a model")
	}
	known, err := rbm.Random(unit.Spec{Type: unit.Bernoulli, N: 8}, unit.Spec{Type: unit.Bernoulli, N: 3}, 4, 2)
	if err != nil {
		t.Fatal(err)
	}
	p, err := rbm.NewDistribution(known, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	const samples = 20000
	data := unit.NewStates(known.Visible.Spec(), samples)
	logs, x := make([]float64, len(p.P)), make([]float64, 8)
	r := rng.New(5, rng.Data, 0, 0).Rand()
	for k := range samples {
		for c, q := range p.P {
			logs[c] = math.Log(q)
		}
		p.Space.State(x, rng.Categorical(logs, r.Float64()))
		data.SetValues(k, x)
	}
	cfg := train.Default()
	cfg.Epochs, cfg.Batch, cfg.Chains, cfg.Sweeps = 20, 200, 400, 2
	cfg.Optimizer.Rate = 0.02
	tr := fit(t, cfg, unit.Spec{Type: unit.Bernoulli, N: 4}, train.Data{States: data})
	q, err := rbm.NewDistribution(tr.Model(), nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	var kl, flat float64
	for k := range p.P {
		kl += p.P[k] * math.Log(p.P[k]/q.P[k])
		flat += p.P[k] * math.Log(p.P[k]*float64(len(p.P)))
	}
	t.Logf("divergence %.5f; of the flat law %.3f", kl, flat)
	if kl > 0.01 || flat < 0.1 {
		t.Errorf("divergence from the known model %g, want below 0.01 (flat law: %g)", kl, flat)
	}
}

// On Curie–Weiss samples one Gaussian unit learns the uniform weights w/√N within 5 % (a footnote of the paper).
func TestLearnsCurieWeiss(t *testing.T) {
	if testing.Short() {
		t.Skip("trains a model")
	}
	const n, w = 16, 1.2
	data, err := dataset.CurieWeiss(n, w, 50000, 1)
	if err != nil {
		t.Fatal(err)
	}
	cfg := train.Default()
	cfg.Epochs, cfg.Batch, cfg.Chains, cfg.Sweeps = 6, 500, 1000, 1
	cfg.Optimizer.Rate = 5e-3
	tr := fit(t, cfg, unit.Spec{Type: unit.Gaussian, N: 1}, train.Data{States: data.States})
	m := tr.Model()
	sign := math.Copysign(1, m.W[0])
	var worst float64
	for _, x := range m.W {
		worst = max(worst, math.Abs(sign*x*math.Sqrt(n)/w-1))
	}
	t.Logf("largest deviation %.4f", worst)
	if worst > 0.05 {
		t.Errorf("weights %v, want %.4f within 5 %%", m.W, w/math.Sqrt(n))
	}
}

// All 30 Bars and Stripes of side 4: −log 30 = −3.401 a sample would be perfect.
func TestLearnsBarsAndStripes(t *testing.T) {
	if testing.Short() {
		t.Skip("trains a model")
	}
	data, err := dataset.BarsAndStripes(4, unit.Spin)
	if err != nil {
		t.Fatal(err)
	}
	cfg := train.Default()
	cfg.Epochs, cfg.Chains, cfg.Sweeps = 200, 500, 20
	cfg.Optimizer.Rate = 0.01
	tr := fit(t, cfg, unit.Spec{Type: unit.Spin, N: 16}, train.Data{States: data.States, Shape: data.Shape})
	s, err := evaluate.New(tr.Model(), data.States, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("log-likelihood %.4f", *s.LogLikelihood)
	if *s.LogLikelihood < -3.9 {
		t.Errorf("log-likelihood %g a sample, want at least −3.9", *s.LogLikelihood)
	}
}

// participation is the mean over patterns of (Σx²)²/Σx⁴ of the overlaps x = W^T ξ: 1 when every pattern magnetises one
// hidden unit.
func participation(m *rbm.RBM, patterns *unit.States) float64 {
	xi, I := make([]float64, patterns.N), make([]float64, m.Hidden.Spec().N)
	var mean float64
	for k := range patterns.Len {
		patterns.Values(xi, k)
		m.Inputs(I, xi)
		var two, four float64
		for _, x := range I {
			two += x * x
			four += x * x * x * x
		}
		mean += two * two / four / float64(patterns.Len)
	}
	return mean
}

// Hopfield samples, N = 128 and M = 6: W^T ξ is delocalised without the penalty; with it each pattern magnetises one
// hidden unit (the paper's figure on learning Hopfield models). The likelihood is invariant under rotations of the
// hidden units, and so is plain SGD, which therefore shows this best. docs/training.md has a longer run, to a ratio
// near one.
func TestPenaltyLocalisesPatterns(t *testing.T) {
	if testing.Short() {
		t.Skip("trains a model")
	}
	patterns, err := rbm.OrthogonalPatterns(128, 6)
	if err != nil {
		t.Fatal(err)
	}
	hopfield, err := rbm.Hopfield(patterns, 1.4)
	if err != nil {
		t.Fatal(err)
	}
	data, err := synthetic.FromPatterns(context.Background(), hopfield, 3000, 20, 1)
	if err != nil {
		t.Fatal(err)
	}
	ratio := func(penalty float64, epochs int) float64 {
		cfg := train.Default()
		cfg.Epochs, cfg.Batch, cfg.Chains, cfg.Clip = epochs, 50, 50, 0
		cfg.Optimizer.Name, cfg.Optimizer.Rate = "sgd", 1e-4
		cfg.Regularize.Penalty = penalty
		tr := fit(t, cfg, unit.Spec{Type: unit.Gaussian, N: 6}, train.Data{States: data.States})
		r := participation(tr.Model(), patterns)
		t.Logf("λ = %g: participation ratio %.3f, norm of the weights %.3f (of the model %.3f)",
			penalty, r, tr.WeightNorm(), 1.4*math.Sqrt(6))
		if math.Abs(tr.WeightNorm()/(1.4*math.Sqrt(6))-1) > 0.25 {
			t.Errorf("λ = %g: the norm of the weights is %g, want about %g", penalty, tr.WeightNorm(), 1.4*math.Sqrt(6))
		}
		return r
	}
	if free := ratio(0, 30); free < 2 {
		t.Errorf("participation ratio %g without the penalty, want above 2 of 6", free)
	}
	if bound := ratio(0.001, 320); bound > 1.4 {
		t.Errorf("participation ratio %g with the penalty, want towards 1", bound)
	}
}
