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
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"instanton/internal/progress"
	"instanton/interpret"
	"instanton/plot"
)

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
