package main

import (
	"crypto/sha256"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"instanton/clamp"
	"instanton/dataset"
	"instanton/internal/kernels"
	"instanton/internal/npy"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// designFlags hold visible units, and fix or tilt hidden ones.
type designFlags struct {
	clamp string
	bias  []string
}

// designHelp describes them, for the help of commands.
const designHelp = `--clamp holds visible units at the values of --init, chain by chain, and samples the others from
their law given these, exactly: half of an image, or a motif of a sequence. It takes a .npy file with a one
for every clamped unit, or a list: units:0-391 counts from 0, sites:3,8-12 from 1. --bias tilts a hidden
unit by a field (unit:7=2.5), or fixes its value (fixed:7=1), which designs configurations with the
feature that the unit has learnt.`

func (f *designFlags) flags(c *cobra.Command) {
	c.Flags().StringVar(&f.clamp, "clamp", "",
		"visible units that keep the values of --init: a .npy mask, units:LIST (from 0) or sites:LIST (from 1)")
	c.Flags().StringArrayVar(&f.bias, "bias", nil,
		"unit:K=FIELD adds a field to hidden unit K (from 0), fixed:K=VALUE fixes it; may be repeated")
}

// design returns the model with hidden units tilted and fixed. Numbers of units are those of the model in the file.
func (f *designFlags) design(m *rbm.RBM) (*rbm.RBM, error) {
	removed := map[int]bool{}
	for _, text := range f.bias {
		wrong := fmt.Errorf("--bias %s: expected unit:K=FIELD or fixed:K=VALUE with a hidden unit K from 0", text)
		kind, rest, _ := strings.Cut(text, ":")
		number, value, ok := strings.Cut(rest, "=")
		k, err := strconv.Atoi(number)
		x, err2 := strconv.ParseFloat(value, 64)
		if !ok || err != nil || err2 != nil || math.IsNaN(x) || math.IsInf(x, 0) || k < 0 ||
			kind != "unit" && kind != "fixed" {
			return nil, usage(wrong)
		}
		if removed[k] {
			return nil, usage(fmt.Errorf("--bias %s: hidden unit %d is fixed already", text, k))
		}
		at := k
		for other := range removed { // fixed units are no longer counted
			if other < k {
				at--
			}
		}
		if kind == "unit" {
			m, err = m.Tilted(at, x)
		} else {
			m, err = m.WithHidden(at, x)
			removed[k] = true
		}
		if err != nil {
			return nil, usage(fmt.Errorf("--bias %s: %w", text, err))
		}
	}
	return m, nil
}

// mask reads which of n visible units are clamped.
func (f *designFlags) mask(n int) ([]bool, error) {
	for prefix, first := range map[string]int{"units:": 0, "sites:": 1} {
		if list, ok := strings.CutPrefix(f.clamp, prefix); ok {
			return maskOf(list, first, n)
		}
	}
	a, err := npy.ReadFile(f.clamp)
	if err != nil {
		return nil, usage(fmt.Errorf("--clamp: %w; expected a .npy file, units:LIST or sites:LIST", err))
	}
	x, err := a.Float64s()
	if err != nil {
		return nil, fmt.Errorf("--clamp %s: %w", f.clamp, err)
	}
	if len(x) != n {
		return nil, fmt.Errorf("--clamp %s: the mask has %d entries: expected one for each of the %d visible units",
			f.clamp, len(x), n)
	}
	mask := make([]bool, n)
	for i, v := range x {
		if v != 0 && v != 1 {
			return nil, fmt.Errorf("--clamp %s: entry %d is %g: expected 0 or 1", f.clamp, i, v)
		}
		mask[i] = v == 1
	}
	return mask, nil
}

// maskOf reads a list such as 3,8-12, whose first unit has the given number.
func maskOf(list string, first, n int) ([]bool, error) {
	mask := make([]bool, n)
	for _, part := range strings.Split(list, ",") {
		from, to, ranged := strings.Cut(part, "-")
		if !ranged {
			to = from
		}
		lo, err := strconv.Atoi(strings.TrimSpace(from))
		hi, err2 := strconv.Atoi(strings.TrimSpace(to))
		if err != nil || err2 != nil || lo < first || hi < lo || hi >= n+first {
			return nil, usage(fmt.Errorf("--clamp: %q: expected numbers and ranges from %d to %d, such as "+
				"%d,%d-%d", part, first, n+first-1, first, first+1, min(first+3, n+first-1)))
		}
		for i := lo; i <= hi; i++ {
			mask[i-first] = true
		}
	}
	return mask, nil
}

// clamped makes the sampler of the free units.
func (s *sampleFlags) clamped(c *cobra.Command, m *rbm.RBM) (sampler.Kernel, string, error) {
	if s.init == "" || s.init == "random" {
		return nil, "", usage(fmt.Errorf("--clamp needs --init FILE, whose values the clamped units keep"))
	}
	for _, flag := range append([]string{"proposal", "data", "trajectory", "stack", "rungs"}, latentNames...) {
		if c.Flags().Changed(flag) {
			return nil, "", usage(fmt.Errorf("--%s is for all units: leave it out with --clamp", flag))
		}
	}
	if s.sampler == autoSampler {
		return nil, "", usage(fmt.Errorf("--sampler auto judges chains of all units: with --clamp, name a sampler, " +
			"such as gibbs or jump"))
	}
	mask, err := s.design.mask(m.Visible.Spec().N)
	if err != nil {
		return nil, "", err
	}
	starts, err := dataset.ReadStart(s.init, m.Visible.Spec(), m.Info["alphabet"])
	if err != nil {
		return nil, "", err
	}
	if starts.Len > s.chains {
		starts = starts.Slice(0, s.chains)
	}
	k, err := clamp.New(m, s.beta, mask, starts, func(free *rbm.RBM) (sampler.Kernel, error) {
		return kernels.New(s.sampler, free, s.beta, kernels.Options{Data: freeUnits(starts, mask), Seed: s.seed,
			Workers: s.workers, Context: c.Context()})
	})
	if err != nil {
		return nil, "", usage(err)
	}
	var marks strings.Builder // the units themselves: a file may change before the run is continued
	for i, c := range mask {
		if c {
			fmt.Fprint(&marks, i, " ")
		}
	}
	return k, fmt.Sprintf("clamped units %x", sha256.Sum256([]byte(marks.String()))), nil
}

// freeUnits are the configurations without the clamped units.
func freeUnits(v *unit.States, clamped []bool) *unit.States {
	var free []int
	for i, c := range clamped {
		if !c {
			free = append(free, i)
		}
	}
	if len(free) == 0 {
		return nil
	}
	spec := v.Spec
	spec.N = len(free)
	out := unit.NewStates(spec, v.Len)
	for row := range v.Len {
		for k, i := range free {
			out.Set(row, k, v.Value(row, i))
		}
	}
	return out
}
