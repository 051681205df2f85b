package mixing

import (
	"fmt"
	"math"

	"instanton/unit"
)

// Advice is a sampler to try, and why. Block, Clustered and Directions are settings of latent moves; zero values leave
// the defaults.
type Advice struct {
	Sampler    string `json:"sampler"`
	Block      int    `json:"block,omitempty"`      // hidden units to move together
	Clustered  bool   `json:"clustered,omitempty"`  // blocks within clusters of correlated units
	Directions bool   `json:"directions,omitempty"` // along differences between the representations of data
	Reason     string `json:"reason"`

	// NeedsModel means that the samples alone do not show which sampler to take; NeedsStarts means that chains started
	// in different modes would show whether there is more than one.
	NeedsModel  bool `json:"needs_model,omitempty"`
	NeedsStarts bool `json:"needs_starts,omitempty"`

	// Longer is how many times longer the chains should first be run with the same sampler; 0 if that is not the advice.
	Longer int `json:"longer,omitempty"`
}

// maxCovariance is the largest number of hidden units for which the diagnosis includes their covariance matrix.
const maxCovariance = 256

// Largest blocks that a latent move can draw at once.
const (
	maxRealBlock     = 2
	maxDiscreteBlock = 8
)

// advise recommends a sampler, given the activities of the hidden units.
func (d *Diagnosis) advise(s Samples, o *Occupancy) {
	if s.Model == nil {
		d.Advice = Advice{Sampler: s.Sampler, NeedsModel: true,
			Reason: "without the model, nothing shows which sampler would be better"}
		d.setLonger()
		return
	}
	spec := s.Model.Hidden.Spec()
	h := activities(s.Model, s.V)
	d.Clusters = UnitClusters(Correlation(h), clusterLimit, spec.N)
	if spec.N <= maxCovariance {
		d.Covariance = numbers(Covariance(h))
	}
	largest := 0
	for _, c := range d.Clusters {
		largest = max(largest, len(c))
	}
	from := "clusters of correlated hidden units have up to"
	d.Block = largest
	if n := Switching(s.Model, s.V, o); n > 0 {
		d.Block, from = n, "going from mode to mode takes a change of"
	}
	why := fmt.Sprintf("%s %d of %d hidden units at once", from, d.Block, spec.N)
	block := min(max(d.Block, 1), maxBlock(spec))
	switch {
	case d.Verdict == Mixes:
		d.Advice = Advice{Sampler: s.Sampler, Reason: "it mixes: stay with it"}
	case !s.Model.Visible.Spec().Type.Discrete():
		d.Advice = Advice{Sampler: "gibbs", Reason: "latent moves need discrete visible units; " +
			"start chains in every mode, and treat the weights of the modes as unknown"}
	case d.Verdict == OneMode:
		d.Advice = Advice{Sampler: "latent", Block: block, NeedsStarts: true, Reason: why}
	case d.Block <= maxBlock(spec):
		d.Advice = Advice{Sampler: "latent", Block: block, Reason: why}
	case spec.Type.Discrete():
		d.Advice = Advice{Sampler: "latent", Block: block, Clustered: true,
			Reason: fmt.Sprintf("%s, more than can be enumerated: blocks of %d may not be enough", why, block)}
	default:
		d.Advice = Advice{Sampler: "latent", Directions: true,
			Reason: why + ": move along the differences between the representations of data from all modes"}
	}
	d.setLonger()
}

// setLonger puts the cheapest remedy of chains that are too short first.
func (d *Diagnosis) setLonger() {
	if d.Verdict == TooShort && d.Chains > 1 {
		d.Advice.Longer = d.longer()
	}
}

// longer is by how much chains fall short of what the verdict asks for, at least twice and at most a hundred times.
func (d *Diagnosis) longer() int {
	e := d.extremes()
	factor := max(2, minESS/e.ess, float64(minTaus)*e.tau/float64(d.Draws), float64(minDraws)/float64(d.Draws))
	if e.rhat > maxRHat { // between-chain variance falls as 1/T
		factor = max(factor, (e.rhat-1)/(maxRHat-1))
	}
	if math.IsNaN(factor) {
		factor = 2
	}
	return int(math.Ceil(min(factor, 100)))
}

func maxBlock(spec unit.Spec) int {
	if spec.Type.Discrete() {
		return maxDiscreteBlock
	}
	return maxRealBlock
}
