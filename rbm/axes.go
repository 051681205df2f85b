package rbm

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"instanton/unit"
)

// Axes finds the rotation of Gaussian hidden units in whose axes the model is simplest: the orthogonal R for which
// Σ_iμ (WR)_iμ⁴ is as small or as large as it can be, whichever is the more extreme compared with random rotations. In
// the axes of stored ±1 patterns it is smallest, in those of sparse features largest. RBM.Rotate by R leaves P(v) as it
// is; in the new axes moves of one or two hidden units go from one mode to another.
//
// With hidden activities, one row ⟨h|v⟩ for each of several configurations v, these take the place of the rows of W:
// their fourth moments are largest in the axes of patterns that come one at a time. In both cases the hidden units are
// first scaled to γ = 1, as Rotate does.
func (m *RBM) Axes(activities [][]float64) (*mat.Dense, error) {
	l, ok := m.Hidden.(*Gaussian)
	if !ok {
		return nil, fmt.Errorf("%s hidden units are not isotropic: only Gaussian units have axes to choose",
			m.Hidden.Spec().Type)
	}
	n := len(l.Gamma)
	rows := activities
	if rows == nil {
		for c := range m.Visible.Spec().Width() {
			rows = append(rows, m.Row(c))
		}
	}
	x := mat.NewDense(len(rows), n, nil)
	for i, row := range rows {
		if len(row) != n {
			return nil, fmt.Errorf("activities of %d hidden units: expected %d", len(row), n)
		}
		for mu, value := range row {
			scale := math.Sqrt(l.Gamma[mu])
			if activities == nil {
				scale = 1 / scale
			}
			x.Set(i, mu, scale*value)
		}
	}
	if v := m.Visible.Spec(); v.Type == unit.Potts && activities == nil {
		centre(x, v.Q)
	}
	return QuarticAxes(x), nil
}

// centre subtracts from each row the mean over the q states of its unit, which acts on no state in particular.
func centre(x *mat.Dense, q int) {
	rows, n := x.Dims()
	for lo := 0; lo < rows; lo += q {
		for mu := range n {
			var mean float64
			for a := range q {
				mean += x.At(lo+a, mu) / float64(q)
			}
			for a := range q {
				x.Set(lo+a, mu, x.At(lo+a, mu)-mean)
			}
		}
	}
}

// QuarticAxes returns the orthogonal R for which Q = Σ (XR)⁴ is extreme. For a random R the mean of Q is 3Σ|x|⁴/(n+2),
// with x the rows of X and n their length; the smallest possible value is Σ|x|⁴/n, the largest Σ|x|⁴. The minimum or
// the maximum that is found is returned, depending on which comes closer to its bound.
func QuarticAxes(x *mat.Dense) *mat.Dense {
	rows, n := x.Dims()
	var fourth float64
	for i := range rows {
		var square float64
		for _, y := range x.RawRowView(i) {
			square += y * y
		}
		fourth += square * square
	}
	if n == 1 || fourth == 0 {
		return identity(n)
	}
	mean := 3 * fourth / float64(n+2)
	low, least := quartic(x, -1)
	high, most := quartic(x, 1)
	if (mean-least)/(mean-fourth/float64(n)) > (most-mean)/(fourth-mean) {
		return low
	}
	return high
}

func identity(n int) *mat.Dense {
	one := mat.NewDense(n, n, nil)
	for i := range n {
		one.Set(i, i, 1)
	}
	return one
}

// Starts and sweeps of the search for an extreme of Σ (XR)⁴.
const (
	axesStarts = 8
	axesSweeps = 200
)

// quartic makes sign·Σ (XR)⁴ as large as it can by rotations in planes of two axes, each by its best angle (Jacobi),
// from several random rotations, and returns the best R with its Q.
func quartic(x *mat.Dense, sign float64) (best *mat.Dense, q float64) {
	rows, n := x.Dims()
	for start := range axesStarts {
		r := identity(n)
		if start > 0 {
			r = RandomRotation(n, uint64(start))
		}
		var y mat.Dense
		y.Mul(x, r)
		for range axesSweeps {
			var turned float64
			for a := range n {
				for b := range a {
					turned = max(turned, math.Abs(turn(&y, r, a, b, sign)))
				}
			}
			if turned < 1e-9 {
				break
			}
		}
		var sum float64
		for i := range rows {
			for _, z := range y.RawRowView(i) {
				sum += z * z * z * z
			}
		}
		// A later start has to be better by more than rounding.
		if best == nil || sign*sum > q+1e-9*math.Abs(q) {
			best, q = r, sign*sum
		}
	}
	return best, sign * q
}

// turn rotates two columns by the angle at which sign·Σ(x⁴+y⁴) is largest. With u = x²−y² and w = 2xy, the sum depends
// on the angle as Σ(u cos 2θ + w sin 2θ)²/2.
func turn(y, r *mat.Dense, a, b int, sign float64) float64 {
	rows, n := y.Dims()
	var even, odd float64
	for i := range rows {
		p, q := y.At(i, a), y.At(i, b)
		u, w := p*p-q*q, 2*p*q
		even += (u*u - w*w) / 2
		odd += u * w
	}
	if even == 0 && odd == 0 {
		return 0
	}
	theta := math.Atan2(sign*odd, sign*even) / 4
	sin, cos := math.Sincos(theta)
	apply := func(m *mat.Dense, rows int) {
		for i := range rows {
			p, q := m.At(i, a), m.At(i, b)
			m.Set(i, a, cos*p+sin*q)
			m.Set(i, b, cos*q-sin*p)
		}
	}
	apply(y, rows)
	apply(r, n)
	return theta
}
