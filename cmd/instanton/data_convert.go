package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"instanton/batch"
	"instanton/dataset"
	"instanton/rbm"
	"instanton/unit"
)

// convertFlags say how a data set is converted.
type convertFlags struct {
	alphabet, unknown string
	keepInserts       bool
	unique            bool
	identity          float64
	visible           string
	shape             []int
	workers           int
	hidden            string
	seed              uint64
}

func dataConvert() *cobra.Command {
	var f convertFlags
	var out dataOutput
	c := &cobra.Command{
		Use:     "convert FILE -o DATA.npz",
		Aliases: []string{"fasta", "import"},
		Short:   "Convert an alignment, a table or an array to another format",
		Long: `Read a FASTA file, a table of numbers in text (.csv, .txt), either of them compressed (.gz) or not,
or an array (.npy, .npz), and write .npz, .npy, .csv or .fasta, depending on the name given by -o.
Other commands read FASTA and tables directly; convert them to choose the alphabet, to drop
duplicates or to weight the sequences.

All sequences of a FASTA file must have the same number of columns. Lower-case letters and '.' are
taken as insert states (a2m, a3m) and dropped; with --keep-inserts they become letters and gaps.

The alphabets are ` + strings.Join(dataset.AlphabetNames(), ", ") + `;
or give the letters in the order of their codes. By default the letters decide between protein, dna
and rna, and the gap comes first if there are gaps.

--hidden MODEL.npz replaces each configuration by hidden units of that model, drawn from P(h|v): the data
of the next model of a stack.`,
		Example: `  instanton data convert family.fasta --unique --identity 0.8 -o family.npz
  instanton data convert family.a3m.gz --alphabet protein-gap-last --unknown gap -o family.npz
  instanton data convert table.csv --shape 28,28 -o images.npz
  instanton data convert family.npz -o family.fasta
  instanton data convert train.npz --hidden rbm.npz -o hidden.npz`,
		Args: arguments(1, 1, "one file of data"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := out.check(); err != nil {
				return err
			}
			if err := (&output{path: out.path}).notAnInput(args[0]); err != nil {
				return err
			}
			d, err := f.convert(c, args[0])
			if err != nil {
				return err
			}
			return out.write(c, d)
		},
	}
	c.Flags().StringVar(&f.alphabet, "alphabet", "",
		"name of the alphabet, or its letters in order; the default is found from the data")
	c.Flags().StringVar(&f.unknown, "unknown", "refuse",
		"what to do with letters outside the alphabet: refuse, gap (replace) or drop (the sequence)")
	c.Flags().BoolVar(&f.keepInserts, "keep-inserts", false, "keep lower-case letters and '.' as letters and gaps")
	c.Flags().BoolVar(&f.unique, "unique", false, "drop duplicates of earlier configurations")
	c.Flags().Float64Var(&f.identity, "identity", 0,
		"weight each configuration by 1/n, where n configurations agree with it in at least this fraction of "+
			"the units")
	c.Flags().StringVar(&f.visible, "visible", "",
		"type of the units: spin, bernoulli, potts:NxQ, …; the default is found from the data")
	c.Flags().IntSliceVar(&f.shape, "shape", nil,
		"number of rows and columns, if configurations are images, as in 28,28")
	c.Flags().IntVar(&f.workers, "workers", 0, "number of goroutines; 0 for one per processor")
	c.Flags().StringVar(&f.hidden, "hidden", "", "model whose hidden units, drawn from P(h|v), replace the data")
	seedFlag(c, &f.seed)
	out.flags(c)
	return c
}

// convert reads the file and follows the flags.
func (f *convertFlags) convert(c *cobra.Command, path string) (*dataset.Dataset, error) {
	o, err := f.fasta()
	if err != nil {
		return nil, usage(err)
	}
	if f.workers < 0 {
		return nil, usage(fmt.Errorf("--workers %d: expected at least 0", f.workers))
	}
	if c.Flags().Changed("identity") && !(f.identity > 0 && f.identity <= 1) {
		return nil, usage(fmt.Errorf("--identity %g: expected a fraction above 0 and at most 1", f.identity))
	}
	d, err := dataset.ReadWith(path, o)
	if err == nil && f.visible != "" {
		d, err = f.as(path, d)
	}
	if err != nil {
		return nil, err
	}
	if err := d.AddSource(path); err != nil {
		return nil, err
	}
	if o.Alphabet != "" {
		if err := d.Recode(o.Alphabet); err != nil {
			return nil, err
		}
	}
	if f.hidden != "" {
		if d, err = f.drawHidden(d); err != nil {
			return nil, err
		}
	}
	if f.shape != nil {
		d.Shape = f.shape
		if err := d.Check(); err != nil {
			return nil, usage(fmt.Errorf("--shape: %w", err))
		}
	}
	if f.unique {
		before := d.States.Len
		d = d.Unique()
		say(c, "duplicates dropped: %d of %d configurations", before-d.States.Len, before)
	}
	if f.identity > 0 {
		if d.Weights, err = dataset.IdentityWeights(d.States, f.identity, f.workers); err != nil {
			return nil, err
		}
		var sum float64
		for _, w := range d.Weights {
			sum += w
		}
		say(c, "effective number at identity %g: %.1f of %d", f.identity, sum, d.States.Len)
	}
	return d, nil
}

func (f *convertFlags) fasta() (o dataset.FASTAOptions, err error) {
	o.KeepInserts = f.keepInserts
	if o.Unknown, err = dataset.ParseUnknown(f.unknown); err != nil {
		return o, fmt.Errorf("--unknown: %w", err)
	}
	if f.alphabet != "" {
		if o.Alphabet, err = dataset.ParseAlphabet(f.alphabet); err != nil {
			return o, fmt.Errorf("--alphabet: %w", err)
		}
	}
	return o, nil
}

// as reads the configurations as units of the type given by --visible.
func (f *convertFlags) as(path string, d *dataset.Dataset) (*dataset.Dataset, error) {
	text := f.visible
	if !strings.Contains(text, ":") {
		text = fmt.Sprintf("%s:%d", text, d.States.N)
	}
	spec, err := unit.ParseSpec(text)
	if err != nil {
		return nil, usage(fmt.Errorf("--visible: %w", err))
	}
	if spec == d.States.Spec {
		return d, nil
	}
	if path == dataset.StandardInput {
		return nil, usage(fmt.Errorf("--visible %s: standard input cannot be read twice: expected a file", f.visible))
	}
	return dataset.ReadUnits(path, spec)
}

// drawHidden replaces configurations by hidden units of a model.
func (f *convertFlags) drawHidden(d *dataset.Dataset) (*dataset.Dataset, error) {
	m, err := rbm.Load(f.hidden)
	if err != nil {
		return nil, err
	}
	if d.States.Spec != m.Visible.Spec() {
		return nil, usage(fmt.Errorf("--hidden %s: the model has visible units %s, the data are %s; --visible may help",
			f.hidden, m.Visible.Spec(), d.States.Spec))
	}
	e, err := batch.New(m, f.workers)
	if err != nil {
		return nil, err
	}
	h := unit.NewStates(m.Hidden.Spec(), d.States.Len)
	e.Worker().Draw(batch.Hidden, h, 0, d.States, 0, h.Len, batch.Stream{Seed: f.seed})
	out := &dataset.Dataset{Name: d.Name, States: h, Labels: d.Labels, LabelNames: d.LabelNames, Weights: d.Weights,
		Sources: d.Sources}
	return out, out.AddSource(f.hidden)
}
