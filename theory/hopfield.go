package theory

import (
	"fmt"
	"math"
	"math/bits"
	"sort"

	"gonum.org/v1/gonum/mat"
)

// Hopfield is the Hopfield model as an RBM with one quadratic hidden unit per pattern and weights W/√N ξ. Its order
// parameters are the overlaps m_μ of the spins with the patterns, whatever the Rotation.
type Hopfield struct {
	W float64
	// Patterns are M rows of N entries ±1. Nil stands for M independent patterns in the limit N → ∞, where every one of
	// the 2^M columns of signs is equally frequent.
	Patterns [][]int
	// M is the number of patterns of the limit; with Patterns given it may be left 0.
	M int
	// Rotation, if not nil, is an orthogonal M×M matrix O: the weights are W/√N Σ_ν ξ^ν O_νμ, the same model over the
	// spins.
	Rotation *mat.Dense
}

var _ Model = Hopfield{}

// maxLimitPatterns keeps the 2^{M−1} classes of the limit within memory.
const maxLimitPatterns = 14

// Landscape is the model with one class for all spins whose columns of the patterns are equal or opposite.
func (p Hopfield) Landscape() (*Landscape, error) {
	if err := checkWeight(p.W); err != nil {
		return nil, err
	}
	columns, share, err := p.columns()
	if err != nil {
		return nil, err
	}
	m := len(columns[0])
	if err := checkRotation(p.Rotation, m); err != nil {
		return nil, err
	}
	l := &Landscape{units: m, share: share, bias: make([]float64, len(share)), order: overlapOrder{p.W, p.Rotation}}
	for range m {
		l.hidden = append(l.hidden, Quadratic())
	}
	for _, xi := range columns {
		for _, x := range turn(p.Rotation, xi) {
			l.weight = append(l.weight, p.W*x)
		}
	}
	if p.Rotation != nil {
		aligned := p
		aligned.Rotation = nil
		if l.aligned, err = aligned.Landscape(); err != nil {
			return nil, err
		}
		l.rotation = p.Rotation
	}
	return l, nil
}

// turn is Oᵀx, or x itself without a rotation.
func turn(o *mat.Dense, x []float64) []float64 {
	if o == nil {
		return append([]float64(nil), x...)
	}
	y := make([]float64, len(x))
	for mu := range y {
		for nu, v := range x {
			y[mu] += o.At(nu, mu) * v
		}
	}
	return y
}

// columns lists the distinct columns of signs up to a common sign, and the fraction of spins that have each.
func (p Hopfield) columns() (columns [][]float64, share []float64, err error) {
	if p.Patterns == nil {
		if p.M < 1 || p.M > maxLimitPatterns {
			return nil, nil, fmt.Errorf("a Hopfield model of %d patterns was asked for: it takes 1 to %d", p.M,
				maxLimitPatterns)
		}
		n := 1 << (p.M - 1)
		for code := range n {
			xi := make([]float64, p.M)
			for mu := range xi {
				xi[mu] = float64(1 - 2*(code>>mu&1))
			}
			columns, share = append(columns, xi), append(share, 1/float64(n))
		}
		return columns, share, nil
	}
	m := len(p.Patterns)
	if m == 0 || (p.M != 0 && p.M != m) {
		return nil, nil, fmt.Errorf("%d patterns were given for a Hopfield model of %d", m, p.M)
	}
	n := len(p.Patterns[0])
	if n == 0 {
		return nil, nil, fmt.Errorf("the patterns have no spins: they need at least one")
	}
	count, key := map[string]int{}, make([]byte, m)
	for i := range n {
		for mu, xi := range p.Patterns {
			if len(xi) != n {
				return nil, nil, fmt.Errorf("pattern %d has %d spins and pattern 1 has %d: they must be as long", mu+1,
					len(xi), n)
			}
			if xi[i] != 1 && xi[i] != -1 {
				return nil, nil, fmt.Errorf("pattern %d has the value %d at spin %d: patterns are made of 1 and −1",
					mu+1, xi[i], i+1)
			}
			key[mu] = '+'
			if xi[i] != p.Patterns[0][i] {
				key[mu] = '-'
			}
		}
		count[string(key)]++
	}
	keys := make([]string, 0, len(count))
	for k := range count {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		xi := make([]float64, m)
		for mu := range xi {
			xi[mu] = 1
			if k[mu] == '-' {
				xi[mu] = -1
			}
		}
		columns, share = append(columns, xi), append(share, float64(count[k])/float64(n))
	}
	return columns, share, nil
}

func checkRotation(o *mat.Dense, m int) error {
	if o == nil {
		return nil
	}
	if r, c := o.Dims(); r != m || c != m {
		return fmt.Errorf("the rotation is %d by %d: %d patterns need %d by %d", r, c, m, m, m)
	}
	var gram mat.Dense
	gram.Mul(o.T(), o)
	for i := range m {
		gram.Set(i, i, gram.At(i, i)-1)
	}
	if off := mat.Max(&gram) - math.Min(0, mat.Min(&gram)); !(off < 1e-9) {
		return fmt.Errorf("the rotation is not orthogonal: OᵀO differs from the identity by %.2g", off)
	}
	return nil
}

// overlapOrder is the order parameter m_μ = (1/N) Σ_i ξ_i^μ ⟨v_i⟩, whose field is the λ* of the Legendre transform over
// w.
type overlapOrder struct {
	w        float64
	rotation *mat.Dense
}

