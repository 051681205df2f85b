package theory

import (
	"math"
	"testing"
)

func TestPerturbationReference(t *testing.T) {
	p := must[Perturbation](t)(Perturb(1.2 * math.Sqrt2))
	near(t, "dw/dα", p.DWeight, -1.15342675, 5e-9)
	near(t, "dΦ/dα", p.DAction, -0.74705587, 5e-9)
	near(t, "d first barrier/dα", p.DBarrier, 0.48480762, 5e-9)
}

// g_α, g_w, f^α and f^w against the critical points of models with small α and dw: Richardson differences.
func TestPerturbationFormulas(t *testing.T) {
	w := 1.2 * math.Sqrt2
	p := must[Perturbation](t)(Perturb(w))
	m := p.Magnetization
	for _, at := range [][2]float64{{m, m}, {0, m}, {-m, m}, {0, 0}} {
		follow := func(alpha, dw float64) (float64, float64) {
			l := mustLandscape(t, Pair{w + dw, alpha})
			u := must[[]float64](t)(l.Field(at[:]))
			h, ok := l.newtonCritical(u)
			if !ok {
				t.Fatalf("no critical point next to %v", at)
			}
			return l.Order(h)[0], l.HiddenEnergy(h)
		}
		const d = 1e-4
		m0, f0 := follow(0, 0)
		m1, f1 := follow(d, 0) // α ≥ 0: one-sided differences to second order
		m2, f2 := follow(2*d, 0)
		near(t, "g_α", p.GAlpha(at[0], at[1]), (-3*m0+4*m1-m2)/(2*d), 2e-5)
		near(t, "f^α", p.FreeEnergyAlpha(at[0], at[1]), (-3*f0+4*f1-f2)/(2*d), 2e-6)
		// as printed, with the displacements; they cancel where artanh m = w²m/2
		m12 := (at[0] + at[1]) / (1 + at[0]*at[1])
		printed := (Entropy(at[0])+Entropy(at[1]))/2 - Entropy(m12)
		for k, x := range at {
			g := p.GAlpha(x, at[1-k])
			printed += -w*w/2*x*(m12+(g-x)/2) + g/2*math.Atanh(x)
		}
		near(t, "printed f^α", p.FreeEnergyAlpha(at[0], at[1]), printed, 1e-14)
		mu, fu := follow(0, d)
		md, fd := follow(0, -d)
		near(t, "g_w", p.GW(at[0]), (mu-md)/(2*d), 1e-6)
		near(t, "f^w", p.FreeEnergyW(at[0], at[1]), (fu-fd)/(2*d), 1e-7)
		near(t, "critical value", f0, mustLandscape(t, Pair{w, 0}).HiddenEnergy(must[[]float64](t)(mustLandscape(t,
			Pair{w, 0}).Field(at[:]))), 1e-14)
	}
}

// Pairs that keep m* do keep it, and their barriers follow the first order for small α.
func TestPerturbationAtFixedMagnetization(t *testing.T) {
	p := must[Perturbation](t)(Perturb(1.2 * math.Sqrt2))
	base := must[PairBarriers](t)(Pair{p.W, 0}.Barriers())
	const alpha = 1e-4
	pair := must[Pair](t)(p.At(alpha))
	m := uniformState(t, mustLandscape(t, pair), 1)
	near(t, "m*", m[0], p.Magnetization, 1e-14)
	b := must[PairBarriers](t)(pair.Barriers())
	near(t, "dw/dα", (pair.W-p.W)/alpha, p.DWeight, 2e-3)
	near(t, "dΦ/dα", (b.Action-base.Action)/alpha, p.DAction, 2e-3)
	near(t, "d barrier/dα", (b.Highest-base.Highest)/alpha, p.DBarrier, 2e-3)
}

// Claim C1: with the overlap, Φ falls but the barrier that sets the transition time rises.
func TestErratumOverlapRaisesBarrier(t *testing.T) {
	p := must[Perturbation](t)(Perturb(1.2 * math.Sqrt2))
	for _, want := range []struct{ alpha, highest, action float64 }{{0, 0.0468, 0.0937}, {0.02, 0.0575, 0.0826}, {0.04,
		0.0705, 0.0800}} {
		b := must[PairBarriers](t)(must[Pair](t)(p.At(want.alpha)).Barriers())
		t.Logf("w₀ = 1.2√2, α = %.2f at fixed m*: highest barrier %.4f, Φ %.4f", want.alpha, b.Highest, b.Action)
		near(t, "highest barrier", b.Highest, want.highest, 5e-5)
		near(t, "Φ", b.Action, want.action, 5e-5)
	}
	// first order fails early at w₀ = 1.05√2
	p = must[Perturbation](t)(Perturb(1.05 * math.Sqrt2))
	base := must[PairBarriers](t)(Pair{p.W, 0}.Barriers())
	b := must[PairBarriers](t)(must[Pair](t)(p.At(0.02)).Barriers())
	t.Logf("w₀ = 1.05√2, α = 0.02: dΦ = %+.4f, first order %+.4f, (−m*, m*) a minimum: %v", b.Action-base.Action,
		0.02*p.DAction, b.Mixed)
	near(t, "dΦ", b.Action-base.Action, 0.0005, 5e-5)
	near(t, "first order", 0.02*p.DAction, -0.0046, 5e-5)
	if b.Mixed || !base.Mixed {
		t.Error("(−m*, m*) should be a minimum at α = 0 and not at α = 0.02")
	}
}

func TestPerturbationSaysWhatIsWrong(t *testing.T) {
	_, err := Perturb(1.3)
	wantSentence(t, err, "needs w > √2")
	p := must[Perturbation](t)(Perturb(1.7))
	_, err = p.At(-0.1)
	wantSentence(t, err, "at least 0")
	_, err = Pair{1, 0.02}.Barriers()
	wantSentence(t, err, "no barrier")
	_, err = Pair{1, 3}.Barriers()
	wantSentence(t, err, "take a smaller α")
}
