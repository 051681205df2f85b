package mixing_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"instanton/dataset"
	"instanton/mixing"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// draws returns chains of spins, each with the magnetisation given by at.
func draws(n, chains, draws int, at func(c, d int, r *rand.Rand) float64) mixing.Samples {
	r := rand.New(rand.NewPCG(1, 2))
	v := unit.NewStates(unit.Spec{Type: unit.Spin, N: n}, chains*draws)
	for k := range v.Len {
		m := at(k/draws, k%draws, r)
		for i := range n {
			v.Set(k, i, math.Copysign(1, (1+m)/2-r.Float64()))
		}
	}
	return mixing.Samples{V: v, Chains: chains, Draws: draws}
}

func expect(t *testing.T, name string, s mixing.Samples, modes mixing.Modes, want mixing.Verdict,
	words string) *mixing.Diagnosis {
	t.Helper()
	d := must(mixing.Diagnose(s, modes))
	if d.Verdict != want || !strings.Contains(d.Reason, words) {
		t.Errorf("%s: %s: %s; want %s with %q", name, d.Verdict, d.Reason, want, words)
	}
	return d
}

// Independent draws from one mode: what can be said depends on where the chains came from.
func TestOneModeOnly(t *testing.T) {
	s := draws(60, 20, 300, func(int, int, *rand.Rand) float64 { return 0.6 })
	both := unit.NewStates(s.V.Spec, 2) // all down, all up
	near := unit.NewStates(s.V.Spec, 3) // up, but for a few
	for i := range both.N {
		both.Set(1, i, 1)
		for k := range 3 {
			near.Set(k, i, math.Copysign(1, float64((i+k)%20)-0.5))
		}
	}
	found := map[string]mixing.Modes{"PCA": must(mixing.PCA(s.V)), "clusters": must(mixing.Clusters(s.V, 3, 1))}
	noise := s
	noise.Noise = true
	expect(t, "noise", noise, found["PCA"], mixing.OneMode, "they started from noise")
	for _, c := range []struct {
		name  string
		start *unit.States
		want  mixing.Verdict
		words string
	}{
		{"unknown starts", nil, mixing.OneMode, "where they started is not known"},
		{"one start", both.Slice(0, 1), mixing.OneMode, "they all started from the same configuration"},
		{"near starts", near, mixing.OneMode, "they started close to each other"},
		{"starts inside", s.V.Slice(0, 20), mixing.OneMode, "they started inside of it"},
		{"starts apart", both, mixing.Mixes, "only one mode was found, by 20 chains that started apart and agree"},
	} {
		s.Start = c.start
		for how, modes := range found {
			d := expect(t, c.name+", "+how, s, modes, c.want, c.words)
			if len(d.Modes) != 1 || d.Modes[0].Name != "all" || d.Modes[0].Occupancy != 1 {
				t.Errorf("%s: modes %+v, want one", c.name, d.Modes)
			}
			if !strings.Contains(strings.Join(d.Notes, "\n"), "which therefore count as one") {
				t.Errorf("%s: nothing is said of the modes that count as one: %q", c.name, d.Notes)
			}
		}
	}
}

// A paramagnet has one mode, which chains from its own starts find; so does the Hopfield model far above its
// transition, though its patterns are given as modes.
func TestParamagnets(t *testing.T) {
	cw := must(rbm.CurieWeiss(100, 0.5))
	hot := must(rbm.Hopfield(must(rbm.OrthogonalPatterns(128, 6)), 0.3))
	for name, m := range map[string]*rbm.RBM{"Curie–Weiss": cw, "Hopfield": hot} {
		s := run(t, must(sampler.NewGibbs(m, 1)), mixing.Starts(m, 24, 1), 24, 400)
		modes := must(mixing.PCA(s.V))
		if m.Patterns != nil {
			modes = must(mixing.Patterns(m))
		}
		expect(t, name, s, modes, mixing.Mixes, "only one mode was found, by 24 chains that started apart")
	}
}

// All chains start in the same one of two modes, whether that is known or not.
func TestInsideOneOfTwo(t *testing.T) {
	m := must(rbm.CurieWeiss(128, 1.5))
	up := unit.NewStates(m.Visible.Spec(), 1)
	for i := range up.N {
		up.Set(0, i, 1)
	}
	gibbs := must(sampler.NewGibbs(m, 1))
	first := run(t, gibbs, up, 20, 50)
	ends := unit.NewStates(up.Spec, 20)
	for k := range 20 {
		ends.CopyRow(k, first.V, k*50+49)
	}
	s := run(t, gibbs, ends, 20, 300)
	expect(t, "draws of one mode as starts", s, must(mixing.PCA(s.V)), mixing.OneMode, "they started inside of it")
	s = run(t, gibbs, mixing.Starts(m, 20, 1), 20, 300)
	expect(t, "own starts", s, must(mixing.PCA(s.V)), mixing.Stuck, "")
}

