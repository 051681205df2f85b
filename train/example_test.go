package train_test

import (
	"context"
	"fmt"
	"log"

	"instanton/dataset"
	"instanton/evaluate"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/train"
	"instanton/unit"
)

// All 14 Bars and Stripes of side 3. A model that knows them and nothing else would have a
// log-likelihood of −log 14 = −2.64 per image.
func Example() {
	images, err := dataset.BarsAndStripes(3, unit.Spin)
	if err != nil {
		log.Fatal(err)
	}
	o := train.Recipe()
	o.Epochs, o.Rate, o.Chains, o.Sweeps = 1000, 0.005, 200, 5
	t, err := train.New(unit.Spec{Type: unit.Spin, N: 10}, train.Data{States: images.States}, o)
	if err != nil {
		log.Fatal(err)
	}
	if err := t.Run(context.Background()); err != nil {
		log.Fatal(err)
	}
	score, err := evaluate.New(t.Model(), images.States, nil, true)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("log-likelihood %.2f\n", *score.LogLikelihood)
	// Output:
	// log-likelihood -2.70
}

// signs is an optimiser that looks at the sign of a derivative only.
type signs struct{}

// signSteps is signs at work. It remembers nothing but the learning rate.
type signSteps struct{ rate float64 }

func (signs) Start(int) train.Steps { return &signSteps{} }

func (s *signSteps) Begin(_ int, rate float64) { s.rate = rate }

func (s *signSteps) Step(g []float64, _ int) {
	for i, x := range g {
		switch {
		case x > 0:
			g[i] = s.rate
		case x < 0:
			g[i] = -s.rate
		}
	}
}

func (s *signSteps) Memory() map[string][]float64 { return nil }

// quartic is the regulariser (λ/4) ΣW⁴, which leaves small weights alone.
type quartic float64

func (q quartic) Cost(m *rbm.RBM) (cost float64) {
	for _, w := range m.W {
		cost += w * w * w * w
	}
	return float64(q) / 4 * cost
}

func (q quartic) OnWeights(*rbm.RBM) func(g, w []float64) {
	return func(g, w []float64) {
		for mu, x := range w {
			g[mu] -= float64(q) * x * x * x
		}
	}
}

// An optimiser, a regulariser and a callback from outside the package, with chains moved by another kernel.
func ExampleNew() {
	samples := unit.NewStates(unit.Spec{Type: unit.Bernoulli, N: 4}, 60)
	for k := range samples.Len {
		for i := range samples.N {
			samples.Set(k, i, float64(k%2)) // all on or all off
		}
	}
	o := train.Recipe()
	o.Epochs, o.Batch, o.Rate, o.Schedule = 200, 20, 0.02, train.Cosine(0.05)
	o.Chains, o.Sweeps = 200, 5
	o.Optimizer = signs{}
	o.Regularizers = []train.Regularizer{quartic(0.001)}
	o.Kernel = func(m *rbm.RBM) (sampler.Kernel, error) { return sampler.NewGlauber(m, 1) }
	o.Callback = func(t *train.Trainer) error {
		if t.Updates()%(100*t.PerEpoch()) == 0 {
			fmt.Printf("epoch %g: learning rate %.3f, weights %.1f\n", t.Epoch(), t.Rate(), t.WeightNorm())
		}
		return nil
	}
	t, err := train.New(unit.Spec{Type: unit.Bernoulli, N: 3}, train.Data{States: samples}, o)
	if err != nil {
		log.Fatal(err)
	}
	if err := t.Run(context.Background()); err != nil {
		log.Fatal(err)
	}
	p, err := rbm.NewDistribution(t.Model(), nil, 1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("all on or all off: %.2f\n", p.P[0]+p.P[len(p.P)-1])
	// Output:
	// epoch 100: learning rate 0.011, weights 8.9
	// epoch 200: learning rate 0.001, weights 8.8
	// all on or all off: 0.89
}

// A learning rate that is far too large: the model was better before.
func ExampleWatch() {
	images, err := dataset.BarsAndStripes(3, unit.Spin)
	if err != nil {
		log.Fatal(err)
	}
	o := train.Recipe()
	o.Epochs, o.Rate, o.Chains = 400, 0.02, 50
	t, err := train.New(unit.Spec{Type: unit.Gaussian, N: 6}, train.Data{States: images.States}, o)
	if err != nil {
		log.Fatal(err)
	}
	w, err := train.NewWatch(t, train.WatchOptions{})
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	var best *rbm.RBM
	for t.Updates() < t.Total() {
		if err := t.Update(ctx); err != nil {
			log.Fatal(err)
		}
		if t.Updates()%20 == 0 {
			_, isBest, err := w.Check(ctx)
			if err != nil {
				log.Fatal(err)
			}
			if isBest {
				best = t.Model().Clone()
			}
		}
	}
	outcome, err := w.Conclude(ctx, func() (*rbm.RBM, error) { return best, nil })
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(outcome.Verdict, "since update", outcome.Since)
	// Output:
	// drifted since update 20
}
