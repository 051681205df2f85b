package rbm

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"instanton/internal/npy"
)

// Overlap is the matrix α of the structured model: α_μμ is the fraction of visible
// units tied to hidden unit μ alone, α_μν that of units tied to both μ and ν. The
// fractions μ ≤ ν sum to one.
type Overlap struct {
	M     int
	alpha []float64 // M×M, symmetric
}

// At is α_μν.
func (o Overlap) At(mu, nu int) float64 { return o.alpha[mu*o.M+nu] }

// AllToAll ties every pair of m hidden units by the same fraction a, and shares the
// rest equally: α_μμ = 1/M − (M−1)a/2.
func AllToAll(m int, a float64) (Overlap, error) {
	return uniformOverlap(m, a, float64(m-1)/2, func(mu, nu int) bool { return true })
}

// Ring ties each of m ≥ 3 hidden units to its two neighbours: α_μμ = 1/M − a. (The
// paper prints the all-to-all diagonal, which does not sum to one here.)
func Ring(m int, a float64) (Overlap, error) {
	if m < 3 {
		return Overlap{}, fmt.Errorf("a ring of %d hidden units: expected at least 3; two units are tied with all:A", m)
	}
	return uniformOverlap(m, a, 1, func(mu, nu int) bool { d := (mu - nu + m) % m; return d == 1 || d == m-1 })
}

// uniformOverlap ties the pairs that tied picks by a; pairs is their number per unit.
func uniformOverlap(m int, a, pairs float64, tied func(mu, nu int) bool) (Overlap, error) {
	if m < 1 {
		return Overlap{}, fmt.Errorf("%d hidden units: expected at least one", m)
	}
	alpha := make([]float64, m*m)
	for mu := range m {
		for nu := range m {
			switch {
			case mu == nu:
				alpha[mu*m+nu] = 1/float64(m) - pairs*a
			case tied(mu, nu):
				alpha[mu*m+nu] = a
			}
		}
	}
	return NewOverlap(m, alpha)
}

// ParseOverlap reads all:A, ring:A, or the name of a .npy file with the m×m matrix α.
func ParseOverlap(text string, m int) (Overlap, error) {
	kind, value, ok := strings.Cut(text, ":")
	if ok && (kind == "all" || kind == "ring") {
		a, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return Overlap{}, fmt.Errorf("overlap %q: %q is not a number", text, value)
		}
		if kind == "ring" {
			return Ring(m, a)
		}
		return AllToAll(m, a)
	}
	if filepath.Ext(text) != ".npy" {
		return Overlap{}, fmt.Errorf("overlap %q: expected all:A, ring:A or a .npy file with the matrix", text)
	}
	a, err := npy.ReadFile(text)
	if err != nil {
		return Overlap{}, err
	}
	if !slices.Equal(a.Shape, []int{m, m}) {
		return Overlap{}, fmt.Errorf("%s has shape %v: expected %d×%d for %d hidden units", text, a.Shape, m, m, m)
	}
	alpha, err := a.Float64s()
	if err != nil {
		return Overlap{}, fmt.Errorf("%s: %w", text, err)
	}
	return NewOverlap(m, alpha)
}

// NewOverlap checks a given m×m matrix, row by row.
func NewOverlap(m int, alpha []float64) (Overlap, error) {
	if m < 1 || len(alpha) != m*m {
		return Overlap{}, fmt.Errorf("an overlap with %d entries for %d hidden units: expected %d", len(alpha), m, m*m)
	}
	var total float64
	for mu := range m {
		for nu := range m {
			a := alpha[mu*m+nu]
			switch {
			case !(a >= 0) || math.IsInf(a, 0):
				return Overlap{}, fmt.Errorf("overlap α(%d,%d) = %.6g: expected a fraction that is not negative", mu+1, nu+1, a)
			case math.Abs(a-alpha[nu*m+mu]) > 1e-12:
				return Overlap{}, fmt.Errorf("overlap α(%d,%d) = %g but α(%d,%d) = %g: expected a symmetric matrix", mu+1, nu+1, a, nu+1, mu+1, alpha[nu*m+mu])
			case mu <= nu:
				total += a
			}
		}
	}
	if math.Abs(total-1) > 1e-9 {
		return Overlap{}, fmt.Errorf("the overlaps α(μ,ν), μ ≤ ν, sum to %.9g: expected 1", total)
	}
	return Overlap{M: m, alpha: slices.Clone(alpha)}, nil
}

// Block is a group of visible units tied to the same hidden units; Mu equals Nu for
// units tied to one alone.
type Block struct{ Mu, Nu, Size int }

// Blocks shares n visible units among the pairs μ ≤ ν as close to α as whole numbers
// allow: rounded down, the units left over going to the largest remainders.
func (o Overlap) Blocks(n int) []Block {
	var blocks []Block
	var rest []float64
	left := n
	for mu := range o.M {
		for nu := mu; nu < o.M; nu++ {
			want := o.At(mu, nu) * float64(n)
			size := int(want + 1e-9)
			blocks, rest = append(blocks, Block{mu, nu, size}), append(rest, want-float64(size))
			left -= size
		}
	}
	order := make([]int, len(blocks))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rest[b], rest[a]) })
	for _, k := range order[:max(left, 0)] {
		blocks[k].Size++
	}
	return blocks
}

// Structured is the overlap model: n spins, each tied with weight w/√n to the one or
// two hidden units of its block. Blocks stand in the order of Overlap.Blocks.
func Structured(n int, w float64, o Overlap) (*RBM, error) {
	m, err := meanField(n, o.M, w)
	if err != nil {
		return nil, err
	}
	i := 0
	for _, b := range o.Blocks(n) {
		for range b.Size {
			m.Row(i)[b.Mu] = w / math.Sqrt(float64(n))
			m.Row(i)[b.Nu] = w / math.Sqrt(float64(n))
			i++
		}
	}
	m.Info = builtAs("structured", w)
	return m, nil
}
