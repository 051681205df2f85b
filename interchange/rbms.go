package interchange

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"instanton/internal/hdf5"
	"instanton/internal/npy"
	"instanton/rbm"
	"instanton/unit"
)

// The models of rbms: E = −b·v − c·h − vWh, with N/2 Σh² more if the hidden units are Gaussian. Potts weights are
// (site, state, hidden unit).
var rbmsModels = map[string]struct {
	visible, hidden unit.Type
	order           string
}{
	"BBRBM": {unit.Bernoulli, unit.Bernoulli, "im"},
	"PBRBM": {unit.Potts, unit.Bernoulli, "iam"},
	"IIRBM": {unit.Spin, unit.Spin, "im"},
	"BGRBM": {unit.Bernoulli, unit.Gaussian, "im"},
	"IGRBM": {unit.Spin, unit.Gaussian, "im"},
}

// readRBMs reads one model of the trajectory in a file of rbms.
func readRBMs(f *hdf5.File, update int) (*rbm.RBM, error) {
	names, err := f.Names("")
	if err != nil {
		return nil, err
	}
	last, found := -1, false
	for _, name := range names {
		if text, ok := strings.CutPrefix(name, "update_"); ok {
			if n, err := strconv.Atoi(text); err == nil {
				last = max(last, n)
				found = found || n == update
			}
		}
	}
	switch {
	case last < 0:
		return nil, fmt.Errorf("it holds %q: expected groups update_N as rbms writes them, or weights, visible_par "+
			"and visible_type as RestrictedBoltzmannMachines.jl does", names[:min(len(names), 10)])
	case update == 0:
		update = last
	case !found:
		return nil, fmt.Errorf("there is no update %d in it; the last is %d", update, last)
	}
	kind, err := f.String("model_type")
	if err != nil {
		return nil, err
	}
	t, ok := rbmsModels[kind]
	if !ok {
		return nil, fmt.Errorf("model_type %q is not known: expected BBRBM, PBRBM, IIRBM, BGRBM or IGRBM", kind)
	}
	group := fmt.Sprintf("update_%d", update)
	if f.Has(group + "/params") { // older files have no such group
		group += "/params"
	}
	arrays := make([]npy.Array, 3)
	for k, name := range []string{"weight_matrix", "vbias", "hbias"} {
		if arrays[k], err = f.Array(group + "/" + name); err != nil {
			return nil, err
		}
	}
	m, err := newModel(t.visible, t.hidden, arrays[0], t.order)
	if err != nil {
		return nil, err
	}
	m.Info["imported_model"], m.Info["imported_update"] = kind, strconv.Itoa(update)
	if err := set(m.Visible, "fields", arrays[1], 1); err != nil {
		return nil, err
	}
	if t.hidden != unit.Gaussian {
		return m, set(m.Hidden, "fields", arrays[2], 1)
	}
	gamma := param(m.Hidden, "gamma")
	for mu := range gamma {
		gamma[mu] = float64(m.Visible.Spec().N)
	}
	return m, set(m.Hidden, "theta", arrays[2], -1)
}

// writeRBMs writes the model as update 1 of a trajectory.
func writeRBMs(w io.Writer, m *rbm.RBM) error {
	v, h := m.Visible.Spec(), m.Hidden.Spec()
	for kind, t := range rbmsModels {
		if t.visible != v.Type || t.hidden != h.Type || h.Type == unit.Gaussian {
			continue
		}
		b := npy.New(param(m.Visible, "fields"))
		if v.Type == unit.Potts {
			b.Shape = []int{v.N, v.Q}
		}
		items := []hdf5.Item{{Path: "model_type", Text: kind}}
		group := "update_1/params/"
		for name, a := range map[string]npy.Array{
			"weight_matrix": weights(m, t.order), "vbias": b, "hbias": npy.New(param(m.Hidden, "fields")),
		} {
			a, err := single(a)
			if err != nil {
				return err
			}
			items = append(items, hdf5.Item{Path: group + name, Array: a})
		}
		items = append(items, hdf5.Item{Path: "update_1/time", Array: npy.Scalar(0.0)})
		chains := npy.New(make([]float32, v.N), 1, v.N)
		return hdf5.Write(w, append(items, hdf5.Item{Path: "parallel_chains", Array: chains})...)
	}
	return fmt.Errorf("rbms has no models of %s with %s: expected Bernoulli or Potts with Bernoulli units, or spins "+
		"with spins", v, h)
}
