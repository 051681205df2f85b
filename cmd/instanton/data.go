package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"instanton/dataset"
	"instanton/sampler"
	"instanton/unit"
)

func newData() *cobra.Command {
	c := group(&cobra.Command{
		Use:   "data",
		Short: "Make a data set",
		Example: `  instanton data bas --size 4 -o bas.npz
  instanton data curie-weiss --n 64 --w 1.2 --count 5000 -o cw-data.npz
  instanton data hopfield --n 128 --m 6 --w 1.5 --count 1000 -o hopfield-data.npz`,
	})
	c.AddCommand(dataBAS(), dataCurieWeiss(), interruptible(dataHopfield()))
	return c
}

// maker makes the command of one kind of data set.
func maker(use, short, long, example string, flags func(c *cobra.Command), makeSet func(c *cobra.Command) (*dataset.Dataset, error)) *cobra.Command {
	var out output
	c := &cobra.Command{
		Use: use + " -o DATA.npz", Short: short, Long: long, Example: example, Args: arguments(0, 0, "none"),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := out.check(); err != nil {
				return err
			}
			d, err := makeSet(c)
			if err != nil {
				return err
			}
			if err := d.Save(out.path, out.force); err != nil {
				return err
			}
			say(c, "%s: %d configurations of %s", out.path, d.States.Len, d.States.Spec)
			return nil
		},
	}
	flags(c)
	out.flags(c, "data set")
	return c
}

func dataBAS() *cobra.Command {
	var size, count int
	var visible string
	var seed uint64
	return maker("bas", "Bars and Stripes",
		"All 2^(L+1)−2 distinct images of L×L pixels with whole columns or whole rows on, or --count\nof them at random. Labels: 0 bar, 1 stripe, 2 both.",
		"  instanton data bas --size 4 -o bas.npz\n  instanton data bas --size 10 --count 10000 -o bas10.npz",
		func(c *cobra.Command) {
			c.Flags().IntVar(&size, "size", 4, "side L of the images")
			c.Flags().IntVar(&count, "count", 0, "number of random images; all images once if not given")
			c.Flags().StringVar(&visible, "visible", "spin", "pixels as spin (±1) or bernoulli (0/1)")
			seedFlag(c, &seed)
		},
		func(c *cobra.Command) (*dataset.Dataset, error) {
			kind, err := unit.ParseType(visible)
			if err != nil {
				return nil, usage(fmt.Errorf("--visible: %w", err))
			}
			var d *dataset.Dataset
			if c.Flags().Changed("count") {
				d, err = dataset.RandomBarsAndStripes(size, count, kind, seed)
			} else {
				d, err = dataset.BarsAndStripes(size, kind)
			}
			return d, usage(err)
		})
}

func dataCurieWeiss() *cobra.Command {
	var n, count int
	var w float64
	var seed uint64
	return maker("curie-weiss", "Exact, independent samples of the mean-field ferromagnet", "",
		"  instanton data curie-weiss --n 64 --w 1.2 --count 5000 -o cw-data.npz",
		func(c *cobra.Command) {
			c.Flags().IntVar(&n, "n", 128, "number of spins")
			c.Flags().Float64Var(&w, "w", 1.2, "weight")
			c.Flags().IntVar(&count, "count", 1000, "number of samples")
			seedFlag(c, &seed)
		},
		func(*cobra.Command) (*dataset.Dataset, error) {
			d, err := dataset.CurieWeiss(n, w, count, seed)
			return d, usage(err)
		})
}

func dataHopfield() *cobra.Command {
	var h hopfield
	var count, sweeps int
	return maker("hopfield", "Samples of a Hopfield model",
		"One configuration from each of many chains of alternating Gibbs sampling, started at a\nrandom pattern or its opposite: for orthogonal patterns these states are equally likely.\nLabels: the pattern a chain started from, counted from zero; opposites follow after the\npatterns.",
		"  instanton data hopfield --n 128 --m 6 --w 1.5 --count 1000 -o hopfield-data.npz",
		func(c *cobra.Command) {
			h.flags(c)
			c.Flags().IntVar(&count, "count", 1000, "number of samples")
			c.Flags().IntVar(&sweeps, "sweeps", 200, "sweeps of each chain")
		},
		func(c *cobra.Command) (*dataset.Dataset, error) {
			if count < 1 || sweeps < 1 {
				return nil, usage(fmt.Errorf("--count %d and --sweeps %d: expected at least one", count, sweeps))
			}
			m, err := h.build()
			if err != nil {
				return nil, usage(err)
			}
			if err := m.Visible.Spec().CheckCount(count); err != nil {
				return nil, usage(err)
			}
			return sampler.FromPatterns(c.Context(), m, count, sweeps, h.seed)
		})
}
