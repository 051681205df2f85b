package rbm_test

import (
	"fmt"
	"os"
	"path/filepath"

	"instanton/rbm"
	"instanton/unit"
)

// Four spins and one Gaussian hidden unit that prefers them all equal.
func small() *rbm.RBM {
	m, err := rbm.New(unit.Spec{Type: unit.Spin, N: 4}, unit.Spec{Type: unit.Gaussian, N: 1})
	if err != nil {
		panic(err)
	}
	for i := range 4 {
		m.Row(i)[0] = 0.5
	}
	m.Visible.(*rbm.Spin).Fields[0] = 0.1
	return m
}

// A model of two layers: its weights and potentials are set directly. The energy of a pair of
// configurations is E(v,h), and that of v alone, with h summed out, E_eff(v).
func Example() {
	m, err := rbm.New(unit.Spec{Type: unit.Spin, N: 4}, unit.Spec{Type: unit.Gaussian, N: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range 4 {
		m.Row(i)[0] = 0.5
	}
	m.Visible.(*rbm.Spin).Fields[0] = 0.1

	for _, v := range [][]float64{{1, 1, 1, 1}, {1, 1, -1, -1}} {
		fmt.Printf("v = %2v: E(v, 1) = %.2f, E_eff(v) = %.4f\n", v, m.Energy(v, []float64{1}), m.EffectiveEnergy(v))
	}
	// Output:
	// v = [ 1  1  1  1]: E(v, 1) = -1.60, E_eff(v) = -3.0189
	// v = [ 1  1 -1 -1]: E(v, 1) = 0.40, E_eff(v) = -1.0189
}

// The law of the hidden units given v, and that of the visible ones given h.
func Example_conditionals() {
	m := small()
	v := []float64{1, 1, 1, -1}
	I, mean, variance := make([]float64, 1), make([]float64, 1), make([]float64, 1)
	m.Inputs(I, v)
	m.Hidden.Mean(mean, I)
	m.Hidden.Variance(variance, I)
	fmt.Printf("h given v: mean %.1f, variance %.1f\n", mean[0], variance[0])

	fields, means := make([]float64, 4), make([]float64, 4)
	m.Fields(fields, mean)
	m.Visible.Mean(means, fields)
	fmt.Printf("v given h = %.1f: means %.3f\n", mean[0], means)
	// Output:
	// h given v: mean 1.0, variance 1.0
	// v given h = 1.0: means [0.537 0.462 0.462 0.462]
}

// With few units everything is exact: log Z, moments, the probability of each configuration.
func ExampleNewDistribution() {
	m := small()
	d, err := rbm.NewDistribution(m, nil, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	up := []float64{1, 1, 1, 1}
	fmt.Printf("log Z = %.4f, P(all up) = %.4f, entropy = %.4f\n", d.LogZ, d.P[d.Space.Index(up)], d.Entropy())

	moments, err := rbm.ExactMoments(m)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("⟨v⟩ = %.4f, ⟨h⟩ = %.4f\n", moments.V, moments.H)
	// Output:
	// log Z = 4.4493, P(all up) = 0.2392, entropy = 2.4562
	// ⟨v⟩ = [0.0997 0.0375 0.0375 0.0375], ⟨h⟩ = [0.1061]
}

// A model file is written whole or not at all, and read back to the last bit.
func ExampleLoad() {
	folder, err := os.MkdirTemp("", "rbm")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "model.npz")

	m := small()
	if err := m.Save(path, false); err != nil {
		fmt.Println(err)
		return
	}
	back, err := rbm.Load(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	v := []float64{1, -1, 1, 1}
	fmt.Printf("%s with %s, same energy: %v\n", back.Visible.Spec(), back.Hidden.Spec(),
		back.EffectiveEnergy(v) == m.EffectiveEnergy(v))
	// Output: spin:4 with gaussian:1, same energy: true
}

// A gauge changes the parameters and leaves P(v): here the hidden unit is doubled.
func ExampleRBM_Scale() {
	m := small()
	before := m.EffectiveEnergy([]float64{1, 1, 1, 1}) - m.EffectiveEnergy([]float64{1, 1, 1, -1})
	if err := m.Scale(0, 2); err != nil {
		fmt.Println(err)
		return
	}
	after := m.EffectiveEnergy([]float64{1, 1, 1, 1}) - m.EffectiveEnergy([]float64{1, 1, 1, -1})
	fmt.Printf("weight %g, energy difference %.2f, before %.2f\n", m.Row(0)[0], after, before)
	// Output: weight 0.25, energy difference -1.50, before -1.50
}
