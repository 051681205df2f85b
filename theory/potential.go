package theory

import (
	"fmt"
	"math"
)

// Potential is the rescaled potential U(h) of one hidden unit. Every potential of the field that has a limit N → ∞ is,
// or has as its convex envelope, a convex function made of parabolas and straight lines, and that is how it is stored:
// only the envelope matters to the cumulant generating function
//
//	Γ̂(I) = max_h (h I − U(h)),
//
// to the transfer function f = Γ̂′, and so to everything else at large N. Make one with Quadratic, ReLU, DReLU, Spin or
// Bernoulli; the zero value is not a potential.
type Potential struct {
	name   string
	pieces []piece
}

// piece is U(h) = base + slope·h + curv·h²/2 on [lo, hi]. Outside all pieces U is infinite.
type piece struct{ lo, hi, base, slope, curv float64 }

func (p piece) value(h float64) float64 { return p.base + h*(p.slope+p.curv*h/2) }

// derivative is U′ on the piece; curv = 0 is taken apart because 0·∞ is not 0.
func (p piece) derivative(h float64) float64 {
	if p.curv == 0 {
		return p.slope
	}
	return p.slope + p.curv*h
}

// Quadratic is U(h) = h²/2: Γ̂(I) = I²/2, f(I) = I.
func Quadratic() Potential {
	return Potential{"quadratic", []piece{{lo: math.Inf(-1), hi: math.Inf(1), curv: 1}}}
}

// ReLU is U(h) = γh²/2 + θh for h ≥ 0 and +∞ below: Γ̂(I) = ½ max(0, I−θ)²/γ, f(I) = max(0, I−θ)/γ.
func ReLU(gamma, theta float64) (Potential, error) {
	if !(gamma > 0) || math.IsInf(gamma, 1) {
		return Potential{}, fmt.Errorf("the curvature γ of a ReLU unit is %g: it must be positive and finite", gamma)
	}
	if !finite(theta) {
		return Potential{}, fmt.Errorf("the threshold θ of a ReLU unit is %g: it must be finite", theta)
	}
	return Potential{fmt.Sprintf("relu:%g,%g", gamma, theta),
		[]piece{{lo: 0, hi: math.Inf(1), slope: theta, curv: gamma}}}, nil
}

// DReLU is U(h) = γ₊h²/2 + θ₊h for h > 0 and γ₋h²/2 + θ₋h for h < 0. It is convex when θ₊ ≥ θ₋; otherwise the unit
// jumps between its two branches at the input where their Γ̂ are equal, and the envelope bridges them by a straight
// line.
func DReLU(gammaPlus, gammaMinus, thetaPlus, thetaMinus float64) (Potential, error) {
	for _, g := range []float64{gammaPlus, gammaMinus} {
		if !(g > 0) || math.IsInf(g, 1) {
			return Potential{}, fmt.Errorf("a curvature of a dReLU unit is %g: γ₊ and γ₋ must be positive and finite",
				g)
		}
	}
	if !finite(thetaPlus) || !finite(thetaMinus) {
		return Potential{}, fmt.Errorf("the thresholds of a dReLU unit are θ₊ = %g and θ₋ = %g: they must be finite",
			thetaPlus, thetaMinus)
	}
	name := fmt.Sprintf("drelu:%g,%g,%g,%g", gammaPlus, gammaMinus, thetaPlus, thetaMinus)
	left := piece{lo: math.Inf(-1), hi: 0, slope: thetaMinus, curv: gammaMinus}
	right := piece{lo: 0, hi: math.Inf(1), slope: thetaPlus, curv: gammaPlus}
	if thetaPlus >= thetaMinus {
		return Potential{name, []piece{left, right}}, nil
	}
	sp, sm := math.Sqrt(gammaPlus), math.Sqrt(gammaMinus)
	jump := (thetaPlus*sm + thetaMinus*sp) / (sp + sm)
	left.hi, right.lo = (jump-thetaMinus)/gammaMinus, (jump-thetaPlus)/gammaPlus
	excess := jump - thetaPlus
	bridge := piece{lo: left.hi, hi: right.lo, base: -excess * excess / (2 * gammaPlus), slope: jump}
	return Potential{name, []piece{left, bridge, right}}, nil
}

// Spin is a unit h = ±1 in a field c, U(h) = −c h: Γ̂(I) = |I+c|, f(I) = sign(I+c).
func Spin(c float64) (Potential, error) {
	if !finite(c) {
		return Potential{}, fmt.Errorf("the field c of a spin unit is %g: it must be finite", c)
	}
	return Potential{fmt.Sprintf("spin:%g", c), []piece{{lo: -1, hi: 1, slope: -c}}}, nil
}

