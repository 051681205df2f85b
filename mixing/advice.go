package mixing

import (
	"fmt"

	"instanton/unit"
)

// Advice is a sampler to try, and why. Block is a setting of latent moves; zero leaves the default.
type Advice struct {
	Sampler string `json:"sampler"`
	Block   int    `json:"block,omitempty"` // hidden units to move together
	Reason  string `json:"reason"`

	// Longer means that the same sampler should be given more time first.
	Longer bool `json:"longer,omitempty"`
	// NeedsModel means that the samples alone do not show which sampler to take; NeedsStarts means that chains started
	// in different modes would show whether there is more than one.
	NeedsModel  bool `json:"needs_model,omitempty"`
	NeedsStarts bool `json:"needs_starts,omitempty"`
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
	case d.Verdict == TooShort:
		d.Advice = Advice{Sampler: s.Sampler, Longer: true, Reason: "the chains are not stuck: run them longer " +
			"before trying anything else"}
	case !s.Model.Visible.Spec().Type.Discrete():
		d.Advice = Advice{Sampler: learnt, NeedsStarts: d.Verdict == OneMode,
			Reason: "latent moves need discrete visible units, learnt jumps do not"}
	case d.Verdict == OneMode:
		d.Advice = Advice{Sampler: "latent", Block: block, NeedsStarts: true, Reason: why}
	case d.Block <= maxBlock(spec) && !(d.Block <= 1 && s.Sampler == "latent"):
		d.Advice = Advice{Sampler: "latent", Block: block, Reason: why}
	case d.Block <= 1:
		d.Advice = Advice{Sampler: learnt, Reason: "latent moves do not lead from mode to mode here; learnt jumps " +
			"draw all units at once"}
	default:
		d.Advice = Advice{Sampler: learnt, Reason: fmt.Sprintf("%s, and latent moves change at most %d; learnt jumps "+
			"draw all at once", why, maxBlock(spec))}
	}
}

// learnt is the sampler that changes all units of a layer at once.
const learnt = "jump"

func maxBlock(spec unit.Spec) int {
	if spec.Type.Discrete() {
		return maxDiscreteBlock
	}
	return maxRealBlock
}
