// Package kernels finds Markov kernels by the names that commands and configuration files use.
package kernels

import (
	"context"
	"fmt"
	"strings"

	"instanton/jump"
	"instanton/latent"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/tempering"
	"instanton/unit"
)

// Options are what some kernels need beyond the model. A kernel that lacks something it needs says so.
type Options struct {
	Data       *unit.States // configurations that the model should know, for kernels that are fitted to them
	Labels     []int        // class of each configuration of Data, or nil
	Trajectory []*rbm.RBM   // models of a training, from its beginning on
	Stack      []*rbm.RBM   // models of the hidden units of each other, from those of the model on
	Rungs      int          // replicas of a ladder; 0: as a pilot finds best
	Seed       uint64       // of fits and pilots
	Workers    int          // of fits and pilots; 0: one per processor

	Context  context.Context       // ends fits and pilots; nil: they run to their end
	Progress func(done, total int) // hears how far fits and pilots are; may be nil
}

// kind is a kernel with a name.
type kind struct {
	name  string
	setup bool // whether it needs data or a pilot, which a training cannot give it
	make  func(m *rbm.RBM, beta float64, o Options) (sampler.Kernel, error)
}

// named lists the kernels.
var named = []kind{
	{name: "gibbs", make: func(m *rbm.RBM, beta float64, _ Options) (sampler.Kernel, error) {
		return sampler.NewGibbs(m, beta)
	}},
	{name: "metropolis", make: func(m *rbm.RBM, beta float64, _ Options) (sampler.Kernel, error) {
		return sampler.NewMetropolis(m, beta)
	}},
	{name: "glauber", make: func(m *rbm.RBM, beta float64, _ Options) (sampler.Kernel, error) {
		return sampler.NewGlauber(m, beta)
	}},
	{name: "latent", make: func(m *rbm.RBM, beta float64, _ Options) (sampler.Kernel, error) {
		return latent.New(m, beta, latent.Options{})
	}},
	{name: "jump", setup: true, make: func(m *rbm.RBM, beta float64, o Options) (sampler.Kernel, error) {
		starts := o.Data
		if starts == nil {
			starts = jump.Starts(m, o.Seed)
		}
		f, err := jump.Fit(o.Context, m, beta, starts, jump.Options{Seed: o.Seed, Workers: o.Workers})
		if err != nil {
			return nil, err
		}
		return f.Kernel, nil
	}},
	{name: "tempering", setup: true, make: func(m *rbm.RBM, beta float64, o Options) (sampler.Kernel, error) {
		return tempering.NewBeta(m, beta, o.tempering())
	}},
	{name: "mixture", setup: true, make: newMixture},
	{name: "trajectory", setup: true, make: newTrajectory},
	{name: "stacked", setup: true, make: newStacked},
}

// tempering are the options of ladders.
func (o Options) tempering() tempering.Options {
	return tempering.Options{Rungs: o.Rungs, Data: o.Data, Seed: o.Seed, Workers: o.Workers, Context: o.Context,
		Progress: o.Progress}
}

func newMixture(m *rbm.RBM, beta float64, o Options) (sampler.Kernel, error) {
	if err := onlyAtOne("mixture", beta); err != nil {
		return nil, err
	}
	q, err := tempering.FitMixture(o.Data, o.Labels, 0, o.Seed, o.Workers)
	if err != nil {
		return nil, err
	}
	return tempering.NewMixture(m, q, o.tempering())
}

func newTrajectory(m *rbm.RBM, beta float64, o Options) (sampler.Kernel, error) {
	if err := onlyAtOne("trajectory", beta); err != nil {
		return nil, err
	}
	t := o.tempering()
	if o.Data != nil && o.Labels != nil {
		var err error
		if t.Classes, err = tempering.FitMixture(o.Data, o.Labels, 0, o.Seed, o.Workers); err != nil {
			return nil, err
		}
	}
	return tempering.NewTrajectory(m, o.Trajectory, t)
}

func newStacked(m *rbm.RBM, beta float64, o Options) (sampler.Kernel, error) {
	if err := onlyAtOne("stacked", beta); err != nil {
		return nil, err
	}
	return tempering.NewStacked(append([]*rbm.RBM{m}, o.Stack...))
}

// onlyAtOne refuses temperatures other than that of the model.
func onlyAtOne(name string, beta float64) error {
	if beta != 1 {
		return fmt.Errorf("β = %g with the %s sampler: its ladder ends at β = 1", beta, name)
	}
	return nil
}

// New returns the kernel of the given name.
func New(name string, m *rbm.RBM, beta float64, o Options) (sampler.Kernel, error) {
	if o.Context == nil {
		o.Context = context.Background()
	}
	for _, k := range named {
		if k.name != name {
			continue
		}
		kernel, err := k.make(m, beta, o)
		if err != nil {
			return nil, err
		}
		return kernel, nil
	}
	names := Names()
	last := len(names) - 1
	return nil, fmt.Errorf("unknown sampler %q: expected %s or %s", name, strings.Join(names[:last], ", "), names[last])
}

// Names lists the names that New knows.
func Names() []string {
	var names []string
	for _, k := range named {
		names = append(names, k.name)
	}
	return names
}

// Simple lists the kernels that need nothing beyond the model, and follow it as it changes in a training.
func Simple() []string {
	var names []string
	for _, k := range named {
		if !k.setup {
			names = append(names, k.name)
		}
	}
	return names
}
