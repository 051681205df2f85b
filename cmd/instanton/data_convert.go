package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"instanton/dataset"
	"instanton/unit"
)

// convertFlags are what is done to a data set on its way.
type convertFlags struct {
	alphabet, unknown string
	keepInserts       bool
	unique            bool
	identity          float64
	visible           string
	shape             []int
	workers           int
}

func dataConvert() *cobra.Command {
	var f convertFlags
	var out dataOutput
	c := &cobra.Command{
		Use:     "convert FILE -o DATA.npz",
		Aliases: []string{"fasta", "import"},
		Short:   "Read an alignment, a table or an array, and write it in another format",
		Long: `Read FASTA (also .gz), a table of numbers in text (.csv, .txt; also .gz), .npy or .npz, and
write .npz, .npy, .csv or .fasta, as the output is named. FASTA and tables can be given to
other commands as they are; converting them lets one choose the alphabet, drop copies and
give weights.

FASTA: all sequences must have the same number of columns. Lower case letters and '.' are
insert states (a2m, a3m) and dropped, unless --keep-inserts makes them letters and gaps.

Alphabets: ` + strings.Join(dataset.AlphabetNames(), ", ") + `, or the
letters in the order of their codes. By default protein, dna or rna is told from the
letters, with the gap first if there are gaps.`,
		Example: `  instanton data convert family.fasta --unique --identity 0.8 -o family.npz
  instanton data convert family.a3m.gz --alphabet protein-gap-last --unknown gap -o family.npz
  instanton data convert table.csv --shape 28,28 -o images.npz
  instanton data convert family.npz -o family.fasta`,
		Args: arguments(1, 1, "one file of data"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := out.check(); err != nil {
				return err
			}
			if err := (&output{path: out.path}).apart(args[0]); err != nil {
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
		"alphabet of sequences, or its letters in order; names the states of data without letters")
	c.Flags().StringVar(&f.unknown, "unknown", "refuse",
		"letters outside the alphabet: refuse, gap, or drop the sequence")
	c.Flags().BoolVar(&f.keepInserts, "keep-inserts", false, "lower case letters and '.' are letters and gaps")
	c.Flags().BoolVar(&f.unique, "unique", false, "drop copies of earlier configurations")
	c.Flags().Float64Var(&f.identity, "identity", 0,
		"give weights 1/n by the number n of configurations with at least this share of equal units")
	c.Flags().StringVar(&f.visible, "visible", "", "units: spin, bernoulli, potts:NxQ, …; as the data say by default")
	c.Flags().IntSliceVar(&f.shape, "shape", nil, "rows and columns, where configurations are images")
	c.Flags().IntVar(&f.workers, "workers", 0, "goroutines; 0 for one per processor")
	out.flags(c)
	return c
}

// convert reads the file and does what the flags say.
func (f *convertFlags) convert(c *cobra.Command, path string) (*dataset.Dataset, error) {
	o, err := f.fasta()
	if err != nil {
		return nil, usage(err)
	}
	if f.workers < 0 {
		return nil, usage(fmt.Errorf("--workers %d: expected at least 0", f.workers))
	}
	if c.Flags().Changed("identity") && !(f.identity > 0 && f.identity <= 1) {
		return nil, usage(fmt.Errorf("--identity %g: expected a share above 0 and up to 1", f.identity))
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
	if f.shape != nil {
		d.Shape = f.shape
		if err := d.Check(); err != nil {
			return nil, usage(fmt.Errorf("--shape: %w", err))
		}
	}
	if f.unique {
		before := d.States.Len
		d = d.Unique()
		say(c, "%d of %d are copies and dropped", before-d.States.Len, before)
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

// as reads the configurations as the units that are asked for.
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
	return dataset.ReadUnits(path, spec)
}
