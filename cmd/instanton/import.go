package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"instanton/interchange"
)

func newImport() *cobra.Command {
	var out output
	var o interchange.Options
	c := &cobra.Command{
		Use:   "import FILE -o MODEL.npz",
		Short: "Read a model of another program",
		Long: `Read a model that another program wrote, and write it as a model file. The content tells the format:

  rbms                            HDF5: BBRBM, PBRBM, IIRBM, BGRBM, IGRBM; the last update
  RestrictedBoltzmannMachines.jl  HDF5: all layers with one value per hidden unit, also standardised
  PGM, ProteinMotifRBM            a pickle
  PyTorch                         a state_dict that torch.save wrote, or safetensors
  scikit-learn                    BernoulliRBM, by pickle, joblib, or its arrays in a .npz file
  arrays                          W, b and c in a .npz file, for the energy −vWh − b·v − c·h

The imported model has the same P(v) as the original; signs, the order of dimensions and centring are
translated. Nothing in a pickle is run: an object that is no part of such a model is refused by name.

Files of bare arrays do not say what the units are: Bernoulli units, or Potts units if the weights have
three dimensions, unless --visible and --hidden say otherwise.`,
		Example: `  instanton import trained.h5 -o model.npz
  instanton import trained.h5 --update 5000 -o early.npz
  instanton import ising.npz --visible spin --hidden gaussian -o model.npz`,
		Args: arguments(1, 1, "one file of another program"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := out.check(); err != nil {
				return err
			}
			if err := out.notAnInput(args...); err != nil {
				return err
			}
			if o.Update < 0 {
				return usage(fmt.Errorf("--update %d: expected the number of an update", o.Update))
			}
			m, format, err := interchange.Read(args[0], o)
			if err != nil {
				return err
			}
			if err := m.Save(out.path, out.force); err != nil {
				return err
			}
			letters := ""
			if a := m.Info["alphabet"]; a != "" {
				letters = ", states " + a
			}
			say(c, "%s: %s visible and %s hidden units from %s%s", out.path, m.Visible.Spec(), m.Hidden.Spec(), format,
				letters)
			return nil
		},
	}
	out.flags(c, "model file")
	c.Flags().StringVar(&o.Visible, "visible", "",
		"type of the visible units of bare arrays: bernoulli, spin, potts, …")
	c.Flags().StringVar(&o.Hidden, "hidden", "", "type of their hidden units: bernoulli, spin, gaussian or relu")
	c.Flags().BoolVar(&o.Transpose, "transpose", false, "a square matrix of weights is (hidden, visible)")
	c.Flags().IntVar(&o.Update, "update", 0, "which update of a training by rbms; 0 for the last")
	c.Flags().StringVar(&o.Alphabet, "alphabet", "",
		"letters of the states of Potts units, or a name such as protein; the default is that of the program")
	return c
}
