package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"instanton/plot"
	"instanton/theory"
)

func newPath() *cobra.Command {
	c := group(&cobra.Command{
		Use:   "path",
		Short: "Find the most likely path of alternating Gibbs sampling between two states",
		Long: `Find the path of T steps that minimises the action Φ, where e^{−NΦ} is its probability: the way in
which N spins most likely go from one state to another in T steps, for large N. Print the action, its
limit for many steps, the order in which the hidden units flip, and other local optima.`,
		Example: `  instanton path curie-weiss --w 1.1 --from + --to - --steps 50
  instanton path hopfield --m 3 --w 1.5 --from 1 --to 2 --steps 50 --json
  instanton path structured --m 4 --w 2.2 --overlap ring:0.02 --from ++++ --to ---- --steps 250 -o ring.pdf`,
	})
	c.AddCommand(
		pathOf("curie-weiss", "mean-field ferromagnet", "+ and - for the two states, 0 for the saddle between them",
			"+", "-",
			"  instanton path curie-weiss --w 1.1 --steps 50 --json",
			func(c *cobra.Command) func() (*theory.Landscape, parser, error) {
				w := c.Flags().Float64("w", 1.1, "weight; two states above w = 1")
				return func() (*theory.Landscape, parser, error) { return bySigns(theory.CurieWeiss{W: *w}) }
			}),
		pathOf("hopfield", "Hopfield model", "1, 2, … for a pattern, -1, -2, … for its opposite", "1", "2",
			"  instanton path hopfield --m 3 --w 1.5 --from 1 --to 2 --steps 50",
			func(c *cobra.Command) func() (*theory.Landscape, parser, error) {
				var h theoryHopfieldFlags
				h.flags(c)
				return func() (*theory.Landscape, parser, error) {
					model, err := h.model()
					if err != nil {
						return nil, nil, err
					}
					l, err := model.Landscape()
					return l, model.ParseState, err
				}
			}),
		pathOf("structured", "model whose hidden units share visible units",
			"one sign per hidden unit, such as ++ or +-", "++", "--",
			"  instanton path structured --m 2 --w 1.626 --overlap all:0.02 --from ++ --to -- --steps 100",
			func(c *cobra.Command) func() (*theory.Landscape, parser, error) {
				var s structuredFlags
				s.flags(c)
				return func() (*theory.Landscape, parser, error) {
					model, err := s.model()
					if err != nil {
						return nil, nil, err
					}
					return bySigns(model)
				}
			}))
	return c
}

// maxSteps bounds the memory of a path.
const maxSteps = 100000

// parser reads a state.
type parser func(text string) ([]float64, error)

func bySigns(m theory.Model) (*theory.Landscape, parser, error) {
	l, err := m.Landscape()
	if err != nil {
		return nil, nil, err
	}
	return l, l.ParseState, nil
}

func pathOf(use, name, states, from, to, example string,
	model func(c *cobra.Command) func() (*theory.Landscape, parser, error)) *cobra.Command {
	var steps int
	var landscape func() (*theory.Landscape, parser, error)
	return theoryCommand(use, "Find the path between two states of the "+name, example,
		func(c *cobra.Command) {
			c.Flags().StringVar(&from, "from", from, "first state: "+states+"; or order parameters separated by commas")
			c.Flags().StringVar(&to, "to", to, "last state, in the same form")
			c.Flags().IntVar(&steps, "steps", 50, "number T of steps")
			landscape = model(c)
		},
		func(out *figureOutput, c *cobra.Command) error {
			if steps < 1 || steps > maxSteps {
				return usage(fmt.Errorf("--steps %d: expected between 1 and %d", steps, maxSteps))
			}
			l, parse, err := landscape()
			if err != nil {
				return usage(err)
			}
			p := theory.PathProblem{Steps: steps}
			if p.From, err = parse(from); err != nil {
				return usage(err)
			}
			if p.To, err = parse(to); err != nil {
				return usage(err)
			}
			optima, err := l.Optima(p)
			if err != nil {
				return err
			}
			r := pathReport{Path: optima[0].Path}
			limit, unknown := l.Limit(p, r.Path)
			if unknown == nil {
				r.Limit, r.LimitIs = &limit.Action, "by longer paths"
				if limit.Ascents {
					r.LimitIs = "the sum of the ascents"
				}
			}
			for _, o := range optima {
				r.Optima = append(r.Optima,
					optimum{o.Action, o.Order, o.FlipTimes, o.GradientNorm, o.LowestCurvature, o.Copies})
			}
			return out.show(c, r, func() (plot.Figure, error) { return pathPlot(r.Path), nil }, func(w io.Writer) {
				fmt.Fprintf(w, "action Φ          %.14g\n", r.Action)
				if r.Limit != nil {
					fmt.Fprintf(w, "limit T → ∞       %.14g, %s\n", *r.Limit, r.LimitIs)
				} else {
					fmt.Fprintf(w, "limit T → ∞       unknown: %v\n", unknown)
				}
				fmt.Fprintf(w, "order of flips    %v at steps %v\ngradient norm     %.3g, lowest curvature %.3g\n",
					r.Order, r.FlipTimes, r.GradientNorm, r.LowestCurvature)
				for _, o := range r.Optima[1:] {
					fmt.Fprintf(w, "another optimum   Φ = %.14g, order %v\n", o.Action, o.Order)
				}
			})
		})
}

// pathReport is the best path, its limit and the other optima.
type pathReport struct {
	*theory.Path
	Limit   *float64  `json:"limit"`
	LimitIs string    `json:"limit_from,omitempty"` // where it comes from: the sum of ascents, or longer paths
	Optima  []optimum `json:"optima"`
}

type optimum struct {
	Action          float64 `json:"action"`
	Order           []int   `json:"order"`
	FlipTimes       []int   `json:"flip_times"`
	GradientNorm    float64 `json:"gradient_norm"`
	LowestCurvature float64 `json:"lowest_curvature"`
	Copies          int     `json:"copies"`
}
