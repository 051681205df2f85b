package plot

import (
	"math"
	"testing"
)

func TestLimits(t *testing.T) {
	data := span{lo: 2, hi: 4, any: true}
	for _, c := range []struct {
		name   string
		axis   Axis
		data   span
		lo, hi float64
	}{
		{"follows the data with room", Axis{}, data, 1.8, 4.2},
		{"both ends fixed", Axis{Limits: Between(0, 1)}, data, 0, 1},
		{"lower end fixed", Axis{Limits: From(0)}, data, 0, 4.4},
		{"upper end fixed", Axis{Limits: UpTo(10)}, data, 1.2, 10},
		{"one value", Axis{}, span{lo: 2, hi: 2, any: true}, 0.8, 3.2},
		{"only zero", Axis{}, span{any: true}, -0.6, 0.6},
		{"data below the fixed end", Axis{Limits: From(10)}, data, 10, 15.5},
		{"logarithmic", Axis{Log: true}, span{lo: 1, hi: 100, any: true}, math.Pow(10, -0.2), math.Pow(10, 2.2)},
	} {
		lo, hi, err := c.axis.limits(c.data, 0.1, 0.1)
		if err != nil || math.Abs(lo-c.lo) > 1e-12*max(1, math.Abs(c.lo)) || math.Abs(hi-c.hi) > 1e-12*math.Abs(c.hi) {
			t.Errorf("%s: from %g to %g (error %v), expected %g to %g", c.name, lo, hi, err, c.lo, c.hi)
		}
	}
}

func TestSpanSkipsWhatCannotBeShown(t *testing.T) {
	var s span
	s.add(true, math.NaN(), math.Inf(1), 0, -3)
	if s.any {
		t.Errorf("the span is %+v, expected empty", s)
	}
	s.add(true, 5, 2)
	if s.lo != 2 || s.hi != 5 {
		t.Errorf("the span is %+v, expected 2 to 5", s)
	}
}