// Frequent changes of mode do not excuse a slow quantity: here the magnetisation of one half of the units drifts over
// the whole run, while the other half jumps between two modes.
func TestSlowQuantity(t *testing.T) {
	s := draws(100, 20, 400, func(int, int, *rand.Rand) float64 { return 0 })
	r := rand.New(rand.NewPCG(3, 4))
	for c := range s.Chains {
		slow := r.NormFloat64()
		mode := 1.0
		for d := range s.Draws {
			slow = 0.85*slow + math.Sqrt(1-0.85*0.85)*r.NormFloat64()
			if r.Float64() < 0.3 {
				mode = -mode
			}
			for i := range 50 {
				s.V.Set(c*s.Draws+d, i, math.Copysign(1, 0.95-r.Float64())*mode)
				s.V.Set(c*s.Draws+d, 50+i, math.Copysign(1, 0.5+0.2*slow-r.Float64()))
			}
		}
	}
	modes := must(mixing.Labels(&dataset.Dataset{Name: "modes", Labels: []int{0, 1}, States: halves(s.V.Spec)},
		s.V.Spec))
	d := expect(t, "slow second half", s, modes, mixing.TooShort,
		"chains of 400 draws are shorter than 50 autocorrelation times of PC2")
	if d.Transitions < 10*s.Chains {
		t.Errorf("%d changes of mode: expected many", d.Transitions)
	}
}

// halves are configurations whose first half is up, or down.
func halves(spec unit.Spec) *unit.States {
	v := unit.NewStates(spec, 2)
	for i := range spec.N {
		v.Set(0, i, math.Copysign(1, float64(spec.N/2-i)-0.5))
		v.Set(1, i, math.Copysign(1, float64(i-spec.N/2)+0.5))
	}
	for i := spec.N / 2; i < spec.N; i++ { // the second halves are alike
		v.Set(0, i, math.Copysign(1, float64(i%2)-0.5))
		v.Set(1, i, math.Copysign(1, float64(i%2)-0.5))
	}
	return v
}

// Chains of period eight that are up in one draw of eight: every eighth draw would show a single mode.
func TestPeriodicChains(t *testing.T) {
	s := draws(40, 8, 2000, func(_, d int, _ *rand.Rand) float64 {
		if d%8 == 0 {
			return 0.9
		}
		return -0.9
	})
	for how, modes := range map[string]mixing.Modes{"PCA": must(mixing.PCA(s.V)),
		"clusters": must(mixing.Clusters(s.V, 2, 1))} {
		d := expect(t, how, s, modes, mixing.Mixes, "changes between 2 modes")
		for _, mode := range d.Modes {
			if p := float64(mode.Occupancy); math.Abs(p-0.125) > 0.01 && math.Abs(p-0.875) > 0.01 {
				t.Errorf("%s: occupancy %g of %s, want 1/8 and 7/8", how, p, mode.Name)
			}
		}
		for _, q := range d.Quantities {
			if q.Tau < 0 {
				t.Errorf("%s: τ = %g of %s", how, q.Tau, q.Name)
			}
		}
	}
}

// One chain of many that never moves, or is somewhere else throughout.
func TestOddChain(t *testing.T) {
	jump := func(r *rand.Rand) float64 { return math.Copysign(0.9, r.Float64()-0.5) }
	s := draws(64, 24, 300, func(_, _ int, r *rand.Rand) float64 { return jump(r) })
	for d := range s.Draws {
		s.V.CopyRow(5*s.Draws+d, s.V, 5*s.Draws)
	}
	both := unit.NewStates(s.V.Spec, 2)
	for i := range both.N {
		both.Set(1, i, 1)
	}
	modes := must(mixing.Labels(&dataset.Dataset{Name: "modes", Labels: []int{0, 1}, States: both}, s.V.Spec))
	expect(t, "a frozen chain", s, modes, mixing.Stuck, "1 of 24 chains never moved")
	s = draws(64, 24, 300, func(c, d int, r *rand.Rand) float64 { return jump(r) })
	r := rand.New(rand.NewPCG(7, 7))
	for d := range s.Draws { // half up, half down
		for i := range 64 {
			x := math.Copysign(1, 0.95-r.Float64())
			s.V.Set(5*s.Draws+d, i, x*float64(i%2*2-1))
		}
	}
	d := expect(t, "a chain outside", s, modes, mixing.Stuck, "1 of 24 chains never came into any of the modes")
	if d.Modes[0].Occupancy < 0.45 || d.Modes[1].Occupancy < 0.45 {
		t.Errorf("occupancies %+v: want those of the other chains, a half each", d.Modes)
	}
}

