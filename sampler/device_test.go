package sampler_test

import (
	"context"
	"testing"

	"instanton/batch"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// counted is another implementation of the engine: that of the processor behind a counter.
type counted struct {
	batch.Engine
	workers *int
}

func (c counted) Worker() batch.Worker {
	*c.workers++
	return c.Engine.Worker()
}

// A kernel works on any device, here one that is not *batch.CPU.
func TestGibbsOnADevice(t *testing.T) {
	m := must(rbm.Random(must(unit.ParseSpec("potts:6x5")), must(unit.ParseSpec("spin:4")), 0.4, 21))
	workers := 0
	device := func(m *rbm.RBM, n int) (batch.Engine, error) {
		e, err := batch.New(m, n)
		return counted{e, &workers}, err
	}
	for _, beta := range []float64{1, 1.4} {
		run := func(k *sampler.Gibbs) *unit.States {
			c := sampler.NewChains(m, 37, 5)
			r := sampler.NewRecord(k, c, plan, true)
			if err := sampler.NewPool(k, 2).Record(context.Background(), c, r, nil); err != nil {
				t.Fatal(err)
			}
			return r.V
		}
		own := run(must(sampler.NewGibbs(m, beta)))
		if on := run(must(sampler.NewGibbsOn(device, m, beta))); !on.Equal(own) {
			t.Errorf("β = %g: the device draws other chains", beta)
		}
	}
	if workers == 0 {
		t.Error("the device was not asked for workers")
	}
}
