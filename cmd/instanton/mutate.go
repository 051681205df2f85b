package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"instanton/dataset"
	"instanton/interpret"
	"instanton/plot"
	"instanton/rbm"
)

type mutateFlags struct {
	row, first       int
	double, measured string
	column           string
	workers          int
	out              outputs

	x        *interpret.Mutants
	notation interpret.Notation
}

func newMutate() *cobra.Command {
	var f mutateFlags
	c := &cobra.Command{
		Use:   "mutate MODEL.npz WILDTYPE.fasta",
		Short: "Compare a sequence with its mutants",
		Long: `Compute ΔE = E_eff(mutant) − E_eff(wild type) = log P(wild type)/P(mutant) of all single mutants of a
sequence: mutants with ΔE > 0 are less likely than the wild type. The figure (-o FILE.png) is a heat map
with a dot where the wild type is; .csv has the table.

--double all lists all double mutants with their epistasis ΔE(a,b) − ΔE(a) − ΔE(b); --double FILE lists
the mutants in a file, one per line, such as A12C:D15E.

--measured TABLE.csv compares −ΔE with measured effects, by Spearman's rank correlation ρ. The table has
a header, a column of mutants (A12C, or A12C:D15E for several mutations) and a column of numbers
(--column; the usual names are recognised). Mutants outside the model are left out and counted.

JSON has one object per line: "position" (from 1, or from --first), "from", "to" and "delta_energy";
with --double "mutant", "delta_energy" and "epistasis"; with --measured a single object.`,
		Example: `  instanton mutate model.npz wildtype.fasta -o mutants.csv -o mutants.png
  instanton mutate model.npz wildtype.fasta --double all -o doubles.csv
  instanton mutate model.npz wildtype.fasta --measured scan.csv --column DMS_score --first 6`,
		Args: arguments(2, 2, "a model file and a file with the wild type"),
		RunE: func(c *cobra.Command, args []string) error {
			if f.double != "" && f.measured != "" {
				return usage(errors.New("--double and --measured list different mutants: expected one of them"))
			}
			inputs := args
			for _, path := range []string{f.double, f.measured} {
				if path == "" || path == "all" {
					continue
				}
				if err := readable(path); err != nil {
					return usage(err)
				}
				inputs = append(inputs, path)
			}
			if err := f.out.check(inputs...); err != nil {
				return err
			}
			if err := f.load(c, args[0], args[1]); err != nil {
				return err
			}
			switch {
			case f.measured != "":
				return f.compare(c)
			case f.double == "all":
				return f.allDoubles(c)
			case f.double != "":
				return f.listed(c)
			}
			return f.singles(c)
		},
	}
	c.Flags().IntVar(&f.row, "row", 1, "which sequence of WILDTYPE is the wild type")
	c.Flags().IntVar(&f.first, "first", 1, "number of the first position")
	c.Flags().StringVar(&f.double, "double", "", "list double mutants: all, or those of a file")
	c.Flags().StringVar(&f.measured, "measured", "", "table of measured effects to compare with (CSV)")
	c.Flags().StringVar(&f.column, "column", "", "column of the measured numbers")
	c.Flags().IntVar(&f.workers, "workers", 0, "number of goroutines; 0 for one per processor")
	f.out.flags(c, ".csv", ".png", ".svg", ".pdf")
	return c
}

// load reads the model and the wild type.
func (f *mutateFlags) load(c *cobra.Command, model, wild string) error {
	m, err := rbm.Load(model)
	if err != nil {
		return err
	}
	d, err := dataset.ReadUnits(wild, m.Visible.Spec(), m.Info["alphabet"])
	if err != nil {
		return err
	}
	if f.row < 1 || f.row > d.States.Len {
		return usage(fmt.Errorf("--row %d: expected 1 to %d, the number of sequences in %s", f.row, d.States.Len, wild))
	}
	if d.States.Len > 1 && !c.Flags().Changed("row") {
		say(c, "%s has %d sequences: the first is the wild type (--row)", wild, d.States.Len)
	}
	f.notation = interpret.Notation{Spec: m.Visible.Spec(), Alphabet: d.Alphabet, First: f.first}
	f.x, err = interpret.NewMutants(m, d.States, f.row-1)
	return err
}

// singleRow is a single mutant.
type singleRow struct {
	Position int     `json:"position"`
	From     string  `json:"from"`
	To       string  `json:"to"`
	Delta    float64 `json:"delta_energy"`
}

func (f *mutateFlags) singles(c *cobra.Command) error {
	delta := f.x.Singles()
	var rows []singleRow
	for i, own := range f.x.Wild {
		for a, d := range delta[i] {
			if a != own {
				rows = append(rows, singleRow{f.first + i, f.notation.State(own), f.notation.State(a), d})
			}
		}
	}
	if len(f.out.paths) > 0 {
		table := csvTable([]string{"position", "from", "to", "delta_energy"}, func(yield func([]string) bool) {
			for _, r := range rows {
				if !yield([]string{strconv.Itoa(r.Position), r.From, r.To, exactly(r.Delta)}) {
					return
				}
			}
		})
		return f.out.write(c, func() (plot.Figure, error) { return f.heatMap(delta), nil },
			map[string]func(io.Writer) error{".csv": table})
	}
	if f.out.asJSON {
		return jsonLines(c, rows)
	}
	return printSingles(c, f.notation, f.x.Wild, delta)
}

// printSingles prints the matrix of ΔE, one line per position.
func printSingles(c *cobra.Command, n interpret.Notation, wild []int, delta [][]float64) error {
	t := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 1, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "position\t")
	for a := range delta[0] {
		fmt.Fprintf(t, "%s\t", n.State(a))
	}
	fmt.Fprintln(t)
	for i, own := range wild {
		fmt.Fprintf(t, "%s%d\t", n.State(own), n.First+i)
		for a, d := range delta[i] {
			if a == own {
				fmt.Fprint(t, ".\t")
			} else {
				fmt.Fprintf(t, "%.2f\t", d)
			}
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}
