package rbm

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"instanton/internal/rng"
	"instanton/unit"
)

// Hopfield stores M patterns of ±1 in M Gaussian hidden units, W_iμ = (w/√N) ξ_i^μ, so that E_eff(v) = −(w²/2N) Σ_μ
// (ξ^μ·v)² up to a constant. RBM.Rotate gives an equivalent model with rotated weights.
func Hopfield(patterns *unit.States, w float64) (*RBM, error) {
	if patterns.Type != unit.Spin {
		return nil, fmt.Errorf("patterns of %s units: expected spins", patterns.Type)
	}
	m, err := meanField(patterns.N, patterns.Len, w)
	if err != nil {
		return nil, err
	}
	for i := range patterns.N {
		for mu := range patterns.Len {
			m.Row(i)[mu] = w / math.Sqrt(float64(patterns.N)) * patterns.Value(mu, i)
		}
	}
	m.Patterns = patterns
	m.Info = builtAs("hopfield", w)
	return m, nil
}

// OrthogonalPatterns returns m patterns of n spins in which every combination of signs (ξ^1_i … ξ^m_i) stands at
// exactly n/2^m sites: pattern μ is row 2^μ of a Hadamard matrix of Sylvester's kind. Orthogonality alone would not do:
// rows 1, 2 and 3 are orthogonal but ξ³ = ξ¹ξ², and the model is then not the large-N limit.
func OrthogonalPatterns(n, m int) (*unit.States, error) {
	if m < 1 {
		return nil, fmt.Errorf("%d patterns: expected at least one", m)
	}
	if m > 24 || n < 1 || n%(1<<m) != 0 {
		return nil, fmt.Errorf("%d independent orthogonal patterns of %d spins: expected a number of spins "+
			"divisible by 2^%d; choose another size or random patterns",
			m, n, m)
	}
	spec := unit.Spec{Type: unit.Spin, N: n}
	if err := spec.Check(); err != nil {
		return nil, err
	}
	p := unit.NewStates(spec, m)
	for mu := range m {
		for i := range n {
			p.Set(mu, i, float64(1-2*(i>>mu&1)))
		}
	}
	return p, nil
}

// RandomPatterns returns m patterns of n independent fair spins.
func RandomPatterns(n, m int, seed uint64) (*unit.States, error) {
	spec := unit.Spec{Type: unit.Spin, N: n}
	if err := spec.Check(); err != nil {
		return nil, err
	}
	if m < 1 {
		return nil, fmt.Errorf("%d patterns: expected at least one", m)
	}
	if err := spec.CheckCount(m); err != nil {
		return nil, err
	}
	p := unit.NewStates(spec, m)
	for mu := range m {
		r := rng.New(seed, rng.Patterns, uint32(mu), 0).Rand()
		for i := range n {
			p.Set(mu, i, float64(2*r.IntN(2)-1))
		}
	}
	return p, nil
}

// RandomRotation draws an orthogonal m×m matrix from the uniform (Haar) measure: the Q of a Gaussian matrix, with the
// signs that make R's diagonal positive.
func RandomRotation(m int, seed uint64) *mat.Dense {
	r := rng.New(seed, rng.Rotation, 0, 0).Rand()
	g := mat.NewDense(m, m, nil)
	g.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, g)
	var qr mat.QR
	qr.Factorize(g)
	var q, upper mat.Dense
	qr.QTo(&q)
	qr.RTo(&upper)
	q.Apply(func(_, j int, x float64) float64 { return math.Copysign(1, upper.At(j, j)) * x }, &q)
	return &q
}
