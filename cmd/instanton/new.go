package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"instanton/rbm"
	"instanton/unit"
)

func newNew() *cobra.Command {
	c := group(&cobra.Command{
		Use:   "new",
		Short: "Build a model file",
		Long: `Build a model and write it to the file given by -o (.npz): one of the mean-field models of the
theory, or random weights. Models are learnt from data with 'instanton train'.`,
		Example: `  instanton new curie-weiss --n 128 --w 1.2 -o cw.npz
  instanton new hopfield --n 128 --m 6 --w 1.5 --rotate -o rotated.npz
  instanton new structured --n 400 --m 4 --w 2.2 --overlap ring:0.02 -o ring.npz
  instanton new random --visible potts:27x20 --hidden drelu:50 -o random.npz`,
	})
	c.AddCommand(newCurieWeiss(), newHopfield(), newStructured(), newRandom())
	return c
}

// builder makes the command for one kind of model from the function that builds it.
func builder(use, short, example string, flags func(c *cobra.Command), build func() (*rbm.RBM, error)) *cobra.Command {
	var out output
	c := &cobra.Command{
		Use: use + " -o MODEL.npz", Short: short, Example: example, Args: arguments(0, 0, "none"),
		Long: short + ".\n\nThe model is written to the file given by -o; a message says what is in it.",
		RunE: func(c *cobra.Command, _ []string) error {
			if err := out.check(); err != nil {
				return err
			}
			m, err := build()
			if err != nil {
				return usage(err)
			}
			if err := m.Save(out.path, out.force); err != nil {
				return err
			}
			say(c, "%s: %s visible, %s hidden units", out.path, m.Visible.Spec(), m.Hidden.Spec())
			return nil
		},
	}
	flags(c)
	out.flags(c, "model file")
	return c
}

func newCurieWeiss() *cobra.Command {
	var n int
	var w float64
	return builder("curie-weiss", "Build the mean-field ferromagnet, with one Gaussian hidden unit",
		"  instanton new curie-weiss --n 128 --w 1.2 -o cw.npz",
		func(c *cobra.Command) {
			c.Flags().IntVar(&n, "n", 128, "number of visible spins")
			c.Flags().Float64Var(&w, "w", 1.2, "weight; two states above w = 1")
		},
		func() (*rbm.RBM, error) { return rbm.CurieWeiss(n, w) })
}

func newHopfield() *cobra.Command {
	var h hopfield
	return builder("hopfield", "Build a Hopfield model, with patterns stored in Gaussian hidden units",
		"  instanton new hopfield --n 128 --m 6 --w 1.5 --patterns orthogonal -o hopfield.npz",
		func(c *cobra.Command) { h.flags(c) }, h.build)
}

// hopfield holds the flags of commands that build a Hopfield model.
type hopfield struct {
	n, m     int
	w        float64
	patterns string
	rotate   bool
	seed     uint64
}

func (h *hopfield) flags(c *cobra.Command) {
	c.Flags().IntVar(&h.n, "n", 128, "number of visible spins")
	c.Flags().IntVar(&h.m, "m", 6, "number of patterns")
	c.Flags().Float64Var(&h.w, "w", 1.5, "weight; patterns are stable above w = 1")
	c.Flags().StringVar(&h.patterns, "patterns", "orthogonal", "orthogonal (which needs n divisible by 2^m) or random")
	c.Flags().BoolVar(&h.rotate, "rotate", false,
		"mix the hidden units by a random rotation, which leaves P(v) unchanged")
	seedFlag(c, &h.seed)
}

func (h *hopfield) build() (*rbm.RBM, error) {
	var patterns *unit.States
	var err error
	switch h.patterns {
	case "orthogonal":
		patterns, err = rbm.OrthogonalPatterns(h.n, h.m)
	case "random":
		patterns, err = rbm.RandomPatterns(h.n, h.m, h.seed)
	default:
		err = fmt.Errorf("--patterns %q: expected orthogonal or random", h.patterns)
	}
	if err != nil {
		return nil, err
	}
	if h.rotate && h.m > 4096 {
		return nil, fmt.Errorf("--rotate with %d hidden units: expected at most 4096", h.m)
	}
	m, err := rbm.Hopfield(patterns, h.w)
	if err != nil || !h.rotate {
		return m, err
	}
	m.Info["rotated"] = "true"
	return m, m.Rotate(rbm.RandomRotation(h.m, h.seed))
}

func newStructured() *cobra.Command {
	var n, m int
	var w float64
	var overlap string
	return builder("structured", "Build a model whose hidden units share visible units",
		"  instanton new structured --n 400 --m 4 --w 2.2 --overlap ring:0.02 -o ring.npz",
		func(c *cobra.Command) {
			c.Flags().IntVar(&n, "n", 400, "number of visible spins")
			c.Flags().IntVar(&m, "m", 2, "number of hidden units")
			c.Flags().Float64Var(&w, "w", 1.6, "weight")
			c.Flags().StringVar(&overlap, "overlap", "all:0.02",
				"fraction of the spins that hidden units share: all:A for all pairs, ring:A for neighbours, or a .npy "+
					"file with the matrix α")
		},
		func() (*rbm.RBM, error) {
			o, err := rbm.ParseOverlap(overlap, m)
			if err != nil {
				return nil, err
			}
			return rbm.Structured(n, w, o)
		})
}

func newRandom() *cobra.Command {
	var visible, hidden string
	var scale float64
	var seed uint64
	return builder("random", "Build a model with random weights and potentials, for any two types of units",
		"  instanton new random --visible spin:16 --hidden gaussian:4 --scale 1 -o random.npz",
		func(c *cobra.Command) {
			c.Flags().StringVar(&visible, "visible", "spin:16",
				"visible layer: TYPE:N or potts:NxQ, with TYPE spin, bernoulli, potts, gaussian, relu, drelu")
			c.Flags().StringVar(&hidden, "hidden", "gaussian:4", "hidden layer, in the same form")
			c.Flags().Float64Var(&scale, "scale", 1, "standard deviation of the weights times √N")
			seedFlag(c, &seed)
		},
		func() (*rbm.RBM, error) {
			v, err := unit.ParseSpec(visible)
			if err != nil {
				return nil, fmt.Errorf("--visible: %w", err)
			}
			h, err := unit.ParseSpec(hidden)
			if err != nil {
				return nil, fmt.Errorf("--hidden: %w", err)
			}
			return rbm.Random(v, h, scale, seed)
		})
}
