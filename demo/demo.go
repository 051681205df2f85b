// Package demo is the tour of a minute: exact numbers beside measured ones where a
// model is small, and alternating Gibbs sampling caught in one state where it is not.
package demo

import (
	"context"
	"fmt"

	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// Options steer a tour.
type Options struct {
	Seed    uint64
	Workers int                  // zero for one a processor
	Say     func(message string) // hears what is being done; may be nil
}

// Tour is what was found.
type Tour struct {
	Small   Small  `json:"small"`
	Trapped []Trap `json:"trapped"`
}

// Run takes the tour.
func Run(ctx context.Context, o Options) (*Tour, error) {
	say := o.Say
	if say == nil {
		say = func(string) {}
	}
	var t Tour
	say(fmt.Sprintf("sampling %d spins of the Curie–Weiss model beside exact enumeration", smallSpins))
	small, err := runSmall(ctx, o)
	if err != nil {
		return nil, err
	}
	t.Small = *small
	for _, w := range []float64{1.3, 1.5} {
		say(fmt.Sprintf("following a Hopfield model at w = %g through %d sweeps", w, trapSweeps))
		trap, err := runTrap(ctx, o, w)
		if err != nil {
			return nil, err
		}
		t.Trapped = append(t.Trapped, *trap)
	}
	return &t, nil
}

// record runs chains from given starts (nil for random ones) by a plan.
func record(ctx context.Context, o Options, name string, m *rbm.RBM, chains int, start *unit.States, plan sampler.Plan) (*sampler.Record, error) {
	k, err := sampler.New(name, m, 1)
	if err != nil {
		return nil, err
	}
	c := sampler.NewChains(m, chains, o.Seed)
	if start != nil {
		if err := c.Begin(start); err != nil {
			return nil, err
		}
	}
	r := sampler.NewRecord(k, c, plan, false)
	return r, sampler.NewPool(k, o.Workers).Record(ctx, c, r, nil)
}
