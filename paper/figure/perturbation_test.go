package figure

import (
	"testing"

	"instanton/paper/verdict"
)

func TestLowerCostVerdicts(t *testing.T) {
	lower, higher := overlapped{w: 1.2, dAction: -0.01, mixed: true}, overlapped{w: 1.05, dAction: 0.001}
	stays := higher
	stays.mixed = true
	for _, x := range []struct {
		why  string
		most []overlapped
		want verdict.Verdict
	}{
		{"Φ falls for all weights, as printed", []overlapped{lower, lower, lower}, verdict.Holds},
		{"it rises next to the transition, where the state with opposite signs is gone",
			[]overlapped{higher, lower, lower}, verdict.Corrected},
		{"the state is still there, so the correction is wrong", []overlapped{stays, lower, lower}, verdict.Fails},
		{"it rises further away", []overlapped{higher, lower, stays}, verdict.Fails},
	} {
		var r verdict.Result
		lowerCost(&r, x.most)
		if got := r.Claims[0].Verdict; got != x.want {
			t.Errorf("%s: %q, want %q", x.why, got, x.want)
		}
	}
}
