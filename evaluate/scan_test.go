package evaluate

import (
	"context"
	"math"
	"testing"

	"instanton/rbm"
	"instanton/unit"
)

// Chains on a ladder find what sums and integrals find, within five of their own errors.
func TestScanByChainsAgainstExact(t *testing.T) {
	cw, err := rbm.CurieWeiss(60, 1.1)
	if err != nil {
		t.Fatal(err)
	}
	random, err := rbm.Random(unit.Spec{Type: unit.Bernoulli, N: 10}, unit.Spec{Type: unit.Spin, N: 5}, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	betas := []float64{0, 0.3, 0.7, 1, 1.3}
	for name, m := range map[string]*rbm.RBM{"curie-weiss": cw, "random": random} {
		exact, err := NewScan(context.Background(), m, ScanOptions{Betas: betas})
		if err != nil {
			t.Fatal(err)
		}
		if exact.Method == ByMBAR || exact.Verdict != Good {
			t.Fatalf("%s: %s by %s: expected exact numbers", name, exact.Verdict, exact.Method)
		}
		if z, _, _ := rbm.LogZ(m); name == "random" && math.Abs(z-*exact.Points[3].LogZ) > 1e-10 {
			t.Errorf("log Z at β = 1 is %g, want %g", *exact.Points[3].LogZ, z)
		}
		s := &Scan{Points: make([]ScanPoint, len(betas))}
		for k, beta := range betas {
			s.Points[k].Beta = beta
		}
		if err := s.byChains(context.Background(), m, ScanOptions{Betas: betas, Seed: 1}); err != nil {
			t.Fatal(err)
		}
		if s.Verdict != Good {
			t.Errorf("%s: %s: %s", name, s.Verdict, s.Reason)
			continue
		}
		for k, p := range s.Points {
			want := exact.Points[k]
			for _, q := range []struct {
				name       string
				got, error float64
				want       float64
			}{
				{"log Z", *p.LogZ, p.LogZError, *want.LogZ},
				{"energy", *p.Energy, p.EnergyError, *want.Energy},
				{"specific heat", *p.SpecificHeat, p.HeatError, *want.SpecificHeat},
			} {
				if math.Abs(q.got-q.want) > 6*q.error+1e-6*(1+math.Abs(q.want)) {
					t.Errorf("%s, β = %g: %s %g ± %g, want %g", name, p.Beta, q.name, q.got, q.error, q.want)
				}
			}
		}
	}
}

// Energy and specific heat of the quadrature are the derivatives of its log Z.
func TestScanByQuadratureIsConsistent(t *testing.T) {
	m, err := rbm.CurieWeiss(200, 1.2)
	if err != nil {
		t.Fatal(err)
	}
	const h = 1e-3
	for _, beta := range []float64{0.3, 0.8, 1.4} {
		s, err := NewScan(context.Background(), m, ScanOptions{Betas: []float64{beta - h, beta, beta + h}})
		if err != nil {
			t.Fatal(err)
		}
		lo, mid, hi := *s.Points[0].LogZ, *s.Points[1].LogZ, *s.Points[2].LogZ
		energy, heat := -(hi-lo)/(2*h), beta*beta*(hi-2*mid+lo)/(h*h)/200
		if d := math.Abs(*s.Points[1].Energy - energy); d > 2e-4*(1+math.Abs(energy)) {
			t.Errorf("β = %g: energy %g, want %g", beta, *s.Points[1].Energy, energy)
		}
		if d := math.Abs(*s.Points[1].SpecificHeat - heat); d > 2e-4*(1+heat) {
			t.Errorf("β = %g: specific heat %g, want %g", beta, *s.Points[1].SpecificHeat, heat)
		}
	}
}

func TestScanRefuses(t *testing.T) {
	m, _ := rbm.CurieWeiss(8, 1)
	for _, betas := range [][]float64{nil, {-1}, {math.NaN()}, {1e6}} {
		if _, err := NewScan(context.Background(), m, ScanOptions{Betas: betas}); err == nil {
			t.Errorf("β = %v was accepted", betas)
		}
	}
}
