package theory

import (
	"fmt"
	"math"

	"instanton/internal/special"
)

// CurieWeiss is the Curie–Weiss model as an RBM with one quadratic hidden unit and weights W/√N; W² is the inverse
// temperature. Its free energy is f(m) = −W²m²/2 − S(m).
type CurieWeiss struct{ W float64 }

var _ Model = CurieWeiss{}

// Landscape is the model with one hidden unit and one class of spins.
func (c CurieWeiss) Landscape() (*Landscape, error) {
	if err := checkWeight(c.W); err != nil {
		return nil, err
	}
	return &Landscape{
		units: 1, share: []float64{1}, weight: []float64{c.W}, bias: []float64{0},
		hidden: []Potential{Quadratic()}, order: unitOrder{c.W},
	}, nil
}

// maxWeight keeps energies and their differences within the range of numbers. States are saturated long before.
const maxWeight = 1e6

func checkWeight(w float64) error {
	if !(w > 0) || math.IsInf(w, 1) {
		return fmt.Errorf("the weight w is %g: it must be positive and finite", w)
	}
	if w > maxWeight {
		return fmt.Errorf("the weight w is %g: it must be at most %.0e", w, maxWeight)
	}
	return nil
}

// errSaturated says why a state has no field.
func errSaturated(what string, w float64) error {
	return fmt.Errorf("%s is saturated at w = %g: it differs from 1 by less than a number can tell, so that nothing "+
		"can be computed from it; use a smaller w (states of one unit with all spins are told from 1 up to w = 4)",
		what, w)
}

// FreeEnergy is f(m).
func (c CurieWeiss) FreeEnergy(m float64) float64 { return -c.W*c.W*m*m/2 - Entropy(m) }

// Slope is f′(m) = artanh m − W²m.
func (c CurieWeiss) Slope(m float64) float64 { return math.Atanh(m) - c.W*c.W*m }

// Magnetization is m*, the positive root of m = tanh(W²m), which exists above the transition W = 1.
func (c CurieWeiss) Magnetization() (float64, error) {
	if err := checkWeight(c.W); err != nil {
		return 0, err
	}
	if c.W <= 1 {
		return 0, fmt.Errorf("at w = %g the Curie–Weiss model has the single state m = 0: two states need w > 1", c.W)
	}
	// W² tanh u − u is concave for u > 0, and Newton's method falls monotonically onto its root from the right.
	b := c.W * c.W
	u := b
	for range 200 {
		next := u - (b*math.Tanh(u)-u)/(b*sech2(u)-1)
		if !(next < u) {
			break
		}
		u = next
	}
	return math.Tanh(u), nil
}

// Barrier is Δf = f(0) − f(m*) > 0, the free-energy barrier between the two states per spin.
func (c CurieWeiss) Barrier() (float64, error) {
	m, err := c.Magnetization()
	if err != nil {
		return 0, err
	}
	return stateBarrier(c.W * c.W * m), nil
}

// stateBarrier is f(0) − f(m) = log cosh x − ½ x tanh x at a state m = tanh x, x = W²m. Close to the transition the
// terms cancel up to x⁴/12, and a series takes over.
func stateBarrier(x float64) float64 {
	if s := x * x; x < 0.02 {
		return s * s * (1./12 - s*(2./45-s*(17./840-s*124/14175)))
	}
	return special.Log2Cosh(x) - math.Ln2 - x*math.Tanh(x)/2
}

// Relax is the thermalization-like step m' = tanh(W²m), h' = W m, which costs no action.
func (c CurieWeiss) Relax(m float64) (next, h float64) { return math.Tanh(c.W * c.W * m), c.W * m }

// Instanton is the climbing step m' = artanh(m)/W², h' = W m', which costs δΦ = f(m') − f(m). It leaves [−1, 1] for |m|
// beyond tanh(W²), where no state relaxes to m.
func (c CurieWeiss) Instanton(m float64) (next, h float64) {
	next = math.Atanh(m) / (c.W * c.W)
	return next, c.W * next
}

// Delta is the action of one step from magnetization m through the hidden value h to magnetization next (eqdeltaphi).
func (c CurieWeiss) Delta(m, h, next float64) float64 {
	return (h-c.W*m)*(h-c.W*m)/2 + special.Log2Cosh(c.W*h) - c.W*next*h - Entropy(next)
}

// DecayTime is the time over which Φ(T) − Δf falls by a factor e,
//
//	T_decay = 1/log(W²) + 1/log[1/(W²(1−m*²))].
//
// A path that is T steps long leaves m*, passes the saddle and reaches −m*; the departures from the three fixed points
// shrink at the rates of the maps there, and the optimum shares T among them so that the rates add as times: the
// saddle, whose multiplier is W², and the two ends, half each, whose multiplier is W²(1−m*²).
func (c CurieWeiss) DecayTime() (float64, error) {
	m, err := c.Magnetization()
	if err != nil {
		return 0, err
	}
	b := c.W * c.W
	// 1 − m*² = 1/cosh²(W²m*), which 1 − m*² itself loses to rounding beyond W = 4
	end := 2*(special.Log2Cosh(b*m)-math.Ln2) - math.Log(b)
	return 1/math.Log(b) + 1/end, nil
}
