package special

import (
	"math"
	"testing"
)

// Weights 1, 1, 4 have the mean 2: it is the logarithm of the mean, not the mean of the logarithms, and its error is
// the relative standard error √(3/3)/2 of that mean.
func TestLogMeanExp(t *testing.T) {
	mean, standardError := LogMeanExp([]float64{1000, 1000, 1000 + math.Log(4)})
	if math.Abs(mean-1000-math.Log(2)) > 1e-12 || math.Abs(standardError-0.5) > 1e-12 {
		t.Errorf("log-mean-exp %g ± %g, want %g ± 0.5", mean, standardError, 1000+math.Log(2))
	}
}
