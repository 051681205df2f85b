// Package evaluate scores models: partition functions, likelihoods, energies.
package evaluate

import (
	"fmt"
	"math"

	"instanton/rbm"
	"instanton/unit"
)

// Score is what is known of a model and of data under it. What could not be computed
// is nil.
type Score struct {
	LogZ            *float64 `json:"log_z"`
	LogLikelihood   *float64 `json:"log_likelihood"`   // mean per sample
	EffectiveEnergy *float64 `json:"effective_energy"` // mean over the samples
	Method          string   `json:"method"`           // how log Z was found: exact or none
	Enumerated      rbm.Side `json:"enumerated,omitempty"`
	Samples         int      `json:"samples"`
}

// affordable is the number of configurations that are enumerated unasked.
const affordable = 1 << 20

// New scores a model, and data under it unless data is nil. The partition function is
// found by enumeration if a layer has at most about a million configurations; with
// exact set, up to rbm.MaxStates, and then it is an error when neither layer is small
// enough.
func New(m *rbm.RBM, data *unit.States, exact bool) (*Score, error) {
	s := &Score{Method: "none"}
	if exact || configurations(m) <= affordable {
		logZ, side, err := rbm.LogZ(m)
		if err != nil {
			return nil, err
		}
		s.Method, s.LogZ, s.Enumerated = "exact", &logZ, side
	}
	if data == nil {
		return s, nil
	}
	if data.Spec != m.Visible.Spec() {
		return nil, fmt.Errorf("data of %s: the model has visible units %s", data.Spec, m.Visible.Spec())
	}
	energies := make([]float64, data.Len)
	m.EffectiveEnergies(energies, data)
	var mean float64
	for _, e := range energies {
		mean += e / float64(data.Len)
	}
	s.EffectiveEnergy, s.Samples = &mean, data.Len
	if s.LogZ != nil {
		l := -mean - *s.LogZ
		s.LogLikelihood = &l
	}
	return s, nil
}

// configurations is the number of states of the smaller discrete layer, +Inf when both
// are real.
func configurations(m *rbm.RBM) float64 {
	least := math.Inf(1)
	for _, l := range []rbm.Layer{m.Visible, m.Hidden} {
		if spec := l.Spec(); spec.Type.Discrete() {
			least = min(least, math.Pow(float64(spec.States()), float64(spec.N)))
		}
	}
	return least
}
