package evaluate

import (
	"math"
	"testing"
)

// A ladder that is even in length has more steps where the law changes faster.
func TestEvenLength(t *testing.T) {
	betas := even(10)
	speed := make([]float64, 11)
	for k := range speed {
		speed[k] = 1
		if k >= 5 {
			speed[k] = 3
		}
	}
	ladder, length := evenLength(betas, speed, 100)
	if want := 0.4*1 + 0.1*2 + 0.5*3; math.Abs(length-want) > 1e-12 {
		t.Errorf("length %g, want %g", length, want)
	}
	below := 0
	for k, b := range ladder {
		if k > 0 && b <= ladder[k-1] {
			t.Fatalf("step %d goes from %g to %g", k, ladder[k-1], b)
		}
		if b < 0.5 {
			below++
		}
	}
	// A fraction of 0.9·0.6/2.1 + 0.1·0.5 = 0.307 of the steps lies below one half.
	if ladder[0] != 0 || ladder[100] != 1 || below < 30 || below > 32 {
		t.Errorf("%d of 100 steps lie below one half, from %g to %g", below, ladder[0], ladder[100])
	}
}