// Bernoulli is a unit h = 0 or 1 in a field c, U(h) = −c h: Γ̂(I) = max(0, I+c), f(I) = Heaviside(I+c).
func Bernoulli(c float64) (Potential, error) {
	if !finite(c) {
		return Potential{}, fmt.Errorf("the field c of a Bernoulli unit is %g: it must be finite", c)
	}
	return Potential{fmt.Sprintf("bernoulli:%g", c), []piece{{lo: 0, hi: 1, slope: -c}}}, nil
}

// String is the form that ParsePotential reads.
func (u Potential) String() string { return u.name }

// Domain is the interval outside which U is infinite (the envelope's, so [−1, 1] for a spin).
func (u Potential) Domain() (lo, hi float64) { return u.pieces[0].lo, u.pieces[len(u.pieces)-1].hi }

// Value is U(h), +∞ outside the domain.
func (u Potential) Value(h float64) float64 {
	for _, p := range u.pieces {
		if h >= p.lo && h <= p.hi {
			return p.value(h)
		}
	}
	return math.Inf(1)
}

// Gamma is the cumulant generating function Γ̂(I) = max_h (h I − U(h)).
func (u Potential) Gamma(input float64) float64 {
	h := u.Transfer(input)
	return h*input - u.Value(h) + 0 // + 0 makes −0 plain
}

// Transfer is f(I) = Γ̂′(I), the most likely hidden value under the input I. Where f jumps it is the middle of the
// jump.
func (u Potential) Transfer(input float64) float64 {
	h, _ := u.respond(input)
	return h
}

// Gain is Γ̂″(I), 0 where the unit is pinned at a kink or an end of its domain, and +∞ at a jump of f.
func (u Potential) Gain(input float64) float64 {
	_, gain := u.respond(input)
	return gain
}

func (u Potential) respond(input float64) (h, gain float64) {
	for _, p := range u.pieces {
		switch {
		case input < p.derivative(p.lo) || (p.curv > 0 && input == p.derivative(p.lo)):
			return p.lo, 0
		case p.curv == 0 && input == p.slope:
			return (p.lo + p.hi) / 2, math.Inf(1)
		case input < p.derivative(p.hi):
			return (input - p.slope) / p.curv, 1 / p.curv
		}
	}
	return u.pieces[len(u.pieces)-1].hi, 0
}

// Continuous reports whether the transfer function has no jump. Instantons, relaxations in the neighbourhood of
// saddles, and optimal paths need that; spins and Bernoulli units do not have it.
func (u Potential) Continuous() bool {
	for _, p := range u.pieces {
		if p.curv == 0 {
			return false
		}
	}
	return len(u.pieces) > 0
}

// Even reports whether U(−h) = U(h).
func (u Potential) Even() bool {
	n := len(u.pieces)
	for i, p := range u.pieces {
		q := u.pieces[n-1-i]
		if p.lo != -q.hi || p.slope != -q.slope || p.curv != q.curv {
			return false
		}
	}
	return true
}

// slopes are the left and right derivatives of U at h, infinite at the ends of the domain; they differ at a kink.
func (u Potential) slopes(h float64) (left, right float64) {
	left, right = math.Inf(-1), math.Inf(1)
	for _, p := range u.pieces {
		if h > p.lo && h <= p.hi {
			left = p.derivative(h)
		}
		if h >= p.lo && h < p.hi {
			right = p.derivative(h)
		}
	}
	return left, right
}

// gainSide picks the lower or the higher of two values of Γ̂″.
type gainSide int

const (
	lowGain gainSide = iota
	highGain
)

// gains are the lower and the higher value of Γ̂″ on the two sides of the input that leads to h. They are equal but
// where a kink or an end of U begins to hold the unit, as the end at 0 does for a ReLU unit with the input θ, or where
// its curvature changes.
func (u Potential) gains(h, input float64) [2]float64 {
	left, right := u.slopes(h)
	kink := left != right
	low, high := math.Inf(1), 0.0
	if kink {
		low = 0
	}
	for _, p := range u.pieces {
		below, above := h > p.lo && h <= p.hi, h >= p.lo && h < p.hi // the piece on the left of h, on the right of it
		if !below && !above || kink && math.Abs(p.derivative(h)-input) > edgeTolerance {
			continue
		}
		low, high = math.Min(low, 1/p.curv), math.Max(high, 1/p.curv)
	}
	return [2]float64{low, high}
}

// edgeTolerance is how well the inputs of critical points are known.
const edgeTolerance = 1e-9

// cost is U(h) + Γ̂(I) − h I ≥ 0, the cost per spin of drawing h under the input I.
func (u Potential) cost(h, input float64) float64 {
	best := u.Transfer(input)
	for _, p := range u.pieces {
		if p.curv > 0 && h >= p.lo && h <= p.hi && best > p.lo && best < p.hi {
			return p.curv * (h - best) * (h - best) / 2
		}
	}
	return math.Max(0, u.Value(h)-u.Value(best)-(h-best)*input)
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
