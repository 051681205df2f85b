package special

import (
	"math"
	"testing"
)

func TestFinite(t *testing.T) {
	for _, x := range []float64{0, math.Copysign(0, -1), 1, -math.MaxFloat64, math.SmallestNonzeroFloat64} {
		if !Finite(x) {
			t.Errorf("%g is not finite", x)
		}
	}
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if Finite(x) {
			t.Errorf("%g is finite", x)
		}
	}
}
