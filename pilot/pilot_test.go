package pilot_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"instanton/pilot"
	"instanton/rbm"
)

func TestChoiceFollowsTheModel(t *testing.T) {
	easy, err := rbm.CurieWeiss(60, 0.7)
	if err != nil {
		t.Fatal(err)
	}
	two, err := rbm.CurieWeiss(60, 1.4)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		model *rbm.RBM
		want  string // sampler
	}{
		{"one mode", easy, "gibbs"},
		{"two modes of one hidden unit", two, "latent"},
	} {
		choice, err := pilot.Choose(context.Background(), c.model, 1, pilot.Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if choice.Sampler != c.want || !choice.Mixes {
			t.Errorf("%s: %s (%s), want %s", c.name, choice.Sampler, choice.Why, c.want)
		}
		if strings.Contains(choice.Why, "gibbs is stuck") != (c.want != "gibbs") {
			t.Errorf("%s: the reason is %q", c.name, choice.Why)
		}
	}
}

// rotated is a Hopfield model whose hidden units point nowhere in particular.
func rotated(t *testing.T) *rbm.RBM {
	t.Helper()
	patterns, err := rbm.OrthogonalPatterns(64, 3)
	if err != nil {
		t.Fatal(err)
	}
	m, err := rbm.Hopfield(patterns, 1.6)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Rotate(rbm.RandomRotation(3, 1)); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestRotatedAxesAreFound(t *testing.T) {
	choice, err := pilot.Choose(context.Background(), rotated(t), 1, pilot.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if choice.Sampler != "latent:swaps:gauge" || !choice.Mixes || choice.Spent {
		t.Errorf("%s, mixes %v: %s", choice.Sampler, choice.Mixes, choice.Why)
	}
}

// When no time is left, the choice is what was tried, and says so.
func TestLimit(t *testing.T) {
	choice, err := pilot.Choose(context.Background(), rotated(t), 1, pilot.Options{Seed: 1, Limit: time.Nanosecond})
	if err != nil {
		t.Fatal(err)
	}
	if choice.Sampler != "gibbs" || choice.Mixes || !choice.Spent || !strings.Contains(choice.Why, "trials ended") ||
		!strings.Contains(choice.Why, "gibbs is stuck") {
		t.Errorf("%s, mixes %v, spent %v: %s", choice.Sampler, choice.Mixes, choice.Spent, choice.Why)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := pilot.Choose(ctx, rotated(t), 1, pilot.Options{Seed: 1}); err != context.Canceled {
		t.Errorf("error %v, want that of the context", err)
	}
}
