package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"instanton/dataset"
	"instanton/evaluate"
	"instanton/rbm"
	"instanton/unit"
)

func newEvaluate() *cobra.Command {
	var exact, asJSON bool
	c := &cobra.Command{
		Use:   "evaluate MODEL.npz [DATA]",
		Short: "Partition function and likelihood",
		Long: `Compute log Z of a model and, with DATA, the mean log-likelihood and effective energy
of its configurations. log Z is exact, by enumeration of the layer with fewer states,
wherever that layer has at most about a million of them (with --exact, 2^26).`,
		Example: "  instanton evaluate cw.npz --exact --json\n  instanton evaluate model.npz samples.npz",
		Args:    arguments(1, 2, "a model file and perhaps data"),
		RunE: func(c *cobra.Command, args []string) error {
			m, err := rbm.Load(args[0])
			if err != nil {
				return err
			}
			var data *unit.States
			if len(args) == 2 {
				if data, err = dataset.ReadAs(args[1], m.Visible.Spec()); err != nil {
					return err
				}
			}
			s, err := evaluate.New(m, data, exact)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(c, s)
			}
			out := c.OutOrStdout()
			if s.LogZ != nil {
				fmt.Fprintf(out, "log Z             %.10g (exact, by the %s units)\n", *s.LogZ, s.Enumerated)
			} else {
				fmt.Fprintln(out, "log Z             unknown: both layers are too large to enumerate")
			}
			if s.EffectiveEnergy != nil {
				fmt.Fprintf(out, "effective energy  %.10g (mean of %d)\n", *s.EffectiveEnergy, s.Samples)
			}
			if s.LogLikelihood != nil {
				fmt.Fprintf(out, "log-likelihood    %.10g per sample\n", *s.LogLikelihood)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&exact, "exact", false, "enumerate even large layers, and fail where none can be")
	jsonFlag(c, &asJSON)
	return c
}
