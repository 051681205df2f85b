package evaluate_test

import (
	"context"
	"math"
	"testing"

	"instanton/evaluate"
	"instanton/internal/problem"
	"instanton/rbm"
	"instanton/unit"
)

// Site by site from the exact joint law: P(v_i|rest) is P(v) divided by the sum of P over the states of unit i. The
// result is a sum over sites, not a mean.
func TestPseudoLikelihoodIsExact(t *testing.T) {
	for _, pair := range problem.Pairs() {
		if !pair.Visible.Discrete() {
			continue
		}
		m := problem.Tiny(pair.Visible, pair.Hidden)
		d, err := rbm.NewDistribution(m, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		spec := m.Visible.Spec()
		data := unit.NewStates(spec, len(d.P))
		x, want, sites := make([]float64, spec.N), make([]float64, len(d.P)), make([]float64, 0, len(d.P)*spec.N)
		for k, p := range d.P {
			d.Space.State(x, k)
			data.SetValues(k, x)
			for i, own := range x {
				var sum float64
				for a := range spec.States() {
					x[i] = spec.StateValue(a)
					sum += d.P[d.Space.Index(x)]
				}
				x[i] = own
				want[k] += math.Log(p / sum)
				sites = append(sites, math.Log(p/sum))
			}
		}
		got, err := evaluate.PseudoLogLikelihood(context.Background(), m, data, nil, 2)
		if err != nil {
			t.Fatal(err)
		}
		for k := range want {
			if math.Abs(got[k]-want[k]) > 1e-10*(1+math.Abs(want[k])) {
				t.Errorf("%s: configuration %d has %g, want %g", pair, k, got[k], want[k])
			}
		}
		if got, err = evaluate.SiteLogProbabilities(context.Background(), m, data, 2); err != nil {
			t.Fatal(err)
		}
		for k := range sites {
			if math.Abs(got[k]-sites[k]) > 1e-10*(1+math.Abs(sites[k])) {
				t.Errorf("%s: site %d has log P = %g, want %g", pair, k, got[k], sites[k])
			}
		}
	}
}

// Without weights the sites are independent, and the pseudo-likelihood is the likelihood, without an extra factor N.
func TestPseudoLikelihoodOfIndependentSites(t *testing.T) {
	m, err := rbm.Random(unit.Spec{Type: unit.Potts, N: 5, Q: 4}, unit.Spec{Type: unit.Gaussian, N: 2}, 1, 3)
	if err != nil {
		t.Fatal(err)
	}
	clear(m.W)
	data := unit.NewStates(m.Visible.Spec(), 3)
	data.SetValues(1, []float64{1, 2, 3, 0, 1})
	data.SetValues(2, []float64{3, 3, 1, 2, 0})
	s, err := evaluate.New(m, data, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SetPseudo(context.Background(), m, data, nil, 1); err != nil {
		t.Fatal(err)
	}
	if math.Abs(*s.PseudoLogLikelihood-*s.LogLikelihood) > 1e-12 || s.PseudoSamples != 3 {
		t.Errorf("pseudo-likelihood %g of %d samples, want the likelihood %g", *s.PseudoLogLikelihood, s.PseudoSamples,
			*s.LogLikelihood)
	}
}

// Strong weights of both signs: the products neither overflow nor lose the accuracy of small probabilities.
func TestPseudoLikelihoodOfStrongWeights(t *testing.T) {
	for _, w := range []float64{12, 40, 300} {
		m, err := rbm.New(unit.Spec{Type: unit.Spin, N: 3}, unit.Spec{Type: unit.Spin, N: 9})
		if err != nil {
			t.Fatal(err)
		}
		for k := range m.W {
			m.W[k] = w * float64(k%3-1)
		}
		data := unit.NewStates(m.Visible.Spec(), 8)
		x := make([]float64, 3)
		for k := range 8 {
			for i := range x {
				x[i] = float64(k>>i&1*2 - 1)
			}
			data.SetValues(k, x)
		}
		got, err := evaluate.PseudoLogLikelihood(context.Background(), m, data, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		for k, pl := range got {
			data.Values(x, k)
			var want float64
			for i := range x {
				own := m.EffectiveEnergy(x)
				x[i] = -x[i]
				d := own - m.EffectiveEnergy(x) // log of P(flipped)/P(own)
				x[i] = -x[i]
				want -= max(d, 0) + math.Log1p(math.Exp(-math.Abs(d)))
			}
			if math.Abs(pl-want) > 1e-10*(1+math.Abs(want)) {
				t.Errorf("w = %g: configuration %d has %g, want %g", w, k, pl, want)
			}
		}
	}
}

func TestPseudoLikelihoodRefuses(t *testing.T) {
	m, _ := rbm.New(unit.Spec{Type: unit.Gaussian, N: 2}, unit.Spec{Type: unit.Spin, N: 2})
	if _, err := evaluate.PseudoLogLikelihood(context.Background(), m, unit.NewStates(m.Visible.Spec(), 1), nil,
		1); err == nil {
		t.Error("real visible units were not refused")
	}
	m, _ = rbm.CurieWeiss(4, 1)
	if _, err := evaluate.PseudoLogLikelihood(context.Background(), m,
		unit.NewStates(unit.Spec{Type: unit.Spin, N: 5}, 1), nil, 1); err == nil {
		t.Error("data of another size were not refused")
	}
}

func TestPseudoRows(t *testing.T) {
	m, _ := rbm.New(unit.Spec{Type: unit.Spin, N: 100}, unit.Spec{Type: unit.Gaussian, N: 100})
	if rows := evaluate.PseudoRows(m, 50, 1e9); len(rows) != 50 || rows[49] != 49 {
		t.Errorf("rows %v, want all 50", rows)
	}
	if rows := evaluate.PseudoRows(m, 1000, 2e5); len(rows) != 20 || rows[1] != 50 {
		t.Errorf("rows %v, want 20 evenly spaced", rows)
	}
}
