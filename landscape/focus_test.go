package landscape_test

import (
	"math"
	"testing"

	"instanton/landscape"
	"instanton/rbm"
)

// TestFocus: the window shrinks to the minima of a Curie–Weiss model, which stay where they are, and so does Δe_MH.
func TestFocus(t *testing.T) {
	m, err := rbm.CurieWeiss(400, 1.5)
	if err != nil {
		t.Fatal(err)
	}
	l, err := landscape.New(m, []int{0}, make([]float64, 1))
	if err != nil {
		t.Fatal(err)
	}
	before, wide, delta := l.Minima, l.X[len(l.X)-1]-l.X[0], *l.DeltaMH
	if err := l.Focus(m); err != nil {
		t.Fatal(err)
	}
	if len(l.Minima) != len(before) || *l.DeltaMH != delta {
		t.Fatalf("minima %v became %v, Δe %g became %g", before, l.Minima, delta, *l.DeltaMH)
	}
	step := wide / float64(len(l.X)-1)
	for _, b := range before {
		near := math.Inf(1)
		for _, a := range l.Minima {
			near = min(near, math.Abs(a.H[0]-b.H[0]))
		}
		if near > step {
			t.Errorf("the minimum at %g moved by %g, more than a step of %g", b.H[0], near, step)
		}
	}
	span := math.Abs(before[0].H[0] - before[1].H[0])
	if narrow := l.X[len(l.X)-1] - l.X[0]; narrow > wide || narrow < 2*span*(1-1e-9) && narrow < wide {
		t.Errorf("a window of %g after %g; the minima are %g apart", narrow, wide, span)
	}
}
