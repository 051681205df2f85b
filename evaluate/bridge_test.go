package evaluate

import (
	"math"
	"testing"

	"instanton/dataset"
	"instanton/rbm"
	"instanton/unit"
)

// bySign classifies configurations by the sign of their magnetisation: up is class 1.
func bySign(v *unit.States) ([][]float64, error) {
	p := make([][]float64, v.Len)
	x := make([]float64, v.N)
	for k := range p {
		v.Values(x, k)
		sum := 0.0
		for _, s := range x {
			sum += s
		}
		p[k] = []float64{1, 0}
		if sum > 0 {
			p[k] = []float64{0, 1}
		}
	}
	return p, nil
}

// The weights of both signs of a Curie–Weiss model in a field agree with the sums over all configurations.
func TestBridge(t *testing.T) {
	const n = 15 // odd, so that every configuration has a sign
	m, err := rbm.CurieWeiss(n, 1.4)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range m.Visible.Params() {
		for i := range p.Data {
			p.Data[i] = 0.05
		}
	}
	space, err := rbm.NewSpace(m.Visible.Spec())
	if err != nil {
		t.Fatal(err)
	}
	var z [2]float64
	v := make([]float64, n)
	for k := range space.Size() {
		space.State(v, k)
		sum := 0.0
		for _, s := range v {
			sum += s
		}
		class := 0
		if sum > 0 {
			class = 1
		}
		z[class] += math.Exp(-m.EffectiveEnergy(v))
	}
	want := z[1] / (z[0] + z[1])
	data, err := dataset.CurieWeiss(n, 1.4, 400, 1)
	if err != nil {
		t.Fatal(err)
	}
	p, _ := bySign(data.States)
	for k := range p {
		class, _ := MostProbable(p[k])
		data.Labels = append(data.Labels, class)
	}
	data.LabelNames = []string{"down", "up"}
	got, err := Bridge(t.Context(), m, data, bySign, BridgeOptions{Chains: 400, Steps: 40, Burn: 100, Seed: 3,
		Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v, want %.4f up", got, want)
	if d := math.Abs(got[1].Share - want); d > 4*got[1].Error || got[1].Error > 0.03 || want < 0.6 {
		t.Errorf("the share of up is %.4f ± %.4f, want %.4f", got[1].Share, got[1].Error, want)
	}
	for c := range z {
		if d := math.Abs(got[c].LogZ - math.Log(z[c])); d > 4*got[c].LogZErr+1e-4 {
			t.Errorf("log Z of class %d is %.4f ± %.4f, want %.4f", c, got[c].LogZ, got[c].LogZErr, math.Log(z[c]))
		}
	}
}
