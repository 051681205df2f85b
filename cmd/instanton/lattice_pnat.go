package main

import (
	"bufio"
	"fmt"

	"github.com/spf13/cobra"

	"instanton/lattice"
)

// pnatReport is what 'lattice pnat' says.
type pnatReport struct {
	Structure   string         `json:"structure"`
	Index       int            `json:"index"`
	Competitors string         `json:"competitors"`
	Structures  int            `json:"structures"` // in the sum, the native one included
	MeanPnat    float64        `json:"mean_pnat"`
	Sequences   []pnatSequence `json:"sequences"`
}

type pnatSequence struct {
	Name     string  `json:"name,omitempty"`
	Sequence string  `json:"sequence"`
	Energy   float64 `json:"energy"`
	Pnat     float64 `json:"pnat"`
}

func latticePnat() *cobra.Command {
	var structure, competitors string
	var asJSON bool
	c := &cobra.Command{
		Use:   "pnat --structure S SEQ|FILE|-",
		Short: "Compute how likely sequences are to fold into a structure",
		Long: `Compute the energy of each sequence in a structure, in kT, and P_nat, the probability that it is in
this structure rather than in a competing one. Print one line per sequence: letters, energy, P_nat,
name. Give sequences as letters, as files (FASTA, .npz or .npy), or as FASTA on standard input (-).`,
		Example: `  instanton lattice pnat --structure A EKALNPVDTECWKEYKKKMRPVMLDAR
  instanton lattice pnat --structure B --competitors random:10000:1 family.fasta --json
  zcat family.fasta.gz | instanton lattice pnat --structure A -`,
		Args: arguments(1, 1<<20, "a sequence, a file or -"),
		RunE: func(c *cobra.Command, args []string) error {
			index, err := lattice.ParseIndex(structure)
			if err != nil {
				return usage(err)
			}
			sequences, err := readSequences(c, args)
			if err != nil {
				return err
			}
			space, set, err := competing(competitors)
			if err != nil {
				return err
			}
			if set, err = set.With(index); err != nil {
				return err
			}
			r := pnatReport{Structure: lattice.Name(index), Index: index, Competitors: competitors,
				Structures: set.Len()}
			for _, s := range sequences {
				one := pnatSequence{s.name, s.v.String(), lattice.Energy(s.v, space.At(index)), set.Pnat(index, s.v)}
				r.Sequences = append(r.Sequences, one)
				r.MeanPnat += one.Pnat / float64(len(sequences))
			}
			if asJSON {
				return printJSON(c, r)
			}
			out := bufio.NewWriter(c.OutOrStdout())
			for _, s := range r.Sequences {
				fmt.Fprintf(out, "%s %8.2f  %-18.13g %s\n", s.Sequence, s.Energy, s.Pnat, s.Name)
			}
			return out.Flush()
		},
	}
	c.Flags().StringVar(&structure, "structure", "A", "structure: A, B, C, D, G or an index")
	competitorsFlag(c, &competitors)
	jsonFlag(c, &asJSON)
	return c
}
