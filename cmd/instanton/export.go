package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"instanton/interchange"
	"instanton/internal/atomicfile"
	"instanton/rbm"
)

func newExport() *cobra.Command {
	var out output
	var name string
	c := &cobra.Command{
		Use:   "export MODEL.npz -o FILE --format FORMAT",
		Short: "Write a model for another program",
		Long: `Write a model in a format of another program:

  rbms         HDF5, one update: Bernoulli or Potts with Bernoulli units, spins with spins; float32
  rbms.jl      HDF5 for RestrictedBoltzmannMachines.jl; dReLU units become xReLU, which is the same
  safetensors  all units: the arrays of the model file, with the layers in its metadata
  sklearn      .npz with components_, intercept_visible_ and intercept_hidden_: Bernoulli units
  arrays       .npz with W, b and c, for the energy −vWh − b·v − c·h: units without further parameters

The ending of the file says which if it is .h5 (rbms) or .safetensors. Pickles are not written. The
model file itself opens with numpy.load.`,
		Example: `  instanton export model.npz -o model.h5
  instanton export model.npz -o julia.h5 --format rbms.jl`,
		Args: arguments(1, 1, "one model file"),
		RunE: func(c *cobra.Command, args []string) error {
			format, err := out.format(name)
			if err != nil {
				return usage(err)
			}
			if err := out.notAnInput(args...); err != nil {
				return err
			}
			if err := atomicfile.Check(out.path, out.force); err != nil {
				return err
			}
			m, err := rbm.Load(args[0])
			if err != nil {
				return err
			}
			if err := interchange.Save(out.path, m, format, out.force); err != nil {
				return err
			}
			say(c, "%s written for %s", out.path, format)
			return nil
		},
	}
	c.Flags().StringVarP(&out.path, "output", "o", "", "file to write")
	c.Flags().BoolVar(&out.force, "force", false, "replace the output file if it exists")
	var names []string
	for _, f := range interchange.Writable() {
		names = append(names, string(f))
	}
	c.Flags().StringVar(&name, "format", "", "format: "+strings.Join(names, ", "))
	return c
}

// format is the one that was asked for, or the one that the name suggests.
func (o *output) format(name string) (interchange.Format, error) {
	if o.path == "" {
		return "", fmt.Errorf("no output: name a file with -o FILE")
	}
	if name != "" {
		f, err := interchange.ParseFormat(name)
		if err != nil {
			return "", fmt.Errorf("--format: %w", err)
		}
		return f, nil
	}
	switch ending(o.path) {
	case ".h5", ".hdf5":
		return interchange.RBMs, nil
	case ".safetensors":
		return interchange.Safetensors, nil
	}
	return "", fmt.Errorf("output %q does not say which format: pass --format, one of %q", o.path,
		interchange.Writable())
}
