package interchange

import (
	"errors"
	"fmt"
	"io"
	"math"

	"instanton/internal/hdf5"
	"instanton/internal/npy"
	"instanton/internal/vec"
	"instanton/rbm"
	"instanton/unit"
)

// RestrictedBoltzmannMachines.jl keeps the parameters of a layer in one array, whose first dimension in Julia, the last
// one here, runs over their kinds. Real units have |γ|x²/2 − θx, so that θ changes sign.

const juliaVersion = "rbm_hdf5_file_format_version"

// juliaLayer is a type of layer there.
type juliaLayer struct {
	kind   unit.Type
	params int
}

var juliaLayers = map[string]juliaLayer{
	"Binary": {unit.Bernoulli, 1}, "Spin": {unit.Spin, 1}, "Potts": {unit.Potts, 1}, "PottsGumbel": {unit.Potts, 1},
	"Gaussian": {unit.Gaussian, 2}, "ReLU": {unit.ReLU, 2},
	"dReLU": {unit.DReLU, 4}, "pReLU": {unit.DReLU, 4}, "xReLU": {unit.DReLU, 4},
}

func readJulia(f *hdf5.File) (*rbm.RBM, error) {
	kind := "RBM"
	if f.Has("rbm_type") {
		var err error
		if kind, err = f.String("rbm_type"); err != nil {
			return nil, err
		}
	}
	if kind != "RBM" && kind != "StandardizedRBM" && kind != "CenteredRBM" {
		return nil, fmt.Errorf("rbm_type %q is not known: expected RBM, CenteredRBM or StandardizedRBM", kind)
	}
	names, layers := [2]string{}, [2]juliaLayer{}
	for k, side := range []string{"visible", "hidden"} {
		var err error
		if names[k], err = f.String(side + "_type"); err != nil {
			return nil, err
		}
		var ok bool
		if layers[k], ok = juliaLayers[names[k]]; !ok {
			return nil, fmt.Errorf("the %s layer is %q, which is not known here", side, names[k])
		}
	}
	if layers[1].kind == unit.Potts {
		return nil, errors.New("its hidden units are Potts units: expected units with one value")
	}
	w, err := f.Array("weights")
	if err != nil {
		return nil, err
	}
	order := "mi"
	if layers[0].kind == unit.Potts {
		order = "mia"
	}
	m, err := newModel(layers[0].kind, layers[1].kind, w, order)
	if err != nil {
		return nil, err
	}
	for k, l := range []rbm.Layer{m.Visible, m.Hidden} {
		side := []string{"visible", "hidden"}[k]
		par, err := f.Array(side + "_par")
		if err != nil {
			return nil, err
		}
		if err := setJulia(l, names[k], layers[k].params, par); err != nil {
			return nil, fmt.Errorf("%s_par: %w", side, err)
		}
	}
	m.Info["imported_model"] = kind
	if kind == "RBM" {
		return m, nil
	}
	return m, standardised(f, m)
}

// setJulia translates the parameters of a layer.
func setJulia(l rbm.Layer, name string, kinds int, par npy.Array) error {
	all, err := par.Float64s()
	if err != nil {
		return err
	}
	n := l.Spec().Width()
	if len(all) != n*kinds {
		return fmt.Errorf("it has shape %v: expected %d kinds of parameters of %d units", par.Shape, kinds, n)
	}
	if kinds == 1 {
		return set(l, "fields", par, 1)
	}
	for i := range n {
		p := all[i*kinds : (i+1)*kinds]
		switch name {
		case "Gaussian", "ReLU": // θ, γ
			param(l, "theta")[i], param(l, "gamma")[i] = -p[0], math.Abs(p[1])
			continue
		case "pReLU": // θ, γ, Δ, η
			up, down := 1/(1+p[3]), 1/(1-p[3])
			p = []float64{p[0] + p[2]*up, p[0] - p[2]*down, p[1] * up, p[1] * down}
		case "xReLU": // θ, γ, Δ, ξ
			up := (1 + math.Abs(p[3])) / (1 + max(2*p[3], 0))
			down := (1 + math.Abs(p[3])) / (1 - min(2*p[3], 0))
			p = []float64{p[0] + p[2]*up, p[0] - p[2]*down, p[1] * up, p[1] * down}
		}
		param(l, "theta_plus")[i], param(l, "theta_minus")[i] = -p[0], -p[1] // θ⁺, θ⁻, γ⁺, γ⁻
		param(l, "gamma_plus")[i], param(l, "gamma_minus")[i] = math.Abs(p[2]), math.Abs(p[3])
	}
	return nil
}

