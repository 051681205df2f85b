package main

import (
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"instanton/dataset"
	"instanton/landscape"
	"instanton/plot"
	"instanton/rbm"
)

func newLandscape() *cobra.Command {
	var units, at string
	var out figureOutput
	c := &cobra.Command{
		Use:   "landscape MODEL.npz --units MU[,NU]",
		Short: "Compute the potential of one or two hidden units",
		Long: `Compute e(h) = E_eff(h)/N as a function of one or two hidden units, with the others held fixed and
the visible units summed out. Print its minima and, for one unit, Δe_MH, the cost of moving from
h < 0 to h > 0. JSON and the figure have the function
around its minima.

The other units are held at --at: pattern:K for their mean given a stored pattern, FILE:K for their
mean given a configuration of a file (K counts from 1; FILE alone is the first), or zero.
` + "\n" + figureHelp,
		Example: `  instanton landscape hopfield.npz --units 0 --at pattern:1
  instanton landscape hopfield.npz --units 0,3 --at pattern:1 -o landscape.png`,
		Args: arguments(1, 1, "one model file"),
		RunE: func(c *cobra.Command, args []string) error {
			which, err := parseUnits(units)
			if err != nil {
				return usage(err)
			}
			if err := out.check(); err != nil {
				return err
			}
			m, err := rbm.Load(args[0])
			if err != nil {
				return err
			}
			h, err := hiddenAt(m, at)
			if err != nil {
				return err
			}
			l, err := landscape.New(m, which, h)
			if err != nil {
				return usage(err)
			}
			if err := l.Focus(m); err != nil {
				return err
			}
			draw := func() (plot.Figure, error) { return landscapeFigure(l), nil }
			return out.show(c, l, draw, func(w io.Writer) { printLandscape(w, l) })
		},
	}
	c.Flags().StringVar(&units, "units", "0", "one or two hidden units, MU or MU,NU, counted from 0")
	c.Flags().StringVar(&at, "at", "",
		"where the other units are held: pattern:K, FILE, FILE:K or zero; by default the "+
			"first pattern, or zero if there is none")
	out.flags(c)
	return c
}

// parseUnits reads one or two numbers.
func parseUnits(text string) ([]int, error) {
	var units []int
	for _, word := range strings.Split(text, ",") {
		mu, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil {
			return nil, fmt.Errorf("--units %q: expected one or two whole numbers, as in 0 or 0,3", text)
		}
		units = append(units, mu)
	}
	return units, nil
}

// hiddenAt is the mean of the hidden units given the named configuration.
func hiddenAt(m *rbm.RBM, at string) ([]float64, error) {
	spec := m.Hidden.Spec()
	h := make([]float64, spec.N)
	if at == "" && m.Patterns != nil {
		at = "pattern:1"
	}
	states, number := m.Patterns, 1
	switch name, text, numbered := strings.Cut(at, ":"); {
	case at == "" || at == "zero":
		m.Hidden.Mode(h, make([]float64, spec.Width()))
		if !spec.Type.Discrete() {
			clear(h)
		}
		return h, nil
	case name == "pattern" && numbered:
		if m.Patterns == nil {
			return nil, usage(fmt.Errorf("--at %s: the model stores no patterns: expected FILE, FILE:K or zero", at))
		}
		k, err := strconv.Atoi(text)
		if err != nil {
			return nil, usage(fmt.Errorf("--at %s: expected the number of a pattern after the colon", at))
		}
		number = k
	default:
		if numbered {
			if k, err := strconv.Atoi(text); err == nil {
				at, number = name, k
			}
		}
		var err error
		if states, err = dataset.ReadAs(at, m.Visible.Spec(), m.Info["alphabet"]); err != nil {
			return nil, err
		}
	}
	if number < 1 || number > states.Len {
		return nil, usage(fmt.Errorf("--at asks for configuration %d: expected 1 to %d", number, states.Len))
	}
	v, inputs := make([]float64, states.N), make([]float64, spec.Width())
	states.Values(v, number-1)
	m.Inputs(inputs, v)
	if spec.Type.Discrete() {
		m.Hidden.Mode(h, inputs)
	} else {
		m.Hidden.Mean(h, inputs)
	}
	return h, nil
}

