package theory

import (
	"fmt"
	"math"
	"sync"

	"instanton/internal/special"
	"instanton/internal/vec"

	"gonum.org/v1/gonum/mat"
)

// Model is a mean-field RBM; its Landscape holds everything the solvers of this package need. CurieWeiss, Hopfield and
// Structured are models.
type Model interface {
	// Landscape checks the parameters and builds the engine, or says in a sentence what is wrong with them.
	Landscape() (*Landscape, error)
}

// Landscape is an RBM in the limit N → ∞ whose visible spins fall into classes: a fraction p_c of the spins has the
// same weights w·a_cμ/√N to the M hidden units, hence the same field x_c(h) = w Σ_μ a_cμ h_μ under hidden values h.
// With m_c the magnetization of a class and I_μ = w Σ_c p_c a_cμ m_c the input of a hidden unit,
//
//	f(m) = −Σ_μ Γ̂_μ(I_μ) − Σ_c p_c S(m_c),    e(h) = Σ_μ U_μ(h_μ) − Σ_c p_c log 2cosh x_c(h)
//
// are the free energy of the visible layer and the effective energy of the hidden layer. They have the same critical
// points (m_c = tanh x_c(h), h_μ = f_μ(I_μ)), with the same values and the same numbers of descending directions.
//
// A state is given by M order parameters: the magnetization for CurieWeiss, the M overlaps with the patterns for
// Hopfield, the magnetizations m_μμ for Structured. They name the class magnetizations m_c = tanh x_c(u) of some field
// u, and every state on an optimal path is of that form.
//
// A Landscape may be used by several goroutines.
type Landscape struct {
	units  int
	share  []float64 // p_c
	weight []float64 // w·a_cμ, row-major: classes × units
	bias   []float64 // field on a class that does not depend on h
	hidden []Potential
	order  orderParameter

	// a rotated Hopfield model has its critical points found in the aligned one, where the symmetries are permutations
	// and signs
	aligned  *Landscape
	rotation *mat.Dense

	// computed on first use
	criticalOnce sync.Once
	critical     *CriticalSet
	criticalErr  error
	graphOnce    sync.Once
	graph        *Graph
	graphErr     error
}

// orderParameter translates between the M numbers a model calls its state and the field u behind it.
type orderParameter interface {
	field(l *Landscape, m []float64) ([]float64, error)
	magnetization(l *Landscape, u []float64) []float64
}

// Units is the number M of hidden units.
func (l *Landscape) Units() int { return l.units }

// Classes is the number of classes of visible spins; spins with opposite weights count as one class.
func (l *Landscape) Classes() int { return len(l.share) }

// Hidden is the potential of hidden unit μ.
func (l *Landscape) Hidden(mu int) Potential { return l.hidden[mu] }

// Field is the field u of the state with order parameters m, so that the class magnetizations are tanh x_c(u).
func (l *Landscape) Field(m []float64) ([]float64, error) {
	if len(m) != l.units {
		return nil, fmt.Errorf("the state has %d order parameters: this model has %d", len(m), l.units)
	}
	for _, x := range m {
		if math.IsNaN(x) {
			return nil, fmt.Errorf("the state %v holds a value that is not a number", m)
		}
	}
	return l.order.field(l, m)
}

// Order is the inverse of Field: the order parameters of the state with field u.
func (l *Landscape) Order(u []float64) []float64 { return l.order.magnetization(l, u) }

// fields are x_c(u).
func (l *Landscape) fields(u, x []float64) {
	m := l.units
	for c := range l.share {
		x[c] = l.bias[c] + vec.Dot(l.weight[c*m:(c+1)*m], u)
	}
}

// ClassMagnetizations are tanh x_c(u).
func (l *Landscape) ClassMagnetizations(u []float64) []float64 {
	x := make([]float64, len(l.share))
	l.fields(u, x)
	for c := range x {
		x[c] = math.Tanh(x[c])
	}
	return x
}

