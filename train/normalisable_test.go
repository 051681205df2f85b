package train

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"instanton/internal/vec"
	"instanton/unit"
)

// alike are data in which all units are alike, so that the likeliest weights lie at the limit beyond which a model of
// two real layers is not normalisable.
func alike(kind unit.Type) *unit.States {
	data := unit.NewStates(unit.Spec{Type: kind, N: 6}, 50)
	for k := range data.Len {
		for i := range data.N {
			data.Set(k, i, math.Abs(math.Sin(float64(k*k)))+0.01*math.Abs(math.Cos(float64(k+i))))
		}
	}
	return data
}

// Weights that a noisy step takes beyond the limit are brought back: every epoch ends with a normalisable model, and a
// training that is stopped and resumed on either side of the limit ends with the same bits.
func TestRealLayersKeepTheirLaw(t *testing.T) {
	for _, kind := range []unit.Type{unit.Gaussian, unit.ReLU} {
		data := alike(kind)
		start := func() *Trainer {
			cfg := small(60)
			cfg.Optimizer.Rate = 0.02
			tr, err := cfg.New(unit.Spec{Type: kind, N: 4}, Data{States: data}, 1)
			if err != nil {
				t.Fatal(err)
			}
			return tr
		}
		whole, cut := start(), start()
		across := 0 // updates that end beyond the border
		for whole.Updates() < whole.Total() {
			advance(t, whole, 1)
			advance(t, cut, 1)
			saved := file(t, cut)
			cut = start()
			if _, err := cut.Restore(bytes.NewReader(saved), int64(len(saved))); err != nil {
				t.Fatalf("%s, update %d: %v", kind, cut.Updates(), err)
			}
			err := whole.Model().Validate()
			if err != nil {
				across++
			}
			if err != nil && whole.Updates()%whole.PerEpoch() == 0 {
				t.Errorf("%s, update %d: %v", kind, whole.Updates(), err)
			}
		}
		if !bytes.Equal(file(t, whole), file(t, cut)) {
			t.Errorf("%s: a training cut at every update ends differently", kind)
		}
		if across == 0 {
			t.Errorf("%s: the border was never crossed: the test does not see it", kind)
		}
	}
}

// Far beyond the border a training has diverged, and none starts there.
func TestModelsWithoutALawAreADivergence(t *testing.T) {
	data := alike(unit.Gaussian)
	cfg := small(100)
	cfg.Optimizer.Rate = 1
	tr, err := cfg.New(unit.Spec{Type: unit.ReLU, N: 4}, Data{States: data}, 1)
	if err != nil {
		t.Fatal(err)
	}
	for err == nil && tr.Updates() < tr.Total() {
		err = tr.Update(context.Background())
	}
	var d *Divergence
	if !errors.As(err, &d) || !slices.Contains(d.Remedies, StandardiseGradients) {
		t.Errorf("error %v, want a divergence with advice", err)
	}
	cfg.Scale = 10
	_, err = cfg.New(unit.Spec{Type: unit.Gaussian, N: 4}, Data{States: data}, 1)
	if err == nil || !strings.Contains(err.Error(), "scale of 10") {
		t.Errorf("error %v of a start without a law, want advice", err)
	}
}

// Shrinking the weights leaves the centred fields where they are.
func TestScaleWeightsKeepsTheCentredFields(t *testing.T) {
	tr, err := small(1).New(unit.Spec{Type: unit.ReLU, N: 3}, Data{States: alike(unit.Gaussian)}, 1)
	if err != nil {
		t.Fatal(err)
	}
	fields := func() (all []float64) { // θ − Wλ and θ − Wᵀμ: fields against x
		for i, theta := range paramsOf(tr.model.Visible).data[tr.theta(t)] {
			all = append(all, theta-vec.Dot(tr.model.Row(i), tr.coords.lambda))
		}
		return all
	}
	before := fields()
	tr.ascent.scaleWeights(0.5)
	for i, x := range fields() {
		if math.Abs(x-before[i]) > 1e-9*(1+math.Abs(x)) {
			t.Errorf("centred field %d is %g, want %g", i, x, before[i])
		}
	}
}

// theta is the place of θ among the parameters of the visible units.
func (t *Trainer) theta(tb testing.TB) int {
	tb.Helper()
	for k, p := range t.model.Visible.Params() {
		if p.Name == "theta" {
			return k
		}
	}
	tb.Fatal("no θ")
	return 0
}