func printLandscape(out io.Writer, l *landscape.Landscape) {
	if l.Minima == nil {
		for j, row := range l.E {
			for i, e := range row {
				fmt.Fprintf(out, "e(%g", l.X[i])
				if l.Y != nil {
					fmt.Fprintf(out, ", %g", l.Y[j])
				}
				fmt.Fprintf(out, ") = %.6g\n", e)
			}
		}
	}
	for _, m := range l.Minima {
		fmt.Fprintf(out, "minimum at h = ")
		for k, h := range m.H {
			if k > 0 {
				fmt.Fprint(out, ", ")
			}
			fmt.Fprintf(out, "%.4f", h)
		}
		fmt.Fprintf(out, ": e = %.6f above the lowest minimum\n", m.E)
	}
	if l.DeltaMH != nil {
		d := math.Round(*l.DeltaMH*1e12)/1e12 + 0 // no −0
		fmt.Fprintf(out, "Δe_MH = %.6g from − to +, %.6g from + to −\n", d, 0-d)
	}
}

// landscapeFigure draws the potential with its minima.
func landscapeFigure(l *landscape.Landscape) plot.Figure {
	name := func(k int) string { return fmt.Sprintf("$h_{%d}$", l.Units[k]) }
	panel := plot.Panel{Label: plot.NoLabel, X: plot.Axis{Label: name(0)}, Legend: plot.LegendNone}
	var x, y []float64
	for _, m := range l.Minima {
		x = append(x, m.H[0])
		y = append(y, m.E)
	}
	discrete := l.Minima == nil
	if discrete {
		panel.X.Ticks = stateTicks(l.X)
	}
	if l.Y == nil {
		panel.Y = plot.Axis{Label: fmt.Sprintf("$e_{%d}$", l.Units[0])}
		if discrete {
			panel.X.Limits = plot.Between(l.X[0]-0.5, l.X[len(l.X)-1]+0.5)
			panel.Series = []plot.Series{plot.Points{X: l.X, Y: l.E[0], Marker: plot.Disc}}
			return plot.Figure{Panels: []plot.Panel{panel}}
		}
		panel.Series = []plot.Series{plot.Line{X: l.X, Y: l.E[0]}}
		if x != nil {
			panel.Series = append(panel.Series, plot.Points{X: x, Y: y, Color: plot.Black, Marker: plot.Disc})
		}
		return plot.Figure{Panels: []plot.Panel{panel}}
	}
	panel.Y = plot.Axis{Label: name(1)}
	if discrete {
		panel.Y.Ticks = stateTicks(l.Y)
	}
	bar := plot.Axis{Label: fmt.Sprintf("$e_{%d,%d}$", l.Units[0], l.Units[1])}
	if all := slices.Sorted(values(l.E)); !discrete && all[len(all)*4/5] > 0 {
		bar.Limits = plot.UpTo(all[len(all)*4/5]) // show the valleys rather than the corners
	}
	edge := func(x []float64) [2]float64 {
		half := (x[1] - x[0]) / 2
		return [2]float64{x[0] - half, x[len(x)-1] + half}
	}
	panel.Series = []plot.Series{plot.Heatmap{Z: l.E, X: edge(l.X), Y: edge(l.Y), Bar: bar}}
	if x != nil {
		for k, m := range l.Minima {
			y[k] = m.H[1]
		}
		panel.Series = append(panel.Series, plot.Points{X: x, Y: y, Color: plot.Black, Marker: plot.Circle, Size: 5})
	}
	return plot.Figure{Panels: []plot.Panel{panel}}
}

// stateTicks mark the states of a discrete unit and nothing in between.
func stateTicks(x []float64) []plot.Tick {
	ticks := make([]plot.Tick, len(x))
	for k, h := range x {
		ticks[k] = plot.Tick{Value: h, Label: strings.Replace(strconv.FormatFloat(h, 'g', -1, 64), "-", "−", 1)}
	}
	return ticks
}

// values runs over all entries of a matrix.
func values(rows [][]float64) iter.Seq[float64] {
	return func(yield func(float64) bool) {
		for _, row := range rows {
			for _, x := range row {
				if !yield(x) {
					return
				}
			}
		}
	}
}
