package train

import (
	"math"
	"testing"

	"instanton/internal/problem"
	"instanton/rbm"
	"instanton/unit"
)

// exactTrainer is a trainer of a given model whose updates use the exact law.
func exactTrainer(t *testing.T, m *rbm.RBM, data *unit.States, cfg Config) *Trainer {
	t.Helper()
	tr, err := cfg.New(m.Hidden.Spec(), Data{States: data}, 1)
	if err != nil {
		t.Fatal(err)
	}
	tr.model.Visible, tr.model.Hidden = m.Visible, m.Hidden
	copy(tr.model.W, m.W)
	tr.chains.V = unit.NewStates(m.Visible.Spec(), problem.Space(m.Visible).Size())
	tr.gradient = newGradient(tr.model, tr.chains, terms{}, nil, tr.coords.standardised, data.Len, 1)
	tr.ascent = newAscent(tr.model, tr.coords, nil, tr.options.Optimizer, cfg.Clip, 1)
	return tr
}

// exactUpdate does one update with averages over the exact law.
func (tr *Trainer) exactUpdate(t *testing.T, data *unit.States) {
	t.Helper()
	space := problem.Space(tr.model.Visible)
	all := unit.NewStates(tr.model.Visible.Spec(), space.Size())
	x := make([]float64, all.N)
	for k := range space.Size() {
		space.State(x, k)
		all.SetValues(k, x)
	}
	d, err := rbm.NewDistribution(tr.model, space, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := tr.chains.up.Update(tr.model); err != nil {
		t.Fatal(err)
	}
	if err := tr.gradient.average(tr.team, weighted{data, nil}, weighted{all, d.P}); err != nil {
		t.Fatal(err)
	}
	tr.ascent.step(tr.team, tr.gradient, tr.updates+1, tr.Rate())
	tr.coords.track(tr.gradient.positive, nil)
	tr.updates++
}

func plainSGD(gradient string) Config {
	cfg := Default()
	cfg.Gradient, cfg.Clip, cfg.Batch, cfg.Epochs = gradient, 0, 100, 1000
	cfg.Optimizer = OptimizerConfig{Name: "sgd", Rate: 0.05, Epsilon: 1e-3}
	cfg.Schedule = ScheduleConfig{Name: "constant"}
	return cfg
}

// With the plain option a step of SGD is the learning rate times the derivative of the log-likelihood, entry by entry
// (γ on its logarithmic scale aside).
func TestPlainStepIsTheGradient(t *testing.T) {
	for _, pair := range problem.Pairs() {
		e := enumerate(t, problem.Tiny(pair.Visible, pair.Hidden))
		before := e.model.Clone()
		tr := exactTrainer(t, e.model.Clone(), e.data, plainSGD("plain"))
		e.weights = []float64{1, 1, 1, 1, 1}
		g := e.exactGradient(t, Default())
		tr.exactUpdate(t, e.data)
		if pair.Visible == unit.Potts || pair.Hidden == unit.Potts {
			continue // the step is followed by a change of gauge: see TestPottsGauge
		}
		for k, w := range before.W {
			if want := w + 0.05*g.W[k]; math.Abs(tr.model.W[k]-want) > 1e-9 {
				t.Errorf("%s: W[%d] is %g after a step, want %g", pair, k, tr.model.W[k], want)
			}
		}
		for side, l := range [][3]rbm.Layer{
			{before.Visible, g.Visible, tr.model.Visible}, {before.Hidden, g.Hidden, tr.model.Hidden},
		} {
			for k, p := range l[0].Params() {
				for i, x := range p.Data {
					got, want := l[2].Params()[k].Data[i], x+0.05*l[1].Params()[k].Data[i]
					if !p.Positive && math.Abs(got-want) > 1e-9 {
						t.Errorf("%s: %s[%d] of layer %d is %g after a step, want %g", pair, p.Name, i, side, got, want)
					}
				}
			}
		}
	}
}

// Every kind of gradient, optimiser and schedule climbs: with exact averages and small steps the log-likelihood grows
// from update to update, for every pair of unit types.
func TestExactUpdatesClimb(t *testing.T) {
	for _, pair := range problem.Pairs() {
		for _, gradient := range []string{"plain", "centred", "standardised"} {
			e := enumerate(t, problem.Tiny(pair.Visible, pair.Hidden))
			e.weights = []float64{1, 1, 1, 1, 1}
			cfg := plainSGD(gradient)
			cfg.Optimizer.Rate = 1e-3
			tr := exactTrainer(t, e.model.Clone(), e.data, cfg)
			e.model = tr.model
			last := e.objective(t, RegularizeConfig{})
			for range 20 {
				tr.exactUpdate(t, e.data)
				now := e.objective(t, RegularizeConfig{})
				if now < last-1e-9 {
					t.Errorf("%s, %s: the log-likelihood falls from %.9g to %.9g", pair, gradient, last, now)
				}
				last = now
			}
		}
	}
}

// Centred updates do not depend on whether a pixel is called on or off: trained on flipped data, a flipped model stays
// the mirror image. Plain updates do.
func TestCentredUpdatesAreFlipInvariant(t *testing.T) {
	m, err := rbm.Random(unit.Spec{Type: unit.Bernoulli, N: 4}, unit.Spec{Type: unit.Bernoulli, N: 2}, 1.5, 3)
	if err != nil {
		t.Fatal(err)
	}
	data, flipped := unit.NewStates(m.Visible.Spec(), 6), unit.NewStates(m.Visible.Spec(), 6)
	for k := range data.Len {
		for i := range data.N {
			x := float64((k*k + 3*i*k + i) % 5 / 3)
			data.Set(k, i, x)
			flipped.Set(k, i, 1-x)
		}
	}
	mirror := m.Clone() // E'(1−v,h) = E(v,h)
	for i, g := range mirror.Visible.(*rbm.Bernoulli).Fields {
		mirror.Visible.(*rbm.Bernoulli).Fields[i] = -g
		for mu := range 2 {
			mirror.Hidden.(*rbm.Bernoulli).Fields[mu] += mirror.Row(i)[mu]
			mirror.Row(i)[mu] *= -1
		}
	}
	distance := func(gradient string) (worst float64) {
		a := exactTrainer(t, m.Clone(), data, plainSGD(gradient))
		b := exactTrainer(t, mirror.Clone(), flipped, plainSGD(gradient))
		copy(b.coords.lambda, a.coords.lambda) // they began from random weights
		for range 10 {
			a.exactUpdate(t, data)
			b.exactUpdate(t, flipped)
		}
		p, _ := rbm.NewDistribution(a.model, nil, 1)
		q, _ := rbm.NewDistribution(b.model, nil, 1)
		for k, x := range p.P {
			worst = max(worst, math.Abs(x-q.P[len(q.P)-1-k]))
		}
		return worst
	}
	if d := distance("centred"); d > 1e-6 { // float32 inputs
		t.Errorf("centred updates differ by %g on flipped data", d)
	}
	if d := distance("plain"); d < 1e-3 {
		t.Errorf("plain updates differ by only %g on flipped data: the test does not see the difference", d)
	}
}

// The zero-sum gauge is kept, and putting the model into it changes no probability: what is subtracted from the weights
// is added to the fields.
func TestPottsGauge(t *testing.T) {
	for _, hidden := range []unit.Type{unit.Bernoulli, unit.DReLU, unit.Potts} {
		e := enumerate(t, problem.Tiny(unit.Potts, hidden))
		tr := exactTrainer(t, e.model.Clone(), e.data, plainSGD("centred"))
		for range 5 {
			tr.exactUpdate(t, e.data)
		}
		m := tr.model
		q, cols := m.Visible.Spec().Q, m.Hidden.Spec().Width()
		for lo := 0; lo < len(m.W); lo += q * cols {
			for mu := range cols {
				var sum float64
				for a := range q {
					sum += m.W[lo+a*cols+mu]
				}
				if math.Abs(sum) > 1e-12 {
					t.Errorf("%s: the weights of a unit sum to %g, want 0", hidden, sum)
				}
			}
		}
		// One more step by hand: without the gauge, and with it.
		free := exactTrainer(t, m.Clone(), e.data, plainSGD("plain"))
		free.exactUpdate(t, e.data)
		e.model, e.weights = m, []float64{1, 1, 1, 1, 1}
		g := e.exactGradient(t, Default())
		for k := range m.W {
			m.W[k] += 0.05 * g.W[k]
		}
		if hidden == unit.DReLU {
			continue // its γ take another way
		}
		paramsOf(m.Visible).add(0.05, paramsOf(g.Visible))
		paramsOf(m.Hidden).add(0.05, paramsOf(g.Hidden))
		p, _ := rbm.NewDistribution(m, nil, 1)
		r, _ := rbm.NewDistribution(free.model, nil, 1)
		for k := range p.P {
			if math.Abs(p.P[k]-r.P[k]) > 1e-9 {
				t.Errorf("%s: probability %g of configuration %d after a change of gauge, want %g",
					hidden, r.P[k], k, p.P[k])
			}
		}
	}
}

// The γ of hidden units keep their product, which is a gauge; those of visible ones learn.
func TestGammas(t *testing.T) {
	e := enumerate(t, problem.Tiny(unit.Gaussian, unit.DReLU))
	tr := exactTrainer(t, e.model.Clone(), e.data, plainSGD("centred"))
	h, v := tr.model.Hidden.(*rbm.DReLU), tr.model.Visible.(*rbm.Gaussian)
	product, plus, gamma := h.GammaPlus[0]*h.GammaMinus[0], h.GammaPlus[0], v.Gamma[0]
	for range 5 {
		tr.exactUpdate(t, e.data)
	}
	if got := h.GammaPlus[0] * h.GammaMinus[0]; math.Abs(got-product) > 1e-12 {
		t.Errorf("γ⁺γ⁻ is %g, want %g", got, product)
	}
	if h.GammaPlus[0] == plus || v.Gamma[0] == gamma {
		t.Error("γ⁺/γ⁻ of hidden units and γ of visible ones do not learn")
	}
}
