package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"instanton/dataset"
	"instanton/lattice"
)

// namedSequence is a sequence with the name of its record, if it has one.
type namedSequence struct {
	name string
	v    lattice.Sequence
}

// readSequences reads the sequences that the arguments give: letters, files, or - for FASTA on standard input. An
// argument of letters alone that is not the name of a file is a sequence.
func readSequences(c *cobra.Command, args []string) (all []namedSequence, err error) {
	for _, arg := range args {
		if _, missing := os.Stat(arg); missing != nil && arg != "-" && onlyLetters(arg) {
			v, err := lattice.ParseSequence(arg)
			if err != nil {
				return nil, usage(err)
			}
			all = append(all, namedSequence{v: v})
			continue
		}
		d, err := readAlignment(c, arg)
		if err != nil {
			return nil, err
		}
		sequences, err := lattice.Sequences(d.States)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", arg, err)
		}
		for k, v := range sequences {
			s := namedSequence{v: v}
			if d.Names != nil {
				s.name = d.Names[k]
			}
			all = append(all, s)
		}
	}
	return all, nil
}

// readAlignment reads a file, or FASTA from standard input, with the codes of residues.
func readAlignment(c *cobra.Command, path string) (*dataset.Dataset, error) {
	as := dataset.FASTAOptions{Alphabet: lattice.Alphabet}
	if path == "-" {
		d, err := dataset.ReadFASTA(c.InOrStdin(), as)
		if err != nil {
			return nil, fmt.Errorf("standard input: %w", err)
		}
		return d, nil
	}
	d, err := dataset.ReadWith(path, as)
	if err != nil {
		return nil, err
	}
	if d.Alphabet != "" {
		err = d.Recode(lattice.Alphabet)
	} else if d.States.N == lattice.Length && d.States.Q <= lattice.Residues {
		// An array without letters: not every residue need occur in it.
		d.States, err = dataset.ReadAs(path, lattice.Spec)
	}
	return d, err
}

// onlyLetters tells a sequence from the name of a file.
func onlyLetters(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') }) < 0
}
