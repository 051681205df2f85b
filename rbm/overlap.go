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

// Overlap is the matrix α of a structured model, M×M and symmetric: α_μμ is the fraction of visible spins connected to
// hidden unit μ alone, α_μν the fraction connected to both μ and ν. The entries with μ ≤ ν sum to 1.
type Overlap [][]float64

// maxOverlap bounds the number of hidden units, whose overlaps are a matrix.
const maxOverlap = 4096

// AllToAll is the overlap of M units with the same α between every two: α_μμ = 1/M − (M−1)α/2.
func AllToAll(m int, alpha float64) (Overlap, error) {
	if m < 1 || m > maxOverlap {
		return nil, fmt.Errorf("a structured model of %d hidden units: expected 1 to %d", m, maxOverlap)
	}
	return uniformOverlap(m, alpha, 1/float64(m)-float64(m-1)*alpha/2, func(int, int) bool { return true })
}

// Ring is the overlap of M ≥ 3 units on a circle, each with its two neighbours: α_μμ = 1/M − α.
func Ring(m int, alpha float64) (Overlap, error) {
	if m < 3 || m > maxOverlap {
		return nil, fmt.Errorf("a ring of %d hidden units: expected at least 3 and at most %d", m, maxOverlap)
	}
	return uniformOverlap(m, alpha, 1/float64(m)-alpha, func(mu, nu int) bool { return nu-mu == 1 || nu-mu == m-1 })
}

func uniformOverlap(m int, alpha, alone float64, linked func(mu, nu int) bool) (Overlap, error) {
	if !(alpha >= 0) || math.IsInf(alpha, 0) {
		return nil, fmt.Errorf("the overlap α is %g: it must be at least 0", alpha)
	}
	if alone < -1e-15 {
		return nil, fmt.Errorf("the overlap α = %g between %d units leaves %g of the spins to each unit alone: "+
			"take a smaller α",
			alpha, m, alone)
	}
	o := make(Overlap, m)
	for mu := range o {
		o[mu] = make([]float64, m)
	}
	for mu := range o {
		o[mu][mu] = math.Max(alone, 0)
		for nu := mu + 1; nu < m; nu++ {
			if m > 1 && linked(mu, nu) {
				o[mu][nu], o[nu][mu] = alpha, alpha
			}
		}
	}
	return o, nil
}

// ParseOverlap reads all:α, ring:α, or the name of a .npy file with the matrix, for M hidden units.
func ParseOverlap(text string, m int) (Overlap, error) {
	kind, value, ok := strings.Cut(text, ":")
	uniform := map[string]func(int, float64) (Overlap, error){"all": AllToAll, "ring": Ring}[kind]
	if ok && uniform != nil {
		alpha, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return nil, fmt.Errorf("overlap %q: %q is not a number", text, value)
		}
		return uniform(m, alpha)
	}
	if filepath.Ext(text) != ".npy" {
		return nil, fmt.Errorf("overlap %q: expected all:A, ring:A or a .npy file with the matrix", text)
	}
	a, err := npy.ReadFile(text)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(a.Shape, []int{m, m}) {
		return nil, fmt.Errorf("%s has shape %v: expected %d×%d for %d hidden units", text, a.Shape, m, m, m)
	}
	alpha, err := a.Float64s()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", text, err)
	}
	o := make(Overlap, m)
	for mu := range o {
		o[mu] = alpha[mu*m : (mu+1)*m]
	}
	return o, o.Check()
}

// Check says what is wrong with the overlap, if anything is.
func (o Overlap) Check() error {
	if len(o) == 0 {
		return fmt.Errorf("the overlap matrix is empty: it needs a row for every hidden unit")
	}
	for mu, row := range o {
		if len(row) != len(o) {
			return fmt.Errorf("row %d of the overlap matrix has %d entries: the matrix is %d by %d",
				mu+1, len(row), len(o), len(o))
		}
	}
	sum := 0.0
	for mu, row := range o {
		for nu, a := range row {
			if !(a >= 0) || math.IsInf(a, 0) {
				return fmt.Errorf("overlap α(%d,%d) is %g: it must be at least 0", mu+1, nu+1, a)
			}
			if math.Abs(a-o[nu][mu]) > 1e-12 {
				return fmt.Errorf("overlap α(%d,%d) is %g and α(%d,%d) is %g: the matrix must be symmetric",
					mu+1, nu+1, a, nu+1, mu+1, o[nu][mu])
			}
			if nu >= mu {
				sum += a
			}
		}
	}
	if math.Abs(sum-1) > 1e-9 {
		return fmt.Errorf("the overlaps α(μ,ν) with μ ≤ ν sum to %.12g: they must sum to 1, "+
			"since every spin belongs to one block", sum)
	}
	return nil
}

// Connectivity is the matrix C of the linearised self-consistency at m = 0, C_μμ = α_μμ + Σ_{ν≠μ} α_μν, C_μν = α_μν:
// with quadratic units, states other than m = 0 need w²·λ_max(C) > 1.
func (o Overlap) Connectivity() [][]float64 {
	c := make([][]float64, len(o))
	for mu, row := range o {
		c[mu] = append([]float64(nil), row...)
		c[mu][mu] = 0
		for _, a := range row {
			c[mu][mu] += a
		}
	}
	return c
}

// Block is a group of visible units tied to the same hidden units; Mu equals Nu for units tied to one alone.
type Block struct{ Mu, Nu, Size int }

// Blocks shares n visible units among the pairs μ ≤ ν as close to α as whole numbers allow: rounded down, the units
// left over going to the largest remainders.
func (o Overlap) Blocks(n int) []Block {
	var blocks []Block
	var rest []float64
	left := n
	for mu := range o {
		for nu := mu; nu < len(o); nu++ {
			want := o[mu][nu] * float64(n)
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
