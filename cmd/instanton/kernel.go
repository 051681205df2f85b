package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// kernel makes the sampler that the flags name, describes its moves if its name does not, and reports on a fit if there
// was one. Clusters of hidden units and proposals are made from the given configurations.
func (s *sampleFlags) kernel(c *cobra.Command, m *rbm.RBM, keep string,
	configurations func() (*unit.States, error)) (sampler.Kernel, string, *fitReport, error) {
	why := ""
	switch {
	case s.design.clamp != "":
		why = "a GPU does not move chains with clamped units: leave out --clamp or --device"
	case s.sampler != "gibbs":
		why = fmt.Sprintf("a GPU moves chains by --sampler gibbs only, not by --sampler %s", s.sampler)
	}
	device, err := openDevice(c, s.device, m.Visible.Spec(), m.Hidden.Spec(), why)
	if err != nil {
		return nil, "", nil, err
	}
	if s.design.clamp != "" {
		k, moves, err := s.clamped(c, m)
		return k, moves, nil, err
	}
	own := map[string][]string{"latent": latentNames, jumpName: {"proposal"}}
	for name, flags := range own {
		for _, flag := range flags {
			if name != s.sampler && c.Flags().Changed(flag) {
				return nil, "", nil, usage(fmt.Errorf("--%s is for --sampler %s, not for --sampler %s", flag, name,
					s.sampler))
			}
		}
	}
	if device != nil {
		k, err := sampler.NewGibbsOn(device, m, s.beta)
		return k, "", nil, err
	}
	ladder, err := s.ladder.options(c, s.sampler, m, s.seed, s.workers)
	if err != nil {
		return nil, "", nil, err
	}
	var k sampler.Kernel
	var moves string
	switch s.sampler {
	case autoSampler:
		k, moves, err = s.auto(c, m, ladder)
	case jumpName:
		return s.jump.kernel(c, m, s, keep, configurations)
	case "latent":
		k, moves, err = s.latent.kernel(c, m, s.beta, s.seed, configurations)
	default:
		k, moves, err = s.ladder.kernel(c, s.sampler, m, s.beta, ladder)
	}
	return k, moves, nil, err
}
