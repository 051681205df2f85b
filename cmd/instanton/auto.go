package main

import (
	"strings"

	"github.com/spf13/cobra"

	"instanton/dataset"
	"instanton/internal/kernels"
	"instanton/internal/variants"
	"instanton/pilot"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/samples"
)

// autoSampler is the name that leaves the choice to a pilot.
const autoSampler = "auto"

// samplerHelp is the usage of --sampler.
var samplerHelp = "sampler: " + strings.Join(kernels.Names(), ", ") + ", or auto to choose one by trying"

// autoHelp describes the choice, for the help of commands.
const autoHelp = `With --sampler auto, short chains from different starts (from --data or --init, if given) are run with
one sampler after the other, from the cheapest to the most expensive, until one mixes or a minute has
passed. What was chosen, and why, is said on standard error and stands in the JSON under sampler and why.`

// auto lets a pilot choose the sampler. Unless the pilot runs into its time limit, the choice depends on nothing but
// the model, the data and the seed.
func (s *sampleFlags) auto(c *cobra.Command, m *rbm.RBM, o kernels.Options) (sampler.Kernel, string, error) {
	var err error
	if o.Data == nil && s.init != "" && s.init != "random" {
		d, err := dataset.ReadUnits(s.init, m.Visible.Spec(), m.Info["alphabet"])
		if err != nil {
			return nil, "", err
		}
		o.Data, o.Labels = d.States, d.Labels
	}
	if s.before != "" {
		k, _, err := variants.New(s.before, m, s.beta, kernels.Options{Data: o.Data, Labels: o.Labels, Seed: s.seed,
			Workers: s.workers, Context: c.Context()})
		s.choice = &pilot.Choice{Sampler: samplerFlags(s.before), Why: "the run began with it"}
		return k, chosenMoves + s.before, err
	}
	s.choice, err = pilot.Choose(c.Context(), m, s.beta, pilot.Options{Data: o.Data, Labels: o.Labels, Seed: s.seed,
		Workers: s.workers, Say: func(message string) { say(c, "%s", message) }})
	if err != nil {
		return nil, "", err
	}
	moves := chosenMoves + s.choice.Sampler
	s.choice.Sampler = samplerFlags(s.choice.Sampler)
	say(c, "--sampler %s: %s (%.2g s of trials)", s.choice.Sampler, s.choice.Why, s.choice.Seconds)
	return s.choice.Kernel, moves, nil
}

// chosenMoves describes in a sample file that a pilot chose the sampler, whose name with its settings follows.
const chosenMoves = "chosen: "

// chosenBefore is the sampler that a pilot chose when the run in a sample file began, or empty: an interrupted run goes
// on with it, though a pilot that runs into its time limit could choose another.
func chosenBefore(path string, m *rbm.RBM, seed uint64) string {
	set, err := samples.Read(path)
	if err != nil || set.About == nil || set.About.Sampler != autoSampler || set.About.Seed != seed ||
		set.Draws == set.About.Draws { // it is finished
		return ""
	}
	if own, err := m.Fingerprint(); err != nil || own != set.About.Model {
		return ""
	}
	return strings.TrimPrefix(set.About.Moves, chosenMoves)
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
