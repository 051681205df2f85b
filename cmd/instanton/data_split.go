package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"instanton/dataset"
	"instanton/internal/atomicfile"
)

func dataSplit() *cobra.Command {
	var paths []string
	var fractions []float64
	var identity float64
	var force bool
	var seed uint64
	c := &cobra.Command{
		Use:   "split FILE -o TRAIN.npz -o TEST.npz",
		Short: "Divide a data set into parts at random, or by families",
		Long: `Divide a data set into as many parts as there are outputs, of the sizes given by --fractions. The rows
of the input that a part has, counted from 1, are in its info (in .npz files).

With --identity, configurations that agree in at least this fraction of the units stay together, and
with everything linked to them, so that no part has close relatives of another. The sizes are then as
close as the families allow.`,
		Example: `  instanton data split family.npz --fractions 0.8,0.2 -o train.npz -o test.npz
  instanton data split family.fasta --identity 0.8 -o train.npz -o test.npz`,
		Args: arguments(1, 1, "one file of data"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkParts(paths, fractions, force, args[0]); err != nil {
				return err
			}
			if c.Flags().Changed("identity") && !(identity > 0 && identity <= 1) {
				return usage(fmt.Errorf("--identity %g: expected a fraction above 0 and at most 1", identity))
			}
			d, err := readSource(args[0])
			if err != nil {
				return err
			}
			parts, err := d.Split(fractions, identity, seed)
			if err != nil {
				return usage(fmt.Errorf("--fractions: %w", err))
			}
			for k, rows := range parts {
				if len(rows) == 0 {
					return fmt.Errorf("%s would be empty: %d configurations of %s do not divide by %v", paths[k],
						d.States.Len, args[0], fractions)
				}
			}
			for k, rows := range parts {
				p := d.PickRecorded(rows)
				if err := p.Save(paths[k], force); err != nil {
					return err
				}
				say(c, "%s: %d of %d configurations", paths[k], len(rows), d.States.Len)
			}
			return nil
		},
	}
	c.Flags().StringArrayVarP(&paths, "output", "o", nil, "data set to write; give one -o for each part")
	c.Flags().BoolVar(&force, "force", false, "replace output files that exist")
	c.Flags().Float64SliceVar(&fractions, "fractions", []float64{0.8, 0.2}, "sizes of the parts, which sum to 1")
	c.Flags().Float64Var(&identity, "identity", 0,
		"keep configurations together that agree in this fraction of the units")
	seedFlag(c, &seed)
	return c
}

// checkParts refuses outputs that cannot be written, before the work is done.
func checkParts(paths []string, fractions []float64, force bool, input string) error {
	if len(paths) < 2 || len(paths) != len(fractions) {
		return usage(fmt.Errorf("%d outputs for %d fractions: expected one -o FILE for each, two or more", len(paths),
			len(fractions)))
	}
	for k, path := range paths {
		if err := dataset.CheckName(path); err != nil {
			return usage(err)
		}
		for _, other := range paths[:k] {
			if other == path {
				return usage(fmt.Errorf("output %q is given twice", path))
			}
		}
		if err := (&output{path: path}).notAnInput(input); err != nil {
			return err
		}
		if err := atomicfile.Check(path, force); err != nil {
			return err
		}
	}
	return nil
}

// readSource reads a data set and records where it comes from.
func readSource(path string) (*dataset.Dataset, error) {
	d, err := dataset.Read(path)
	if err != nil {
		return nil, err
	}
	if d.States.Len == 0 {
		return nil, fmt.Errorf("%s holds no configurations", path)
	}
	return d, d.AddSource(path)
}

func dataFilter() *cobra.Command {
	var f dataset.Filter
	var out dataOutput
	c := &cobra.Command{
		Use:   "filter FILE -o DATA.npz",
		Short: "Keep some configurations of a data set",
		Long: `Keep the configurations that pass every test that is given: few gaps, a length, certain labels, and no
close relative among those kept before. The rows of the input that are kept, counted from 1, are in
the info of the result (in .npz files).`,
		Example: `  instanton data filter family.fasta --max-gaps 0.2 --identity 0.9 -o clean.npz
  instanton data filter mnist.npz --label 0 --label 1 -o binary.npz`,
		Args: arguments(1, 1, "one file of data"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := out.check(); err != nil {
				return err
			}
			if err := (&output{path: out.path}).notAnInput(args...); err != nil {
				return err
			}
			f.HasGaps = c.Flags().Changed("max-gaps")
			if f.HasGaps && !(f.MaxGaps >= 0 && f.MaxGaps <= 1) {
				return usage(fmt.Errorf("--max-gaps %g: expected a fraction from 0 to 1", f.MaxGaps))
			}
			if c.Flags().Changed("identity") && !(f.Identity > 0 && f.Identity <= 1) {
				return usage(fmt.Errorf("--identity %g: expected a fraction above 0 and at most 1", f.Identity))
			}
			d, err := readSource(args[0])
			if err != nil {
				return err
			}
			rows, err := f.Rows(d)
			if err != nil {
				return usage(err)
			}
			if len(rows) == 0 {
				return fmt.Errorf("none of the %d configurations of %s pass", d.States.Len, args[0])
			}
			say(c, "kept %d of %d configurations", len(rows), d.States.Len)
			return out.write(c, d.PickRecorded(rows))
		},
	}
	c.Flags().Float64Var(&f.Identity, "identity", 0,
		"leave out configurations that agree with one kept before in at least this fraction of the units")
	c.Flags().Float64Var(&f.MaxGaps, "max-gaps", 0, "largest fraction of gaps in a sequence")
	c.Flags().IntVar(&f.MinLength, "min-length", 0, "least number of letters that are not gaps")
	c.Flags().IntVar(&f.MaxLength, "max-length", 0, "largest number of such letters; 0 for any")
	c.Flags().StringArrayVar(&f.Labels, "label", nil, "keep configurations with this label; may be repeated")
	out.flags(c)
	return c
}

func dataMerge() *cobra.Command {
	var bySource bool
	var out dataOutput
	c := &cobra.Command{
		Use:   "merge FILE FILE… -o DATA.npz",
		Short: "Put data sets into one",
		Long: `Put data sets of the same units into one, in order. If none of them has labels, or with
--label-by-source, the label of a configuration is the name of its file without its ending; otherwise
labels of the same name are one class. Sequences are recoded to the alphabet of the first file.`,
		Example: "  instanton data merge kinases.fasta phosphatases.fasta -o both.npz",
		Args:    arguments(2, 1000, "two or more files of data"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := out.check(); err != nil {
				return err
			}
			if err := (&output{path: out.path}).notAnInput(args...); err != nil {
				return err
			}
			var sets []*dataset.Dataset
			var names []string
			for _, path := range args {
				d, err := readSource(path)
				if err != nil {
					return err
				}
				name, _, _ := strings.Cut(filepath.Base(path), ".")
				sets, names = append(sets, d), append(names, name)
			}
			d, err := dataset.Merge(sets, names, bySource)
			if err != nil {
				return err
			}
			return out.write(c, d)
		},
	}
	c.Flags().BoolVar(&bySource, "label-by-source", false, "label configurations by the file that they come from")
	out.flags(c)
	return c
}
