package evaluate_test

import (
	"context"
	"math"
	"testing"

	"instanton/evaluate"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/tempering"
	"instanton/unit"
)

// Both kinds of ladder find log Z of a model that can be enumerated, within four of their standard errors, and the
// exact weights of classes within five: an error from eight groups of chains is itself uncertain by a quarter.
func TestTemperingFindsLogZ(t *testing.T) {
	m := must(rbm.Random(unit.Spec{Type: unit.Spin, N: 14}, unit.Spec{Type: unit.Spin, N: 10}, 1.2, 3))
	exact, _, err := rbm.LogZ(m)
	if err != nil {
		t.Fatal(err)
	}
	c := sampler.NewChains(m, 300, 1)
	if err := sampler.NewPool(must(sampler.NewGibbs(m, 1)), 1).Run(context.Background(), c, 50); err != nil {
		t.Fatal(err)
	}
	q := must(tempering.FitMixture(c.V, nil, 3, 1, 1))
	for _, k := range []*tempering.Kernel{
		must(tempering.NewBeta(m, 1, tempering.Options{Seed: 1})),
		must(tempering.NewMixture(m, q, tempering.Options{Data: c.V, Seed: 1})),
	} {
		e := must(evaluate.NewTempering(context.Background(), k, evaluate.TemperingOptions{Data: c.V, Seed: 2}))
		t.Logf("%s: log Z = %.4f ± %.4f, exact %.4f; %s: %s", k.Name(), e.LogZ, e.Error, exact, e.Verdict, e.Reason)
		if e.Verdict != evaluate.Good || math.Abs(e.LogZ-exact) > 4*e.Error || e.Error > 0.1 {
			t.Errorf("%s: log Z = %g ± %g, exact %g; %s: %s", k.Name(), e.LogZ, e.Error, exact, e.Verdict, e.Reason)
		}
		if e.Classes == nil {
			continue
		}
		d := must(rbm.NewDistribution(m, nil, 1))
		all, x, class := unit.NewStates(m.Visible.Spec(), len(d.P)), make([]float64, 14), make([]int, len(d.P))
		for a := range d.P {
			d.Space.State(x, a)
			all.SetValues(a, x)
		}
		q.Classify(class, all)
		want := make([]float64, q.Classes())
		for a, p := range d.P {
			want[class[a]] += p
		}
		for n, w := range e.Classes {
			t.Logf("class %s: %.4f ± %.4f, exact %.4f", w.Name, w.Share, w.Error, want[n])
			if math.Abs(w.Share-want[n]) > 5*w.Error+1e-3 {
				t.Errorf("class %s has the weight %g ± %g, exact %g", w.Name, w.Share, w.Error, want[n])
			}
		}
	}
}
