package main

import (
	"bufio"
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"instanton/lattice"
)

// foldReport is what 'lattice fold' says of a sequence.
type foldReport struct {
	Name       string          `json:"name,omitempty"`
	Sequence   string          `json:"sequence"`
	Gap        float64         `json:"gap"` // between the two lowest energies
	Structures []foldStructure `json:"structures"`
}

type foldStructure struct {
	Structure string  `json:"structure"`
	Index     int     `json:"index"`
	Energy    float64 `json:"energy"`
	Pnat      float64 `json:"pnat"`
}

func latticeFold() *cobra.Command {
	var competitors string
	var top int
	var asJSON bool
	c := &cobra.Command{
		Use:   "fold SEQ|FILE|-",
		Short: "Find the structures into which sequences fold",
		Long: `Print the structures of lowest energy of each sequence, with their energies in kT and their
probabilities P_nat. Give sequences as letters, as files (FASTA, .npz or .npy), or as FASTA on
standard input (-).`,
		Example: `  instanton lattice fold EKALNPVDTECWKEYKKKMRPVMLDAR
  instanton lattice fold --top 1 family.fasta --json`,
		Args: arguments(1, 1<<20, "a sequence, a file or -"),
		RunE: func(c *cobra.Command, args []string) error {
			if top < 1 {
				return usage(fmt.Errorf("--top %d: expected at least one structure", top))
			}
			sequences, err := readSequences(c, args)
			if err != nil {
				return err
			}
			_, set, err := competing(competitors)
			if err != nil {
				return err
			}
			reports := make([]foldReport, len(sequences))
			for k, s := range sequences {
				reports[k] = fold(set, s, top)
			}
			if asJSON {
				return printJSON(c, reports)
			}
			out := bufio.NewWriter(c.OutOrStdout())
			for _, r := range reports {
				fmt.Fprintf(out, "%s %s\n", r.Sequence, r.Name)
				for _, s := range r.Structures {
					fmt.Fprintf(out, "  structure %-6s %8.2f kT  P_nat %.6g\n", s.Structure, s.Energy, s.Pnat)
				}
			}
			return out.Flush()
		},
	}
	c.Flags().IntVar(&top, "top", 5, "number of structures to list per sequence")
	competitorsFlag(c, &competitors)
	jsonFlag(c, &asJSON)
	return c
}

func fold(set *lattice.Competitors, s namedSequence, top int) foldReport {
	best := set.Best(s.v, max(top, 2))
	r := foldReport{Name: s.name, Sequence: s.v.String()}
	if len(best) > 1 {
		r.Gap = math.Round(100*(best[1].Energy-best[0].Energy)) / 100 // energies are hundredths
	}
	for _, f := range best[:min(top, len(best))] {
		r.Structures = append(r.Structures, foldStructure{lattice.Name(f.Index), f.Index, f.Energy, f.Pnat})
	}
	return r
}
