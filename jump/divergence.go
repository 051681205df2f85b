package jump

import (
	"math"

	"instanton/internal/special"
	"instanton/internal/vec"
)

// Divergence says how far a proposal q is from the law p of a layer.
type Divergence struct {
	Forward float64 `json:"forward"` // KL(p|q), on configurations of the chains: what q lacks
	Reverse float64 `json:"reverse"` // KL(q|p), on draws from q: what q has too much of
	LogZ    float64 `json:"log_z"`   // of the model, from both
}

// divergence estimates both from the logarithms of weights, log(p/q) + log Z, of configurations of chains and of draws
// from q. Log Z comes from both together by Bennett's estimator: Σ_q σ(w−ℓ) = Σ_p σ(ℓ−w), ℓ = log Z + log(n_q/n_p).
func divergence(chains, draws []float64) Divergence {
	ratio := math.Log(float64(len(draws)) / float64(len(chains)))
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, w := range append(append([]float64(nil), chains...), draws...) {
		lo, hi = min(lo, w), max(hi, w)
	}
	margin := math.Abs(ratio) + math.Log(float64(len(chains)+len(draws))) + 1
	lo, hi = lo-margin, hi+margin
	for range 60 {
		mid := (lo + hi) / 2
		var balance float64
		for _, w := range draws {
			balance += special.Sigmoid(w - mid - ratio)
		}
		for _, w := range chains {
			balance -= special.Sigmoid(mid + ratio - w)
		}
		if balance > 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	z := (lo + hi) / 2
	return Divergence{Forward: vec.WeightedMean(chains, nil) - z, Reverse: z - vec.WeightedMean(draws, nil), LogZ: z}
}