func (o overlapOrder) field(l *Landscape, m []float64) ([]float64, error) {
	input := turn(o.rotation, m)
	for mu := range input {
		input[mu] *= o.w
	}
	u, ok := l.fieldOfInputs(input)
	if !ok && l.dependent() {
		return nil,
			fmt.Errorf("the patterns are linearly dependent (two are equal or opposite, or there are more patterns " +
				"than kinds of spins), so that overlaps do not determine a state: leave some out")
	}
	if !ok {
		return nil,
			fmt.Errorf("no spin configuration has the overlaps %v with the patterns, or they are all but saturated", m)
	}
	return u, nil
}

// dependent tells whether some combination of the hidden units has no effect on any spin.
func (l *Landscape) dependent() bool {
	hess := make([]float64, l.units*l.units)
	l.tilt(make([]float64, l.units), nil, hess)
	return mat.Cond(mat.NewDense(l.units, l.units, hess), 2) > 1e12
}

func (o overlapOrder) magnetization(l *Landscape, u []float64) []float64 {
	input := make([]float64, len(u))
	l.tilt(u, input, nil)
	m := make([]float64, len(u))
	for mu := range m {
		if o.rotation == nil {
			m[mu] = input[mu] / o.w
			continue
		}
		for nu := range input {
			m[mu] += o.rotation.At(mu, nu) * input[nu] / o.w
		}
	}
	return m
}

// Entropy is S^Hop at the overlaps m: the largest entropy of spins with these overlaps.
func (p Hopfield) Entropy(m []float64) (float64, error) {
	l, err := p.Landscape()
	if err != nil {
		return 0, err
	}
	u, err := l.Field(m)
	if err != nil {
		return 0, err
	}
	x, s := make([]float64, l.Classes()), 0.0
	l.fields(u, x)
	for c, share := range l.share {
		s += share * fieldEntropy(x[c])
	}
	return s, nil
}

// Mattis is the state condensed on pattern μ (counted from 1) with the given sign, for orthogonal patterns: its overlap
// is the magnetization of the Curie–Weiss model with the same W.
func (p Hopfield) Mattis(mu int, sign float64) ([]float64, error) {
	m := p.patterns()
	if mu < 1 || mu > m {
		return nil, fmt.Errorf("Mattis state %d was asked for: the model has patterns 1 to %d", mu, m)
	}
	size, err := CurieWeiss{p.W}.Magnetization()
	if err != nil {
		return nil, fmt.Errorf("at w = %g the Hopfield model has no Mattis states: they need w > 1", p.W)
	}
	if size > 1-1e-14 {
		return nil, errSaturated("the overlap of a Mattis state with its pattern", p.W)
	}
	state := make([]float64, m)
	state[mu-1] = math.Copysign(size, sign)
	return state, nil
}

// State is the state of pattern μ (counted from 1) with the given sign: the Mattis state for orthogonal patterns, and
// otherwise the minimum of the free energy into which the sampler falls from it.
func (p Hopfield) State(mu int, sign float64) ([]float64, error) {
	state, err := p.Mattis(mu, sign)
	if err != nil || p.Patterns == nil {
		return state, err
	}
	size, orthogonal := state[mu-1], true
	for nu, xi := range p.Patterns {
		overlap := 0.0
		for i, x := range xi {
			overlap += float64(x*p.Patterns[mu-1][i]) / float64(len(xi))
		}
		state[nu] = size * overlap
		orthogonal = orthogonal && (nu == mu-1 || overlap == 0)
	}
	if orthogonal {
		return state, nil
	}
	l, err := p.Landscape()
	if err != nil {
		return nil, err
	}
	for nu := range state {
		state[nu] *= 0.9 // off the corner of the possible overlaps
	}
	c, err := l.Settle(state)
	if err != nil {
		return nil, fmt.Errorf("pattern %d: %w", mu, err)
	}
	for nu, m := range c.M {
		if nu != mu-1 && math.Abs(m) >= math.Abs(c.M[mu-1]) || c.M[mu-1]*sign < 0 {
			return nil,
				fmt.Errorf("pattern %d is not a state at w = %g: from there the sampler falls to the overlaps %.4g", mu,
					p.W, c.M)
		}
	}
	return c.M, nil
}

// patterns is the number of patterns.
func (p Hopfield) patterns() int {
	if p.Patterns != nil {
		return len(p.Patterns)
	}
	return p.M
}

// HadamardPatterns are rows of the n×n Hadamard matrix, n a power of two: entry i of row r is −1 to the number of
// common bits of r and i. Rows that are powers of two are independent, and with M of them every column of signs is
// equally frequent, so that the model at N = n is the limit N → ∞.
func HadamardPatterns(n int, rows ...int) ([][]int, error) {
	if n < 1 || n&(n-1) != 0 {
		return nil, fmt.Errorf("a Hadamard matrix of size %d was asked for: the size must be a power of two", n)
	}
	patterns := make([][]int, len(rows))
	for k, r := range rows {
		if r < 0 || r >= n {
			return nil, fmt.Errorf("row %d of the Hadamard matrix of size %d was asked for: rows go from 0 to %d", r, n,
				n-1)
		}
		patterns[k] = make([]int, n)
		for i := range n {
			patterns[k][i] = 1 - 2*(bits.OnesCount(uint(r&i))&1)
		}
	}
	return patterns, nil
}
