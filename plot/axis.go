package plot

import (
	"fmt"
	"math"

	"instanton/internal/special"
)

// Axis describes an axis of a panel.
type Axis struct {
	// Label names the quantity.
	Label string
	// Log makes the scale logarithmic. Values that are not positive are gaps.
	Log bool
	// Limits fixes one or both ends; those that are not fixed follow the data.
	Limits Limits
	// Ticks replaces the automatic ticks, for instance by the names of categories.
	Ticks []Tick
}

// Tick is a mark on an axis with a label.
type Tick struct {
	Value float64
	Label string
}

// Categories returns ticks at 0, 1, 2, … with the given names.
func Categories(names ...string) []Tick {
	ticks := make([]Tick, len(names))
	for i, n := range names {
		ticks[i] = Tick{Value: float64(i), Label: n}
	}
	return ticks
}

// Limits holds the ends of an axis that do not follow the data. Make one with Between, From or UpTo.
type Limits struct {
	lo, hi           float64
	fixedLo, fixedHi bool
}

// Between fixes both ends of an axis.
func Between(lo, hi float64) Limits { return Limits{lo, hi, true, true} }

// From fixes the lower end of an axis.
func From(lo float64) Limits { return Limits{lo: lo, fixedLo: true} }

// UpTo fixes the upper end of an axis.
func UpTo(hi float64) Limits { return Limits{hi: hi, fixedHi: true} }

func (a Axis) check(which string) error {
	l := a.Limits
	switch {
	case l.fixedLo && !special.Finite(l.lo), l.fixedHi && !special.Finite(l.hi):
		return fmt.Errorf("the limits of the %s axis are %g and %g, expected finite numbers", which, l.lo, l.hi)
	case l.fixedLo && l.fixedHi && l.lo >= l.hi:
		return fmt.Errorf("the %s axis runs from %g to %g, expected a lower end below the upper one", which, l.lo, l.hi)
	case a.Log && (l.fixedLo && l.lo <= 0 || l.fixedHi && l.hi <= 0):
		return fmt.Errorf("the logarithmic %s axis has the limits %g and %g, expected positive numbers", which, l.lo,
			l.hi)
	}
	for _, t := range a.Ticks {
		if !special.Finite(t.Value) {
			return fmt.Errorf("a tick of the %s axis (%q) is at %g, expected a finite number", which, t.Label,
				t.Value)
		}
	}
	return nil
}

// span is a range of data that grows as values are added. Its zero value is empty.
type span struct {
	lo, hi float64
	any    bool
}

func (s *span) add(log bool, vs ...float64) {
	for _, v := range vs {
		if !special.Finite(v) || log && v <= 0 {
			continue
		}
		if !s.any {
			s.lo, s.hi, s.any = v, v, true
		}
		s.lo, s.hi = min(s.lo, v), max(s.hi, v)
	}
}

// limits turns the span of the data into the ends of the axis: the fixed ones as given, the others
// with a margin of pad times the length on their side.
func (a Axis) limits(data span, padLo, padHi float64) (lo, hi float64, err error) {
	l := a.Limits
	if !data.any && !(l.fixedLo && l.fixedHi) {
		if a.Log {
			return 0, 0, fmt.Errorf("has no positive value for its logarithmic axis")
		}
		return 0, 0, fmt.Errorf("has no finite value to choose its limits from")
	}
	lo, hi = data.lo, data.hi
	if l.fixedLo {
		lo = l.lo
	}
	if l.fixedHi {
		hi = l.hi
	}
	if a.Log {
		lo, hi = math.Log10(lo), math.Log10(hi)
	}
	// Data with a single value, or beyond the one fixed end, still need an axis of some length.
	if hi-lo <= 1e-12*max(math.Abs(lo), math.Abs(hi)) {
		room := 0.5
		if !a.Log && lo != 0 && hi != 0 {
			room = 0.5 * max(math.Abs(lo), math.Abs(hi))
		}
		switch {
		case l.fixedLo:
			hi = lo + room
		case l.fixedHi:
			lo = hi - room
		default:
			lo, hi = lo-room, hi+room
		}
	}
	length := hi - lo
	if !l.fixedLo {
		lo -= padLo * length
	}
	if !l.fixedHi {
		hi += padHi * length
	}
	if a.Log {
		lo, hi = math.Pow(10, lo), math.Pow(10, hi)
	}
	if !special.Finite(lo) || !special.Finite(hi) || !special.Finite(hi-lo) || a.Log && lo <= 0 || lo >= hi {
		return 0, 0, fmt.Errorf("has values that reach from %g to %g, too far or too close for an axis", data.lo,
			data.hi)
	}
	return lo, hi, nil
}
