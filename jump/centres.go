package jump

import (
	"fmt"
	"math"
	"slices"

	"instanton/batch"
	"instanton/internal/rng"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// Centres keeps a mixture of products around given configurations, such as all samples of a small data set, close to a
// model that changes, as in training:
//
//	q(v) = Σ_z π_z Π_i q(v_i|z),
//
// where unit i has the value of centre z with probability 1−ε and any other with the same probability each. Every
// Refit takes a damped step of expectation maximisation of ε and π on the present chains; half of π stays with the
// centres' own shares, so a mode around a centre is proposed even when no chain is left there. What is said of Tracker
// about adaptation holds here, too.
type Centres struct {
	kernel  *Kernel
	mixture *Products
	model   *rbm.RBM // of the mixture
	centres *unit.States
	own     []float64 // shares of the centres before any fit
	share   []float64 // π
	flip    float64   // ε
	refits  uint64
	seed    uint64

	weight, sum []float64 // of components, for one chain and for all
}

// MaxCentres is the largest number of centres.
const MaxCentres = 256

// NewCentres prepares jumps in the discrete visible layer of a model, around centres with the given shares; nil stands
// for equal ones.
func NewCentres(m *rbm.RBM, centres *unit.States, shares []float64, seed uint64) (*Centres, error) {
	n := centres.Len
	if centres.Spec != m.Visible.Spec() || !centres.Type.Discrete() || n < 2 || n > MaxCentres {
		return nil, fmt.Errorf("%d centres of %s for a model of %s: expected 2 to %d of the same discrete units", n,
			centres.Spec, m.Visible.Spec(), MaxCentres)
	}
	mixture, err := rbm.New(centres.Spec, unit.Spec{Type: unit.Potts, N: 1, Q: n})
	if err != nil {
		return nil, err
	}
	c := &Centres{model: mixture, centres: centres, flip: 0.25, seed: seed, weight: make([]float64, n),
		sum: make([]float64, n), own: make([]float64, n)}
	var total float64
	for z := range c.own {
		c.own[z] = 1
		if shares != nil {
			c.own[z] = shares[z]
		}
		total += c.own[z]
	}
	for z := range c.own {
		c.own[z] /= total
	}
	c.share = slices.Clone(c.own)
	c.parametrise()
	if c.mixture, err = NewProducts(mixture); err != nil {
		return nil, err
	}
	c.kernel, err = New(m, 1, batch.Visible, c.mixture, 1)
	return c, err
}

// Kernel is the kernel that jumps with the proposal; its Update takes the changed model.
func (c *Centres) Kernel() *Kernel { return c.kernel }

// others is the number of other values that a unit may have.
func (c *Centres) others() float64 { return float64(c.centres.States() - 1) }

// parametrise writes ε and π into the model of the mixture.
func (c *Centres) parametrise() {
	spec := c.centres.Spec
	same, other := math.Log1p(-c.flip), math.Log(c.flip/c.others()) // log q(v_i|z)
	for i := range spec.N {
		for z := range c.share {
			x := c.centres.Value(z, i)
			switch spec.Type {
			case unit.Spin:
				c.model.Row(i)[z] = x * (same - other) / 2
			case unit.Bernoulli:
				c.model.Row(i)[z] = (2*x - 1) * (same - other)
			default: // Potts, which may be shifted: zero for all other states
				for a := range spec.Q {
					c.model.Row(i*spec.Q + a)[z] = 0
				}
				c.model.Row(i*spec.Q + int(x))[z] = same - other
			}
		}
	}
	input, h := make([]float64, spec.Width()), c.model.Hidden.(*rbm.Potts)
	for z, p := range c.share {
		for k := range input {
			input[k] = c.model.Row(k)[z]
		}
		h.Fields[z] = math.Log(p) - c.model.Visible.CGF(input)
	}
}

// Settings of a refit.
const (
	centreRows   = 128  // chains that it looks at
	centreStep   = 0.05 // of the way to what they say
	leastFlipped = 0.125
)

// Refit fits the proposal to the present chains and returns the mean log q of what it was fitted to. No worker of the
// kernel may be running meanwhile.
func (c *Centres) Refit(chains *sampler.Chains) float64 {
	v, n := chains.V, float64(c.centres.N)
	random := rng.New(c.seed, rng.Refit, 3, c.refits).Rand()
	c.refits++
	clear(c.sum)
	perFlip := math.Log(c.flip/c.others()) - math.Log1p(-c.flip)
	var flipped, logq float64
	for range centreRows {
		k := random.IntN(v.Len)
		top := math.Inf(-1)
		for z, p := range c.share {
			c.weight[z] = math.Log(p) + perFlip*float64(c.centres.Hamming(z, v, k))
			top = max(top, c.weight[z])
		}
		var total float64
		for z, x := range c.weight {
			c.weight[z] = math.Exp(x - top)
			total += c.weight[z]
		}
		logq += top + math.Log(total) + n*math.Log1p(-c.flip)
		for z, w := range c.weight {
			if w > 1e-12*total {
				c.sum[z] += w / total
				flipped += w / total * float64(c.centres.Hamming(z, v, k))
			}
		}
	}
	for z := range c.share {
		target := (c.own[z] + c.sum[z]/centreRows) / 2
		c.share[z] += centreStep * (target - c.share[z])
	}
	flip := min(max(flipped/(centreRows*n), leastFlipped/n), c.others()/(c.others()+1))
	c.flip += centreStep * (flip - c.flip)
	c.set()
	return logq / centreRows
}

func (c *Centres) set() {
	c.parametrise()
	if err := c.mixture.set(c.model); err != nil {
		panic(err) // shares are positive and ε is neither 0 nor 1
	}
}

// CentresState is all that Centres know besides the model: restored, they continue to the same bits.
type CentresState struct {
	Refits uint64
	Flip   float64
	Shares []float64
}

// State returns a copy of the state.
func (c *Centres) State() CentresState {
	return CentresState{Refits: c.refits, Flip: c.flip, Shares: slices.Clone(c.share)}
}

// Restore takes a state of Centres with the same configurations.
func (c *Centres) Restore(s CentresState) error {
	if len(s.Shares) != len(c.share) || !(s.Flip > 0 && s.Flip < 1) {
		return fmt.Errorf("the state of %d centres with ε = %g: expected %d, and ε between 0 and 1", len(s.Shares),
			s.Flip, len(c.share))
	}
	for _, p := range s.Shares {
		if !(p > 0 && p <= 1) {
			return fmt.Errorf("a centre with a share of %g: expected a number above 0 and at most 1", p)
		}
	}
	copy(c.share, s.Shares)
	c.flip, c.refits = s.Flip, s.Refits
	c.set()
	return nil
}
