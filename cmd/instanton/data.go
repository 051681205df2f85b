package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"instanton/dataset"
	"instanton/internal/atomicfile"
	"instanton/synthetic"
	"instanton/unit"
)

func newData() *cobra.Command {
	c := group(&cobra.Command{
		Use:   "data",
		Short: "Make, fetch, convert or look at a data set",
		Example: `  instanton data bas --size 4 -o bas.npz
  instanton data mnist --digits 0,1 -o mnist01.npz
  instanton data convert family.fasta --identity 0.8 -o family.npz
  instanton data info family.npz --preview logo.png`,
	})
	c.AddCommand(dataBAS(), interruptible(dataMNIST()), interruptible(dataLattice()), dataCurieWeiss(),
		interruptible(dataHopfield()), dataConvert(), dataInfo())
	return c
}

// dataOutput holds the flags of commands that write a data set.
type dataOutput struct {
	path    string
	force   bool
	preview string
}

func (o *dataOutput) flags(c *cobra.Command) {
	c.Flags().StringVarP(&o.path, "output", "o", "", "data set to write (.npz; .npy, .csv, .fasta keep less)")
	c.Flags().BoolVar(&o.force, "force", false, "replace files that exist")
	c.Flags().StringVar(&o.preview, "preview", "",
		"picture to draw as well (.png, .svg or .pdf): images, or a sequence logo")
}

// check refuses paths that cannot be written, before the work is done.
func (o *dataOutput) check() error {
	if o.path == "" {
		return usage(fmt.Errorf("no output: name a file with -o FILE.npz"))
	}
	if err := dataset.CheckName(o.path); err != nil {
		return usage(err)
	}
	if err := atomicfile.Check(o.path, o.force); err != nil {
		return err
	}
	return o.figure().check()
}

func (o *dataOutput) figure() *figureOutput { return &figureOutput{path: o.preview, force: o.force} }

// write writes the set, and the picture if one is asked for; nothing if either cannot be.
func (o *dataOutput) write(c *cobra.Command, d *dataset.Dataset) error {
	var picture []byte
	if o.preview != "" {
		var err error
		if picture, err = encodePreview(d, o.figure()); err != nil {
			return err
		}
	}
	if err := d.Save(o.path, o.force); err != nil {
		return err
	}
	if o.preview != "" {
		if err := writeBytes(o.preview, o.force, picture); err != nil {
			return err
		}
	}
	say(c, "%s: %d configurations of %s", o.path, d.States.Len, d.States.Spec)
	return nil
}

// maker makes the command of one kind of data set.
func maker(use, short, long, example string, flags func(c *cobra.Command),
	makeSet func(c *cobra.Command) (*dataset.Dataset, error)) *cobra.Command {
	var out dataOutput
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
			return out.write(c, d)
		},
	}
	flags(c)
	out.flags(c)
	return c
}

func dataBAS() *cobra.Command {
	var size, count int
	var visible string
	var seed uint64
	return maker("bas", "Bars and Stripes",
		"All 2^(L+1)−2 distinct images of L×L pixels with whole columns or whole rows on, or --count\n"+
			"of them at random. Labels: 0 bar, 1 stripe, 2 both.",
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
		"One configuration from each of many chains of alternating Gibbs sampling, started at a\n"+
			"random pattern or its opposite: for orthogonal patterns these states are equally likely.\n"+
			"Labels: the pattern a chain started from, counted from zero; opposites follow after the\npatterns.",
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
			return synthetic.FromPatterns(c.Context(), m, count, sweeps, h.seed)
		})
}
