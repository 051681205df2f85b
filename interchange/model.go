package interchange

import (
	"fmt"
	"slices"

	"instanton/dataset"
	"instanton/internal/npy"
	"instanton/rbm"
	"instanton/unit"
)

// newModel makes a model whose weights are taken from an array with the given order of its dimensions: for each of
// them 'i' (visible unit), 'a' (its state) or 'm' (hidden unit). The shape decides the sizes.
func newModel(visible, hidden unit.Type, w npy.Array, order string) (*rbm.RBM, error) {
	if len(w.Shape) != len(order) {
		return nil, fmt.Errorf("the weights have shape %v: expected %d dimensions for %s visible units", w.Shape,
			len(order), visible)
	}
	size, step := map[byte]int{'a': 1}, map[byte]int{}
	at := 1
	for k := len(order) - 1; k >= 0; k-- {
		size[order[k]], step[order[k]] = w.Shape[k], at
		at *= w.Shape[k]
	}
	v, h := unit.Spec{Type: visible, N: size['i']}, unit.Spec{Type: hidden, N: size['m']}
	if visible == unit.Potts {
		v.Q = size['a']
	}
	m, err := rbm.New(v, h)
	if err != nil {
		return nil, err
	}
	data, err := w.Float64s()
	if err != nil {
		return nil, fmt.Errorf("weights: %w", err)
	}
	for i := range size['i'] {
		for a := range size['a'] {
			row := m.Row(i*size['a'] + a)
			for mu := range row {
				row[mu] = data[i*step['i']+a*step['a']+mu*step['m']]
			}
		}
	}
	m.Info = map[string]string{}
	return m, nil
}

// weights are the weights of a model with the given order of dimensions, as float64.
func weights(m *rbm.RBM, order string) npy.Array {
	v, h := m.Visible.Spec(), m.Hidden.Spec()
	size, step := map[byte]int{'i': v.N, 'a': v.Channels(), 'm': h.N}, map[byte]int{}
	shape := make([]int, len(order))
	at := 1
	for k := len(order) - 1; k >= 0; k-- {
		shape[k], step[order[k]] = size[order[k]], at
		at *= shape[k]
	}
	data := make([]float64, len(m.W))
	for i := range v.N {
		for a := range v.Channels() {
			for mu, x := range m.Row(i*v.Channels() + a) {
				data[i*step['i']+a*step['a']+mu*step['m']] = x
			}
		}
	}
	return npy.New(data, shape...)
}

// set fills a parameter of a layer with the numbers of an array, times sign.
func set(l rbm.Layer, name string, from npy.Array, sign float64) error {
	values, err := from.Float64s()
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for _, p := range l.Params() {
		if p.Name != name {
			continue
		}
		if len(values) != len(p.Data) {
			return fmt.Errorf("%s has shape %v: expected %d numbers for %s", name, from.Shape, len(p.Data), l.Spec())
		}
		for i, x := range values {
			p.Data[i] = sign * x
		}
		return nil
	}
	return fmt.Errorf("a layer of %s has no %s", l.Spec(), name)
}

// param returns a parameter of a layer, or nil.
func param(l rbm.Layer, name string) []float64 {
	for _, p := range l.Params() {
		if p.Name == name {
			return p.Data
		}
	}
	return nil
}

// single rounds to float32, the precision of most other programs.
func single(a npy.Array) (npy.Array, error) {
	x, err := a.Float32s()
	if err != nil {
		return npy.Array{}, err
	}
	return npy.New(x, a.Shape...), nil
}

// setAlphabet names the states of Potts units by the order that the other program uses.
func setAlphabet(m *rbm.RBM, format Format, letters string) error {
	spec := m.Visible.Spec()
	if letters == "" && m.Info["alphabet"] == "" && spec.Type == unit.Potts {
		switch {
		case format == PGM && spec.Q == len(dataset.ProteinGapLast):
			letters = dataset.ProteinGapLast
		case format == RBMs && spec.Q == len(dataset.ProteinGap):
			letters = dataset.ProteinGap
		case (format == PGM || format == RBMs) && spec.Q == len(dataset.Protein):
			letters = dataset.Protein
		}
	}
	if letters == "" {
		return nil
	}
	alphabet, err := dataset.ParseAlphabet(letters)
	if err != nil {
		return err
	}
	if spec.Type != unit.Potts || spec.Q != len(alphabet) {
		return fmt.Errorf("the alphabet %q has %d letters, but the visible units are %s", alphabet, len(alphabet), spec)
	}
	m.Info["alphabet"] = alphabet
	return nil
}

// oneOf refuses units that a format has no place for.
func oneOf(format Format, layer string, spec unit.Spec, types ...unit.Type) error {
	if slices.Contains(types, spec.Type) {
		return nil
	}
	var names []string
	for _, t := range types {
		names = append(names, t.String())
	}
	return fmt.Errorf("%s has no %s units of type %s: expected one of %v", format, layer, spec.Type, names)
}
