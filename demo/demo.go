// Package demo shows what the library is for, in a minute: it trains a model whose samples fall into many modes,
// samples it in two ways from the same starts, and says which of the two can be trusted. It ends with a model in which
// neither of them mixes, and a sampler that does.
//
// The data are Bars and Stripes, images in which whole columns or whole rows are on. [Run] does all the work, with the
// same packages that a user of the library would call: dataset for the images, train for the model, evaluate for its
// likelihood, sampler and latent for the chains, and mixing for the diagnosis. The [Result] has the numbers; its
// methods turn them into sentences ([Result.Findings]), figures ([Result.Figures]) and a page ([Result.Report]).
package demo

import (
	"context"
	"fmt"

	"instanton/dataset"
	"instanton/rbm"
	"instanton/unit"
)

// Options are the settings of a demo. Zero stands for the default.
type Options struct {
	Size    int // side of the images in pixels; 6 by default
	Updates int // number of training updates; 2500 by default
	Sweeps  int // number of sweeps of each chain; 15,000 by default
	Seed    uint64
	Workers int                  // number of goroutines; one per processor by default
	Say     func(message string) // called with a message at the start of each step, unless nil
}

// Sizes for which a demo takes minutes at most, and the smallest number of sweeps by which chains can be judged.
const (
	MinSize   = 3
	MaxSize   = 8
	MinSweeps = 100
)

// Check refuses options that make no sense, and fills in the defaults.
func (o *Options) Check() error {
	if o.Size == 0 {
		o.Size = 6
	}
	if o.Updates == 0 {
		o.Updates = 2500
	}
	if o.Sweeps == 0 {
		o.Sweeps = 15_000
	}
	if o.Size < MinSize || o.Size > MaxSize {
		return fmt.Errorf("images of side %d: expected a side from %d to %d", o.Size, MinSize, MaxSize)
	}
	if o.Updates < 1 || o.Sweeps < MinSweeps || o.Workers < 0 {
		return fmt.Errorf("%d updates, %d sweeps and %d workers: expected at least 1 update, %d sweeps and 0 "+
			"workers", o.Updates, o.Sweeps, o.Workers, MinSweeps)
	}
	if o.Say == nil {
		o.Say = func(string) {}
	}
	return nil
}

// Result is what a demo found.
type Result struct {
	Training Training `json:"model"`
	Gibbs    Sampling `json:"gibbs"`
	Latent   Sampling `json:"latent"`
	// Rotated are the samplers of a Hopfield model with rotated weights, the last of them chosen by a pilot.
	Rotated []Crossing `json:"rotated_hopfield"`

	Model  *rbm.RBM         `json:"-"`
	Images *dataset.Dataset `json:"-"`
	seed   uint64
}

// Run trains the model and samples it in both ways, and then a model in which neither way helps.
func Run(ctx context.Context, o Options) (*Result, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	images, err := dataset.BarsAndStripes(o.Size, unit.Spin)
	if err != nil {
		return nil, err
	}
	t := &Result{Images: images, seed: o.Seed}
	o.Say(fmt.Sprintf("training on %d images of bars and stripes, %d updates", images.States.Len, o.Updates))
	if err := t.learn(ctx, o); err != nil {
		return nil, err
	}
	o.Say("sampling the model by alternating Gibbs sampling")
	if t.Gibbs, err = t.sample(ctx, o, "gibbs"); err != nil {
		return nil, err
	}
	o.Say("sampling the model with latent moves, from the same starts")
	if t.Latent, err = t.sample(ctx, o, "latent"); err != nil {
		return nil, err
	}
	o.Say("sampling a Hopfield model with rotated weights, in both ways and as a pilot chooses")
	return t, t.cross(ctx, o)
}
