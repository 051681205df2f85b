package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"instanton/interpret"
	"instanton/plot"
)

// agreement says how well the model agrees with a table of measurements.
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
