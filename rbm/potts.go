package rbm

import (
	"math"

	"instanton/internal/rng"
	"instanton/internal/vec"
	"instanton/unit"
)

// Potts is a layer of units with q states and V(a) = −g_a, so that Γ(I) = log Σ_a e^{I_a+g_a}. A unit receives q
// inputs, one for each state; its mean is the vector of their probabilities.
type Potts struct {
	Q      int
	Fields []float64 // g, q in a row for each unit
}

var _ Layer = (*Potts)(nil)

func (l *Potts) Spec() unit.Spec { return unit.Spec{Type: unit.Potts, N: len(l.Fields) / l.Q, Q: l.Q} }

func (l *Potts) zero(spec unit.Spec) Layer {
	return &Potts{Q: spec.Q, Fields: make([]float64, spec.Width())}
}

func (l *Potts) Params() []Param {
	return []Param{{Name: "fields", Shape: []int{len(l.Fields) / l.Q, l.Q}, Data: l.Fields}}
}

func (l *Potts) Potential(x []float64) float64 { return -Contract(l.Spec(), l.Fields, x) }

func (l *Potts) Slope(dst, x []float64) {
	for c, g := range l.Fields {
		dst[c] = -g
	}
}

func (l *Potts) CGF(I []float64) float64 {
	var sum float64
	for lo := 0; lo < len(l.Fields); lo += l.Q {
		sum += l.unitCGF(lo, I)
	}
	return sum
}

// unitCGF is Γ of the unit whose channels start at lo.
func (l *Potts) unitCGF(lo int, I []float64) float64 {
	top := math.Inf(-1)
	for c := lo; c < lo+l.Q; c++ {
		top = max(top, I[c]+l.Fields[c])
	}
	var sum float64
	for c := lo; c < lo+l.Q; c++ {
		sum += math.Exp(I[c] + l.Fields[c] - top)
	}
	return top + math.Log(sum)
}

func (l *Potts) Mean(dst, I []float64) {
	for lo := 0; lo < len(l.Fields); lo += l.Q {
		gamma := l.unitCGF(lo, I)
		for c := lo; c < lo+l.Q; c++ {
			dst[c] = math.Exp(I[c] + l.Fields[c] - gamma)
		}
	}
}

// Variance is the diagonal of the covariance of the state's indicator: p_a(1−p_a), with 1−p_a summed from the other
// states so that it does not cancel.
func (l *Potts) Variance(dst, I []float64) {
	l.Mean(dst, I)
	p := make([]float64, l.Q)
	for lo := 0; lo < len(dst); lo += l.Q {
		copy(p, dst[lo:lo+l.Q])
		for a := range p {
			var others float64
			for b := range p {
				if b != a {
					others += p[b]
				}
			}
			dst[lo+a] = p[a] * others
		}
	}
}

func (l *Potts) Mode(x, I []float64) {
	for i := range x {
		best := 0
		for a := 1; a < l.Q; a++ {
			if c := i * l.Q; I[c+a]+l.Fields[c+a] > I[c+best]+l.Fields[c+best] {
				best = a
			}
		}
		x[i] = float64(best)
	}
}

func (l *Potts) AddStatistics(g Layer, x []float64, scale float64) {
	to := g.(*Potts)
	for i, a := range x {
		to.Fields[i*l.Q+int(a)] -= scale
	}
}

func (l *Potts) AddMeanStatistics(g Layer, I []float64, scale float64) {
	to := g.(*Potts)
	for lo := 0; lo < len(l.Fields); lo += l.Q {
		gamma := l.unitCGF(lo, I)
		for c := lo; c < lo+l.Q; c++ {
			to.Fields[c] -= scale * math.Exp(I[c]+l.Fields[c]-gamma)
		}
	}
}

// AddMeanResponse uses Cov(δ_a, δ_b) = p_a δ_ab − p_a p_b between the indicators of two states.
func (l *Potts) AddMeanResponse(g Layer, I, scale []float64) {
	to, p := g.(*Potts), make([]float64, len(l.Fields))
	l.Mean(p, I)
	for lo := 0; lo < len(p); lo += l.Q {
		mean := vec.Dot(p[lo:lo+l.Q], scale[lo:lo+l.Q])
		for c := lo; c < lo+l.Q; c++ {
			to.Fields[c] += p[c] * (scale[c] - mean)
		}
	}
}

func (l *Potts) AddField(c []float64) { vec.Add(l.Fields, c) }

// Fit reproduces the frequencies of the states, in the zero-sum gauge; a state that the data never show keeps a small
// one.
func (l *Potts) Fit(a *Averages) {
	for c, share := range a.X {
		l.Fields[c] = math.Log(max(share, floor))
	}
	l.zeroSum()
}

func (l *Potts) Words() int { return len(l.Fields) / l.Q }

// Draw inverts the cumulative distribution of each unit.
func (l *Potts) Draw(dst *unit.States, k int, I []float32, words []uint32) {
	row := dst.CodeRow(k)
	var weights [unit.MaxQ]float64
	for i := range row {
		g, in := l.Fields[i*l.Q:(i+1)*l.Q], I[i*l.Q:(i+1)*l.Q]
		for a := range g {
			weights[a] = g[a] + float64(in[a])
		}
		row[i] = uint8(rng.Categorical(weights[:l.Q], rng.Uniform(words[i])))
	}
}

// zeroSum subtracts from each unit's q fields their mean, which shifts the energy by a constant.
func (l *Potts) zeroSum() {
	for lo := 0; lo < len(l.Fields); lo += l.Q {
		g := l.Fields[lo : lo+l.Q]
		mean := vec.Sum(g) / float64(l.Q)
		for a := range g {
			g[a] -= mean
		}
	}
}
