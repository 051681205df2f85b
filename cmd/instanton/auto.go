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
const autoHelp = `With --sampler auto, short chains from different starts (from --data or --init, if given) are run with
one sampler after the other, from the cheapest to the most expensive, until one mixes or a minute has
passed. What was chosen, and why, is said on standard error and stands in the JSON under sampler and why.`

// auto lets a pilot choose the sampler. The choice depends on nothing but the model, the data and the seed.
func (s *sampleFlags) auto(c *cobra.Command, m *rbm.RBM, o kernels.Options) (sampler.Kernel, string, error) {
	var err error
	if o.Data == nil && s.init != "" && s.init != "random" {
		d, err := dataset.ReadUnits(s.init, m.Visible.Spec(), m.Info["alphabet"])
		if err != nil {
			return nil, "", err
		}
		o.Data, o.Labels = d.States, d.Labels
	}
	s.choice, err = pilot.Choose(c.Context(), m, s.beta, pilot.Options{Data: o.Data, Labels: o.Labels, Seed: s.seed,
		Workers: s.workers, Say: func(message string) { say(c, "%s", message) }})
	if err != nil {
		return nil, "", err
	}
	s.choice.Sampler = samplerFlags(s.choice.Sampler)
	say(c, "--sampler %s: %s (%.2g s of trials)", s.choice.Sampler, s.choice.Why, s.choice.Seconds)
	return s.choice.Kernel, "chosen: " + s.choice.Sampler, nil
}

// samplerFlags writes a sampler with its settings as the value of --sampler and the flags that follow it.
func samplerFlags(word string) string {
	parts := strings.Split(word, ":")
	for k, setting := range parts[1:] {
		switch setting {
		case "gauge":
			setting = "--axes gauge"
		case "swaps":
			setting = "--moves swaps"
		case "prototypes":
			setting = "--moves jumps:DATA"
		default:
			setting = "--block " + setting
		}
		parts[k+1] = setting
	}
	return strings.Join(parts, " ")
}
