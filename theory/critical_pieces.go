package theory

import (
	"math"

	"instanton/internal/vec"
)

// level is the starting value of a unit, pinned if the unit is to stay there: at a kink of its potential or an end of
// its domain, as a ReLU unit does at 0 and a spin at ±1.
type level struct {
	h      float64
	pinned bool
}

// levels are the starting values of a unit within its range on one scale: −, 0 and + on a parabola without ends, every
// kink and every piece between kinks otherwise.
func (u Potential) levels(within interval, scale float64) []level {
	var list []level
	for i, p := range u.pieces {
		lo, hi := math.Max(p.lo, within.lo), math.Min(p.hi, within.hi)
		if !math.IsInf(p.lo, -1) {
			list = append(list, level{p.lo, true})
		}
		if middle, half := (lo+hi)/2, (hi-lo)/2; half > 0 {
			list = append(list, level{middle - scale*half, false}, level{middle, false},
				level{middle + scale*half, false})
		} else if half == 0 && len(u.pieces) == 1 {
			list = append(list, level{middle, false})
		}
		if i == len(u.pieces)-1 && !math.IsInf(p.hi, 1) {
			list = append(list, level{p.hi, true})
		}
	}
	return list
}

// criticalFrom runs Newton's method from a seed on the smooth pieces of the potentials around it. A unit whose seed
// lies on a piece moves on that piece's parabola (or line); the solution counts only if it stays there, and a unit that
// leaves is pinned at the end of the piece it went through. A critical point has U′(h−) ≤ I(h) ≤ U′(h+) for every unit.
func (l *Landscape) criticalFrom(seed []level) ([]float64, bool) {
	m := l.units
	h, pinned := make([]float64, m), make([]bool, m)
	for mu, s := range seed {
		h[mu], pinned[mu] = s.h, s.pinned
	}
	if l.smooth() {
		return l.newtonCritical(h)
	}
	on := make([]piece, m)
	for mu, v := range l.hidden {
		on[mu] = v.pieces[len(v.pieces)-1]
		for _, p := range v.pieces {
			if h[mu] <= p.hi {
				on[mu] = p
				break
			}
		}
	}
	for range 2*m + 1 {
		if !l.newtonPieces(h, on, pinned) {
			return nil, false
		}
		left := false
		for mu, p := range on {
			if pinned[mu] {
				continue
			}
			if end := math.Min(math.Max(h[mu], p.lo), p.hi); end != h[mu] {
				h[mu], pinned[mu], left = end, true, true
			}
		}
		if !left {
			break
		}
	}
	input := make([]float64, m)
	l.tilt(h, input, nil)
	for mu, v := range l.hidden {
		lo, hi := v.slopes(h[mu])
		if input[mu] < lo-edgeTolerance || input[mu] > hi+edgeTolerance {
			return nil, false
		}
	}
	return h, true
}

func (l *Landscape) smooth() bool {
	for _, v := range l.hidden {
		if len(v.pieces) > 1 || v.pieces[0].curv == 0 || !math.IsInf(v.pieces[0].lo, -1) {
			return false
		}
	}
	return true
}

// newtonPieces solves U′(h) = I(h) on fixed pieces for the units that are not pinned.
func (l *Landscape) newtonPieces(h []float64, on []piece, pinned []bool) bool {
	m := l.units
	r, jac, old := make([]float64, m), make([]float64, m*m), make([]float64, m)
	residual := func() float64 {
		l.tilt(h, r, jac)
		for mu, p := range on {
			if pinned[mu] {
				r[mu] = 0
				for nu := range m {
					jac[mu*m+nu], jac[nu*m+mu] = 0, 0
				}
				jac[mu*m+mu] = 1
				continue
			}
			r[mu] = p.derivative(h[mu]) - r[mu]
			for nu := range m {
				jac[mu*m+nu] *= -1
			}
			jac[mu*m+mu] += p.curv
		}
		for mu, stuck := range pinned { // a pinned unit does not move, so its column carries nothing
			if stuck {
				for nu := range m {
					if nu != mu {
						jac[nu*m+mu] = 0
					}
				}
			}
		}
		return vec.Norm(r)
	}
	size := residual()
	for range 60 {
		if size < 1e-15 {
			break
		}
		step := append([]float64(nil), r...)
		lu := append([]float64(nil), jac...)
		if !solveInPlace(lu, step, m, 1) {
			return false
		}
		copy(old, h)
		shrunk := false
		for scale := 1.0; scale > 1e-3; scale /= 2 {
			for mu := range h {
				h[mu] = old[mu] - scale*step[mu]
			}
			if next := residual(); next < size {
				size, shrunk = next, true
				break
			}
		}
		if !shrunk {
			copy(h, old)
			size = residual()
			break
		}
	}
	return size < 1e-11
}