// Inputs are the inputs I_μ that the hidden units receive from class magnetizations.
func (l *Landscape) Inputs(classes []float64) []float64 {
	input := make([]float64, l.units)
	for c, p := range l.share {
		for mu := range input {
			input[mu] += p * l.weight[c*l.units+mu] * classes[c]
		}
	}
	return input
}

// cumulant is Λ(u) = Σ_c p_c log 2cosh x_c(u).
func (l *Landscape) cumulant(u []float64) float64 {
	m, value := l.units, 0.0
	for c, p := range l.share {
		value += p * special.Log2Cosh(l.bias[c]+vec.Dot(l.weight[c*m:(c+1)*m], u))
	}
	return value
}

// tilt fills the gradient of Λ at u, which is the input I(u), and its Hessian, where they are not nil.
func (l *Landscape) tilt(u, gradient, hessian []float64) {
	m := l.units
	clear(gradient)
	clear(hessian)
	for c, p := range l.share {
		row := l.weight[c*m : (c+1)*m]
		x := l.bias[c] + vec.Dot(row, u)
		e := math.Exp(-2 * math.Abs(x)) // tanh |x| = (1−e)/(1+e), 1 − tanh² = 4e/(1+e)²
		if gradient != nil {
			g := p * math.Copysign((1-e)/(1+e), x)
			for mu, a := range row {
				gradient[mu] += g * a
			}
		}
		if hessian != nil {
			k := 4 * p * e / ((1 + e) * (1 + e))
			for mu, a := range row {
				if a == 0 {
					continue
				}
				ka := k * a
				out := hessian[mu*m : (mu+1)*m]
				for nu, b := range row {
					out[nu] += ka * b
				}
			}
		}
	}
}

// FreeEnergy is f at the state with order parameters m.
func (l *Landscape) FreeEnergy(m []float64) (float64, error) {
	u, err := l.Field(m)
	if err != nil {
		return 0, err
	}
	return l.freeEnergyAt(u), nil
}

// freeEnergyAt is f on the state of field u.
func (l *Landscape) freeEnergyAt(u []float64) float64 {
	input, f := make([]float64, l.units), 0.0
	l.tilt(u, input, nil)
	for mu, v := range l.hidden {
		f -= v.Gamma(input[mu])
	}
	for c, p := range l.share {
		f -= p * fieldEntropy(l.bias[c]+vec.Dot(l.weight[c*l.units:(c+1)*l.units], u))
		// a visible field contributes its own energy; it is 0 for the three models
		if b := l.bias[c]; b != 0 {
			f -= p * b * math.Tanh(b+vec.Dot(l.weight[c*l.units:(c+1)*l.units], u))
		}
	}
	return f
}

// ClassFreeEnergy is f for any class magnetizations, also those that no field produces.
func (l *Landscape) ClassFreeEnergy(classes []float64) float64 {
	f := 0.0
	for mu, input := range l.Inputs(classes) {
		f -= l.hidden[mu].Gamma(input)
	}
	for c, p := range l.share {
		f -= p * (Entropy(classes[c]) + l.bias[c]*classes[c])
	}
	return f
}

// HiddenEnergy is the effective energy per spin of the hidden layer, e(h) = Σ_μ U_μ(h_μ) − Σ_c p_c log 2cosh x_c(h).
func (l *Landscape) HiddenEnergy(h []float64) float64 {
	e := -l.cumulant(h)
	for mu, v := range l.hidden {
		e += v.Value(h[mu])
	}
	return e
}

// continuous returns an error that names the first hidden unit whose transfer function jumps.
func (l *Landscape) continuous(what string) error {
	for mu, v := range l.hidden {
		if !v.Continuous() {
			return fmt.Errorf("%s need hidden units whose transfer function is continuous: unit %d is %s", what, mu+1,
				v)
		}
	}
	return nil
}
