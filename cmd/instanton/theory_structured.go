package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"instanton/dynamics"
	"instanton/plot"
	"instanton/rbm"
	"instanton/theory"
)

// structuredFlags describe a structured model to the theory.
type structuredFlags struct {
	m       int
	w       float64
	overlap string
	hidden  string
}

func (s *structuredFlags) flags(c *cobra.Command) {
	c.Flags().IntVar(&s.m, "m", 2, "number of hidden units")
	c.Flags().Float64Var(&s.w, "w", 1.6, "weight")
	c.Flags().StringVar(&s.overlap, "overlap", "all:0.02",
		"fraction of the spins that hidden units share: all:A for all pairs, ring:A for neighbours, or a .npy "+
			"file with the matrix α")
	c.Flags().StringVar(&s.hidden, "hidden", "quadratic",
		"hidden potential: quadratic, relu:γ,θ, drelu:γ₊,γ₋,θ₊,θ₋, spin:c or bernoulli:c")
}

func (s *structuredFlags) model() (theory.Structured, error) {
	model := theory.Structured{W: s.w}
	var err error
	if model.Overlap, err = rbm.ParseOverlap(s.overlap, s.m); err != nil {
		return model, err
	}
	potential, err := theory.ParsePotential(s.hidden)
	if err != nil {
		return model, err
	}
	model.Hidden = []theory.Potential{potential}
	return model, nil
}

func theoryStructured() *cobra.Command {
	var s structuredFlags
	return theoryCommand("structured", "Compute critical points and barriers of hidden units that share visible units",
		"  instanton theory structured --m 4 --w 2.2 --overlap ring:0.02 --json", s.flags,
		func(out *figureOutput, c *cobra.Command) error {
			model, err := s.model()
			if err != nil {
				return usage(err)
			}
			l, err := model.Landscape()
			if err != nil {
				return usage(err)
			}
			critical, err := l.CriticalPoints()
			if err != nil {
				return err
			}
			if err := model.TwoStates(); err != nil {
				return usage(err)
			}
			var r struct {
				Overlap  [][]float64            `json:"overlap"`
				Critical []theory.CriticalPoint `json:"critical_points"`
				Barriers []float64              `json:"barriers"`
				Search   string                 `json:"search"`
			}
			r.Overlap, r.Critical, r.Search, r.Barriers = model.Overlap, critical.Points, critical.Search(), []float64{}
			if model.Hidden[0].Continuous() {
				graph, err := l.Graph()
				if err != nil {
					return err
				}
				r.Barriers = append(r.Barriers, graph.Barriers()...)
				if len(graph.Minima) < 2 {
					say(c, "there is no barrier: at w = %g the model has a single state", model.W)
				}
			}
			return out.show(c, r, func() (plot.Figure, error) { return criticalPlot(critical.Points), nil },
				func(w io.Writer) {
					t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
					fmt.Fprintln(t, "index\tcopies\tf\tm\t")
					for _, p := range r.Critical {
						fmt.Fprintf(t, "%d\t%d\t%.12g\t%.6g\t\n", p.Index, p.Copies, p.F, p.M)
					}
					t.Flush()
					for _, b := range r.Barriers {
						fmt.Fprintf(w, "barrier %.14g\n", b)
					}
					fmt.Fprintln(w, r.Search)
				})
		})
}

func theoryPerturbation() *cobra.Command {
	var w, alpha float64
	return theoryCommand("perturbation",
		"Compute how a small overlap of two hidden units changes the action and the barrier",
		"  instanton theory perturbation --w 1.6970562748 --alpha 0.02 --json",
		func(c *cobra.Command) {
			c.Flags().Float64Var(&w, "w", 1.7, "weight without overlap; two states above √2")
			c.Flags().Float64Var(&alpha, "alpha", 0.02, "overlap of the two units")
		},
		func(out *figureOutput, c *cobra.Command) error {
			p, err := theory.Perturb(w)
			if err != nil {
				return usage(err)
			}
			pair, err := p.At(alpha)
			if err != nil {
				return usage(err)
			}
			base, err := theory.Pair{W: w}.Barriers()
			if err != nil {
				return err
			}
			there, err := pair.Barriers()
			if err != nil {
				return err
			}
			r := struct {
				theory.Perturbation
				Alpha  float64 `json:"alpha"`
				WAlpha float64 `json:"w_alpha"`       // the weight that keeps m* at this overlap
				DPhi   float64 `json:"dphi"`          // change of the action, exactly
				First  float64 `json:"first_barrier"` // its change, exactly, as the note says
				Before float64 `json:"first_barrier_without_overlap"`
				After  float64 `json:"first_barrier_with_overlap"`
				Mixed  bool    `json:"mixed_state"` // whether (−m*, m*) is still a minimum
				Note   string  `json:"note"`
			}{p, alpha, pair.W, there.Action - base.Action, there.Highest - base.Highest, base.Highest, there.Highest,
				there.Mixed, "dphi and first_barrier are changes from overlap zero; the barrier itself is in " +
					"first_barrier_without_overlap and first_barrier_with_overlap"}
			return out.show(c, r, func() (plot.Figure, error) { return perturbationPlot(p, alpha) }, func(o io.Writer) {
				fmt.Fprintf(o, "dw/dα that keeps m*       %.10g\ndΦ/dα                     %.10g\n"+
					"first barrier, slope      %.10g\n", r.DWeight, r.DAction, r.DBarrier)
				fmt.Fprintf(o, "at α = %g and w = %.8g, Φ changes by %.10g and the first barrier by %.10g, from "+
					"%.10g to %.10g\n", alpha, pair.W, r.DPhi, r.First, r.Before, r.After)
			})
		})
}

