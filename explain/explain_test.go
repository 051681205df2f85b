package explain_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"instanton/dataset"
	"instanton/explain"
	"instanton/interpret"
	"instanton/rbm"
	"instanton/unit"
)

// rows fills rows of a layer with a fixed mixture of values.
func rows(spec unit.Spec, n int) *unit.States {
	s := unit.NewStates(spec, n)
	for k := range n {
		for i := range spec.N {
			x := float64((k*(i+3)+i*i)%7) / 7
			if spec.Type.Discrete() {
				x = spec.StateValue((k*(i+3) + i*i) % 7 % spec.States())
			}
			s.Set(k, i, x)
		}
	}
	return s
}

// A page for every kind of visible and hidden units: a logo with gaps, images, lists, states of Potts units.
func TestPage(t *testing.T) {
	for _, c := range []struct {
		visible, hidden string
		about           dataset.Dataset // what the data say about themselves
		want            []string
	}{
		{"potts:6x21", "drelu:3", dataset.Dataset{Alphabet: dataset.ProteinGap},
			[]string{"zero-sum gauge. A grey block is the gap", "Unit 2", "largest and smallest inputs"}},
		{"bernoulli:12", "spin:2", dataset.Dataset{Shape: []int{3, 4}, LabelNames: []string{"odd", "even"}},
			[]string{"(white) to", "AUC of class odd", "class even", "up"}},
		{"spin:5", "potts:2x3", dataset.Dataset{}, []string{"The largest weights", "Unit 1, state 2", "−"}},
		{"gaussian:4", "bernoulli:2", dataset.Dataset{}, []string{"The largest weights", "row 1"}},
		{"potts:3x6", "relu:1", dataset.Dataset{}, []string{"The largest weights"}},
	} {
		visible, err := unit.ParseSpec(c.visible)
		if err != nil {
			t.Fatal(err)
		}
		hidden, err := unit.ParseSpec(c.hidden)
		if err != nil {
			t.Fatal(err)
		}
		m, err := rbm.Random(visible, hidden, 0.5, 1)
		if err != nil {
			t.Fatal(err)
		}
		d := c.about
		d.States = rows(visible, 20)
		if d.LabelNames != nil {
			for k := range 20 {
				d.Labels = append(d.Labels, k%2)
			}
		}
		units, err := interpret.NewUnits(m, &d)
		if err != nil {
			t.Fatal(err)
		}
		page := explain.Page{Model: m, Data: &d, Units: units, Cards: 10}
		var b bytes.Buffer
		if err := page.Report("Units").Write(&b); err != nil {
			t.Errorf("%s, %s: %v", c.visible, c.hidden, err)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s, %s: the page lacks %q", c.visible, c.hidden, want)
			}
		}
		if cards := page.Sections(); len(cards) != hidden.Width() {
			t.Errorf("%s, %s: %d cards, want %d", c.visible, c.hidden, len(cards), hidden.Width())
		}
	}
}

// The cards of a Hopfield model with two patterns: a unit for each.
func Example() {
	patterns := unit.NewStates(unit.Spec{Type: unit.Spin, N: 20}, 2) // one all down
	for i := range 10 {
		patterns.Set(1, i, 1) // the other half up
	}
	m, err := rbm.Hopfield(patterns, 1)
	if err != nil {
		panic(err)
	}
	data := &dataset.Dataset{States: rows(m.Visible.Spec(), 50)}
	units, err := interpret.NewUnits(m, data)
	if err != nil {
		panic(err)
	}
	page := explain.Page{Model: m, Data: data, Units: units, Cards: 2}
	for _, s := range page.Report("Patterns").Sections {
		fmt.Println(s.Heading)
	}
	// Output:
	// All units
	// Correlations between units
	// Unit 0
	// Unit 1
}
