package pilot_test

import (
	"context"
	"strings"
	"testing"

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
