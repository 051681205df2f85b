package figure

import (
	"math"
	"testing"

	"instanton/dataset"
	"instanton/paper/experiment"
	"instanton/paper/verdict"
	"instanton/sampler"
)

// A chain leaves when two draws in a row are elsewhere, clear or noisy; one that never does counts its whole time.
func TestLeaving(t *testing.T) {
	home, other := experiment.BASImage{Class: dataset.Bar, Lines: 0b0110},
		experiment.BASImage{Class: dataset.Stripe, Lines: 0b0001}
	noise, near := other, home
	noise.Distance, near.Distance = 5, 2
	r := &experiment.BASRun{Chains: 3, Plan: sampler.Plan{Every: 10, Draws: 5},
		Start: []experiment.BASImage{home, home, home}, Images: [][]experiment.BASImage{
			{home, noise, home, near, other}, // never two in a row: 50 steps
			{home, home, other, other, home}, // at its third draw: 30
			{noise, noise, home, home, home}, // at once: 10
		}}
	rate, err := r.LeavingRate()
	if want := 1000 * 2 / 90.0; math.Abs(rate-want) > 1e-9 || math.Abs(err-want/math.Sqrt2) > 1e-9 {
		t.Errorf("%g ± %g departures per 1000 steps, want %g ± %g", rate, err, want, want/math.Sqrt2)
	}
	r.Images = r.Images[:1]
	if rate, err = r.LeavingRate(); rate != 0 || err != 1000/50.0 {
		t.Errorf("%g ± %g departures per 1000 steps of a chain that stays, want 0 ± 20", rate, err)
	}
}

// The claim on short training demands noise of all models that are left, and the long-trained to be stuck.
func TestShortTrainingClaim(t *testing.T) {
	home := experiment.BASImage{Class: dataset.Bar, Lines: 0b0110}
	other := experiment.BASImage{Class: dataset.Bar, Lines: 0b0111}
	noise := home
	noise.Distance = 3
	// A hundred chains of a thousand draws, nine of ten of them images; so many of them leave half-way.
	long := func(leave int) *experiment.BASRun {
		r := &experiment.BASRun{Chains: 100, Plan: sampler.Plan{Every: 10, Draws: 1000}}
		for c := range r.Chains {
			images := make([]experiment.BASImage, r.Draws)
			for d := range images {
				if images[d] = home; c < leave && d >= r.Draws/2 {
					images[d] = other
				} else if (d+c)%10 == 0 {
					images[d] = noise
				}
			}
			r.Start, r.Images = append(r.Start, home), append(r.Images, images)
		}
		return r
	}
	model := func(leaving, valid float64) *basShort {
		return &basShort{updates: 1, leaving: leaving, leavingErr: leaving / 10, valid: valid, validErr: 0.01}
	}
	for name, x := range map[string]struct {
		path  []*basShort
		leave int
		want  verdict.Verdict
	}{
		"noisy while they are left": {[]*basShort{model(100, 0), model(20, 0.4), model(0.01, 0.92)}, 1,
			verdict.Holds},
		"clear, and left now and then": {[]*basShort{model(100, 0), model(20, 0.4), model(2, 0.92)}, 1,
			verdict.Corrected},
		"clear, and soon left":     {[]*basShort{model(100, 0), model(20, 0.9)}, 1, verdict.Fails},
		"none that is left":        {[]*basShort{model(0.01, 0.2)}, 1, verdict.Fails},
		"the long-trained is left": {[]*basShort{model(1000, 0)}, 100, verdict.Fails},
	} {
		var r verdict.Result
		run := long(x.leave)
		if name == "the long-trained is left" {
			run.Every = 1 // a tenth of the time
		}
		shortBASClaim(&r, x.path, run)
		if got := r.Claims[0]; got.Verdict != x.want || got.Check() != nil {
			t.Errorf("%s: %s (%s), want %s; %v", name, got.Verdict, got.Numbers(), x.want, got.Check())
		}
	}
}
