// Package demo is the main job in a minute: train a model whose samples fall into many modes, sample it in two
// ways from the same starts, and say which of the two can be trusted.
package demo

import (
	"context"
	"fmt"

	"instanton/dataset"
	"instanton/rbm"
	"instanton/unit"
)

// Options steer a tour. Zero values stand for the defaults.
type Options struct {
	Size    int // side of the images, 6
	Updates int // of the training, 2500
	Sweeps  int // of every chain, 15,000
	Seed    uint64
	Workers int                  // zero for one per processor
	Say     func(message string) // hears what is being done; may be nil
}

// Sizes for which a tour takes minutes at most, and the sweeps from which chains can be judged.
const (
	MinSize   = 3
	MaxSize   = 8
	MinSweeps = 100
)

// Check refuses options that cannot be meant, and fills in the defaults.
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
		return fmt.Errorf("%d updates, %d sweeps and %d workers: expected at least one update, %d sweeps, and "+
			"workers that are not negative", o.Updates, o.Sweeps, o.Workers, MinSweeps)
	}
	if o.Say == nil {
		o.Say = func(string) {}
	}
	return nil
}

// Tour is what was found.
type Tour struct {
	Learnt Learnt  `json:"model"`
	Gibbs  Sampled `json:"gibbs"`
	Latent Sampled `json:"latent"`

	Model  *rbm.RBM         `json:"-"`
	Images *dataset.Dataset `json:"-"`
	seed   uint64
}

// Run takes the tour.
func Run(ctx context.Context, o Options) (*Tour, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	images, err := dataset.BarsAndStripes(o.Size, unit.Spin)
	if err != nil {
		return nil, err
	}
	t := &Tour{Images: images, seed: o.Seed}
	o.Say(fmt.Sprintf("learning %d images of bars and stripes, %d updates", images.States.Len, o.Updates))
	if err := t.learn(ctx, o); err != nil {
		return nil, err
	}
	o.Say("sampling the model by alternating Gibbs sampling")
	if t.Gibbs, err = t.sample(ctx, o, "gibbs"); err != nil {
		return nil, err
	}
	o.Say("sampling it with latent moves, from the same starts")
	t.Latent, err = t.sample(ctx, o, "latent")
	return t, err
}