func theoryDynamics() *cobra.Command {
	c := group(&cobra.Command{
		Use:   "dynamics",
		Short: "Compute exact relaxation and first-passage times at finite N",
		Long: `Compute relaxation and first-passage times of N spins from the transition matrix of the sampler,
lumped onto the numbers of up spins in the blocks. If there are too many spins for that, and two
equivalent hidden units, alternating Gibbs sampling is treated as a chain of the hidden units
instead, on a grid; the output says which method was used and how accurate it is. Times are in steps
of the sampler.`,
		Example: `  instanton theory dynamics curie-weiss --n 128 --w 1.2 --kernel gibbs --json
  instanton theory dynamics structured --n 50 --w 1.7 --m 2 --overlap all:0.04`,
	})
	c.AddCommand(
		dynamicsOf("curie-weiss", "Compute relaxation times of the mean-field ferromagnet",
			"  instanton theory dynamics curie-weiss --n 128 --w 1.2 --kernel metropolis",
			func(c *cobra.Command) func(n int, k dynamics.Kernel) (*dynamics.Chain, error) {
				w := c.Flags().Float64("w", 1.2, "weight")
				return func(n int, k dynamics.Kernel) (*dynamics.Chain, error) {
					return dynamics.CurieWeiss(theory.CurieWeiss{W: *w}, n, k)
				}
			}),
		dynamicsOf("structured", "Compute relaxation times of hidden units that share visible units",
			"  instanton theory dynamics structured --n 50 --w 1.7 --m 2 --overlap all:0.04",
			func(c *cobra.Command) func(n int, k dynamics.Kernel) (*dynamics.Chain, error) {
				var s structuredFlags
				s.flags(c)
				return func(n int, k dynamics.Kernel) (*dynamics.Chain, error) {
					model, err := s.model()
					if err != nil {
						return nil, err
					}
					return dynamics.Structured(model, n, k)
				}
			}))
	return c
}

func dynamicsOf(use, short, example string,
	model func(c *cobra.Command) func(n int, k dynamics.Kernel) (*dynamics.Chain, error)) *cobra.Command {
	var n int
	var name string
	var build func(n int, k dynamics.Kernel) (*dynamics.Chain, error)
	return theoryCommand(use, short, example,
		func(c *cobra.Command) {
			c.Flags().IntVar(&n, "n", 64, "number of visible spins")
			c.Flags().StringVar(&name, "kernel", "gibbs",
				"sampler: gibbs, latent or flip; or metropolis or glauber, of one attempted flip per step")
			build = model(c)
		},
		func(out *figureOutput, c *cobra.Command) error {
			k, err := dynamics.ParseKernel(name)
			if err != nil {
				return usage(err)
			}
			chain, err := build(n, k)
			if err != nil {
				return usage(err)
			}
			if chain.States() > slowStates {
				say(c, "a chain of %d states takes a while", chain.States())
			}
			relaxation, err := chain.Relaxation()
			if err != nil {
				return beyondRange(err, chain)
			}
			var passage *float64
			switch x, err := chain.Passage(); {
			case errors.Is(err, dynamics.ErrSingleState):
				say(c, "no first passage: %v", err)
			case err != nil:
				return beyondRange(err, chain)
			default:
				passage = &x
			}
			r := struct {
				dynamics.Relaxation
				Log10   *float64 `json:"log10_relaxation_time,omitempty"`
				Passage *float64 `json:"mean_first_passage"` // null where the model has a single state
				States  int      `json:"states"`
				Method  string   `json:"method"`
			}{Relaxation: relaxation, Passage: passage, States: chain.States(), Method: chain.Method}
			if r.Time > 0 {
				log := math.Log10(r.Time)
				r.Log10 = &log
			}
			return out.show(c, r, func() (plot.Figure, error) { return stationaryPlot(chain), nil }, func(w io.Writer) {
				fmt.Fprintf(w, "relaxation time      %.12g steps\n", r.Time)
				if passage != nil {
					fmt.Fprintf(w, "mean first passage   %.12g steps\n", *passage)
				}
				fmt.Fprintf(w, "spectral gap         %.12g\n", r.Gap)
				fmt.Fprintf(w, "%d states, %s\n", r.States, r.Method)
			})
		})
}

// slowStates is the number of states above which the elimination takes more than some seconds.
const slowStates = 1500

// beyondRange adds an estimate of the time to the error about times that no float64 can hold.
func beyondRange(err error, c *dynamics.Chain) error {
	if log := c.LogTimeEstimate(); log > 0 && errors.Is(err, dynamics.ErrBeyondRange) {
		return fmt.Errorf("%w; N times the barrier is %.1f, so the relaxation time is about 10^%.0f; try "+
			"fewer spins or a smaller w", err, log, log/math.Ln10)
	}
	return err
}
