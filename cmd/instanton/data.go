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
		Short: "Make, fetch, convert, divide or inspect a data set",
		Long: `Make, fetch or convert a data set and write it to the file given by -o, or show what is in one.
A data set is a .npz file of configurations, with labels, weights, an alphabet or the shape of
images if it has them.`,
		Example: `  instanton data bas --size 4 -o bas.npz
  instanton data mnist --digits 0,1 -o mnist01.npz
  instanton data convert family.fasta --identity 0.8 -o family.npz
  instanton data split family.npz --identity 0.8 -o train.npz -o test.npz
  instanton data info family.npz --preview logo.png`,
	})
	c.AddCommand(dataBAS(), interruptible(dataMNIST()), interruptible(dataLattice()), dataCurieWeiss(),
		interruptible(dataHopfield()), dataConvert(), dataSplit(), dataFilter(),
		dataMerge(), dataInfo())
	return c
}

// dataOutput holds the flags of commands that write a data set.
type dataOutput struct {
	path    string
	force   bool
	preview string
}

func (o *dataOutput) flags(c *cobra.Command) {
	c.Flags().StringVarP(&o.path, "output", "o", "",
		"data set to write: .npz, or .npy, .csv or .fasta, which hold less")
	c.Flags().BoolVar(&o.force, "force", false, "replace the output files if they exist")
	c.Flags().StringVar(&o.preview, "preview", "",
		"also draw the images, or a sequence logo, to this file (.png, .svg or .pdf)")
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

// write writes the data set and, if asked for, the picture; neither if the picture cannot be drawn.
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
		Use: use + " -o DATA.npz", Short: short, Example: example, Args: arguments(0, 0, "none"),
		Long: long + "\n\nThe data set is written to the file given by -o; a message says what is in it.",
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
	return maker("bas", "Make Bars and Stripes",
		"Make images of L×L pixels in which whole columns (bars) or whole rows (stripes) are on: all\n"+
			"2^(L+1)−2 of them, or --count random ones. The labels are 0 for a bar, 1 for a stripe and 2 for\n"+
			"the two images that are both.",
		"  instanton data bas --size 4 -o bas.npz\n  instanton data bas --size 10 --count 10000 -o bas10.npz",
		func(c *cobra.Command) {
			c.Flags().IntVar(&size, "size", 4, "side L of the images in pixels")
			c.Flags().IntVar(&count, "count", 0, "number of random images; if not given, every image once")
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
	return maker("curie-weiss", "Draw exact samples of the mean-field ferromagnet",
		"Draw exact, independent samples of the mean-field ferromagnet (Curie–Weiss model).",
		"  instanton data curie-weiss --n 64 --w 1.2 --count 5000 -o cw-data.npz",
		func(c *cobra.Command) {
			c.Flags().IntVar(&n, "n", 128, "number of spins")
			c.Flags().Float64Var(&w, "w", 1.2, "weight; two states above w = 1")
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
	return maker("hopfield", "Draw samples of a Hopfield model",
		"Run many chains of alternating Gibbs sampling, each from a random pattern or its opposite, and\n"+
			"keep the last configuration of each. With orthogonal patterns these states are equally likely.\n"+
			"The label is the pattern where the chain started, counted from 0; opposites come after the\n"+
			"patterns.",
		"  instanton data hopfield --n 128 --m 6 --w 1.5 --count 1000 -o hopfield-data.npz",
		func(c *cobra.Command) {
			h.flags(c)
			c.Flags().IntVar(&count, "count", 1000, "number of samples")
			c.Flags().IntVar(&sweeps, "sweeps", 200, "sweeps of each chain")
		},
		func(c *cobra.Command) (*dataset.Dataset, error) {
			if count < 1 || sweeps < 1 {
				return nil,
					usage(fmt.Errorf("--count %d and --sweeps %d: expected both to be at least 1", count, sweeps))
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
