package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"instanton/dataset"
	"instanton/jump"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// jumpName is the sampler of learnt jumps.
const jumpName = "jump"

// jumpFlags choose the proposal of the sampler of learnt jumps.
type jumpFlags struct {
	proposal string
}

func (f *jumpFlags) flags(c *cobra.Command) {
	c.Flags().StringVar(&f.proposal, "proposal", "",
		"jump: file with the proposal, written by 'instanton jump-fit'; by default one is fitted first")
}

// fitReport says what a fit cost.
type fitReport struct {
	Proposal   string       `json:"proposal"`
	Layer      string       `json:"layer"`
	Acceptance float64      `json:"acceptance"`
	Seconds    float64      `json:"seconds"`
	Rounds     []jump.Round `json:"rounds"`
}

func reportOf(f *jump.Fitted) *fitReport {
	return &fitReport{Proposal: f.Kernel.Proposal().Name(), Layer: f.Kernel.Side().String(), Acceptance: f.Acceptance(),
		Seconds: f.Seconds, Rounds: f.Rounds}
}

// kernel makes the jumps, and describes them. Without a proposal, one is fitted to chains that start from the given
// configurations, and kept in a file, if there is a name for it, with which an interrupted run continues.
func (f *jumpFlags) kernel(c *cobra.Command, m *rbm.RBM, s *sampleFlags, keep string,
	configurations func() (*unit.States, error)) (sampler.Kernel, string, *fitReport, error) {
	path, report := f.proposal, (*fitReport)(nil)
	if path == "" && keep != "" {
		if _, err := os.Stat(keep); err == nil {
			say(c, "using the proposal in %s; remove it to fit another", keep)
			path = keep
		}
	}
	if path == "" {
		starts, err := configurations()
		if err != nil {
			return nil, "", nil, err
		}
		fitted, err := jump.Fit(c.Context(), m, s.beta, starts, jump.Options{Seed: s.seed, Workers: s.workers,
			Report: func(r jump.Round) { sayRound(c, r) }})
		if c.Context().Err() != nil {
			return nil, "", nil, fmt.Errorf("%w before the proposal was fitted; run the same command again", errStopped)
		}
		if err != nil {
			return nil, "", nil, usage(err)
		}
		report = reportOf(fitted)
		say(c, "fitted a %s in the %s layer in %.1f s: acceptance %.3g", report.Proposal, report.Layer, report.Seconds,
			report.Acceptance)
		if keep == "" {
			return fitted.Kernel, "", report, nil
		}
		if err := fitted.Save(keep, false); err != nil {
			return nil, "", nil, err
		}
		path = keep
	}
	k, err := jump.Load(path, m)
	if err != nil {
		return nil, "", nil, err
	}
	if k.Beta() != s.beta {
		return nil, "", nil, usage(fmt.Errorf("%s: the proposal was fitted at β = %g, not at β = %g: expected the "+
			"same β, or a proposal for this one", path, k.Beta(), s.beta))
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, "", nil, err
	}
	return k, fmt.Sprintf("proposal %x", sha256.Sum256(data)), report, nil
}

func sayRound(c *cobra.Command, r jump.Round) {
	say(c, "%s, %d configurations: acceptance %.3g, KL(p|q) %.2f, KL(q|p) %.2f nats, after %.1f s", r.Proposal, r.Rows,
		r.Acceptance, r.Divergence.Forward, r.Divergence.Reverse, r.Seconds)
}

// proposalBeside is the file in which a run keeps the proposal that it had to fit.
func proposalBeside(out string) string { return strings.TrimSuffix(out, ".npz") + ".proposal.npz" }

// warnTrapped tells of chains that have never accepted a jump though they should have.
func warnTrapped(c *cobra.Command, k sampler.Kernel, chains *sampler.Chains) {
	if sampler.Name(k) != jumpName {
		return
	}
	if trapped := jump.Never(chains); len(trapped) > 0 {
		say(c, "chain %d and %d others are trapped: no jump was accepted in %d proposals. The proposal lacks a mode; "+
			"fit it again with 'instanton jump-fit' from data that include the states of these chains", trapped[0],
			len(trapped)-1, chains.Proposed[trapped[0]])
	}
}

// startsOf reads configurations of the visible layer of a model.
func startsOf(path string, m *rbm.RBM) (*unit.States, error) {
	return dataset.ReadAs(path, m.Visible.Spec(), m.Info["alphabet"])
}
