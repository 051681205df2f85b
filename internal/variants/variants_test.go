package variants_test

import (
	"context"
	"strings"
	"testing"

	"instanton/internal/kernels"
	"instanton/internal/variants"
	"instanton/rbm"
)

func TestWords(t *testing.T) {
	for text, want := range map[string]string{ // part of the error, empty for none
		"gibbs": "", "latent": "", "latent:2": "", "latent:2:gauge": "", "latent:swaps:gauge": "",
		"jump:network:hidden": "", "tempering:12": "", "mixture:4": "",
		"":                         "unknown sampler",
		"metro":                    "unknown sampler",
		"gibbs:2":                  "expected none",
		"latent:0":                 "unknown setting",
		"latent:2:3":               "unknown setting",
		"latent:swaps:directions":  "not both",
		"latent:2:swaps":           "not both",
		"jump:products:network":    "not both",
		"tempering:gauge":          "one of a number",
		"latent:gauge:prototypes":  "not both",
		"jump:network:hidden:deep": "one of products, network, visible, hidden",
	} {
		err := variants.Check(text)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

// Every kind of word makes a kernel that knows its model.
func TestNew(t *testing.T) {
	patterns, err := rbm.OrthogonalPatterns(24, 3)
	if err != nil {
		t.Fatal(err)
	}
	m, err := rbm.Hopfield(patterns, 1.5)
	if err != nil {
		t.Fatal(err)
	}
	o := kernels.Options{Data: m.PatternsAndOpposites(), Seed: 1, Workers: 1, Context: context.Background()}
	for _, text := range []string{"gibbs", "latent:2", "latent:gauge", "latent:swaps:gauge", "latent:directions",
		"latent:prototypes", "tempering:4"} {
		k, about, err := variants.New(text, m, 1, o)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if k.Model() != m || strings.HasPrefix(text, "tempering") != (about == "4 rungs") {
			t.Errorf("%s: a kernel of another model, or described as %q", text, about)
		}
	}
	o.Data = nil
	for _, text := range []string{"latent:directions", "latent:prototypes", "mixture:3"} {
		if _, _, err := variants.New(text, m, 1, o); err == nil {
			t.Errorf("%s without data: no error", text)
		}
	}
}