// standardised takes centring and scaling into the weights and the fields: (v−λ)/σ W (h−κ)/τ is vW′h with W′ = W/στ,
// less W′κ·v and λW′·h and a constant.
func standardised(f *hdf5.File, m *rbm.RBM) error {
	rows, cols := m.Visible.Spec().Width(), m.Hidden.Spec().Width()
	read := func(name string, n int, missing float64) ([]float64, error) {
		if !f.Has(name) {
			x := make([]float64, n)
			for i := range x {
				x[i] = missing
			}
			return x, nil
		}
		a, err := f.Array(name)
		if err != nil {
			return nil, err
		}
		if a.Len() != n {
			return nil, fmt.Errorf("%s has shape %v: expected %d numbers", name, a.Shape, n)
		}
		return a.Float64s()
	}
	var x [4][]float64
	for k, name := range []string{"offset_v", "offset_h", "scale_v", "scale_h"} {
		var err error
		if x[k], err = read(name, []int{rows, cols}[k%2], float64(k/2)); err != nil {
			return err
		}
	}
	toV, toH := make([]float64, rows), make([]float64, cols)
	for c := range rows {
		row := m.Row(c)
		for mu := range row {
			row[mu] /= x[2][c] * x[3][mu]
			toH[mu] -= row[mu] * x[0][c]
		}
		toV[c] = -vec.Dot(row, x[1])
	}
	m.Visible.AddField(toV)
	m.Hidden.AddField(toH)
	return nil
}

func writeJulia(w io.Writer, m *rbm.RBM) error {
	v, h := m.Visible.Spec(), m.Hidden.Spec()
	if h.Type == unit.Potts {
		return oneOf(Julia, "hidden", h, unit.Bernoulli, unit.Spin, unit.Gaussian, unit.ReLU, unit.DReLU)
	}
	order := "mi"
	if v.Type == unit.Potts {
		order = "mia"
	}
	visible, vType := juliaParams(m.Visible)
	hidden, hType := juliaParams(m.Hidden)
	return hdf5.Write(w,
		hdf5.Item{Path: juliaVersion, Text: "1.0.0"}, hdf5.Item{Path: "rbm_type", Text: "RBM"},
		hdf5.Item{Path: "weights", Array: weights(m, order)},
		hdf5.Item{Path: "visible_par", Array: visible}, hdf5.Item{Path: "visible_type", Text: vType},
		hdf5.Item{Path: "hidden_par", Array: hidden}, hdf5.Item{Path: "hidden_type", Text: hType})
}

// juliaParams is the inverse of setJulia. A dReLU layer is written as xReLU, the type that the package can load.
func juliaParams(l rbm.Layer) (npy.Array, string) {
	spec := l.Spec()
	switch spec.Type {
	case unit.Bernoulli:
		return npy.New(param(l, "fields"), spec.N, 1), "Binary"
	case unit.Spin:
		return npy.New(param(l, "fields"), spec.N, 1), "Spin"
	case unit.Potts:
		return npy.New(param(l, "fields"), spec.N, spec.Q, 1), "Potts"
	case unit.DReLU:
		var all []float64
		for i := range spec.N {
			p, n := param(l, "gamma_plus")[i], param(l, "gamma_minus")[i]
			tp, tn := -param(l, "theta_plus")[i], -param(l, "theta_minus")[i]
			gamma := 2 * p * n / (p + n)
			all = append(all, (tp*n+tn*p)/(p+n), gamma, gamma*(tp-tn)/(p+n), (n-p)/(p+n-math.Abs(n-p)))
		}
		return npy.New(all, spec.N, 4), "xReLU"
	}
	var all []float64
	for i := range spec.N {
		all = append(all, -param(l, "theta")[i], param(l, "gamma")[i])
	}
	if spec.Type == unit.ReLU {
		return npy.New(all, spec.N, 2), "ReLU"
	}
	return npy.New(all, spec.N, 2), "Gaussian"
}
