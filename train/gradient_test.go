package train

import (
	"fmt"
	"math"
	"testing"

	"instanton/internal/parallel"
	"instanton/internal/problem"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// enumerated is a tiny model with everything written out: some data with weights, all configurations (a quadrature grid
// for real units) and their exact probabilities.
type enumerated struct {
	model         *rbm.RBM
	data, space   *unit.States
	weights, mass []float64
	grid          *rbm.Space
}

func enumerate(t *testing.T, m *rbm.RBM) *enumerated {
	t.Helper()
	e := &enumerated{model: m, grid: problem.Space(m.Visible)}
	e.space = unit.NewStates(m.Visible.Spec(), e.grid.Size())
	x := make([]float64, m.Visible.Spec().N)
	for k := range e.grid.Size() {
		e.grid.State(x, k)
		e.space.SetValues(k, x)
	}
	e.data = unit.NewStates(m.Visible.Spec(), 5)
	e.weights = []float64{1, 0.5, 2, 0.25, 1.5}
	for k := range e.data.Len {
		if m.Visible.Spec().Type.Discrete() {
			e.grid.State(x, (7*k+3)%e.grid.Size())
		} else {
			x[0] = []float64{0.3, 1.1, 0.7, 2, 0.1}[k]
			if k%2 == 1 && m.Visible.Spec().Type != unit.ReLU {
				x[0] = -x[0]
			}
		}
		e.data.SetValues(k, x)
	}
	return e
}

// probabilities sets the exact law of the model as it stands.
func (e *enumerated) probabilities(t *testing.T) *rbm.Distribution {
	t.Helper()
	d, err := rbm.NewDistribution(e.model, e.grid, 1)
	if err != nil {
		t.Fatal(err)
	}
	e.mass = d.P
	return d
}

// objective is the mean log-likelihood of the data minus the regularisers, in float64 and from energies alone.
func (e *enumerated) objective(t *testing.T, r RegularizeConfig) float64 {
	t.Helper()
	logZ := e.probabilities(t).LogZ
	m := e.model
	x, nh := make([]float64, m.Visible.Spec().N), m.Hidden.Spec().Width()
	I, f := make([]float64, nh), make([]float64, nh)
	var sum, total float64
	for k, w := range e.weights {
		e.data.Values(x, k)
		value := -m.EffectiveEnergy(x) - logZ
		m.Inputs(I, x)
		m.Hidden.Mean(f, I)
		for mu := range f {
			for nu := range f {
				if mu != nu {
					value -= r.Penalty * math.Abs(f[mu]*f[nu])
				}
			}
		}
		sum += w * value
		total += w
	}
	value := sum / total
	for _, term := range r.regularizers() {
		value -= term.Cost(m)
	}
	return value
}

// exactGradient is what a trainer computes when its chains are the exact law.
func (e *enumerated) exactGradient(t *testing.T, cfg Config) *rbm.Gradient {
	t.Helper()
	e.probabilities(t)
	up, err := sampler.NewGibbs(e.model, 1)
	if err != nil {
		t.Fatal(err)
	}
	var all terms
	for _, r := range cfg.Regularize.regularizers() {
		all.add(r)
	}
	team := parallel.NewTeam(2)
	team.Start()
	defer team.Stop()
	c := &chains{Chains: &sampler.Chains{V: e.space}, up: up}
	g := newGradient(e.model, c, all, nil, false, e.data.Len, team.Workers())
	if err := g.average(team, weighted{e.data, e.weights}, weighted{e.space, e.mass}); err != nil {
		t.Fatal(err)
	}
	full := e.model.NewGradient()
	cols := e.model.Hidden.Spec().Width()
	for i := range e.model.Visible.Spec().Width() {
		g.row(full.W[i*cols:(i+1)*cols], i)
	}
	full.Visible, full.Hidden = g.visible.layer, g.hidden.layer
	return full
}

// checkGradient compares all derivatives with central differences of the objective. Inputs and correlations are float32
// with sums in fixed point: relative errors of 1e-6, where the differences are good to 1e-8.
func (e *enumerated) checkGradient(t *testing.T, name string, cfg Config) {
	t.Helper()
	const eps, tol = 1e-4, 2e-5
	g := e.exactGradient(t, cfg)
	check := func(what string, got float64, at *float64) {
		t.Helper()
		x := *at
		*at = x + eps
		up := e.objective(t, cfg.Regularize)
		*at = x - eps
		down := e.objective(t, cfg.Regularize)
		*at = x
		if want := (up - down) / (2 * eps); math.Abs(got-want) > tol*(1+math.Abs(want)) {
			t.Errorf("%s: derivative with respect to %s is %.7g, want %.7g", name, what, got, want)
		}
	}
	for k := range e.model.W {
		check(fmt.Sprintf("W[%d]", k), g.W[k], &e.model.W[k])
	}
	for side, l := range map[string][2]rbm.Layer{"v": {e.model.Visible, g.Visible}, "h": {e.model.Hidden, g.Hidden}} {
		for k, p := range l[0].Params() {
			for i := range p.Data {
				check(fmt.Sprintf("%s.%s[%d]", side, p.Name, i), l[1].Params()[k].Data[i], &p.Data[i])
			}
		}
	}
}

// The plain gradient is the derivative of the exact log-likelihood, with weighted samples, for every pair of unit
// types, with and without every regulariser.
func TestGradientIsExact(t *testing.T) {
	for _, pair := range problem.Pairs() {
		t.Run(pair.String(), func(t *testing.T) {
			t.Parallel()
			for name, r := range map[string]RegularizeConfig{
				"likelihood": {}, "l1": {L1: 0.1}, "l1b": {L1b: 0.2}, "l2": {L2: 0.3},
				"field l2": {FieldL2: 0.4}, "penalty": {Penalty: 0.2},
			} {
				if r.Penalty > 0 && pair.Hidden == unit.Potts {
					continue // refused, see TestConfigCheck
				}
				cfg := Default()
				cfg.Regularize = r
				enumerate(t, problem.Tiny(pair.Visible, pair.Hidden)).checkGradient(t, name, cfg)
			}
		})
	}
}

// The penalty couples hidden units, so several are needed to see all of it.
func TestPenaltyGradientOfSeveralUnits(t *testing.T) {
	for _, hidden := range unit.Types() {
		if hidden == unit.Potts {
			continue
		}
		m, err := rbm.Random(unit.Spec{Type: unit.Spin, N: 4}, unit.Spec{Type: hidden, N: 3}, 1, 11)
		if err != nil {
			t.Fatal(err)
		}
		cfg := Default()
		cfg.Regularize = RegularizeConfig{Penalty: 0.3}
		enumerate(t, m).checkGradient(t, hidden.String(), cfg)
	}
}
