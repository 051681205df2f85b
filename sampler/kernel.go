package sampler

import (
	"fmt"
	"math"

	"instanton/rbm"
)

// Kernel is a Markov kernel that leaves P(v)^β of a model invariant. A Pool needs no more; a kernel may also be
// Enumerable or Updatable.
type Kernel interface {
	Model() *rbm.RBM
	Beta() float64
	// Worker returns what one goroutine needs to move chains.
	Worker() Worker
}

// Worker moves chains, for one goroutine at a time.
type Worker interface {
	// Sweep takes chains lo to hi−1 through n sweeps, the first of which has the given number. The outcome for a chain
	// may depend only on its state, its number, the seed and the number of the sweep. After the first call it should
	// not allocate.
	Sweep(c *Chains, lo, hi int, first uint64, n int)
}

// Enumerable is a kernel whose transition matrix can be written out, so that it can be verified: the matrix satisfies
// detailed balance, and the code follows the matrix.
type Enumerable interface {
	Kernel
	// Transition is the matrix of one step on the configurations of v; h is the space of the hidden layer that the
	// kernel draws (see Hidden). With grids for real layers it is exact up to their quadrature.
	Transition(v, h *rbm.Space) (*rbm.Transition, error)
	// Hidden is the hidden layer whose space Transition needs, or nil.
	Hidden() rbm.Layer
	// Steps is the number of steps of Transition in one sweep.
	Steps() int
}

// Updatable is a kernel whose model may change, as in training.
type Updatable interface {
	Kernel
	// Update takes the parameters of a model of the same shape. Existing workers then use them; none may be running
	// meanwhile.
	Update(m *rbm.RBM) error
}

// Work returns the work of a sweep of one chain, in steps of alternating Gibbs sampling: what the kernel's method Cost
// says in multiply-adds, divided by the 2NM of such a step, or NaN if it has none.
func Work(k Kernel) float64 {
	known, ok := k.(interface{ Cost() float64 })
	if !ok {
		return math.NaN()
	}
	m := k.Model()
	return known.Cost() / (2 * float64(m.Visible.Spec().Width()) * float64(m.Hidden.Spec().Width()))
}

// Replicated is a kernel whose chains carry replicas with them, such as those of a ladder of temperatures.
type Replicated interface {
	Kernel
	// Begin gives chains the replicas and the tally that the kernel needs; if they have them, it checks that they fit.
	// A Pool calls it before it moves chains.
	Begin(c *Chains) error
}

// Name returns the result of the kernel's method Name if it has one, otherwise its type.
func Name(k Kernel) string {
	if named, ok := k.(interface{ Name() string }); ok {
		return named.Name()
	}
	return fmt.Sprintf("%T", k)
}

// checkBeta rejects an inverse temperature at which there is no distribution.
func checkBeta(m *rbm.RBM, beta float64) error {
	if !(beta >= 0) || math.IsInf(beta, 0) {
		return fmt.Errorf("inverse temperature β = %g: expected a number that is not negative", beta)
	}
	if beta < 1e-30 && !m.Visible.Spec().Type.Discrete() {
		return fmt.Errorf("β = %g with %s visible units: the flat distribution on real numbers cannot be "+
			"normalised, expected at least 1e-30", beta, m.Visible.Spec().Type)
	}
	return nil
}
