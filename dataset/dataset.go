package dataset

import (
	"fmt"

	"instanton/internal/special"
	"instanton/unit"
)

// Dataset is a set of configurations with what is known about them. Everything except the states is optional.
type Dataset struct {
	Name   string
	States *unit.States

	Labels     []int     // class of each configuration
	LabelNames []string  // names of the classes
	Weights    []float64 // nonnegative weight of each configuration
	Names      []string  // name of each configuration, as in FASTA records

	Alphabet string            // letters of the states of Potts units, state 0 first
	Shape    []int             // rows and columns, if configurations are images
	Info     map[string]string // how it was made
	Sources  []Source          // the files it was made from
}

// Check reports what is inconsistent, if anything.
func (d *Dataset) Check() error {
	spec, n := d.States.Spec, d.States.Len
	if err := spec.Check(); err != nil {
		return err
	}
	if d.Labels != nil && len(d.Labels) != n {
		return fmt.Errorf("there are %d labels for %d configurations: expected one each", len(d.Labels), n)
	}
	for k, l := range d.Labels {
		if l < 0 {
			return fmt.Errorf("label %d is %d: expected a whole number that is not negative", k, l)
		}
	}
	if d.Weights != nil && len(d.Weights) != n {
		return fmt.Errorf("there are %d weights for %d configurations: expected one each", len(d.Weights), n)
	}
	var sum float64
	for k, w := range d.Weights {
		if !(w >= 0 && special.Finite(w)) {
			return fmt.Errorf("weight %d is %g: expected a number that is not negative", k, w)
		}
		sum += w
	}
	if !special.Finite(sum) {
		return fmt.Errorf("the weights are too large to be summed: expected a finite sum")
	}
	if d.Names != nil && len(d.Names) != n {
		return fmt.Errorf("there are %d names for %d configurations: expected one each", len(d.Names), n)
	}
	if d.Alphabet != "" {
		if err := checkAlphabet(d.Alphabet); err != nil {
			return err
		}
		if spec.Type != unit.Potts || spec.Q != len(d.Alphabet) {
			return fmt.Errorf("the alphabet %q has %d letters, but the units are %s: expected Potts units with one "+
				"state per letter", d.Alphabet, len(d.Alphabet), spec)
		}
	}
	if d.Shape != nil && (len(d.Shape) != 2 || d.Shape[0] < 1 || d.Shape[1] < 1 || spec.N%d.Shape[0] != 0 ||
		spec.N/d.Shape[0] != d.Shape[1]) {
		return fmt.Errorf("images of shape %v: expected rows and columns of %d pixels", d.Shape, spec.N)
	}
	return nil
}

// LabelName is the name of class c.
func (d *Dataset) LabelName(c int) string {
	if c < len(d.LabelNames) {
		return d.LabelNames[c]
	}
	return fmt.Sprint(c)
}

// Pick returns the configurations with the given indices, in that order.
func (d *Dataset) Pick(rows []int) *Dataset {
	p := *d
	p.States = unit.NewStates(d.States.Spec, len(rows))
	for k, j := range rows {
		p.States.CopyRow(k, d.States, j)
	}
	p.Labels, p.Weights, p.Names = pick(d.Labels, rows), pick(d.Weights, rows), pick(d.Names, rows)
	return &p
}

func pick[T any](all []T, rows []int) []T {
	if all == nil {
		return nil
	}
	some := make([]T, len(rows))
	for k, j := range rows {
		some[k] = all[j]
	}
	return some
}
