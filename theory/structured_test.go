package theory

import (
	"math"
	"testing"

	"instanton/rbm"
)

// Item 3 of the errata: Φ at α = 0 for two units.
func TestErratumActionWithoutOverlap(t *testing.T) {
	w := 1.2 * math.Sqrt2
	l := mustLandscape(t, Structured{W: w, Overlap: must[rbm.Overlap](t)(rbm.AllToAll(2, 0))})
	up, down := uniformState(t, l, 1), uniformState(t, l, -1)
	r := must[*Route](t)(must[*Graph](t)(l.Graph()).Cheapest(up, down))
	m := up[0]
	corrected := -math.Ln2 + w*w/4*m*m + Entropy(m)
	printed := -math.Ln2 + w*w/2*m*m + Entropy(m)
	t.Logf("w = 1.2√2: sum of barriers %.7f, corrected formula %.7f, printed %.7f", r.Action, corrected, printed)
	near(t, "sum of barriers", r.Action, corrected, 1e-13)
	near(t, "corrected", corrected, 0.0936891, 5e-8)
	near(t, "printed", printed, 0.5943765, 5e-8)
	near(t, "Δf of Curie–Weiss at w²/2", must[float64](t)(CurieWeiss{1.2}.Barrier()), corrected, 1e-13)
}

// States other than m = 0 need w²·λ_max(C) > 1, not w > 1.
func TestErratumTransition(t *testing.T) {
	o := must[rbm.Overlap](t)(rbm.AllToAll(2, 0.02))
	c := o.Connectivity()
	largest := c[0][0] + c[0][1] // the uniform vector
	critical := 1 / math.Sqrt(largest)
	t.Logf("M = 2, α = 0.02: the transition is at w = %.6f, and at √2 = %.6f for α → 0", critical, math.Sqrt2)
	for _, k := range []struct {
		w      float64
		points int
	}{{critical * 0.999, 1}, {critical * 1.001, 2}} {
		set := must[*CriticalSet](t)(mustLandscape(t, Structured{W: k.w, Overlap: o}).CriticalPoints())
		if len(set.Points) != k.points {
			t.Errorf("w = %g: %s", k.w, set.Search())
		}
		if err := (Structured{W: k.w, Overlap: o}).TwoStates(); (err == nil) != (k.points > 1) {
			t.Errorf("w = %g: %v", k.w, err)
		}
	}
	if critical < 1.3 {
		t.Error("the transition is near w = 1")
	}
}

func TestStructuredSaysWhatIsWrong(t *testing.T) {
	o := must[rbm.Overlap](t)(rbm.AllToAll(2, 0.02))
	for phrase, s := range map[string]Structured{
		"must be positive":       {W: -1, Overlap: o},
		"is empty":               {W: 1},
		"must sum to 1":          {W: 1, Overlap: rbm.Overlap{{0.5, 0.1}, {0.1, 0.5}}},
		"must be symmetric":      {W: 1, Overlap: rbm.Overlap{{0.5, 0.1}, {0, 0.4}}},
		"must be at least 0":     {W: 1, Overlap: rbm.Overlap{{1.5, -0.5}, {-0.5, 0}}},
		"2 by 2":                 {W: 1, Overlap: rbm.Overlap{{1}, {0, 0}}},
		"one for each":           {W: 1, Overlap: o, Hidden: make([]Potential, 3)},
		"make it with Quadratic": {W: 1, Overlap: o, Hidden: make([]Potential, 2)},
	} {
		_, err := s.Landscape()
		wantSentence(t, err, phrase)
	}
	wantSentence(t, Structured{W: 1.2, Overlap: o}.TwoStates(),
		"at w = 1.2 the model has the single state m = 0: two states need w > 1.373606")
	_, err := rbm.Ring(2, 0.1)
	wantSentence(t, err, "at least 3")
	_, err = rbm.AllToAll(5, 0.2)
	wantSentence(t, err, "take a smaller α")
	for text, phrase := range map[string]string{"star:0.1": "expected all:A, ring:A", "all:x": "not a number",
		"ring:-1": "at least 0"} {
		_, err := rbm.ParseOverlap(text, 4)
		wantSentence(t, err, phrase)
	}
}
