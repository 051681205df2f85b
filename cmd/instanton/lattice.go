package main

import (
	"github.com/spf13/cobra"

	"instanton/lattice"
)

func newLattice() *cobra.Command {
	c := group(&cobra.Command{
		Use:   "lattice",
		Short: "Fold lattice proteins and show their structures",
		Long: `Lattice proteins are chains of 27 amino acids that fill the 3×3×3 cube, with the contact energies of
Miyazawa and Jernigan (1996). A structure is given by its letter in the literature (A, B, C, D, G) or
by its index among all 103,346, counted from 0. 'instanton data lattice' designs sequences that fold
into a structure.`,
		Example: `  instanton lattice pnat --structure A EKALNPVDTECWKEYKKKMRPVMLDAR
  instanton lattice fold EKALNPVDTECWKEYKKKMRPVMLDAR
  instanton lattice show A -o A.pdf`,
	})
	c.AddCommand(latticePnat(), latticeFold(), latticeShow())
	return c
}

// competitorsFlag adds --competitors.
func competitorsFlag(c *cobra.Command, text *string) {
	c.Flags().StringVar(text, "competitors", "full",
		"competing structures: full (all), random:N:SEED, or a file with one index per line")
}

// competing finds the structures that compete.
func competing(text string) (*lattice.Space, *lattice.Competitors, error) {
	choice, err := lattice.ParseChoice(text)
	if err != nil {
		return nil, nil, usage(err)
	}
	space := lattice.Enumerate()
	set, err := choice.Of(space)
	return space, set, err
}
