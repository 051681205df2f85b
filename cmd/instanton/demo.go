package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"instanton/demo"
	"instanton/internal/atomicfile"
)

func newDemo() *cobra.Command {
	var dir string
	var o demo.Options
	var asJSON, force bool
	c := &cobra.Command{
		Use:   "demo",
		Short: "A first look: exact numbers, measured ones, and a sampler that is stuck",
		Long: `Sample a small model beside its exact enumeration, follow alternating Gibbs sampling in
a Hopfield model, and write a report with figures. It takes less than a minute.`,
		Example: "  instanton demo\n  instanton demo --out tour --seed 2",
		Args:    arguments(0, 0, "none"),
		RunE: func(c *cobra.Command, _ []string) error {
			if o.Workers < 0 {
				return usage(fmt.Errorf("--workers %d: expected at least 0", o.Workers))
			}
			page := filepath.Join(dir, "report.html")
			if _, err := os.Lstat(dir); err == nil && !force {
				return fmt.Errorf("%s exists already: choose another folder with --out or pass --force", dir)
			}
			if err := os.MkdirAll(dir, 0o755); err != nil { // fail before the work, not after
				return err
			}
			o.Say = func(message string) { say(c, "%s", message) }
			tour, err := demo.Run(c.Context(), o)
			if err != nil {
				_ = os.Remove(dir) // only if it is empty
				return err
			}
			if err := writeDemo(dir, tour, o.Seed, force); err != nil {
				return err
			}
			if asJSON {
				return printJSON(c, tour)
			}
			out := c.OutOrStdout()
			for _, f := range tour.Findings() {
				fmt.Fprintf(out, "%s: %s\n", f.Verdict, f.Text)
			}
			_, err = fmt.Fprintf(out, "report: %s\n", page)
			return err
		},
	}
	c.Flags().StringVar(&dir, "out", "instanton-demo", "folder for the report and its figures")
	c.Flags().BoolVar(&force, "force", false, "replace an earlier report")
	c.Flags().IntVar(&o.Workers, "workers", 0, "goroutines; 0 for one a processor")
	seedFlag(c, &o.Seed)
	jsonFlag(c, &asJSON)
	return c
}

// writeDemo writes numbers, figures and report.
func writeDemo(dir string, tour *demo.Tour, seed uint64, force bool) error {
	figures := filepath.Join(dir, "figures")
	if err := os.MkdirAll(figures, 0o755); err != nil {
		return err
	}
	all := tour.Figures()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		fill := func(w io.Writer) error { return all[name].Encode(w, "png") }
		if err := atomicfile.Write(filepath.Join(figures, name+".png"), force, fill); err != nil {
			return err
		}
	}
	numbers := func(w io.Writer) error { e := json.NewEncoder(w); e.SetIndent("", "  "); return e.Encode(tour) }
	if err := atomicfile.Write(filepath.Join(dir, "demo.json"), force, numbers); err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(dir, "report.html"), force, tour.Report(seed).Write)
}
