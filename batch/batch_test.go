package batch_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"instanton/batch"
	"instanton/rbm"
	"instanton/unit"
)

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// pairs calls f with a random model of every pair of unit types, and a batch of each layer; the short form has every
// type in either layer twice.
func pairs(t *testing.T, f func(t *testing.T, m *rbm.RBM, v, h *unit.States)) {
	spec := func(u unit.Type, n, q int) unit.Spec {
		if u != unit.Potts {
			q = 0
		}
		return unit.Spec{Type: u, N: n, Q: q}
	}
	for i, a := range unit.Types() {
		for j, b := range unit.Types() {
			if testing.Short() && (i+j)%3 != 0 {
				continue
			}
			t.Run(fmt.Sprintf("%s-%s", a, b), func(t *testing.T) {
				scale := 1.0
				if !a.Discrete() && !b.Discrete() {
					scale = 0.3 // larger weights would overcome the potentials
				}
				m := must(rbm.Random(spec(a, 70, 5), spec(b, 19, 3), scale, 3))
				const rows = 600
				v, h := unit.NewStates(m.Visible.Spec(), rows), unit.NewStates(m.Hidden.Spec(), rows)
				w := must(batch.New(m, 1)).Worker()
				w.Draw(batch.Hidden, h, 0, v, 0, rows, batch.Stream{Seed: 1})
				w.Draw(batch.Visible, v, 0, h, 0, rows, batch.Stream{Seed: 1})
				f(t, m, v, h)
			})
		}
	}
}

// The engine agrees with package rbm, one configuration at a time, to the rounding of float64.
func TestEngineIsAccurate(t *testing.T) {
	pairs(t, func(t *testing.T, m *rbm.RBM, v, h *unit.States) {
		e := must(batch.New(m, 2))
		nv, nh := m.Visible.Spec().Width(), m.Hidden.Spec().Width()
		inputs, fields := make([]float64, v.Len*nh), make([]float64, v.Len*nv)
		means, back := make([]float64, v.Len*nh), make([]float64, v.Len*nv)
		energy, ofV, ofH := make([]float64, v.Len), make([]float64, v.Len), make([]float64, v.Len)
		e.Inputs(inputs, batch.Hidden, v)
		e.Inputs(fields, batch.Visible, h)
		e.Means(means, batch.Hidden, v)
		e.Means(back, batch.Visible, h)
		e.Energies(energy, v, h)
		e.EffectiveEnergies(ofV, batch.Visible, v)
		e.EffectiveEnergies(ofH, batch.Hidden, h)
		cgf := make([]float64, v.Len)
		e.CGF(cgf, batch.Hidden, inputs)

		x, y := make([]float64, v.N), make([]float64, h.N)
		I, F := make([]float64, nh), make([]float64, nv)
		meanH, meanV := make([]float64, nh), make([]float64, nv)
		for k := range v.Len {
			v.Values(x, k)
			h.Values(y, k)
			m.Inputs(I, x)
			m.Fields(F, y)
			m.Hidden.Mean(meanH, I)
			m.Visible.Mean(meanV, F)
			close(t, "inputs", inputs[k*nh:(k+1)*nh], I)
			close(t, "cumulants", cgf[k:k+1], []float64{m.Hidden.CGF(I)})
			close(t, "fields", fields[k*nv:(k+1)*nv], F)
			close(t, "hidden means", means[k*nh:(k+1)*nh], meanH)
			close(t, "visible means", back[k*nv:(k+1)*nv], meanV)
			close(t, "energy", energy[k:k+1], []float64{m.Energy(x, y)})
			close(t, "effective energy of v", ofV[k:k+1], []float64{m.EffectiveEnergy(x)})
			close(t, "effective energy of h", ofH[k:k+1], []float64{m.HiddenEnergy(y)})
			if t.Failed() {
				return
			}
		}
	})
}

// close compares numbers up to rounding: sums of some hundred terms in another order.
func close(t *testing.T, what string, got, want []float64) {
	t.Helper()
	for i := range want {
		if d := math.Abs(got[i] - want[i]); !(d <= 2e-12*(1+math.Abs(want[i]))) {
			t.Errorf("%s: entry %d is %.17g, want %.17g", what, i, got[i], want[i])
		}
	}
}

// The energies of a worker have the error of 32-bit weights, some 1e-7 of each of some hundred terms.
func TestWorkerEnergies(t *testing.T) {
	pairs(t, func(t *testing.T, m *rbm.RBM, v, h *unit.States) {
		e := must(batch.New(m, 2))
		want, got := make([]float64, v.Len), make([]float64, v.Len)
		e.EffectiveEnergies(want, batch.Visible, v)
		w := e.Worker()
		w.Energies(got, v, 0)
		for k := range got {
			if d := math.Abs(got[k] - want[k]); !(d < 1e-5*(1+math.Abs(want[k]))) {
				t.Fatalf("row %d: %.10g, want %.10g", k, got[k], want[k])
			}
		}
		again := make([]float64, 7) // of any part of the batch, the same bits
		w.Energies(again, v, 513)
		if !slices.Equal(again, got[513:520]) {
			t.Errorf("rows 513 to 519 alone: %v, want %v", again, got[513:520])
		}
	})
}

// Neither the number of workers nor new parameters that are the old ones change a bit; others do.
func TestWorkersAndSet(t *testing.T) {
	pairs(t, func(t *testing.T, m *rbm.RBM, v, h *unit.States) {
		one, many := make([]float64, v.Len), make([]float64, v.Len)
		e := must(batch.New(m, 1))
		e.EffectiveEnergies(one, batch.Visible, v)
		must(batch.New(m, 5)).EffectiveEnergies(many, batch.Visible, v)
		if !slices.Equal(one, many) {
			t.Error("five workers give other energies than one")
		}
		other := m.Clone()
		other.W[0] += 0.5
		for _, c := range []struct {
			m    *rbm.RBM
			same bool
		}{{other, false}, {m, true}} {
			if err := e.Set(c.m); err != nil {
				t.Fatal(err)
			}
			e.EffectiveEnergies(many, batch.Visible, v)
			if slices.Equal(one, many) != c.same {
				t.Errorf("energies equal to those of the first model: want %v", c.same)
			}
		}
	})
}

// A sweep is a draw of either layer, in blocks of any size, and nothing is allocated.
func TestSweep(t *testing.T) {
	pairs(t, func(t *testing.T, m *rbm.RBM, v, h *unit.States) {
		w := must(batch.New(m, 1)).Worker()
		whole, parts := v.Clone(), v.Clone()
		s := batch.Stream{Seed: 3, Chain: 5, Sweep: 7}
		w.Sweep(whole, 0, v.Len, s, 2)
		for sweep := range uint64(2) {
			for lo := 0; lo < v.Len; lo += 200 {
				at := batch.Stream{Seed: 3, Chain: 5 + uint32(lo), Sweep: 7 + sweep}
				w.Draw(batch.Hidden, h, lo, parts, lo, 200, at)
				w.Draw(batch.Visible, parts, lo, h, lo, 200, at)
			}
		}
		if !whole.Equal(parts) {
			t.Error("two sweeps of the whole batch differ from draws of its parts")
		}
		energies := make([]float64, v.Len)
		work := func() { w.Sweep(whole, 0, v.Len, s, 1); w.Energies(energies, whole, 0) }
		if n := testing.AllocsPerRun(3, work); n > 0 {
			t.Errorf("a sweep allocates %g times", n)
		}
	})
}
