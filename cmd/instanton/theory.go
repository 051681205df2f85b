package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"instanton/plot"
	"instanton/theory"
)

func newTheory() *cobra.Command {
	c := group(&cobra.Command{
		Use:   "theory",
		Short: "Compute free energies, critical points, barriers and exact dynamics",
		Long: `Compute what theory predicts for mean-field models: free-energy landscapes in the limit of many
spins, and exact dynamics for few. ` + figureHelp,
		Example: `  instanton theory curie-weiss --w 1.1
  instanton theory hopfield --m 3 --w 1.5 --json
  instanton theory structured --m 4 --w 2.2 --overlap ring:0.02
  instanton theory dynamics curie-weiss --n 128 --w 1.2 --kernel gibbs`,
	})
	c.AddCommand(theoryCurieWeiss(), theoryHopfield(), theoryStructured(), theoryPerturbation(), theoryDynamics())
	return c
}

// theoryCommand makes a command that prints results and can draw them.
func theoryCommand(use, short, example string, flags func(c *cobra.Command),
	report func(out *figureOutput, c *cobra.Command) error) *cobra.Command {
	var out figureOutput
	c := &cobra.Command{
		Use: use, Short: short, Example: example, Args: arguments(0, 0, "none"),
		Long: short + ".\n\n" + figureHelp,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := out.check(); err != nil {
				return err
			}
			return report(&out, c)
		},
	}
	flags(c)
	out.flags(c)
	return c
}

func theoryCurieWeiss() *cobra.Command {
	var model theory.CurieWeiss
	return theoryCommand("curie-weiss", "Compute the states and the barrier of the mean-field ferromagnet",
		"  instanton theory curie-weiss --w 1.1 --json",
		func(c *cobra.Command) { c.Flags().Float64Var(&model.W, "w", 1.1, "weight; two states above w = 1") },
		func(out *figureOutput, c *cobra.Command) error {
			var r struct {
				Magnetization float64 `json:"magnetization"`
				FreeEnergy    float64 `json:"free_energy"`
				Barrier       float64 `json:"barrier"`
				DecayTime     float64 `json:"decay_time"`
			}
			var err error
			if r.Magnetization, err = model.Magnetization(); err != nil {
				return usage(err)
			}
			r.FreeEnergy = model.FreeEnergy(r.Magnetization)
			if r.Barrier, err = model.Barrier(); err != nil {
				return err
			}
			if r.DecayTime, err = model.DecayTime(); err != nil {
				return err
			}
			return out.show(c, r, func() (plot.Figure, error) { return curieWeissPlot(model) }, func(w io.Writer) {
				fmt.Fprintf(w, "magnetization m*     %.14g\nfree energy f(m*)    %.14g\n"+
					"barrier f(0)−f(m*)   %.14g\ndecay time of Φ(T)   %.14g steps\n",
					r.Magnetization, r.FreeEnergy, r.Barrier, r.DecayTime)
			})
		})
}

// hopfieldState is a critical point of the Hopfield model as JSON.
type hopfieldState struct {
	Components int `json:"components"`
	theory.CriticalPoint
}

func theoryHopfield() *cobra.Command {
	var h theoryHopfieldFlags
	return theoryCommand("hopfield", "Compute Mattis states, mixtures and the barrier between patterns",
		"  instanton theory hopfield --m 3 --w 1.5\n"+
			"  instanton theory hopfield --m 3 --w 1.5 --n 64 --patterns random --seed 2 --json",
		h.flags,
		func(out *figureOutput, c *cobra.Command) error {
			model, err := h.model()
			if err != nil {
				return usage(err)
			}
			l, err := model.Landscape()
			if err != nil {
				return usage(err)
			}
			graph, err := l.Graph()
			if err != nil {
				return err
			}
			var r struct {
				States  []hopfieldState       `json:"states"`
				Barrier *float64              `json:"barrier"`
				Saddle  *theory.CriticalPoint `json:"saddle"`
				Search  string                `json:"search"`
			}
			for _, p := range graph.Critical.Points {
				r.States = append(r.States, hopfieldState{p.Components(), p})
			}
			r.Search = graph.Critical.Search()
			if _, err := model.Mattis(1, 1); err != nil {
				return usage(err)
			}
			route, err := betweenPatterns(model, graph)
			if err != nil {
				say(c, "no barrier was found: %v", err)
			}
			if route != nil {
				r.Barrier = &route.Barrier
				for k := range route.Stops {
					if r.Saddle == nil || route.Stops[k].F > r.Saddle.F {
						r.Saddle = &route.Stops[k]
					}
				}
			}
			return out.show(c, r, func() (plot.Figure, error) { return criticalPlot(graph.Critical.Points), nil },
				func(w io.Writer) {
					t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
					fmt.Fprintln(t, "components\tindex\tcopies\tf\tm\t")
					for _, s := range r.States {
						fmt.Fprintf(t, "%d\t%d\t%d\t%.12g\t%.6g\t\n", s.Components, s.Index, s.Copies, s.F, s.M)
					}
					t.Flush()
					if r.Barrier != nil {
						fmt.Fprintf(w, "barrier between two patterns: %.14g\n", *r.Barrier)
					}
					fmt.Fprintln(w, r.Search)
				})
		})
}

// betweenPatterns is the route over the lowest pass from the first pattern to the second or, if there is only one
// pattern, to its opposite.
func betweenPatterns(model theory.Hopfield, g *theory.Graph) (*theory.Route, error) {
	from, err := model.State(1, 1)
	if err != nil {
		return nil, err
	}
	number, sign := 2, 1.0
	if model.M < 2 {
		number, sign = 1, -1
	}
	to, err := model.State(number, sign)
	if err != nil {
		return nil, err
	}
	return g.Lowest(from, to)
}

// theoryHopfieldFlags are the flags that describe a Hopfield model to the theory.
type theoryHopfieldFlags struct {
	m, n     int
	w        float64
	patterns string
	seed     uint64
}

func (h *theoryHopfieldFlags) flags(c *cobra.Command) {
	c.Flags().IntVar(&h.m, "m", 3, "number of patterns")
	c.Flags().Float64Var(&h.w, "w", 1.5, "weight")
	c.Flags().IntVar(&h.n, "n", 0, "number of spins; 0 for the limit of many spins")
	c.Flags().StringVar(&h.patterns, "patterns", "orthogonal", "orthogonal, or, with --n, random")
	seedFlag(c, &h.seed)
}

func (h *theoryHopfieldFlags) model() (theory.Hopfield, error) {
	model := theory.Hopfield{W: h.w, M: h.m}
	if h.n == 0 {
		if h.patterns != "orthogonal" {
			return model, fmt.Errorf("--patterns %s needs a number of spins: give --n; in the limit of many spins the "+
				"patterns are orthogonal", h.patterns)
		}
		return model, nil
	}
	built, err := (&hopfield{n: h.n, m: h.m, w: h.w, patterns: h.patterns, seed: h.seed}).build()
	if err != nil {
		return model, err
	}
	for mu := range h.m {
		row := make([]int, h.n)
		for i := range row {
			row[i] = int(built.Patterns.Value(mu, i))
		}
		model.Patterns = append(model.Patterns, row)
	}
	return model, nil
}
