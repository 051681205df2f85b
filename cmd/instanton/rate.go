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
		Short: "How long alternating Gibbs sampling takes from one state to another",
		Long: `Compute the rates of transitions between two states of a model with discrete visible
units, however rare they are: umbrella sampling along q(v) = Σ a_i v_i gives the law of q,
short shots from the top of the barrier the flux over it. Times are in steps of
alternating Gibbs sampling.

The states are two stored patterns, counted from 1, or -1, -2, … for their opposites, and a
is their difference. Between a pattern and its opposite it is --from 1 --to -1, which is
what a model with one pattern does. Without stored patterns the states are those that all
units down and all units up fall into, and a is 1. States that q does not tell apart are
taken together.

Where a third state lies between the two, as with three patterns or more, there is no one
rate from the one to the other: use --leave, for the rate of leaving --from for all other
states together. Then q counts the units that differ from --from, --to is one of the others,
and "rate_forward" is the rate of leaving.

The verdict is "good", or "not known" with the reason: chains that come from the two states
must agree at each q, each of them must find there what the others do, the flux must be the
same through different surfaces and both ways, shots must end in the two states, and free
chains must pass as often as the rates say. Where the verdict is "not known" there is no
relaxation time, and what was estimated all the same stands under "estimate" in the JSON.
With --strict the status is then 3.

The sampler runs at β = 1. With Gaussian hidden units another β is the model whose weights and
visible fields are multiplied by √β and β.`,
		Example: "  instanton rate cw.npz --json\n" +
			"  instanton rate cw.npz --strict  # status 3 unless the rates are known\n" +
			"  instanton rate hopfield.npz --from 1 --to 2 -o profile.pdf  # two patterns\n" +
			"  instanton rate hopfield3.npz --from 1 --to 2 --leave  # of three or more",
		Args: arguments(1, 1, "one model file"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := out.check(); err != nil {
				return err
			}
			if o.Chains == 0 || o.Sweeps == 0 { // the library's words for its defaults
				return usage(fmt.Errorf("--chains %d --sweeps %d: expected some of both", o.Chains, o.Sweeps))
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
			line := progress.New(talk(c), "sweeps", 0, o.Sweeps)
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
	c.Flags().IntVar(&from, "from", 1, "pattern to start from")
	c.Flags().IntVar(&to, "to", 2, "pattern to go to")
	c.Flags().BoolVar(&o.Leave, "leave", false, "the rate of leaving the first state for all others together")
	c.Flags().IntVar(&o.Chains, "chains", rates.DefaultChains, "chains, in 16 independent groups")
	c.Flags().IntVar(&o.Sweeps, "sweeps", rates.DefaultSweeps, "sweeps of each chain once the umbrella is found")
	c.Flags().IntVar(&o.Workers, "workers", 0, "goroutines; 0 for one per processor")
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
	fmt.Fprintf(w, " steps, ± %.1f %%\nrate forward      %.4g a step\n"+
		"rate backward     %.4g a step\nbarrier           %.4f nats at q = %g, between q = %g and %g\n",
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
