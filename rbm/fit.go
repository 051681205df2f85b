package rbm

// Averages are averages over data that Fit reproduces. Each slice has one entry per channel of the layer; a Potts unit
// counts as the indicators of its states.
type Averages struct {
	X              []float64 // ⟨x⟩
	Square         []float64 // ⟨x²⟩
	Positive       []float64 // the probability of x > 0
	PositiveSquare []float64 // ⟨x²⟩ with x counted as zero where it is negative
}

// floor keeps the probability of a state that the data never show, and a variance, above zero.
const floor = 1e-6

func clampProbability(p float64) float64 { return min(max(p, floor), 1-floor) }
