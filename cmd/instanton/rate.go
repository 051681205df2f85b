package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"instanton/internal/progress"
	"instanton/plot"
	"instanton/rates"
	"instanton/rbm"
)

func newRate() *cobra.Command {
	var o rates.Options
	var out figureOutput
	var from, to int
	var strict bool
	c := &cobra.Command{
		Use:   "rate MODEL.npz",
		Short: "Estimate how long alternating Gibbs sampling takes from one state to another",
		Long: `Estimate the rates of transitions between two states of a model with discrete visible units, however
rare they are. Umbrella sampling along q(v) = Σ a_i v_i gives the distribution of q, and short runs
from the top of the barrier give the flux over it. Print the relaxation time with its error, the
rates and the barrier; times are in steps of alternating Gibbs sampling.

The states are stored patterns: 1, 2, … or, for their opposites, -1, -2, …; a is their difference.
--from 1 --to -1 is the way from a pattern to its opposite, the default for a model with a single
pattern. For a model without patterns the states are those reached from all units down and from all
units up, and a is 1. States that q cannot tell apart count as one.

If a third state lies between the two, as with three or more patterns, a single rate from one to the
other does not exist. Use --leave for the rate of leaving --from for all other states together: q then
counts the units that differ from --from, --to is any of the other states, and the forward rate is
that of leaving.

The verdict is "good", or "not known" with the reason. For "good", chains from the two states must
agree at each q and each of them must find what the others do there, the flux must be the same through
different surfaces and in both directions, shots must end in the two states, and free chains must pass
as often as the rates say. If the verdict is "not known", no relaxation time is given, the doubtful
numbers are under "estimate" in the JSON, and --strict exits with status 3.

The sampler runs at β = 1. With Gaussian hidden units another β is equivalent to a model whose weights
are multiplied by √β and whose visible fields are multiplied by β.
` + "\n" + figureHelp,
		Example: "  instanton rate cw.npz --json\n" +
			"  instanton rate cw.npz --strict  # status 3 unless the rates are known\n" +
			"  instanton rate hopfield.npz --from 1 --to 2 -o profile.pdf  # two patterns\n" +
			"  instanton rate hopfield3.npz --from 1 --to 2 --leave  # three or more",
		Args: arguments(1, 1, "one model file"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := out.check(); err != nil {
				return err
			}
			if o.Chains == 0 || o.Sweeps == 0 { // in the library, zero stands for the default
				return usage(fmt.Errorf("--chains %d and --sweeps %d: expected both to be above 0", o.Chains, o.Sweeps))
			}
			m, err := rbm.Load(args[0])
			if err != nil {
				return err
			}
			if m.Patterns != nil || o.Leave || c.Flags().Changed("from") || c.Flags().Changed("to") {
				if !c.Flags().Changed("to") && m.Patterns != nil && m.Patterns.Len == 1 {
					to = -from
				}
				if o.From, err = rates.Pattern(m, from); err != nil {
					return usage(err)
				}
				if o.To, err = rates.Pattern(m, to); err != nil {
					return usage(err)
				}
			}
			line := progress.New(messages(c), "sweeps", 0, o.Sweeps)
			o.Progress = line.Set
			r, err := rates.Estimate(c.Context(), m, o)
			line.Close()
			if err != nil {
				return err
			}
			if err := out.show(c, r, func() (plot.Figure, error) { return profileFigure(r) },
				func(w io.Writer) { printRates(w, r) }); err != nil {
				return err
			}
			if strict && r.Verdict != rates.Good {
				return fmt.Errorf("%w: verdict %q, expected %q", errCheck, r.Verdict, rates.Good)
			}
			return nil
		},
	}
	c.Flags().IntVar(&from, "from", 1, "pattern to start from, or minus its number for its opposite")
	c.Flags().IntVar(&to, "to", 2, "pattern to go to, in the same form")
	c.Flags().BoolVar(&o.Leave, "leave", false, "estimate the rate of leaving the first state for all others together")
	c.Flags().IntVar(&o.Chains, "chains", rates.DefaultChains, "number of chains, in 16 independent groups")
	c.Flags().IntVar(&o.Sweeps, "sweeps", rates.DefaultSweeps, "sweeps of each chain after the umbrella has been found")
	c.Flags().IntVar(&o.Workers, "workers", 0, "number of goroutines; 0 for one per processor")
	c.Flags().BoolVar(&strict, "strict", false, "exit with status 3 unless the rates are known")
	seedFlag(c, &o.Seed)
	out.flags(c)
	return c
}

// printRates writes what is known, or why nothing is.
func printRates(w io.Writer, r *rates.Result) {
	fmt.Fprintf(w, "verdict           %s: %s\n", r.Verdict, r.Reason)
	if r.Verdict != rates.Good {
		if k := r.Doubtful; k != nil {
			fmt.Fprintf(w, "not to be relied on: an estimate of e^%.2f steps ± %.0f %%\n", k.LogTime, 100*k.Error)
		}
		return
	}
	fmt.Fprintf(w, "relaxation time   e^%.4f", r.LogTime)
	if r.Time != nil {
		fmt.Fprintf(w, " = %.4g", *r.Time)
	}
	fmt.Fprintf(w, " steps, ± %.1f %%\nrate forward      %.4g per step\n"+
		"rate backward     %.4g per step\nbarrier           %.4f nats at q = %g, between q = %g and %g\n",
		100*r.Error, r.Forward, r.Backward, r.Barrier, r.Surface, r.QA, r.QB)
}

// profileFigure shows −log P(q) with the dividing surface.
func profileFigure(r *rates.Result) (plot.Figure, error) {
	k, name := r.Kinetics, "profile"
	if k == nil {
		k, name = r.Doubtful, "profile, not to be relied on"
	}
	if k == nil {
		return plot.Figure{}, fmt.Errorf("no profile to draw: %s", r.Reason)
	}
	low, high := k.Profile[0], k.Profile[0]
	for _, f := range k.Profile {
		low, high = min(low, f), max(high, f)
	}
	return plot.Figure{Panels: []plot.Panel{{
		Label: plot.NoLabel, X: plot.Axis{Label: "collective variable $q$"}, Y: plot.Axis{Label: "$-log P(q)$"},
		Series: []plot.Series{
			plot.Line{Name: name, X: k.Q, Y: k.Profile},
			plot.Line{Name: "dividing surface", X: []float64{k.Surface, k.Surface}, Y: []float64{low, high},
				Dash: plot.Dashed},
		},
	}}}, nil
}
