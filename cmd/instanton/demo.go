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
		Short: "Train, sample in two ways and diagnose both, in a minute",
		Long: `Train an RBM with L1 regularisation on Bars and Stripes, sample it by alternating Gibbs sampling and
with latent moves from the same starts, and diagnose both samplers. Then do the same with a Hopfield
model whose weights are rotated, where neither helps, and with the sampler that --sampler auto chooses
there. This takes about a minute on two cores and downloads nothing.

The findings are printed, and the folder given by --out holds

  report.html     the findings with figures: open it in a browser
  figures/        the figures
  model.npz       the model
  images.npz      the data
  demo.json       all numbers, which --json prints, too`,
		Example: "  instanton demo\n  instanton demo --out tour --seed 2\n" +
			"  instanton diagnose instanton-demo/model.npz --modes labels:instanton-demo/images.npz --sampler latent",
		Args: arguments(0, 0, "none"),
		RunE: func(c *cobra.Command, _ []string) error {
			switch { // in the library, but not here, zero stands for the default
			case dir == "":
				return usage(fmt.Errorf("--out is empty: expected the name of a folder for the report"))
			case o.Size == 0:
				return usage(fmt.Errorf("--size 0: expected a side from %d to %d", demo.MinSize, demo.MaxSize))
			case o.Updates == 0:
				return usage(fmt.Errorf("--updates 0: expected at least 1"))
			case o.Sweeps == 0:
				return usage(fmt.Errorf("--sweeps 0: expected at least %d", demo.MinSweeps))
			}
			if err := o.Check(); err != nil {
				return usage(err)
			}
			if _, err := os.Lstat(dir); err == nil && !force {
				return fmt.Errorf("%s exists already: choose another folder with --out or pass --force", dir)
			}
			if err := os.MkdirAll(dir, 0o755); err != nil { // fail before the work, not after
				return err
			}
			o.Say = func(message string) { say(c, "%s", message) }
			result, err := demo.Run(c.Context(), o)
			if err != nil {
				_ = os.Remove(dir) // only if it is empty
				return err
			}
			if err := writeDemo(dir, result, force); err != nil {
				return err
			}
			if asJSON {
				return printJSON(c, demoOf(result))
			}
			out := c.OutOrStdout()
			for _, f := range result.Findings() {
				fmt.Fprintf(out, "%s: %s\n", f.Verdict, f.Text)
			}
			_, err = fmt.Fprintf(out, "report: %s\n", filepath.Join(dir, "report.html"))
			return err
		},
	}
	c.Flags().StringVar(&dir, "out", "instanton-demo", "folder to write")
	c.Flags().BoolVar(&force, "force", false, "replace the files of an earlier demo in the folder")
	c.Flags().IntVar(&o.Size, "size", 6, fmt.Sprintf("side of the images in pixels, %d to %d", demo.MinSize,
		demo.MaxSize))
	c.Flags().IntVar(&o.Updates, "updates", 2500, "number of training updates")
	c.Flags().IntVar(&o.Sweeps, "sweeps", 15_000, "number of sweeps of each chain")
	c.Flags().IntVar(&o.Workers, "workers", 0, "number of goroutines; 0 for one per processor")
	seedFlag(c, &o.Seed)
	jsonFlag(c, &asJSON)
	return c
}

// writeDemo writes the figures, the model, its data, the numbers and, last, the report.
func writeDemo(dir string, result *demo.Result, force bool) error {
	figures := filepath.Join(dir, "figures")
	if err := os.MkdirAll(figures, 0o755); err != nil {
		return err
	}
	all := result.Figures()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		fill := func(w io.Writer) error { return all[name].Encode(w, "png") }
		if err := atomicfile.Write(filepath.Join(figures, name+".png"), force, fill); err != nil {
			return err
		}
	}
	if err := result.Model.Save(filepath.Join(dir, "model.npz"), force); err != nil {
		return err
	}
	if err := result.Images.Save(filepath.Join(dir, "images.npz"), force); err != nil {
		return err
	}
	numbers := func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(demoOf(result))
	}
	if err := atomicfile.Write(filepath.Join(dir, "demo.json"), force, numbers); err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(dir, "report.html"), force, result.Report().Write)
}
