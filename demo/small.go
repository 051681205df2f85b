package demo

import (
	"context"
	"math"

	"instanton/rbm"
	"instanton/sampler"
)

const (
	smallSpins  = 16
	smallWeight = 1.2
	smallChains = 2000
)

// Small compares samplers with exact enumeration on a small Curie–Weiss model.
type Small struct {
	N            int       `json:"n"`
	W            float64   `json:"w"`
	LogZ         float64   `json:"log_z"`
	Energy       float64   `json:"mean_effective_energy"`
	M2           float64   `json:"m2"`            // ⟨m²⟩
	Distribution []float64 `json:"magnetization"` // P(m) at m = −1, −1+2/N, …, 1
	Measured     []Measure `json:"measured"`
}

// Measure is what one sampler finds, with standard errors from independent chains.
type Measure struct {
	Sampler      string    `json:"sampler"`
	Energy       float64   `json:"mean_effective_energy"`
	EnergyError  float64   `json:"mean_effective_energy_error"`
	M2           float64   `json:"m2"`
	M2Error      float64   `json:"m2_error"`
	Distribution []float64 `json:"magnetization"`
	Errors       []float64 `json:"magnetization_errors"`
}

func runSmall(ctx context.Context, o Options) (*Small, error) {
	m, err := rbm.CurieWeiss(smallSpins, smallWeight)
	if err != nil {
		return nil, err
	}
	d, err := rbm.NewDistribution(m, nil, 1)
	if err != nil {
		return nil, err
	}
	s := &Small{N: smallSpins, W: smallWeight, LogZ: d.LogZ, Distribution: make([]float64, smallSpins+1)}
	s.Energy = d.Mean(m.EffectiveEnergy)
	s.M2 = d.Mean(func(v []float64) float64 { x := magnetization(v); return x * x })
	v := make([]float64, smallSpins)
	for k, p := range d.P {
		d.Space.State(v, k)
		s.Distribution[ups(v)] += p
	}
	for _, name := range []string{"gibbs", "metropolis", "glauber"} {
		// The relaxation time at this size is some tens of sweeps.
		r, err := record(ctx, o, name, m, smallChains, nil, sampler.Plan{Burn: 400, Every: 1, Draws: 1})
		if err != nil {
			return nil, err
		}
		s.Measured = append(s.Measured, measure(name, m, r))
	}
	return s, nil
}

// measure averages over the last draws of the chains, which are independent.
func measure(name string, m *rbm.RBM, r *sampler.Record) Measure {
	out := Measure{Sampler: name, Distribution: make([]float64, smallSpins+1), Errors: make([]float64, smallSpins+1)}
	n := float64(r.V.Len)
	energy := make([]float64, r.V.Len)
	square := make([]float64, r.V.Len)
	m.EffectiveEnergies(energy, r.V)
	v := make([]float64, smallSpins)
	for k := range r.V.Len {
		r.V.Values(v, k)
		square[k] = magnetization(v) * magnetization(v)
		out.Distribution[ups(v)] += 1 / n
	}
	for k, p := range out.Distribution {
		out.Errors[k] = math.Sqrt(p * (1 - p) / n)
	}
	out.Energy, out.EnergyError = meanAndError(energy)
	out.M2, out.M2Error = meanAndError(square)
	return out
}

// meanAndError is the mean of independent numbers and its standard error.
func meanAndError(x []float64) (mean, err float64) {
	n := float64(len(x))
	for _, v := range x {
		mean += v / n
	}
	for _, v := range x {
		err += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(err / (n * (n - 1)))
}

// Worst is the largest distance between a measured and an exact mean, in standard
// errors.
func (s *Small) Worst() float64 {
	var worst float64
	for _, m := range s.Measured {
		worst = max(worst, math.Abs(m.Energy-s.Energy)/m.EnergyError, math.Abs(m.M2-s.M2)/m.M2Error)
	}
	return worst
}

func magnetization(v []float64) float64 {
	var sum float64
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

// ups counts the spins that are up.
func ups(v []float64) int { return int(math.Round((magnetization(v) + 1) / 2 * float64(len(v)))) }
