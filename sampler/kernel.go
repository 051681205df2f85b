package sampler

import (
	"fmt"
	"math"

	"instanton/rbm"
)

// Kernel is a Markov kernel that leaves P(v)^β of a model invariant. This is all that a Pool
// asks for; a kernel may also be Enumerable or Updatable.
type Kernel interface {
	Model() *rbm.RBM
	Beta() float64
	// Worker returns what one goroutine needs to move chains.
	Worker() Worker
}

// Worker moves chains; one goroutine uses it at a time.
type Worker interface {
	// Sweep moves chains lo to hi-1 through n sweeps, the first of which has the given
	// number. What becomes of a chain may depend on its state, its number, the seed and the
	// number of the sweep, and on nothing else. It allocates nothing once it is warm.
	Sweep(c *Chains, lo, hi int, first uint64, n int)
}

// Enumerable is a kernel whose transition matrix can be written out, so that it can be proved:
// the matrix satisfies detailed balance, and the code follows the matrix.
type Enumerable interface {
	Kernel
	// Transition is the matrix of one step on the configurations of v; h is the space of the
	// hidden layer that the kernel draws (see Hidden). Grids in place of real layers make it
	// exact up to their quadrature.
	Transition(v, h *rbm.Space) (*rbm.Transition, error)
	// Hidden is the hidden layer whose space Transition needs, nil if none.
	Hidden() rbm.Layer
	// Steps is the number of steps of Transition in one sweep.
	Steps() int
}

// Updatable is a kernel that follows a model that changes, as in training.
type Updatable interface {
	Kernel
	// Update takes the parameters of a model of the same shape. Workers made before go on with
	// them; none may be at work meanwhile.
	Update(m *rbm.RBM) error
}

// Name is what a kernel calls itself by a method Name, otherwise its type.
func Name(k Kernel) string {
	if named, ok := k.(interface{ Name() string }); ok {
		return named.Name()
	}
	return fmt.Sprintf("%T", k)
}

// checkBeta refuses an inverse temperature at which there is no distribution.
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
