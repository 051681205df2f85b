// Package evaluate scores models: partition functions (exact, or between bounds by annealed importance sampling),
// likelihoods, pseudo-likelihoods, energies and moments.
//
// Start with New, which computes what is exact: log Z, if a layer is small enough to be enumerated, and the likelihood
// of data. For larger models, NewAIS estimates log Z from both sides, and Score.SetAIS takes over its bounds.
// Score.SetPseudo adds the pseudo-likelihood, which needs no log Z, and CompareMoments compares the moments of data
// and model. Sites fits independent units to data, a good reference for NewAIS. Bridge estimates the weights of
// classes between which chains do not move.
package evaluate

import (
	"context"
	"fmt"
	"math"

	"instanton/batch"
	"instanton/internal/special"
	"instanton/internal/vec"
	"instanton/rbm"
	"instanton/unit"
)

// Score is what is known about a model and about data under it. What could not be computed is nil.
type Score struct {
	LogZ            *float64 `json:"log_z"`
	LogZLower       *float64 `json:"log_z_lower"` // equal to LogZ if it is exact
	LogZUpper       *float64 `json:"log_z_upper"`
	LogLikelihood   *float64 `json:"log_likelihood"`   // mean per sample
	EffectiveEnergy *float64 `json:"effective_energy"` // mean over the samples
	Method          string   `json:"method"`           // how log Z was found: exact, ais or none
	Enumerated      rbm.Side `json:"enumerated,omitempty"`
	Samples         int      `json:"samples"`
	Weighted        bool     `json:"weighted"` // means over samples are weighted

	// PseudoLogLikelihood is summed over sites and averaged over PseudoSamples samples.
	PseudoLogLikelihood *float64 `json:"pseudo_log_likelihood"`
	PseudoSamples       int      `json:"pseudo_samples"`

	AIS     *AIS          `json:"ais,omitempty"`
	Moments *MomentReport `json:"moments,omitempty"`
}

// affordable is the number of configurations that are enumerated without being asked for.
const affordable = 1 << 20

// New scores a model. If data is non-nil it is scored too, weighted if weights is non-nil. The partition function is
// found by enumeration if a layer has at most about a million configurations. With exact set, the limit is
// rbm.MaxStates, and it is an error if neither layer is small enough.
func New(m *rbm.RBM, data *unit.States, weights []float64, exact bool) (*Score, error) {
	s := &Score{Method: "none"}
	if exact || configurations(m) <= affordable {
		logZ, side, err := rbm.LogZ(m)
		if err != nil {
			return nil, err
		}
		s.Method, s.LogZ, s.Enumerated = "exact", &logZ, side
		s.LogZLower, s.LogZUpper = &logZ, &logZ
	}
	if data == nil {
		return s, nil
	}
	if data.Spec != m.Visible.Spec() {
		return nil, fmt.Errorf("data of %s: the model has visible units %s", data.Spec, m.Visible.Spec())
	}
	energies, err := batch.EffectiveEnergies(m, data)
	if err != nil {
		return nil, err
	}
	mean, err := weightedMean(energies, weights)
	if err != nil {
		return nil, err
	}
	s.EffectiveEnergy, s.Samples, s.Weighted = &mean, data.Len, weights != nil
	s.setLikelihood()
	return s, nil
}

func (s *Score) setLikelihood() {
	if s.LogZ != nil && s.EffectiveEnergy != nil {
		l := -*s.EffectiveEnergy - *s.LogZ
		s.LogLikelihood = &l
	}
}

// SetAIS takes the estimate and the bounds of log Z from annealed importance sampling, unless log Z is known exactly.
func (s *Score) SetAIS(a *AIS) {
	s.AIS = a
	if s.Method == "exact" {
		return
	}
	s.Method, s.LogZ, s.LogZLower, s.LogZUpper = "ais", &a.LogZ, &a.Lower, &a.Upper
	s.setLikelihood()
}

// SetPseudo computes the pseudo-log-likelihood of data, or of an evenly spaced part if all of it would take minutes.
// For real visible units it does nothing.
func (s *Score) SetPseudo(ctx context.Context, m *rbm.RBM, data *unit.States, weights []float64, workers int) error {
	if !m.Visible.Spec().Type.Discrete() {
		return nil
	}
	rows := PseudoRows(m, data.Len, pseudoWork)
	values, err := PseudoLogLikelihood(ctx, m, data, rows, workers)
	if err != nil {
		return err
	}
	mean, err := weightedMean(values, vec.Pick(weights, rows))
	if err != nil {
		return err
	}
	s.PseudoLogLikelihood, s.PseudoSamples = &mean, len(values)
	return nil
}

// weightedMean is vec.WeightedMean of samples whose weights have a positive sum.
func weightedMean(values, weights []float64) (float64, error) {
	total := float64(len(values))
	if weights != nil {
		total = vec.Sum(weights)
	}
	if !(total > 0 && special.Finite(total)) {
		return 0, fmt.Errorf("the weights of %d samples add up to %g: expected a positive number", len(values), total)
	}
	return vec.WeightedMean(values, weights), nil
}

// configurations is the number of states of the smaller discrete layer, +Inf if both are real.
func configurations(m *rbm.RBM) float64 {
	least := math.Inf(1)
	for _, l := range []rbm.Layer{m.Visible, m.Hidden} {
		if spec := l.Spec(); spec.Type.Discrete() {
			least = min(least, math.Pow(float64(spec.States()), float64(spec.N)))
		}
	}
	return least
}
