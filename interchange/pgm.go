package interchange

import (
	"errors"
	"fmt"
	"slices"

	"instanton/rbm"
	"instanton/unit"
)

// PGM and ProteinMotifRBM: E = −Σ w h v − fields·v + γh²/2 + θ⁺max(h,0) + θ⁻max(−h,0). Here θ⁻ is the slope of the
// potential on the left, so that it changes sign. ProteinMotifRBM calls γ and θ of Gaussian units a and b. What both
// call ReLU acts on both sides, with one γ; ReLU+ is the unit that is cut at zero.

// pgmNatures are the types of layers.
var pgmNatures = map[string]unit.Type{
	"Bernoulli": unit.Bernoulli, "Spin": unit.Spin, "Potts": unit.Potts, "Gaussian": unit.Gaussian,
	"ReLU": unit.DReLU, "dReLU": unit.DReLU, "ReLU+": unit.ReLU, "ReLUplus": unit.ReLU,
}

func readPGM(state map[string]any) (*rbm.RBM, error) {
	var layers [2]map[string]any
	var kinds [2]unit.Type
	for k, name := range []string{"vlayer", "hlayer"} {
		layers[k] = fieldsOf(state[name])
		if layers[k] == nil {
			return nil, fmt.Errorf("the model has no %s", name)
		}
		nature, _ := layers[k]["nature"].(string)
		var ok bool
		if kinds[k], ok = pgmNatures[nature]; !ok {
			return nil, fmt.Errorf("%s is of nature %q, which is not known here", name, nature)
		}
	}
	if kinds[1] == unit.Potts {
		return nil, errors.New("its hidden units are Potts units: expected units with one value")
	}
	w, err := array(state["weights"])
	if err != nil {
		return nil, fmt.Errorf("weights: %w", err)
	}
	order := "mi"
	if kinds[0] == unit.Potts {
		order = "mia"
	}
	m, err := newModel(kinds[0], kinds[1], w, order)
	if err != nil {
		return nil, err
	}
	if err := setPGM(m.Visible, layers[0]); err != nil {
		return nil, fmt.Errorf("vlayer: %w", err)
	}
	if err := setPGM(m.Hidden, layers[1]); err != nil {
		return nil, fmt.Errorf("hlayer: %w", err)
	}
	return m, nil
}

// pgmParam is a parameter here, the names that it has there, and the sign that it changes by.
type pgmParam struct {
	ours   string
	sign   float64
	theirs []string
}

var pgmParams = map[unit.Type][]pgmParam{
	unit.Bernoulli: {{"fields", 1, []string{"fields"}}},
	unit.Spin:      {{"fields", 1, []string{"fields"}}},
	unit.Potts:     {{"fields", 1, []string{"fields"}}},
	unit.Gaussian:  {{"gamma", 1, []string{"gamma", "a"}}, {"theta", 1, []string{"theta", "b"}}},
	unit.ReLU:      {{"gamma", 1, []string{"gamma", "a"}}, {"theta", 1, []string{"theta_plus", "theta"}}},
	unit.DReLU: {
		{"gamma_plus", 1, []string{"gamma_plus", "a_plus", "gamma", "a"}},
		{"gamma_minus", 1, []string{"gamma_minus", "a_minus", "gamma", "a"}},
		{"theta_plus", 1, []string{"theta_plus"}}, {"theta_minus", -1, []string{"theta_minus"}},
	},
}

// setPGM translates the parameters of a layer.
func setPGM(l rbm.Layer, from map[string]any) error {
	for _, p := range pgmParams[l.Spec().Type] {
		k := slices.IndexFunc(p.theirs, func(name string) bool { return from[name] != nil })
		if k < 0 {
			return fmt.Errorf("there is no parameter %s", p.theirs[0])
		}
		a, err := array(from[p.theirs[k]])
		if err != nil {
			return fmt.Errorf("%s: %w", p.theirs[k], err)
		}
		if err := set(l, p.ours, a, p.sign); err != nil {
			return err
		}
	}
	return nil
}
