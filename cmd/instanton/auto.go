package main

import (
	"strings"

	"github.com/spf13/cobra"

	"instanton/dataset"
	"instanton/internal/kernels"
	"instanton/pilot"
	"instanton/rbm"
	"instanton/sampler"
)

// autoSampler is the name that leaves the choice to a pilot.
const autoSampler = "auto"

// samplerHelp is the usage of --sampler.
var samplerHelp = "sampler: " + strings.Join(kernels.Names(), ", ") + ", or auto to choose one by trying"

// autoHelp describes the choice, for the help of commands.
const autoHelp = `With --sampler auto, short chains from different starts (from --data or --init, if given) are run
with one sampler after the other, from the cheapest to the most expensive, until one mixes. What was chosen, and why,
is said on standard error and stands in the JSON under sampler and why.`

// auto lets a pilot choose the sampler. The choice depends on nothing but the model, the data and the seed.
func (s *sampleFlags) auto(c *cobra.Command, m *rbm.RBM, o kernels.Options) (sampler.Kernel, string, error) {
	var err error
	if o.Data == nil && s.init != "" && s.init != "random" {
		if o.Data, err = dataset.ReadAs(s.init, m.Visible.Spec(), m.Info["alphabet"]); err != nil {
			return nil, "", err
		}
	}
	s.choice, err = pilot.Choose(c.Context(), m, s.beta, pilot.Options{Data: o.Data, Labels: o.Labels, Seed: s.seed,
		Workers: s.workers, Say: func(message string) { say(c, "%s", message) }})
	if err != nil {
		return nil, "", err
	}
	say(c, "sampler %s: %s (%.2g s of trials)", s.choice.Sampler, s.choice.Why, s.choice.Seconds)
	return s.choice.Kernel, "chosen: " + s.choice.Sampler, nil
}
