package theory

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"instanton/internal/vec"
	"instanton/rbm"
)

// On a relaxation δΦ = 0 and f falls; read backwards it is an instanton and δΦ = f(m′) − f(m).
func TestMapsCostWhatTheyShould(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLandscape(t, false)
		u := drawVector(t, l.units, -1, 1, "u")
		checkMaps(t, l, u)
	})
}

// The same for hidden units that jump.
func TestMapsOfSpinsAndBernoulli(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawStructured(t, rapid.Float64Range(0.5, 2.5).Draw(t, "w"), true)
		c := rapid.Float64Range(-0.2, 0.2).Draw(t, "c")
		for mu := range s.Overlap {
			u, err := Spin(c)
			if mu%2 == 1 {
				u, err = Bernoulli(c)
			}
			if err != nil {
				t.Fatal(err)
			}
			s.Hidden = append(s.Hidden, u)
		}
		l, err := s.Landscape()
		if err != nil {
			t.Fatal(err)
		}
		checkMaps(t, l, drawVector(t, l.units, -1, 1, "u"))
	})
}

func checkMaps(t *rapid.T, l *Landscape, u []float64) {
	h := l.relaxField(u)
	high, low := l.ClassMagnetizations(u), l.ClassMagnetizations(h)
	if d := l.Delta(high, h, low); math.Abs(d) > 1e-14 {
		t.Fatalf("relaxation costs %g", d)
	}
	rise := l.ClassFreeEnergy(high) - l.ClassFreeEnergy(low)
	if rise < -1e-14 {
		t.Fatalf("relaxation raises f by %g", -rise)
	}
	if d := l.Delta(low, h, high); math.Abs(d-rise) > 1e-13 {
		t.Fatalf("instanton costs %g, f rises by %g", d, rise)
	}
	if f := l.freeEnergyAt(u); math.Abs(f-l.ClassFreeEnergy(high)) > 1e-13 {
		t.Fatalf("f at the field %g, at the magnetizations %g", f, l.ClassFreeEnergy(high))
	}
}

// Instanton undoes Relax in all three models.
func TestInstantonInvertsRelax(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLandscape(t, true)
		m := l.Order(drawVector(t, l.units, -0.8, 0.8, "u"))
		if l.units > 1 && l.Classes() < l.units {
			t.Skip("patterns that are not independent")
		}
		next, h, err := l.Relax(m)
		if err != nil {
			t.Skip("the order parameters do not determine the state")
		}
		back, same, err := l.Instanton(next)
		if err != nil {
			t.Fatal(err)
		}
		if vec.Distance(back, m) > 1e-8 || vec.Distance(h, same) > 1e-8 {
			t.Fatalf("%v relaxes to %v and climbs back to %v", m, next, back)
		}
	})
}

func TestMapsSayWhatIsWrong(t *testing.T) {
	l := mustLandscape(t, CurieWeiss{1.1})
	_, _, err := l.Instanton([]float64{0.9})
	wantSentence(t, err, "no state relaxes to")
	_, _, err = l.Relax([]float64{1.5})
	wantSentence(t, err, "not between −1 and 1")
	_, _, err = l.Relax([]float64{0.1, 0.2})
	wantSentence(t, err, "2 order parameters")
	_, _, err = l.Relax([]float64{math.NaN()})
	wantSentence(t, err, "not a number")
	spins := mustLandscape(t, Structured{W: 1.5, Overlap: rbm.Overlap{{1}},
		Hidden: []Potential{must[Potential](t)(Spin(0))}})
	_, _, err = spins.Instanton([]float64{0.5})
	wantSentence(t, err, "transfer function is continuous")
}
