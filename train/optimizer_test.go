package train

import (
	"math"
	"testing"
)

// Two steps of every optimiser by hand.
func TestOptimizers(t *testing.T) {
	g := []float64{0.5, -0.25}
	for name, want := range map[string]float64{
		// u = 0.5, then 0.9·0.5 − 0.25
		"sgd": 0.1 * (0.9*0.5 - 0.25),
		// ŝ₂ = [0.99·0.01·0.25 + 0.01·0.0625]/(1−0.99²)
		"rmsprop": 0.1 * -0.25 / (1e-3 + math.Sqrt((0.99*0.01*0.25+0.01*0.0625)/(1-0.99*0.99))),
		"adam": 0.1 * (0.9*0.1*0.5 - 0.1*0.25) / (1 - 0.81) /
			(1e-3 + math.Sqrt((0.99*0.01*0.25+0.01*0.0625)/(1-0.99*0.99))),
	} {
		o := Default().Optimizer
		o.Name = name
		steps := o.optimizer().Start(3)
		var x []float64
		for t := range g {
			steps.Begin(t+1, 0.1)
			x = []float64{0, g[t]}
			steps.Step(x, 1)
		}
		if math.Abs(x[1]-want) > 1e-15 || x[0] != 0 {
			t.Errorf("%s: second step %g, want %g", name, x[1], want)
		}
	}
	a := &ascent{steps: SGD{}.Start(2), clip: 0.1}
	a.steps.Begin(1, 0.5)
	x := []float64{3, -0.05}
	a.turn(x, 0)
	if x[0] != 0.05 || x[1] != -0.025 {
		t.Errorf("steps %v with a limit of 0.1 and half of the rate, want 0.05 and −0.025", x)
	}
}

func TestSchedules(t *testing.T) {
	for _, c := range []struct {
		name                     string
		start, quarter, half, at float64 // at three quarters
		end                      float64
	}{
		{"constant", 1, 1, 1, 1, 1},
		{"geometric", 1, 1, 1, 0.1, 0.01},
		{"cosine", 1, 0.01 + 0.99*(1+math.Sqrt2/2)/2, 0.505, 0.01 + 0.99*(1-math.Sqrt2/2)/2, 0.01},
	} {
		factor := ScheduleConfig{Name: c.name, Final: 0.01}.schedule()
		for share, want := range map[float64]float64{0: c.start, 0.25: c.quarter, 0.5: c.half, 0.75: c.at, 1: c.end} {
			if got := factor(share); math.Abs(got-want) > 1e-12 {
				t.Errorf("%s after %g: %g, want %g", c.name, share, got, want)
			}
		}
	}
}
