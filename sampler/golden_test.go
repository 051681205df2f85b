package sampler_test

import (
	"context"
	"testing"

	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// Golden samples: the bits of a run are a contract, on every processor and with the portable twins of the kernels. A
// change here changes the results of every user. The weights are simple fractions, so that they are the same
// everywhere.
func TestGoldenSamples(t *testing.T) {
	for _, c := range []struct{ visible, hidden, want string }{
		{"spin:70", "bernoulli:33", "d0b2117c2ccfca90"},
		{"bernoulli:40", "spin:65", "203fe82d1086aa62"},
		{"potts:11x5", "spin:20", "cff651f7de29df86"},
		{"spin:20", "potts:7x3", "4b65a5d75c2ba4d1"},
		{"spin:33", "gaussian:18", "07180117f5450855"},
		{"bernoulli:20", "relu:19", "195a3cbdb8f7c1d1"},
		{"potts:9x21", "drelu:17", "57505d4e55eae2b4"},
		{"gaussian:5", "bernoulli:40", "6b14e653918b206e"},
	} {
		m := must(rbm.New(must(unit.ParseSpec(c.visible)), must(unit.ParseSpec(c.hidden))))
		for k := range m.W {
			m.W[k] = float64((k*37)%64-32) / 128
		}
		chains := sampler.NewChains(m, 21, 9)
		for k := range chains.V.Reals {
			chains.V.Reals[k] = float32(k%7) / 8
		}
		if err := sampler.NewPool(must(sampler.NewGibbs(m, 1)), 2).Run(context.Background(), chains, 10); err != nil {
			t.Fatal(err)
		}
		if got := chains.V.Fingerprint()[:16]; got != c.want {
			t.Errorf("%s-%s: fingerprint %q, want %q", c.visible, c.hidden, got, c.want)
		}
	}
}
