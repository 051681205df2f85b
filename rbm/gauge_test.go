package rbm_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"instanton/internal/problem"
	"instanton/rbm"
	"instanton/unit"
)

// sameLaw checks that two models give the same P(v): their effective energies differ by one constant.
func sameLaw(t *testing.T, before, after *rbm.RBM) {
	t.Helper()
	states := someStates(before.Visible)
	offset := after.EffectiveEnergy(states[0]) - before.EffectiveEnergy(states[0])
	for _, v := range states {
		near(t, "E_eff", after.EffectiveEnergy(v)-offset, before.EffectiveEnergy(v), 1e-10)
	}
}

func TestGaugesLeaveTheLaw(t *testing.T) {
	forPairs(t, func(t *testing.T, m *rbm.RBM) {
		hidden := m.Hidden.Spec()
		last := hidden.N - 1
		for _, g := range []struct {
			name string
			move func(m *rbm.RBM) error
			ok   bool // whether this hidden type has the gauge
		}{
			{"zero sum", func(m *rbm.RBM) error { m.ZeroSum(); return nil }, true},
			{"scale", func(m *rbm.RBM) error { return m.Scale(last, 1.7) }, !hidden.Type.Discrete()},
			{"shift", func(m *rbm.RBM) error { return m.Shift(last, -0.8) }, hidden.Type == unit.Gaussian},
			{"flip", func(m *rbm.RBM) error { return m.Flip(last) },
				hidden.Type != unit.Potts && hidden.Type != unit.ReLU},
			{"permute", func(m *rbm.RBM) error { return m.Permute(reversed(hidden.N)) }, true},
			{"rotate", func(m *rbm.RBM) error { return m.Rotate(rbm.RandomRotation(hidden.N, 3)) },
				hidden.Type == unit.Gaussian},
		} {
			moved := m.Clone()
			err := g.move(moved)
			if (err == nil) != g.ok {
				t.Errorf("%s of %s hidden units: error %v", g.name, hidden.Type, err)
			}
			sameLaw(t, m, moved) // a refused move must leave the model alone, too
		}
	})
}

func reversed(n int) []int {
	order := make([]int, n)
	for k := range order {
		order[k] = n - 1 - k
	}
	return order
}

// A gauge move must move something, else the test above proves nothing.
func TestGaugesMove(t *testing.T) {
	m := problem.Tiny(unit.Potts, unit.Potts)
	moved := m.Clone()
	moved.ZeroSum()
	for c := range moved.W {
		if moved.W[c] == m.W[c] {
			t.Errorf("ZeroSum left weight %d", c)
		}
	}
	for _, l := range []rbm.Layer{moved.Visible, moved.Hidden} {
		g := l.(*rbm.Potts).Fields
		for lo := 0; lo < len(g); lo += 3 {
			near(t, "sum of fields", g[lo]+g[lo+1]+g[lo+2], 0, 1e-14)
		}
	}
	q := 3
	for lo := 0; lo < moved.Visible.Spec().Width(); lo += q {
		for mu := range moved.Hidden.Spec().Width() {
			near(t, "column sum", moved.Row(lo)[mu]+moved.Row(lo + 1)[mu]+moved.Row(lo + 2)[mu], 0, 1e-14)
		}
	}
}

// Several Gaussian units with different γ, rotated: the general case.
func TestRotateSeveralUnits(t *testing.T) {
	m, err := rbm.Random(unit.Spec{Type: unit.Spin, N: 6}, unit.Spec{Type: unit.Gaussian, N: 4}, 1, 3)
	if err != nil {
		t.Fatal(err)
	}
	moved := m.Clone()
	if err := moved.Rotate(rbm.RandomRotation(4, 1)); err != nil {
		t.Fatal(err)
	}
	sameLaw(t, m, moved)
	if err := moved.Rotate(mat.NewDense(4, 4, nil)); err == nil || !strings.Contains(err.Error(), "not orthogonal") {
		t.Errorf("rotation by zero: error %v", err)
	}
}

func TestRandomRotationIsOrthogonal(t *testing.T) {
	o := rbm.RandomRotation(7, 5)
	var gram mat.Dense
	gram.Mul(o.T(), o)
	for i := range 7 {
		for j := range 7 {
			near(t, "OᵀO", gram.At(i, j), indicator(i == j), 1e-14)
		}
	}
	if mat.Equal(o, rbm.RandomRotation(7, 6)) {
		t.Error("two seeds gave the same rotation")
	}
}

func TestPermuteRefusesNonsense(t *testing.T) {
	m := problem.Tiny(unit.Spin, unit.Spin)
	for _, order := range [][]int{{0, 1}, {0, 0, 1}, {0, 1, 3}, {-1, 0, 1}} {
		if m.Permute(order) == nil {
			t.Errorf("order %v accepted", order)
		}
	}
}

// β copies: E_eff of the copied model is β E_eff, for every pair of types.
func TestCopiesTemper(t *testing.T) {
	forPairs(t, func(t *testing.T, m *rbm.RBM) {
		for _, beta := range []int{1, 3} {
			c, err := m.Copies(beta)
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range someStates(m.Visible) {
				near(t, "β E_eff", c.EffectiveEnergy(v), float64(beta)*m.EffectiveEnergy(v), 1e-12)
			}
		}
		if _, err := m.Copies(0); err == nil {
			t.Error("zero copies accepted")
		}
	})
}

// The scaled model has the scaled energy; only with Gaussian hidden units is its effective energy the scaled one, too.
func TestScaled(t *testing.T) {
	forPairs(t, func(t *testing.T, m *rbm.RBM) {
		s, err := m.Scaled(0.7)
		if err != nil {
			t.Fatal(err)
		}
		h := someStates(m.Hidden)[1]
		states := someStates(m.Visible)
		for _, v := range states {
			near(t, "b E(v,h)", s.Energy(v, h), 0.7*m.Energy(v, h), 1e-12)
			if m.Hidden.Spec().Type == unit.Gaussian {
				constant := s.EffectiveEnergy(states[0]) - 0.7*m.EffectiveEnergy(states[0])
				near(t, "b E_eff", s.EffectiveEnergy(v), 0.7*m.EffectiveEnergy(v)+constant, 1e-12)
			}
		}
	})
	if _, err := problem.Tiny(unit.Spin, unit.Spin).Scaled(0); err == nil {
		t.Error("scale zero accepted")
	}
}

func TestValidate(t *testing.T) {
	gauss := unit.Spec{Type: unit.Gaussian, N: 2}
	strong, _ := rbm.New(gauss, gauss)
	strong.W[0] = 1
	nan := problem.Tiny(unit.Spin, unit.Gaussian)
	nan.W[2] = math.NaN()
	negative := problem.Tiny(unit.Spin, unit.Gaussian)
	negative.Hidden.(*rbm.Gaussian).Gamma[0] = -1
	for _, c := range []struct {
		model *rbm.RBM
		want  string
	}{
		{strong, "no normalisable distribution"}, {nan, "W[2,0] is NaN"},
		{negative, "gamma[0] is -1: expected a positive number"},
	} {
		if err := c.model.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
}
