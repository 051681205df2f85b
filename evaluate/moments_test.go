package evaluate_test

import (
	"math"
	"testing"

	"instanton/evaluate"
	"instanton/rbm"
	"instanton/unit"
)

// Data in which every configuration occurs in proportion to its probability have the moments of the model: slope and
// correlation are one.
func TestMomentsOfTheModelItself(t *testing.T) {
	for _, visible := range []unit.Spec{{Type: unit.Spin, N: 4}, {Type: unit.Potts, N: 3, Q: 3}} {
		m, err := rbm.Random(visible, unit.Spec{Type: unit.Bernoulli, N: 3}, 2, 4)
		if err != nil {
			t.Fatal(err)
		}
		d, err := rbm.NewDistribution(m, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		const total = 20000
		var rows []int
		for k, p := range d.P {
			for range int(math.Round(p * total)) {
				rows = append(rows, k)
			}
		}
		data, x := unit.NewStates(visible, len(rows)), make([]float64, visible.N)
		for i, k := range rows {
			d.Space.State(x, k)
			data.SetValues(i, x)
		}
		r, err := evaluate.CompareMoments(m, data, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		tol := float64(len(d.P)) / total // half a count of every configuration, twice
		for name, a := range map[string]evaluate.Agreement{"v": r.V, "vv": r.VV, "h": r.H, "vh": r.VH} {
			if math.Abs(a.Correlation-1) > 10*tol || math.Abs(a.Slope-1) > 10*tol || a.RMS > tol || a.Count == 0 {
				t.Errorf("%s, %s: %+v, want slope and correlation one", visible, name, a)
			}
		}
		again, err := evaluate.CompareMoments(m, data, nil, data)
		if err != nil || again.VV.RMS != 0 || again.Method != "samples" {
			t.Errorf("data against themselves: %+v, %v", again, err)
		}
	}
}

// Constant moments have no slope; they are marked as constant, since JSON cannot hold NaN.
func TestMomentsOfConstantData(t *testing.T) {
	m, _ := rbm.New(unit.Spec{Type: unit.Spin, N: 3}, unit.Spec{Type: unit.Spin, N: 2})
	r, err := evaluate.CompareMoments(m, unit.NewStates(m.Visible.Spec(), 4), nil, nil)
	if err != nil || !r.V.Constant || r.V.Slope != 0 || r.V.Correlation != 0 || r.V.RMS != 1 {
		t.Errorf("%+v, %v", r, err)
	}
}
