package rates_test

import (
	"testing"

	"instanton/rbm"
	"instanton/sampler"
)

// exactChain is AGS of a small model written out on all its visible configurations.
type exactChain struct {
	v *rbm.Space
	t *rbm.Transition
}

func newExactChain(t testing.TB, m *rbm.RBM) *exactChain {
	t.Helper()
	k, err := sampler.NewGibbs(m, 1)
	if err != nil {
		t.Fatal(err)
	}
	v, err := rbm.NewSpace(m.Visible.Spec())
	if err != nil {
		t.Fatal(err)
	}
	h, err := rbm.NewSpace(m.Hidden.Spec())
	if err != nil {
		t.Fatal(err)
	}
	matrix, err := k.Transition(v, h)
	if err != nil {
		t.Fatal(err)
	}
	return &exactChain{v, matrix}
}

// passage is the mean number of steps from each configuration to a set of them, by eliminating the others one by one: a
// sum of positive terms, so that it keeps its accuracy however long the time is.
func (c *exactChain) passage(target func(x []float64) bool) []float64 {
	n := c.t.Size()
	x := make([]float64, c.v.Spec().N)
	var others []int
	in := make([]bool, n)
	for s := range n {
		c.v.State(x, s)
		if in[s] = target(x); !in[s] {
			others = append(others, s)
		}
	}
	m := len(others)
	p, out, time := make([][]float64, m), make([]float64, m), make([]float64, m)
	for i, s := range others {
		p[i], time[i] = make([]float64, m), 1
		for j, r := range others {
			p[i][j] = c.t.At(s, r)
		}
		for r := range n {
			if in[r] {
				out[i] += c.t.At(s, r)
			}
		}
	}
	leave := make([]float64, m)
	for k := m - 1; k >= 0; k-- {
		leave[k] = out[k]
		for j := range k {
			leave[k] += p[k][j]
		}
		for i := range k {
			f := p[i][k] / leave[k]
			if f == 0 {
				continue
			}
			time[i] += f * time[k]
			out[i] += f * out[k]
			for j, y := range p[k][:k] {
				p[i][j] += f * y
			}
		}
	}
	mean := make([]float64, n)
	for k, s := range others { // from the first, which has nowhere to go but the target
		total := time[k]
		for j := range k {
			total += p[k][j] * mean[others[j]]
		}
		mean[s] = total / leave[k]
	}
	return mean
}
