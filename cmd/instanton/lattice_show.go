package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"instanton/lattice"
	"instanton/plot"
)

// structureReport is what 'lattice show' says of a structure.
type structureReport struct {
	Structure string   `json:"structure"`
	Index     int      `json:"index"`
	Sites     [][3]int `json:"sites"`
	Contacts  [][2]int `json:"contacts"` // residues from 1

	walk lattice.Structure
}

// maxShown bounds the rows of a figure.
const maxShown = 8

func latticeShow() *cobra.Command {
	var out figureOutput
	c := &cobra.Command{
		Use:   "show STRUCTURE…",
		Short: "Show structures and their contact maps",
		Long: `Print structures as walks in the cube, each site as the digits xyz, with the pairs of residues in
contact, counted from 1. With -o draw each walk beside its contact map instead.`,
		Example: "  instanton lattice show A\n  instanton lattice show A B -o structures.pdf",
		Args:    arguments(1, maxShown, fmt.Sprintf("from 1 to %d structures", maxShown)),
		RunE: func(c *cobra.Command, args []string) error {
			var indices []int
			for _, arg := range args {
				index, err := lattice.ParseIndex(arg)
				if err != nil {
					return usage(err)
				}
				indices = append(indices, index)
			}
			if err := out.check(); err != nil {
				return err
			}
			space := lattice.Enumerate()
			var reports []structureReport
			for _, index := range indices {
				reports = append(reports, aboutStructure(index, space.At(index)))
			}
			return out.show(c, reports, func() (plot.Figure, error) { return structureFigure(reports), nil },
				func(w io.Writer) {
					for _, r := range reports {
						fmt.Fprintf(w, "structure %s, index %d\nsites    %s\ncontacts", r.Structure, r.Index, r.walk)
						for _, p := range r.Contacts {
							fmt.Fprintf(w, " %d-%d", p[0], p[1])
						}
						fmt.Fprintln(w)
					}
				})
		},
	}
	out.flags(c)
	return c
}

func aboutStructure(index int, s lattice.Structure) structureReport {
	r := structureReport{Structure: lattice.Name(index), Index: index, walk: s}
	for i := range s {
		x, y, z := s.Site(i)
		r.Sites = append(r.Sites, [3]int{x, y, z})
	}
	for _, c := range s.Contacts() {
		r.Contacts = append(r.Contacts, [2]int{c.I + 1, c.J + 1})
	}
	return r
}

// structureFigure has a row for each structure: the walk and the contact map.
func structureFigure(reports []structureReport) plot.Figure {
	f := plot.Figure{Columns: 2, Width: 14}
	axis := func(label string) plot.Axis {
		return plot.Axis{Label: label, Limits: plot.Between(0.5, lattice.Length+0.5)}
	}
	for _, r := range reports {
		walk := plot.Walk{Sites: r.Sites}
		d := &plot.Diagram{Shapes: []plot.Shape{walk}}
		d.Width, d.Height = walk.Size()
		contacts := plot.Points{Color: plot.Blue, Marker: plot.Square, Size: 5.6}
		chain := plot.Line{Color: plot.Grey, Width: 0.6}
		for _, p := range r.Contacts {
			i, j := float64(p[0]), float64(p[1])
			contacts.X = append(contacts.X, i, j)
			contacts.Y = append(contacts.Y, j, i)
		}
		for i := range lattice.Length {
			chain.X = append(chain.X, float64(i+1))
			chain.Y = append(chain.Y, float64(i+1))
		}
		f.Panels = append(f.Panels,
			plot.Panel{Title: "structure $S_{" + r.Structure + "}$", Diagram: d},
			plot.Panel{Title: "contacts", X: axis("residue $i$"), Y: axis("residue $j$"), Aspect: 1,
				Series: []plot.Series{chain, contacts}})
	}
	return f
}
