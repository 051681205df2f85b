package evaluate_test

import (
	"math"
	"testing"

	"instanton/evaluate"
	"instanton/internal/problem"
	"instanton/rbm"
	"instanton/unit"
)

// Exact draws of P(v)^β at several β: the differences of log Z are those of the sums, within the error that 20
// repetitions show.
func TestMBARAgainstSums(t *testing.T) {
	m, err := rbm.Random(unit.Spec{Type: unit.Spin, N: 8}, unit.Spec{Type: unit.Spin, N: 5}, 1.5, 4)
	if err != nil {
		t.Fatal(err)
	}
	betas := []float64{0, 0.2, 0.5, 1}
	const each = 2000
	var u [][]float64
	var want []float64
	var energies []float64
	counts := make([]int, len(betas))
	for k, beta := range betas {
		d, err := rbm.NewDistribution(m, nil, beta)
		if err != nil {
			t.Fatal(err)
		}
		v := unit.NewStates(m.Visible.Spec(), each)
		problem.Equilibrium(v, d)
		x := make([]float64, v.N)
		for n := range each {
			v.Values(x, n)
			energies = append(energies, m.EffectiveEnergy(x))
		}
		counts[k] = each
		want = append(want, d.LogZ)
	}
	for _, beta := range betas {
		row := make([]float64, len(energies))
		for n, e := range energies {
			row[n] = beta * e
		}
		u = append(u, row)
	}
	got, err := evaluate.MBAR(u, counts)
	if err != nil {
		t.Fatal(err)
	}
	for k := range betas {
		if d := got[k] - (want[k] - want[0]); math.Abs(d) > 0.12 { // about four standard errors
			t.Errorf("β = %g: log Z is %g above that of β = 0, want %g", betas[k], got[k], want[k]-want[0])
		}
	}
}

// Two Gaussian laws of different width, sampled at their quantiles.
func TestMBAROfGaussians(t *testing.T) {
	const n = 4000
	var x []float64
	for k := range n {
		z := math.Sqrt2 * math.Erfinv(2*(float64(k)+0.5)/n-1)
		x = append(x, z)
	}
	for k := range n {
		x = append(x, x[k]/2)
	}
	u := [][]float64{nil, nil}
	for _, y := range x {
		u[0], u[1] = append(u[0], y*y/2), append(u[1], 2*y*y)
	}
	got, err := evaluate.MBAR(u, []int{n, n})
	if err != nil || math.Abs(got[1]+math.Ln2) > 1e-3 {
		t.Errorf("log Z differs by %v (%v), want −log 2", got, err)
	}
	for _, bad := range []struct {
		u      [][]float64
		counts []int
	}{{nil, nil}, {u, []int{n}}, {u, []int{n, n + 1}}, {u, []int{0, 0}}} {
		if _, err := evaluate.MBAR(bad.u, bad.counts); err == nil {
			t.Errorf("%d laws with counts %v were accepted", len(bad.u), bad.counts)
		}
	}
}
