package interchange

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"instanton/internal/npy"
	"instanton/rbm"
	"instanton/unit"
)

// tensors are arrays by name, without a word on what they are.
type tensors map[string]npy.Array

// Names under which weights and fields are found, in lower case and without a prefix such as "rbm.".
var (
	weightNames  = []string{"w", "weight", "weights", "weight_matrix", "components_", "w_vh", "rbm_w"}
	visibleNames = []string{"b", "vbias", "v_bias", "bv", "b_v", "visible_bias", "bias_v", "bias_visible", "a",
		"intercept_visible_", "v.fields"}
	hiddenNames = []string{"c", "hbias", "h_bias", "bh", "b_h", "hidden_bias", "bias_h", "bias_hidden",
		"intercept_hidden_", "h.fields"}
)

// pick finds the one array with one of the names.
func (t tensors) pick(what string, names []string) (string, npy.Array, error) {
	var found []string
	for _, full := range slices.Sorted(maps.Keys(t)) {
		name := strings.ToLower(full)
		short := name[strings.LastIndexByte(name, '.')+1:]
		if slices.Contains(names, name) || slices.Contains(names, short) && !strings.HasPrefix(name, "v.") &&
			!strings.HasPrefix(name, "h.") {
			found = append(found, full)
		}
	}
	if len(found) == 1 {
		return found[0], t[found[0]], nil
	}
	all := slices.Sorted(maps.Keys(t))
	if len(found) > 1 {
		return "", npy.Array{}, fmt.Errorf("%q may all be the %s: expected one of them", found, what)
	}
	return "", npy.Array{}, fmt.Errorf("there is no array for the %s among %q: expected one called %s", what,
		all[:min(len(all), 20)], strings.Join(names[:min(len(names), 4)], ", "))
}

// model takes the arrays as E = −b·v − c·h − vWh.
func (t tensors) model(o Options) (*rbm.RBM, error) {
	name, w, err := t.pick("weights", weightNames)
	if err != nil {
		return nil, err
	}
	if name == "components_" { // scikit-learn has hidden units first
		o.Transpose = true
	}
	_, b, err := t.pick("fields of the visible units", visibleNames)
	if err != nil {
		return nil, err
	}
	_, c, err := t.pick("fields of the hidden units", hiddenNames)
	if err != nil {
		return nil, err
	}
	visible, hidden := unit.Bernoulli, unit.Bernoulli
	if len(w.Shape) == 3 {
		visible = unit.Potts
	}
	if o.Visible != "" {
		if visible, err = unit.ParseType(o.Visible); err != nil {
			return nil, err
		}
	}
	if o.Hidden != "" {
		if hidden, err = unit.ParseType(o.Hidden); err != nil {
			return nil, err
		}
	}
	if hidden == unit.DReLU || hidden == unit.Potts {
		return nil, fmt.Errorf("hidden units of type %s have more parameters than one vector: expected bernoulli, "+
			"spin, gaussian or relu", hidden)
	}
	order, err := orderOf(w.Shape, b.Len(), c.Len(), visible == unit.Potts, o.Transpose)
	if err != nil {
		return nil, err
	}
	m, err := newModel(visible, hidden, w, order)
	if err != nil {
		return nil, err
	}
	if err := setFields(m.Visible, b); err != nil {
		return nil, fmt.Errorf("visible units: %w", err)
	}
	if err := setFields(m.Hidden, c); err != nil {
		return nil, fmt.Errorf("hidden units: %w", err)
	}
	return m, nil
}

// orderOf tells which dimension of the weights belongs to which layer by the lengths of the fields.
func orderOf(shape []int, visible, hidden int, potts, transpose bool) (string, error) {
	if potts && len(shape) == 3 {
		first := shape[0]*shape[1] == visible && shape[2] == hidden
		last := shape[0] == hidden && shape[1]*shape[2] == visible
		switch {
		case first && !(last && transpose):
			return "iam", nil
		case last:
			return "mia", nil
		}
	}
	if !potts && len(shape) == 2 {
		first, last := shape[0] == visible && shape[1] == hidden, shape[0] == hidden && shape[1] == visible
		switch {
		case first && !(last && transpose):
			return "im", nil
		case last:
			return "mi", nil
		}
	}
	return "", fmt.Errorf("weights of shape %v do not fit %d fields of visible and %d of hidden units", shape, visible,
		hidden)
}

// setFields sets fields g of −g·x: for real units θ = −g.
func setFields(l rbm.Layer, g npy.Array) error {
	if param(l, "fields") != nil {
		return set(l, "fields", g, 1)
	}
	return set(l, "theta", g, -1)
}

// described reads arrays by the names of the model file if there is a description of the layers, as Save writes it.
func (t tensors) described(about map[string]string, o Options) (*rbm.RBM, error) {
	if about["visible"] == "" || about["hidden"] == "" {
		return t.model(o)
	}
	v, err := unit.ParseSpec(about["visible"])
	if err != nil {
		return nil, err
	}
	h, err := unit.ParseSpec(about["hidden"])
	if err != nil {
		return nil, err
	}
	w, ok := t["W"]
	if !ok || w.Len() != v.Width()*h.Width() { // the sizes are those of an array that has been read
		return nil, fmt.Errorf("there are no weights W for %s with %s", v, h)
	}
	m, err := rbm.New(v, h)
	if err != nil {
		return nil, err
	}
	m.Info = map[string]string{}
	if about["alphabet"] != "" {
		m.Info["alphabet"] = about["alphabet"]
	}
	if m.W, err = w.Float64s(); err != nil {
		return nil, err
	}
	for prefix, l := range map[string]rbm.Layer{"v.": m.Visible, "h.": m.Hidden} {
		for _, p := range l.Params() {
			a, ok := t[prefix+p.Name]
			if !ok {
				return nil, fmt.Errorf("there is no array %q", prefix+p.Name)
			}
			if err := set(l, p.Name, a, 1); err != nil {
				return nil, err
			}
		}
	}
	return m, nil
}

// writeArrays writes W, b and c.
func writeArrays(w io.Writer, m *rbm.RBM) error {
	return writeFields(w, m, Arrays, "W", "b", "c", "im", "iam", unit.Bernoulli, unit.Spin, unit.Potts)
}

// writeSklearn writes the attributes of BernoulliRBM.
func writeSklearn(w io.Writer, m *rbm.RBM) error {
	return writeFields(w, m, Sklearn, "components_", "intercept_visible_", "intercept_hidden_", "mi", "",
		unit.Bernoulli)
}

// writeFields writes weights and fields, which are all that discrete units have.
func writeFields(w io.Writer, m *rbm.RBM, format Format, nameW, nameB, nameC, order, potts string,
	types ...unit.Type) error {
	v, h := m.Visible.Spec(), m.Hidden.Spec()
	if err := oneOf(format, "visible", v, types...); err != nil {
		return err
	}
	hiddenTypes := slices.DeleteFunc(slices.Clone(types), func(t unit.Type) bool { return t == unit.Potts })
	if err := oneOf(format, "hidden", h, hiddenTypes...); err != nil {
		return err
	}
	b := npy.New(param(m.Visible, "fields"))
	if v.Type == unit.Potts {
		order, b.Shape = potts, []int{v.N, v.Q}
	}
	return npy.WriteArchive(w, npy.ArrayMember(nameW, weights(m, order)), npy.ArrayMember(nameB, b),
		npy.ArrayMember(nameC, npy.New(param(m.Hidden, "fields"))))
}
