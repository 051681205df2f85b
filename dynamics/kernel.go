package dynamics

import (
	"fmt"
	"strings"
)

// Kernel is a sampler whose exact dynamics at finite N the package can write out.
type Kernel int

// The samplers. A step of Gibbs, LatentRedraw and FairFlip updates all spins; a step of Metropolis or Glauber attempts
// one spin flip.
const (
	Gibbs      Kernel = iota // alternating Gibbs sampling
	Metropolis               // single spin flips, accepted with min(1, e^{−ΔE})
	// Gibbs with every hidden unit drawn again from its conditional given the others, in random order
	LatentRedraw
	FairFlip // Gibbs with all hidden units reversed with probability ½
	Glauber  // single spin flips, accepted with 1/(1 + e^{ΔE})
)

var kernelNames = []string{"gibbs", "metropolis", "latent", "flip", "glauber"}

// String is the name of the sampler on the command line.
func (k Kernel) String() string {
	if k < 0 || int(k) >= len(kernelNames) {
		return fmt.Sprintf("Kernel(%d)", int(k))
	}
	return kernelNames[k]
}

// ParseKernel reads gibbs, metropolis, latent, flip or glauber.
func ParseKernel(name string) (Kernel, error) {
	for k, n := range kernelNames {
		if n == name {
			return Kernel(k), nil
		}
	}
	return 0, fmt.Errorf("sampler %q is not known: use %s", name, strings.Join(kernelNames, ", "))
}
