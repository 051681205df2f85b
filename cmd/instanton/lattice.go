package main

import (
	"github.com/spf13/cobra"

	"instanton/lattice"
)

func newLattice() *cobra.Command {
	c := group(&cobra.Command{
		Use:   "lattice",
		Short: "Lattice proteins: how sequences fold, and what structures look like",
		Long: `Chains of 27 amino acids in the 3×3×3 cube, with the contact energies of Miyazawa and
Jernigan (1996). A structure is named by a letter of the literature (A, B, C, D, G) or by
its index among all 103,346, from 0. Sequences that fold into a structure are designed
with 'instanton data lattice'.`,
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
		"structures that compete: full, random:N:SEED, or a file with an index a line")
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
