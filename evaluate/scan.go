package evaluate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"instanton/batch"
	"instanton/rbm"
	"instanton/unit"
)

// ScanOptions are the settings of a scan over β. Only Betas must be set; the rest matters where chains are needed.
type ScanOptions struct {
	Betas  []float64
	Chains int // in each direction; 0: 64
	Sweeps int // at each rung of the ladder; 0: 40, after as many that do not count
	Seed   uint64
	// Data are configurations that the model should know, if there are any: chains come down from them, too.
	Data     *unit.States
	Workers  int
	Progress func(done, total int) // hears how much of the way up and down the ladder is done, in thousandths
}

// Scan is a model over a range of inverse temperatures: the laws P(v)^β.
type Scan struct {
	Judgement
	Method Method      `json:"method"` // exact, quadrature, or mbar: chains at every rung of a ladder
	Points []ScanPoint `json:"points"`
	Rungs  int         `json:"rungs,omitempty"` // of the ladder
}

// ByMBAR is the method of scans by chains at several β.
const ByMBAR Method = "mbar"

// ScanPoint is one temperature. What is not known is nil; errors are zero where the numbers are exact.
type ScanPoint struct {
	Beta         float64  `json:"beta"`
	LogZ         *float64 `json:"log_z"` // log Σ_v e^{−βE_eff(v)}
	LogZError    float64  `json:"log_z_error"`
	Energy       *float64 `json:"energy"` // ⟨E_eff⟩
	EnergyError  float64  `json:"energy_error"`
	SpecificHeat *float64 `json:"specific_heat"` // β² Var(E_eff)/N
	HeatError    float64  `json:"specific_heat_error"`
}

// set fills in what is exact.
func (p *ScanPoint) set(t thermal, n int) {
	heat := p.Beta * p.Beta * t.Variance / float64(n)
	p.LogZ, p.Energy, p.SpecificHeat = &t.LogZ, &t.Energy, &heat
}

// NewScan finds log Z, energy and specific heat at each β: exactly by enumeration of the visible units or by
// quadrature over up to three Gaussian hidden units, otherwise by chains.
func NewScan(ctx context.Context, m *rbm.RBM, o ScanOptions) (*Scan, error) {
	discrete := m.Visible.Spec().Type.Discrete()
	if len(o.Betas) == 0 {
		return nil, errors.New("a scan over no β: expected at least one")
	}
	o.Betas = slices.Clone(o.Betas)
	slices.Sort(o.Betas)
	for _, beta := range o.Betas {
		if !(beta >= 0 && beta <= maxScanBeta) || beta == 0 && !discrete {
			return nil, fmt.Errorf("β = %g: expected a number from 0 to %d, and above 0 for real visible units", beta,
				maxScanBeta)
		}
	}
	s := &Scan{}
	for _, beta := range o.Betas {
		s.Points = append(s.Points, ScanPoint{Beta: beta})
	}
	n := m.Visible.Spec().N
	if space, err := rbm.NewSpace(m.Visible.Spec()); err == nil && space.Size() <= affordable {
		s.Method, s.Judgement = ByEnumeration, good("all numbers are sums over all configurations")
		energies, err := allEnergies(m, space)
		if err != nil {
			return nil, err
		}
		for k := range s.Points {
			s.Points[k].set(enumerated(energies, s.Points[k].Beta), n)
		}
		return s, nil
	}
	if _, ok := canIntegrate(m); ok && m.Hidden.Spec().Type == unit.Gaussian {
		err := s.integrate(m)
		if tooLong := (*tooMuch)(nil); err == nil || !errors.As(err, &tooLong) {
			return s, err
		}
	}
	return s, s.byChains(ctx, m, o)
}

// maxScanBeta bounds the copies of hidden units that cold chains need.
const maxScanBeta = 100

// integrate does the scan by quadrature.
func (s *Scan) integrate(m *rbm.RBM) error {
	spec := m.Visible.Spec()
	for k := range s.Points {
		p := &s.Points[k]
		// The integral does not exist at β = 0; its limit does.
		t, err := integrate(m, max(p.Beta, 1e-6), quadratureUnasked)
		if err != nil {
			return err
		}
		if p.Beta == 0 {
			t.LogZ = float64(spec.N) * math.Log(float64(spec.States()))
		}
		p.set(t, spec.N)
	}
	s.Method, s.Judgement = ByQuadrature, good("all numbers are integrals over the Gaussian hidden units")
	return nil
}

// allEnergies lists E_eff of every configuration.
func allEnergies(m *rbm.RBM, space *rbm.Space) ([]float64, error) {
	const block = 1 << 14
	all := make([]float64, 0, space.Size())
	x := make([]float64, space.Spec().N)
	for lo := 0; lo < space.Size(); lo += block {
		v := unit.NewStates(space.Spec(), min(block, space.Size()-lo))
		for k := range v.Len {
			space.State(x, lo+k)
			v.SetValues(k, x)
		}
		e, err := batch.EffectiveEnergies(m, v)
		if err != nil {
			return nil, err
		}
		all = append(all, e...)
	}
	return all, nil
}
