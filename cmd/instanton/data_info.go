package main

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"instanton/dataset"
	"instanton/unit"
)

func dataInfo() *cobra.Command {
	var figure figureOutput
	c := &cobra.Command{
		Use:   "info FILE",
		Short: "Show sizes, marginals, classes and duplicates of a data set",
		Long: `Summarise a data set, a sample file, an alignment, a table or an array on standard output; --json
also has the marginals of every unit.

--preview draws a sheet of images, or a sequence logo. The height of a column of a logo is its
information, log2 q minus its entropy; gaps count as a letter but are not drawn.`,
		Example: "  instanton data info mnist01.npz --preview sheet.png\n  instanton data info family.fasta --json",
		Args:    arguments(1, 1, "one file of data"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := figure.check(); err != nil {
				return err
			}
			d, err := dataset.Read(args[0])
			if err != nil {
				return err
			}
			if d.States.Len == 0 {
				return fmt.Errorf("%s holds no configurations", args[0])
			}
			if figure.path != "" {
				picture, err := encodePreview(d, &figure)
				if err == nil {
					err = writeBytes(figure.path, figure.force, picture)
				}
				if err != nil {
					return err
				}
			}
			s := d.Summary()
			if figure.asJSON {
				return printJSON(c, s)
			}
			out := bufio.NewWriter(c.OutOrStdout())
			printDataSummary(out, s)
			return out.Flush()
		},
	}
	c.Flags().StringVar(&figure.path, "preview", "",
		"draw the images, or a sequence logo, to this file (.png, .svg or .pdf)")
	c.Flags().BoolVar(&figure.force, "force", false, "replace the picture if it exists")
	jsonFlag(c, &figure.asJSON)
	return c
}

func printDataSummary(out io.Writer, s *dataset.Summary) {
	line := func(name, format string, args ...any) {
		fmt.Fprintf(out, "%-14s "+format+"\n", append([]any{name}, args...)...)
	}
	line("name", "%s", s.Name)
	line("samples", "%d, %d distinct, %d duplicates", s.Samples, s.Distinct, s.Duplicates)
	line("units", "%s", s.Visible)
	if s.Shape != nil {
		line("images", "%d rows, %d columns", s.Shape[0], s.Shape[1])
	}
	if s.Alphabet != "" {
		line("alphabet", "%s", s.Alphabet)
	}
	for _, class := range s.Classes {
		line("class "+class.Name, "%d", class.Count)
	}
	if w := s.Weights; w != nil {
		line("weights", "%.6g to %.6g, sum (effective number) %.6g", w.Min, w.Max, w.Sum)
	}
	if d := s.Discrete; d != nil {
		printStates(line, s, d)
	}
	if r := s.Real; r != nil {
		line("values", "%.6g to %.6g, unit means %.6g to %.6g", r.Min, r.Max, slices.Min(r.Mean), slices.Max(r.Mean))
	}
	for _, key := range slices.Sorted(maps.Keys(s.Info)) {
		line(key, "%s", s.Info[key])
	}
	for _, source := range s.Sources {
		line("from", "%s, SHA-256 %s", source.Name, source.SHA256)
	}
}

// printStates shows how often units take their states.
func printStates(line func(name, format string, args ...any), s *dataset.Summary, d *dataset.DiscreteSummary) {
	if s.Visible.Type != unit.Potts {
		lo, hi := 1.0, 0.0
		for _, p := range d.Marginals {
			lo, hi = min(lo, p[1]), max(hi, p[1])
		}
		line("on", "%.4f on average, %.4f to %.4f by unit", d.Frequencies[1], lo, hi)
	} else {
		text := ""
		for a, x := range d.Frequencies {
			if a == 30 { // the rest is in --json
				text += " …"
				break
			}
			if s.Alphabet != "" {
				text += fmt.Sprintf(" %c %.3f", s.Alphabet[a], x)
			} else {
				text += fmt.Sprintf(" %d: %.3f", a, x)
			}
		}
		line("states", "%s", text[1:])
		if share, ok := s.GapShare(); ok {
			line("gaps", "%.4f on average", share)
		}
	}
	line("entropy", "%.4f bits per unit; %d of %d units are constant", d.Entropy, d.ConstantUnits, s.Visible.N)
}
