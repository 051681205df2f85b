package main

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"instanton/dataset"
	"instanton/internal/progress"
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

// mutantRow is a mutant with several mutations.
type mutantRow struct {
	Mutant    string  `json:"mutant"`
	Delta     float64 `json:"delta_energy"`
	Epistasis float64 `json:"epistasis"`
}

var mutantHeader = []string{"mutant", "delta_energy", "epistasis"}

func (r mutantRow) cells() []string {
	return []string{r.Mutant, exactly(r.Delta), exactly(r.Epistasis)}
}

// allDoubles streams the double mutants to where they go.
func (f *mutateFlags) allDoubles(c *cobra.Command) error {
	n := len(f.x.Wild)
	strength := make([][]float64, n) // root mean square of the epistasis of each pair of sites
	for i := range strength {
		strength[i] = make([]float64, n)
		strength[i][i] = math.NaN()
	}
	var strongest []mutantRow
	run := func(do func(mutantRow) error) error {
		strongest = strongest[:0]
		line := progress.New(messages(c), "pairs of sites", 0, n*(n-1)/2)
		defer line.Close()
		done := 0
		err := f.x.EachDouble(c.Context(), f.workers, func(i, j int, delta, epistasis [][]float64) error {
			var sum float64
			for a := range delta {
				for b := range delta {
					if a == f.x.Wild[i] || b == f.x.Wild[j] {
						continue
					}
					row := mutantRow{f.notation.Write(f.x.Wild, interpret.Mutation{Site: i, State: a},
						interpret.Mutation{Site: j, State: b}), delta[a][b], epistasis[a][b]}
					sum += row.Epistasis * row.Epistasis
					if err := do(row); err != nil {
						return err
					}
				}
			}
			others := float64(len(delta) - 1)
			strength[i][j] = math.Sqrt(sum) / others
			strength[j][i] = strength[i][j]
			done++
			line.Set(done)
			return nil
		})
		return err
	}
	if len(f.out.paths) > 0 {
		table := func(w io.Writer) error {
			out := csv.NewWriter(w)
			out.Write(mutantHeader)
			if err := run(func(r mutantRow) error { return out.Write(r.cells()) }); err != nil {
				return err
			}
			out.Flush()
			return out.Error()
		}
		draw := func() (plot.Figure, error) {
			err := run(func(mutantRow) error { return nil })
			return f.pairMap(strength), err
		}
		return f.out.write(c, draw, map[string]func(io.Writer) error{".csv": table})
	}
	w, flush := standardOutput(c)
	if f.out.asJSON {
		e := json.NewEncoder(w)
		if err := run(func(r mutantRow) error { return e.Encode(r) }); err != nil {
			return err
		}
		return flush()
	}
	err := run(func(r mutantRow) error {
		strongest = append(strongest, r)
		if len(strongest) >= 4096 {
			strongest = mostEpistatic(strongest)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return printMutants(c, mostEpistatic(strongest))
}

// mostEpistatic keeps the mutants that are printed.
func mostEpistatic(rows []mutantRow) []mutantRow {
	const printed = 20
	slices.SortStableFunc(rows, func(a, b mutantRow) int {
		return cmp.Compare(math.Abs(b.Epistasis), math.Abs(a.Epistasis))
	})
	return rows[:min(printed, len(rows))]
}

func printMutants(c *cobra.Command, rows []mutantRow) error {
	t := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "mutant\tΔE\tepistasis\t")
	for _, r := range rows {
		fmt.Fprintf(t, "%s\t%.4f\t%.4f\t\n", r.Mutant, r.Delta, r.Epistasis)
	}
	return t.Flush()
}

// listed scores the mutants of a file.
func (f *mutateFlags) listed(c *cobra.Command) error {
	if f.out.wantsFigure() {
		return usage(errors.New("a list of mutants has no figure: expected a name that ends in .csv"))
	}
	in, err := os.Open(f.double)
	if err != nil {
		return err
	}
	defer in.Close()
	delta := f.x.Singles()
	var rows []mutantRow
	lines := bufio.NewScanner(in)
	for number := 1; lines.Scan(); number++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		u, inside, err := f.notation.Parse(f.x.Wild, text)
		if err == nil && !inside {
			err = fmt.Errorf("mutant %q: expected positions from %d to %d and letters of %q", text, f.first,
				f.first+len(f.x.Wild)-1, f.notation.Alphabet)
		}
		var d float64
		if err == nil {
			d, err = f.x.Delta(u...)
		}
		if err != nil {
			return fmt.Errorf("%s, line %d: %w", f.double, number, err)
		}
		row := mutantRow{f.notation.Write(f.x.Wild, u...), d, d}
		for _, one := range u {
			row.Epistasis -= delta[one.Site][one.State]
		}
		rows = append(rows, row)
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: %w", f.double, err)
	}
	switch {
	case len(f.out.paths) > 0:
		return f.out.write(c, nil, map[string]func(io.Writer) error{".csv": csvTable(mutantHeader,
			func(yield func([]string) bool) {
				for _, r := range rows {
					if !yield(r.cells()) {
						return
					}
				}
			})})
	case f.out.asJSON:
		return jsonLines(c, rows)
	}
	return printMutants(c, rows)
}

// agreement is the agreement with a table of measurements.
type agreement struct {
	Spearman float64 `json:"spearman"` // of −ΔE and the measured values
	Mutants  int     `json:"mutants"`
	Outside  int     `json:"outside"` // mutants of the table that the model does not cover

	rows  []interpret.Measurement
	delta []float64
}

func (f *mutateFlags) compare(c *cobra.Command) error {
	in, err := os.Open(f.measured)
	if err != nil {
		return err
	}
	defer in.Close()
	table, err := interpret.ReadMeasurements(in, f.column)
	if err != nil {
		return fmt.Errorf("%s: %w", f.measured, err)
	}
	var r agreement
	var minus, values []float64
	for _, row := range table {
		u, inside, err := f.notation.Parse(f.x.Wild, row.Mutant)
		if err != nil {
			return fmt.Errorf("%s: %w (--first gives the number of the first position)", f.measured, err)
		}
		if !inside {
			r.Outside++
			continue
		}
		d, err := f.x.Delta(u...)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", f.measured, row.Mutant, err)
		}
		r.rows, r.delta = append(r.rows, row), append(r.delta, d)
		minus, values = append(minus, -d), append(values, row.Value)
	}
	r.Mutants = len(r.rows)
	if r.Spearman, err = interpret.Spearman(minus, values); err != nil {
		return fmt.Errorf("%s: %w", f.measured, err)
	}
	if len(f.out.paths) > 0 {
		draw := func() (plot.Figure, error) { return measuredFigure(minus, values, r.Spearman), nil }
		csv := csvTable([]string{"mutant", "measured", "delta_energy"}, func(yield func([]string) bool) {
			for k, row := range r.rows {
				if !yield([]string{row.Mutant, exactly(row.Value), exactly(r.delta[k])}) {
					return
				}
			}
		})
		if err := f.out.write(c, draw, map[string]func(io.Writer) error{".csv": csv}); err != nil {
			return err
		}
	}
	if f.out.asJSON {
		return printJSON(c, r)
	}
	fmt.Fprintf(c.OutOrStdout(), "Spearman's ρ = %.4f between −ΔE and the measurements of %d mutants", r.Spearman,
		r.Mutants)
	if r.Outside > 0 {
		fmt.Fprintf(c.OutOrStdout(), "; %d more outside the model", r.Outside)
	}
	fmt.Fprintln(c.OutOrStdout())
	return nil
}