func TestTooManyModes(t *testing.T) {
	v := unit.NewStates(unit.Spec{Type: unit.Spin, N: 4}, 30)
	for k, err := range []error{
		second(mixing.Clusters(v, 1, 1)), second(mixing.Clusters(v, 65, 1)),
		second(mixing.Labels(&dataset.Dataset{Name: "x", States: v.Slice(0, 1), Labels: []int{1 << 40}}, v.Spec)),
		second(mixing.Patterns(&rbm.RBM{Visible: must(rbm.CurieWeiss(4, 1)).Visible,
			Patterns: unit.NewStates(v.Spec, 501)})),
	} {
		if err == nil || !strings.Contains(err.Error(), "expected") {
			t.Errorf("case %d: error %v", k, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// Starts of models without patterns: both ends of every hidden unit, and noise.
func TestStarts(t *testing.T) {
	m := must(rbm.CurieWeiss(30, 1.5))
	s := mixing.Starts(m, 6, 1)
	for k, want := range []float64{30, 0, -30, 0, 30, 0} {
		var sum float64
		for i := range 30 {
			sum += s.Value(k, i)
		}
		if want != 0 && sum != want || want == 0 && math.Abs(sum) == 30 {
			t.Errorf("start %d has the magnetisation %g, want %g (0 for noise)", k, sum, want)
		}
	}
	for _, visible := range []string{"spin:9", "bernoulli:9", "potts:5x3", "gaussian:4"} {
		for _, hidden := range []string{"spin:5", "bernoulli:5", "potts:4x3", "gaussian:5", "relu:5", "drelu:5"} {
			v, h := must(unit.ParseSpec(visible)), must(unit.ParseSpec(hidden))
			m := must(rbm.New(v, h))
			for k := range m.W {
				m.W[k] = float64((k*37)%64-32) / 512
			}
			s := mixing.Starts(m, 7, 1)
			if s.Len != 7 || s.Spec != v {
				t.Errorf("%s-%s: %d starts of %s", visible, hidden, s.Len, s.Spec)
			}
			for k := range s.Len {
				for i := range s.N {
					if err := v.Allows(s.Value(k, i)); err != nil {
						t.Errorf("%s-%s: start %d: %v", visible, hidden, k, err)
					}
				}
			}
		}
	}
}

// A rare mode is a mode: the border lies between the two, not at the mean.
func TestBordersOfUnequalModes(t *testing.T) {
	s := draws(60, 4, 1000, func(_, _ int, r *rand.Rand) float64 {
		if r.Float64() < 0.05 {
			return 0.8
		}
		return -0.8
	})
	d := must(mixing.Diagnose(s, must(mixing.PCA(s.V))))
	if len(d.Modes) != 2 || math.Abs(math.Min(float64(d.Modes[0].Occupancy),
		float64(d.Modes[1].Occupancy))-0.05) > 5*math.Sqrt(0.05*0.95/4000) {
		t.Errorf("modes %+v: want two, one of them with a share of 0.05", d.Modes)
	}
}

// One chain that stays in its mode among many that do not; a mode that is hardly ever entered; and a mode that chains
// only leave.
func TestVisits(t *testing.T) {
	both := unit.NewStates(unit.Spec{Type: unit.Spin, N: 64}, 2)
	for i := range both.N {
		both.Set(1, i, 1)
	}
	modes := must(mixing.Labels(&dataset.Dataset{Name: "modes", Labels: []int{0, 1}, States: both}, both.Spec))
	s := draws(64, 24, 300, func(c, _ int, r *rand.Rand) float64 {
		if c == 3 {
			return 0.9
		}
		return math.Copysign(0.9, r.Float64()-0.5)
	})
	expect(t, "a chain that stays", s, modes, mixing.Stuck,
		"1 of 24 chains never left a mode, where the others changed")
	s = draws(64, 24, 300, func(c, d int, _ *rand.Rand) float64 {
		if c%8 == 3 && d == 100 {
			return -0.9
		}
		return 0.9
	})
	expect(t, "a rare mode", s, modes, mixing.TooShort, "mode 0 was entered 3 times: expected at least 10")
	s = draws(64, 24, 300, func(c, d int, _ *rand.Rand) float64 {
		if c%2 == 0 && d < 2 {
			return -0.9
		}
		return 0.9
	})
	s.Start = both
	d := expect(t, "a mode that was left", s, modes, mixing.Mixes,
		"only one mode was found, by 24 chains that started apart")
	if !strings.Contains(strings.Join(d.Notes, "; "), "chains started in 0 but left for good") {
		t.Errorf("notes %q", d.Notes)
	}
}
