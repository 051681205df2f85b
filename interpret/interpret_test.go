package interpret_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"instanton/internal/problem"
	"instanton/interpret"
	"instanton/rbm"
	"instanton/unit"
)

// random returns a random model and rows of its visible units that show every state.
func random(t *testing.T, visible, hidden string, rows int) (*rbm.RBM, *unit.States) {
	t.Helper()
	v, err := unit.ParseSpec(visible)
	if err != nil {
		t.Fatal(err)
	}
	h, err := unit.ParseSpec(hidden)
	if err != nil {
		t.Fatal(err)
	}
	m, err := rbm.Random(v, h, 0.7, 3)
	if err != nil {
		t.Fatal(err)
	}
	return m, someRows(v, rows)
}

// someRows fills rows with a fixed mixture of states.
func someRows(spec unit.Spec, rows int) *unit.States {
	s := unit.NewStates(spec, rows)
	for k := range rows {
		for i := range spec.N {
			x := math.Abs(math.Sin(float64(7*k+3*i) + 0.3))
			if spec.Type.Discrete() {
				x = spec.StateValue(int(x*1e6) % spec.States())
			}
			s.Set(k, i, x)
		}
	}
	return s
}

// Every mutant, single and double, by its own effective energy.
func TestMutantsAgreeWithEnergies(t *testing.T) {
	for _, pair := range problem.Pairs() {
		if !pair.Visible.Discrete() {
			continue
		}
		m := problem.Tiny(pair.Visible, pair.Hidden)
		spec := m.Visible.Spec()
		v := someRows(spec, 2)
		x, err := interpret.NewMutants(m, v, 1)
		if err != nil {
			t.Fatal(err)
		}
		wild := make([]float64, spec.N)
		v.Values(wild, 1)
		energy := func(mutations ...interpret.Mutation) float64 {
			mutant := slices.Clone(wild)
			for _, u := range mutations {
				mutant[u.Site] = spec.StateValue(u.State)
			}
			return m.EffectiveEnergy(mutant) - m.EffectiveEnergy(wild)
		}
		same := func(what string, got, want float64) {
			t.Helper()
			if math.Abs(got-want) > 1e-11*(1+math.Abs(want)) {
				t.Errorf("%s: %s is %g, want %g", pair, what, got, want)
			}
		}
		for i, row := range x.Singles() {
			for a, d := range row {
				same("ΔE", d, energy(interpret.Mutation{Site: i, State: a}))
			}
		}
		pairs := 0
		err = x.EachDouble(context.Background(), 2, func(i, j int, delta, epistasis [][]float64) error {
			pairs++
			for a := range delta {
				for b := range delta {
					first, second := interpret.Mutation{Site: i, State: a}, interpret.Mutation{Site: j, State: b}
					want := energy(first, second)
					same("ΔE of a double mutant", delta[a][b], want)
					same("the epistasis", epistasis[a][b], want-energy(first)-energy(second))
					d, err := x.Delta(first, second)
					if err != nil {
						return err
					}
					same("Delta", d, want)
				}
			}
			return nil
		})
		if err != nil || pairs != spec.N*(spec.N-1)/2 {
			t.Errorf("%s: %d pairs, %v", pair, pairs, err)
		}
	}
}

func TestMutantsRefuse(t *testing.T) {
	m, v := random(t, "potts:3x4", "drelu:2", 1)
	x, err := interpret.NewMutants(m, v, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range [][]interpret.Mutation{{{3, 0}}, {{-1, 0}}, {{0, 4}}, {{1, 0}, {1, 2}}} {
		if _, err := x.Delta(bad...); err == nil {
			t.Errorf("mutations %v were not refused", bad)
		}
	}
	if m, v := random(t, "gaussian:2", "spin:2", 1); m != nil {
		if _, err := interpret.NewMutants(m, v, 0); err == nil {
			t.Error("real units were not refused")
		}
	}
}

func TestNotation(t *testing.T) {
	n := interpret.Notation{Spec: unit.Spec{Type: unit.Potts, N: 3, Q: 4}, Alphabet: "-ACD", First: 10}
	wild := []int{1, 2, 3} // A10 C11 D12
	for _, c := range []struct {
		text   string
		want   string // as written again
		inside bool
		err    string
	}{
		{"A10C", "A10C", true, ""},
		{"A10-:D12C", "A10-:D12C", true, ""},
		{"D12A/C11D", "D12A:C11D", true, ""},
		{"A13C", "", false, ""}, {"A10W", "", false, ""},
		{"C10A", "", false, "the wild type has A at position 10"},
		{"wt", "", false, "expected a letter, a position and a letter"},
		{"", "", false, "expected mutations such as A12C"},
	} {
		u, inside, err := n.Parse(wild, c.text)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%q: error %v, want %q", c.text, err, c.err)
			}
			continue
		}
		if err != nil || inside != c.inside || inside && n.Write(wild, u...) != c.want {
			t.Errorf("%q: %v, %v, %v", c.text, u, inside, err)
		}
	}
}

func TestMeasurements(t *testing.T) {
	table := "mutant,sequence,DMS_score\nA10C,CCD,-0.5\nD12C,ACC,NA\nC11D,ADD,1.25\n"
	got, err := interpret.ReadMeasurements(strings.NewReader(table), "")
	if err != nil || !slices.Equal(got, []interpret.Measurement{{"A10C", -0.5}, {"C11D", 1.25}}) {
		t.Errorf("%v, %v", got, err)
	}
	for column, want := range map[string]string{"depth": `no column "depth"`, "sequence": `expected a number`} {
		if _, err := interpret.ReadMeasurements(strings.NewReader(table), column); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("column %s: %v, want %q", column, err, want)
		}
	}
}

// Ties share their ranks: ρ of these lists by hand, and by scipy.stats.spearmanr (0.8207826816681233).
func TestRanks(t *testing.T) {
	x, y := []float64{1, 2, 3, 4, 5}, []float64{5, 6, 7, 8, 7}
	if r := interpret.Ranks(y); !slices.Equal(r, []float64{1, 2, 3.5, 5, 3.5}) {
		t.Errorf("ranks %v", r)
	}
	rho, err := interpret.Spearman(x, y)
	if err != nil || math.Abs(rho-0.8207826816681233) > 1e-15 {
		t.Errorf("ρ = %v, %v", rho, err)
	}
	if _, err := interpret.Spearman(x, []float64{1, 1, 1, 1, 1}); err == nil {
		t.Error("a constant list was not refused")
	}
	// Pairs (first, second): 3>1, 3>2, 3=3 (one half), 1=1 (half), 1<2, 1<3: 3 of 6.
	if a := interpret.AUC([]float64{3, 1, 1, 2, 3}, []bool{true, true, false, false, false}); a != 0.5 {
		t.Errorf("AUC %v, want 0.5", a)
	}
}
