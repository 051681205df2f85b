package demo

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"instanton/mixing"
)

// A small demo: the numbers are consistent and the report holds them. What it finds for larger images is left to the
// figures of the paper.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("the whole demo")
	}
	var said []string
	result, err := Run(context.Background(),
		Options{Size: 4, Updates: 300, Sweeps: 1000, Seed: 1, Say: func(m string) { said = append(said, m) }})
	if err != nil {
		t.Fatal(err)
	}
	l := result.Training
	if l.Images != 30 || l.LogLikelihood > l.Perfect || l.LogLikelihood < l.Independent/2 || l.Lower > l.Upper {
		t.Errorf("learnt %+v", l)
	}
	if !(l.OnLine > 0.25 && l.OnLine <= 1) { // a line has a quarter of the pixels
		t.Errorf("%g of the squared weights lie along one line", l.OnLine)
	}
	if !result.Gibbs.start.Equal(result.Latent.start) {
		t.Error("the samplers did not start from the same images")
	}
	for _, s := range []Sampling{result.Gibbs, result.Latent} {
		if !(s.Valid > 0.1 && s.Valid <= 1) || s.Images < 1 || s.Images > 30 {
			t.Errorf("%s: share of images %g, %g images per chain", s.Sampler, s.Valid, s.Images)
		}
	}
	if !(result.Latent.Diagnosis.Transitions > result.Gibbs.Diagnosis.Transitions) {
		t.Errorf("latent moves made %d changes of class, alternating Gibbs sampling %d: want more",
			result.Latent.Diagnosis.Transitions, result.Gibbs.Diagnosis.Transitions)
	}
	if n := len(result.Rotated); n != 3 || result.Rotated[0].Diagnosis.Verdict != mixing.Stuck ||
		result.Rotated[1].Diagnosis.Verdict != mixing.Stuck || result.Rotated[2].Diagnosis.Verdict != mixing.Mixes {
		t.Errorf("rotated weights: %+v, want two samplers that are stuck and one that mixes", result.Rotated)
	}
	if len(said) != 4 {
		t.Errorf("said %q", said)
	}
	var page bytes.Buffer
	if err := result.Report().Write(&page); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{string(result.Latent.Diagnosis.Verdict), "<svg", "White is neither",
		"instanton demo --size 4 --updates 300 --sweeps 1000 --seed 1"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the report lacks %q", want)
		}
	}
	for name, f := range result.Figures() {
		if err := f.Encode(&page, "png"); err != nil {
			t.Errorf("figure %s: %v", name, err)
		}
	}
}

// Words follow from numbers.
func TestWordsFollowTheNumbers(t *testing.T) {
	for want, gain := range map[string]float64{"learnt": -0.2, "partly learnt": -1.5, "hardly learnt": -7} {
		l := Training{Size: 6, Images: 126, Perfect: -4.84, LogLikelihood: -4.84 + gain}
		if got := l.verdict(); got != want {
			t.Errorf("a likelihood %g from perfect is %q, want %q", gain, got, want)
		}
	}
	explain := func(gibbs, latent float64, changes int) string {
		d := &mixing.Diagnosis{Transitions: changes}
		return strings.Join((&Result{Training: Training{Size: 6, Images: 126},
			Gibbs:  Sampling{Images: gibbs, Diagnosis: d},
			Latent: Sampling{Images: latent, Diagnosis: d}}).explain(), " ")
	}
	if text := explain(22, 126, 107); !strings.Contains(text, "lines rarely change here: a chain visited 22.0 of the "+
		"126 images") || !strings.Contains(text, "changed their class 107 times") ||
		!strings.Contains(text, "26 of the 126 images") {
		t.Error(text)
	}
	if text := explain(100, 126, 0); !strings.Contains(text, "little difference") ||
		strings.Contains(text, "changed their class") {
		t.Error(text)
	}
}

func TestRunStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ctx, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for _, o := range []Options{{Size: 2}, {Size: 9}, {Updates: -1}, {Sweeps: 5}, {Workers: -1}} {
		if o.Check() == nil {
			t.Errorf("%+v was accepted", o)
		}
	}
}
