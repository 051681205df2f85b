package theory

import (
	"fmt"
	"math"
	"slices"
)

// Condition freezes all hidden units but some (counted from 1) at the values they have in h, and returns the landscape
// of those left: its HiddenEnergy is the potential e_μ(h_μ|h_¬μ) of the paper, or e_μν for two units, up to a constant.
// The order parameters of the new landscape are its hidden values.
func (l *Landscape) Condition(h []float64, units ...int) (*Landscape, error) {
	if len(h) != l.units {
		return nil, fmt.Errorf("%d hidden values were given: this model has %d units", len(h), l.units)
	}
	if len(units) == 0 {
		return nil, fmt.Errorf("no hidden unit is left free: name at least one")
	}
	free := make([]bool, l.units)
	for _, u := range units {
		if u < 1 || u > l.units || free[u-1] {
			return nil, fmt.Errorf("the free units are %v: they must be different and between 1 and %d", units, l.units)
		}
		free[u-1] = true
	}
	c := &Landscape{units: len(units), share: l.share, bias: slices.Clone(l.bias), order: hiddenOrder{}}
	for _, u := range units {
		c.hidden = append(c.hidden, l.hidden[u-1])
	}
	for k := range l.share {
		row := l.weight[k*l.units : (k+1)*l.units]
		for _, u := range units {
			c.weight = append(c.weight, row[u-1])
		}
		for mu, w := range row {
			if !free[mu] {
				c.bias[k] += w * h[mu]
			}
		}
	}
	return c, nil
}

// hiddenOrder takes the hidden values themselves as order parameters.
type hiddenOrder struct{}

func (hiddenOrder) field(_ *Landscape, m []float64) ([]float64, error) { return slices.Clone(m), nil }

func (hiddenOrder) magnetization(_ *Landscape, u []float64) []float64 { return slices.Clone(u) }

// LatentBarrier describes the potential of one hidden unit with the others frozen.
type LatentBarrier struct {
	Potential *Landscape      // the unit alone; HiddenEnergy is e_μ
	Minima    []CriticalPoint // the minima of e_μ, lowest first
	// Limit is the cost of flipping the unit by a draw from its conditional, N → ∞: min e_μ over the side it goes to
	// minus min e_μ over the side it comes from. 0 if that side is lower. Where e_μ falls towards zero from the far
	// minimum, the far side is lowest at its edge, h = 0, and this is no cost of reaching a flipped state.
	Limit float64
	// Flipped is the same for the lowest minimum on the side it goes to, NaN where that side has none.
	Flipped float64
}

// Latent is the potential of hidden unit μ (counted from 1) with the others as in h, a minimum of the landscape, and
// the barrier Δe_MH to take it across zero.
func (l *Landscape) Latent(h []float64, unit int) (*LatentBarrier, error) {
	c, err := l.Condition(h, unit)
	if err != nil {
		return nil, err
	}
	set, err := c.CriticalPoints()
	if err != nil {
		return nil, err
	}
	b := &LatentBarrier{Potential: c}
	here, there := math.Inf(1), math.Inf(1)
	for i, p := range set.Points {
		if p.Index != 0 {
			continue
		}
		for _, at := range set.all[i] {
			b.Minima = append(b.Minima, c.copyOf(p, at))
			if at[0]*h[unit-1] > 0 {
				here = math.Min(here, p.F)
			} else {
				there = math.Min(there, p.F)
			}
		}
	}
	b.Flipped = math.NaN()
	if !math.IsInf(there, 1) {
		b.Flipped = there - here
	}
	// a side without a minimum is lowest at its edge
	zero := c.HiddenEnergy([]float64{0})
	here, there = math.Min(here, zero), math.Min(there, zero)
	b.Limit = math.Max(0, there-here)
	return b, nil
}

// Finite is Δe_MH at finite N: −1/N times the logarithm of the ratio of the conditional probabilities of the two signs
// of the unit, destination over origin, for a unit that starts with the given sign. As printed in the paper it is that
// of a unit that starts negative; it is negative if the destination is the likelier side.
func (b *LatentBarrier) Finite(n int, sign float64) (float64, error) {
	if n < 1 {
		return 0, fmt.Errorf("the number of spins is %d: it must be at least 1", n)
	}
	if sign == 0 || math.IsNaN(sign) {
		return 0, fmt.Errorf("the sign of the hidden unit is %g: it must be positive or negative", sign)
	}
	from, to := b.logMass(n, math.Copysign(1, sign)), b.logMass(n, -math.Copysign(1, sign))
	return (from - to) / float64(n), nil
}

// logMass is log ∫ exp(−N e_μ) over one sign of the unit, by Simpson's rule around the largest value of the integrand.
func (b *LatentBarrier) logMass(n int, sign float64) float64 {
	lo, hi := b.Potential.hidden[0].Domain()
	reach := b.Potential.box()[0]
	far := math.Max(math.Abs(reach.lo), math.Abs(reach.hi)) + 12/math.Sqrt(float64(n))
	if sign > 0 {
		lo, hi = math.Max(lo, 0), math.Min(hi, far)
	} else {
		lo, hi = math.Max(lo, -far), math.Min(hi, 0)
	}
	if !(hi > lo) {
		return math.Inf(-1)
	}
	cells := 2 * (200 + int(20*(hi-lo)*math.Sqrt(float64(n))))
	step := (hi - lo) / float64(cells)
	values := make([]float64, cells+1)
	best := math.Inf(1)
	for i := range values {
		values[i] = b.Potential.HiddenEnergy([]float64{lo + float64(i)*step})
		best = math.Min(best, values[i])
	}
	sum := 0.0
	for i, e := range values {
		weight := 2.0
		switch {
		case i == 0 || i == cells:
			weight = 1
		case i%2 == 1:
			weight = 4
		}
		sum += weight * math.Exp(-float64(n)*(e-best))
	}
	return math.Log(sum*step/3) - float64(n)*best
}
