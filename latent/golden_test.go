package latent_test

import (
	"context"
	"testing"

	"instanton/latent"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// Golden samples of latent moves: their bits are a contract too, with or without vector instructions. The weights are
// simple fractions, so that they are the same everywhere.
func TestGoldenLatent(t *testing.T) {
	grid := &latent.Grid{Spacing: 0.25}
	directions := [][]float64{{1, 0.5, 0, 0, -0.25}, {0, 1, 1, 0, 0}, {0, 0, 0.5, -1, 2}}
	for _, c := range []struct {
		visible, hidden string
		beta            float64
		options         latent.Options
		want            string
	}{
		{"spin:70", "gaussian:5", 1, latent.Options{Block: 1}, "f2184d4df01f490c"},
		{"spin:70", "gaussian:5", 1, latent.Options{Block: 2}, "a07f1a201c6e2f29"},
		{"spin:70", "gaussian:5", 1.5, latent.Options{Block: 2}, "bfbd45584628bb4f"},
		{"spin:70", "gaussian:5", 1, latent.Options{Block: 3}, "d98f903ab1037cee"},
		{"spin:70", "gaussian:5", 1, latent.Options{Directions: directions}, "083e2592a72b1613"},
		{"spin:70", "gaussian:5", 1, latent.Options{Block: 1, Grid: grid}, "88f29d43d8f95f39"},
		{"spin:70", "gaussian:5", 1, latent.Options{Groups: [][]int{{0, 3}, {1, 2, 4}}}, "3fbd7a544a5aa3d8"},
		{"bernoulli:40", "relu:6", 1, latent.Options{Block: 2}, "423c111450ff3a57"},
		{"potts:11x5", "drelu:5", 1, latent.Options{Block: 1}, "d25eb01cc3286eed"},
		{"potts:11x5", "spin:9", 1, latent.Options{Block: 3}, "949c252d80489668"},
		{"spin:33", "bernoulli:7", 1, latent.Options{Block: 2}, "a943f022fd97ed99"},
		{"bernoulli:40", "potts:4x3", 1, latent.Options{Block: 2}, "12458a283080d3f9"},
	} {
		m := must(rbm.New(must(unit.ParseSpec(c.visible)), must(unit.ParseSpec(c.hidden))))
		for k := range m.W {
			m.W[k] = float64((k*37)%64-32) / 128
		}
		chains := sampler.NewChains(m, 21, 9)
		k := must(latent.New(m, c.beta, c.options))
		if err := sampler.NewPool(k, 2).Run(context.Background(), chains, 6); err != nil {
			t.Fatal(err)
		}
		if got := chains.V.Fingerprint()[:16]; got != c.want {
			t.Errorf("%s-%s, β = %g, %+v: fingerprint %q, want %q", c.visible, c.hidden, c.beta, c.options, got, c.want)
		}
	}
}
