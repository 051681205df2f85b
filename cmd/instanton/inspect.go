package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"instanton/rbm"
)

func newInspect() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "inspect MODEL.npz",
		Short: "Show what is in a model file",
		Long: `Print the layers of a model, where it came from, the range of each array of its parameters, and the
largest singular values of its weights.`,
		Example: "  instanton inspect cw.npz\n  instanton inspect cw.npz --json",
		Args:    arguments(1, 1, "one model file"),
		RunE: func(c *cobra.Command, args []string) error {
			m, err := rbm.Load(args[0])
			if err != nil {
				return err
			}
			s, err := rbm.Summarise(m)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(c, s)
			}
			return printSummary(c, args[0], s)
		},
	}
	jsonFlag(c, &asJSON)
	return c
}

func printSummary(c *cobra.Command, path string, s *rbm.Summary) error {
	out := c.OutOrStdout()
	fmt.Fprintf(out, "%s: %s visible, %s hidden units, %d weights\n", path, s.Visible, s.Hidden, s.Weights)
	for _, key := range s.InfoKeys() {
		fmt.Fprintf(out, "  %s: %s\n", key, s.Info[key])
	}
	if s.Patterns > 0 {
		fmt.Fprintf(out, "  stored patterns: %d\n", s.Patterns)
	}
	fmt.Fprintf(out, "  SHA-256 %s\n\n", s.SHA256)
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "array\tsmallest\tmean\tlargest\tstd\t")
	for _, a := range s.Arrays {
		fmt.Fprintf(t, "%s\t%.4g\t%.4g\t%.4g\t%.4g\t\n", a.Name, a.Min, a.Mean, a.Max, a.Std)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(out, "\nlargest singular values of W: ")
	for k, x := range s.SingularValues {
		if k > 0 {
			fmt.Fprint(out, ", ")
		}
		fmt.Fprintf(out, "%.4g", x)
	}
	fmt.Fprintln(out)
	return nil
}
