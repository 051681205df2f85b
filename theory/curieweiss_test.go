package theory

import (
	"fmt"
	"math"
	"testing"
)

func TestCurieWeissReference(t *testing.T) {
	for _, want := range []struct{ w, m, f, barrier float64 }{
		{1.1, 0.66992864690857, -0.71945328707651, 0.02630610651657},
		{1.5, 0.97549582573979, -1.13665225133170, 0.44350507077176},
	} {
		c := CurieWeiss{want.w}
		m := must[float64](t)(c.Magnetization())
		near(t, "m*", m, want.m, 5e-15)
		near(t, "f(m*)", c.FreeEnergy(m), want.f, 5e-15)
		near(t, "Δf", must[float64](t)(c.Barrier()), want.barrier, 5e-15)
		near(t, "f′(m*)", c.Slope(m), 0, 1e-13)
	}
}

func TestCurieWeissMaps(t *testing.T) {
	c := CurieWeiss{1.1}
	m, h := c.Instanton(0.3)
	near(t, "instanton from 0.3", m, 0.25580132578770, 5e-15)
	near(t, "δΦ of the instanton", c.Delta(0.3, h, m), 0.00224533943768, 5e-15)
	near(t, "f(m′) − f(m)", c.FreeEnergy(m)-c.FreeEnergy(0.3), 0.00224533943768, 5e-15)
	m, h = c.Relax(0.3)
	near(t, "relaxation from 0.3", m, 0.34785377420226, 5e-15)
	near(t, "δΦ of the relaxation", c.Delta(0.3, h, m), 0, 1e-15)
}

// Just above the transition m*² ≈ 3(w²−1), and far above m* is 1 within rounding; Newton's method must survive both.
func TestCurieWeissMagnetizationEverywhere(t *testing.T) {
	m := must[float64](t)(CurieWeiss{1 + 1e-9}.Magnetization())
	near(t, "m* at w = 1+1e-9", m, math.Sqrt(6e-9), 1e-8)
	for w := 1.001; w < 6; w *= 1.1 {
		m := must[float64](t)(CurieWeiss{w}.Magnetization())
		near(t, "m* − tanh(w²m*)", m-math.Tanh(w*w*m), 0, 4e-16)
	}
}

// The barrier where f(0) − f(m*) cancels, and the decay time where 1 − m* is below rounding; values with 40 digits.
func TestCurieWeissAtTheEndsOfTheScale(t *testing.T) {
	for _, c := range []struct{ w, barrier, decay, tolerance float64 }{
		{1.000000001, 2.9999999958e-18, 750000000.225, 2e-7}, // rounding of w² over w² − 1
		{1.0000001, 2.999999580000057e-14, 7500000.224999989, 2e-9},
		{1.00003, 2.699886604606416e-9, 25000.22499679648, 1e-11},
		{1.00004, 4.799731214558368e-9, 18750.22499572867, 1e-11},
		{1.002, 1.196649077066933e-5, 375.2247866648044, 1e-11},
		{3, 3.806852834670038, 0.5244846706841869, 1e-14},
		{5, 11.80685281944005, 0.3326964076700909, 1e-14},
	} {
		model := CurieWeiss{c.w}
		near(t, fmt.Sprintf("barrier at w = %g over its value", c.w), must[float64](t)(model.Barrier())/c.barrier, 1,
			c.tolerance)
		near(t, fmt.Sprintf("decay time at w = %g over its value", c.w), must[float64](t)(model.DecayTime())/c.decay, 1,
			c.tolerance)
	}
}

// f(m*) − f(0) as printed in eq. (feb) is negative; the barrier is the opposite.
func TestErratumBarrierSign(t *testing.T) {
	c := CurieWeiss{1.5}
	m := must[float64](t)(c.Magnetization())
	printed, barrier := c.FreeEnergy(m)-c.FreeEnergy(0), must[float64](t)(c.Barrier())
	t.Logf("w = 1.5: printed f(m*) − f(0) = %.14f, Δf = f(0) − f(m*) = %.14f", printed, barrier)
	if printed >= 0 || math.Abs(barrier+printed) > 1e-15 {
		t.Errorf("printed %g, barrier %g", printed, barrier)
	}
}

func TestErratumDecayTime(t *testing.T) {
	c := CurieWeiss{1.1}
	l := mustLandscape(t, c)
	m := must[float64](t)(c.Magnetization())
	want := must[float64](t)(c.DecayTime())
	excess := func(steps int) float64 {
		p := must[*Path](t)(l.OptimalPath(PathProblem{From: []float64{m}, To: []float64{-m}, Steps: steps}))
		return p.Action - must[float64](t)(c.Barrier())
	}
	early := 10 / math.Log(excess(80)/excess(90))
	late := 10 / math.Log(excess(140)/excess(150))
	t.Logf("w = 1.1: T_decay measured %.3f (T = 80…90), %.3f (T = 140…150); formula %.3f; printed %.3f", early, late,
		want, 1/math.Log(1.21))
	near(t, "T_decay", want, 7.715, 5e-4)
	near(t, "measured", late, 7.715, 1e-3)
	near(t, "measured early", early, 7.740, 5e-3)
	ratio := math.Inf(1) // to 1/log w²: from 3/2 near w = 1 down to 1
	for _, w := range []float64{1.0001, 1.1, 1.2, 1.5, 2, 3} {
		r := must[float64](t)(CurieWeiss{w}.DecayTime()) * math.Log(w*w)
		t.Logf("w = %g: T_decay·log w² = %.4f", w, r)
		if !(r < ratio && r > 1 && r < 1.5+1e-3) {
			t.Errorf("w = %g: T_decay·log w² = %g after %g", w, r, ratio)
		}
		ratio = r
	}
	near(t, "T_decay·log w², w = 1.1", want*math.Log(1.21), 1.471, 5e-4)
	near(t, "T_decay·log w², w = 3", ratio, 1.152, 5e-4)
	near(t, "(3/2)/log w² near w = 1", must[float64](t)(CurieWeiss{1.0001}.DecayTime())*math.Log(1.0001*1.0001), 1.5,
		1e-3)
}

func TestCurieWeissSaysWhatIsWrong(t *testing.T) {
	for _, w := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if _, err := (CurieWeiss{w}).Landscape(); err == nil {
			t.Errorf("w = %g was accepted", w)
		}
	}
	_, err := CurieWeiss{0.9}.Barrier()
	wantSentence(t, err, "two states need w > 1")
	_, err = CurieWeiss{1}.DecayTime()
	wantSentence(t, err, "two states need w > 1")
}
