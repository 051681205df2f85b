package mixing

import (
	"fmt"

	"instanton/unit"
)

// Advice is a sampler to try, and why.
type Advice struct {
	Sampler string `json:"sampler"`
	Flags   string `json:"flags,omitempty"`
	Reason  string `json:"reason"`
}

// maxCovariance is the number of hidden units up to which the diagnosis has their matrix.
const maxCovariance = 256

// Largest blocks that latent moves can draw at once.
const (
	maxRealBlock     = 2
	maxDiscreteBlock = 8
)

// advise looks at the hidden units and names a sampler.
func (d *Diagnosis) advise(s Samples, o *Occupancy) {
	if s.Model == nil {
		d.Advice = Advice{Sampler: s.Sampler, Reason: "without the model there is nothing to read a better sampler from: give it with --model"}
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
		d.Block, from = n, "to go from mode to mode takes a change of"
	}
	why := fmt.Sprintf("%s %d of %d hidden units at once", from, d.Block, spec.N)
	switch {
	case d.Verdict == Mixes:
		d.Advice = Advice{Sampler: s.Sampler, Reason: "it mixes: stay with it"}
	case !s.Model.Visible.Spec().Type.Discrete():
		d.Advice = Advice{Sampler: "gibbs", Reason: "latent moves need discrete visible units; start chains in every mode and take its weight as unknown"}
	case d.Verdict == OneMode:
		d.Advice = Advice{Sampler: "latent", Flags: blockFlags(spec, d.Block), Reason: "start chains in different modes (--init) to see whether there is more than one; " + why}
	case d.Block <= 1:
		d.Advice = Advice{Sampler: "latent", Flags: "--block 1", Reason: why}
	case spec.Type.Discrete() && d.Block > maxDiscreteBlock:
		d.Advice = Advice{Sampler: "latent", Flags: "--block 8 --pairing clustered", Reason: why + ", more than can be enumerated: blocks of 8 may not be enough"}
	case !spec.Type.Discrete() && d.Block > maxRealBlock:
		d.Advice = Advice{Sampler: "latent", Flags: "--directions data:FILE", Reason: why + ": move along the differences between the representations of data from all modes"}
	default:
		d.Advice = Advice{Sampler: "latent", Flags: blockFlags(spec, d.Block), Reason: why}
	}
}

func blockFlags(spec unit.Spec, block int) string {
	most := maxRealBlock
	if spec.Type.Discrete() {
		most = maxDiscreteBlock
	}
	return fmt.Sprintf("--block %d", min(max(block, 1), most))
}
