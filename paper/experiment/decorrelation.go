package experiment

import (
	"math"
)

// Decorrelation says how chains decorrelate within a class, by C(t) = 1 − d(t)/d(∞) with the mean Hamming
// distance d(t) of a chain from itself after t steps and that of independent chains in the same class, d(∞).
type Decorrelation struct {
	Lag         []int     `json:"lag"` // steps
	Correlation []float64 `json:"correlation"`
	Error       []float64 `json:"error"`
	Far         []float64 `json:"independent"` // d(∞) of each class
	FarError    []float64 `json:"independent_error"`
	Tau         float64   `json:"tau"` // integrated autocorrelation time, steps
	TauError    float64   `json:"tau_error"`
	Fast        int       `json:"steps_to_1_over_e"` // the first lag with C < 1/e, 0 if there is none
	Whole       bool      `json:"whole"`             // the integral ran until C < 0.05; else tau is a lower bound
}

// Decorrelated is the correlation at which the integral of C(t) ends.
const Decorrelated = 0.05

// MeasureDecorrelation measures how the chains of a run forget, over lags of up to so many draws. Draws between which a
// chain has changed its class do not count.
func MeasureDecorrelation(r *ClassRun, most int) Decorrelation {
	var m Decorrelation
	for class := range r.Names {
		mean, err := r.IndependentDistance(class)
		m.Far, m.FarError = append(m.Far, mean), append(m.FarError, err)
	}
	tau := make([]float64, r.Chains)
	for a := range tau {
		tau[a] = float64(r.Every)
	}
	for lag := 1; lag <= min(most, r.Draws-1); lag++ {
		var known []float64
		for a := range r.Chains {
			if c, ok := r.correlation(a, lag, m.Far); ok {
				known = append(known, c)
				if !m.Whole {
					tau[a] += 2 * c * float64(r.Every)
				}
			}
		}
		if len(known) == 0 {
			break
		}
		c, err := MeanError(known)
		m.Lag, m.Correlation, m.Error = append(m.Lag, lag*r.Every), append(m.Correlation, c), append(m.Error, err)
		if m.Fast == 0 && c < 1/math.E {
			m.Fast = lag * r.Every
		}
		m.Whole = m.Whole || c < Decorrelated
	}
	m.Tau, m.TauError = MeanError(tau)
	return m
}

// IndependentDistance is the mean distance of different chains in a class at different times, and its error.
func (r *ClassRun) IndependentDistance(class int) (mean, err float64) {
	var means []float64 // of each chain
	thin := max(1, r.Draws/20)
	for a := range r.Chains {
		var x []float64
		for b := range r.Chains {
			for d := 0; b != a && d < r.Draws; d += thin {
				e := (d + r.Draws/2) % r.Draws
				if r.Path[a][d] == class && r.Path[b][e] == class {
					x = append(x, float64(r.V.Hamming(a*r.Draws+d, r.V, b*r.Draws+e)))
				}
			}
		}
		if len(x) > 0 {
			m, _ := MeanError(x)
			means = append(means, m)
		}
	}
	mean, err = MeanError(means)
	return mean, 2 * err // a chain is the first of some pairs and the second of others
}

// correlation is C of one chain at a lag in draws.
func (r *ClassRun) correlation(chain, lag int, far []float64) (c float64, ok bool) {
	sum, n := 0.0, 0
	for d := 0; d+lag < r.Draws; d += max(1, r.Draws/500) {
		if class := r.Path[chain][d]; class >= 0 && class == r.Path[chain][d+lag] {
			sum += float64(r.V.Hamming(chain*r.Draws+d, r.V, chain*r.Draws+d+lag)) / far[class]
			n++
		}
	}
	return 1 - sum/float64(n), n > 0
}
