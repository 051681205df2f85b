package jump

import (
	"math"

	"instanton/internal/rng"
	"instanton/internal/special"
	"instanton/unit"
)

// components is the number of Gaussians in the law of a real unit.
const components = 4

// realHead is the law of a real unit: a mixture of Gaussians, cut off at zero for ReLU units, whose outputs are the
// logarithm of the weight, the mean and the logarithm of the width of every component. They apply to y = (x−m)/s with
// m and s the mean and the standard deviation of the configurations; y is also its feature.
type realHead struct {
	half        bool
	mean, width []float32
}

func newRealHead(spec unit.Spec) *realHead {
	h := &realHead{half: spec.Type == unit.ReLU, mean: make([]float32, spec.N), width: make([]float32, spec.N)}
	for i := range h.width {
		h.width[i] = 1
	}
	return h
}

func (*realHead) in() int    { return 1 }
func (*realHead) out() int   { return 3 * components }
func (*realHead) words() int { return 2 }

// begin spreads the components over two standard deviations.
func (*realHead) begin(bias []float32, n int) {
	for i := range n {
		for k := range components {
			b := bias[(i*components+k)*3:]
			b[0], b[1], b[2] = 0, float32(2*k)/(components-1)-1, -0.3
		}
	}
}

func (h *realHead) adapt(_ []float32, x *unit.States) {
	for i := range h.mean {
		var sum, square float64
		for k := range x.Len {
			v := float64(x.Reals[k*x.Stride+i])
			sum += v
			square += v * v
		}
		mean := sum / float64(x.Len)
		h.mean[i] = float32(mean)
		h.width[i] = float32(math.Sqrt(max(square/float64(x.Len)-mean*mean, 1e-8)))
	}
}

// gaussian is one component: log of its weight, mean and log of its width, with the width and, if it is cut off, the
// lower end in units of the width.
type gaussian struct {
	logit, mean, log, sd, cut float64
}

// Limits of the logarithm of the width of a component.
const leastLog, mostLog = -5, 2

// law reads the components of unit i from outputs that are stride apart.
func (h *realHead) law(g *[components]gaussian, i int, out []float32, stride int) {
	for k := range g {
		at := &g[k]
		at.logit, at.mean = float64(out[3*k*stride]), float64(out[(3*k+1)*stride])
		at.log = min(max(float64(out[(3*k+2)*stride]), leastLog), mostLog)
		at.sd = math.Exp(at.log)
		if h.half {
			at.cut = (-float64(h.mean[i]/h.width[i]) - at.mean) / at.sd
		}
	}
}

func (h *realHead) draw(value []float32, i int, out []float32, words []uint32) {
	var g [components]gaussian
	var w [components]float64
	for c := range value {
		h.law(&g, i, out[c:], lanes)
		for k := range g {
			w[k] = g[k].logit
		}
		at := &g[rng.Categorical(w[:], rng.Uniform(words[c]))]
		u := rng.Uniform(words[lanes+c])
		if h.half { // from zero on
			value[c] = h.width[i] * float32(at.sd*special.HalfQuantile(at.cut, u))
		} else {
			value[c] = h.mean[i] + h.width[i]*float32(at.mean+at.sd*special.NormQuantile(u))
		}
	}
}

// terms sets t to the logarithms of the weighted densities of y, and returns the logarithm of their sum, which is
// not yet divided by the sum of the weights.
func (h *realHead) terms(t *[components]float64, g *[components]gaussian, y float64) float64 {
	for k := range g {
		z := (y - g[k].mean) / g[k].sd
		t[k] = g[k].logit - z*z/2 - g[k].log - halfLog2Pi
		if h.half { // Q(a) = R(a) φ(a), with R Mills' ratio
			t[k] -= special.LogMills(g[k].cut) - g[k].cut*g[k].cut/2 - halfLog2Pi
		}
	}
	return special.LogSumExp(t[:])
}

const halfLog2Pi = 0.91893853320467274178

func logits(g *[components]gaussian) float64 {
	var t [components]float64
	for k := range g {
		t[k] = g[k].logit
	}
	return special.LogSumExp(t[:])
}

func (h *realHead) score(_, logs []float64, i int, value, out []float32) {
	var g [components]gaussian
	var t [components]float64
	for c, v := range value {
		h.law(&g, i, out[c:], lanes)
		y := float64((v - h.mean[i]) / h.width[i])
		logs[c] += h.terms(&t, &g, y) - logits(&g) - math.Log(float64(h.width[i]))
	}
}

func (h *realHead) encode(x []float32, i int, value []float32) {
	for c, v := range value {
		x[c] = (v - h.mean[i]) / h.width[i]
	}
}

func (h *realHead) features(x, value []float32) {
	for i, v := range value {
		x[i] = (v - h.mean[i]) / h.width[i]
	}
}

func (h *realHead) loss(dst []float32, value, out []float32) (logq float64) {
	var g [components]gaussian
	var t [components]float64
	for i, v := range value {
		h.law(&g, i, out[i*h.out():], 1)
		y := float64((v - h.mean[i]) / h.width[i])
		total, norm := h.terms(&t, &g, y), logits(&g)
		logq += total - norm - math.Log(float64(h.width[i]))
		for k := range g {
			p, prior := math.Exp(t[k]-total), math.Exp(g[k].logit-norm)
			z := (y - g[k].mean) / g[k].sd
			mean, log := z/g[k].sd, z*z-1
			if h.half {
				hazard := math.Exp(-special.LogMills(g[k].cut))
				mean -= hazard / g[k].sd
				log -= hazard * g[k].cut
			}
			d := dst[i*h.out()+3*k:]
			d[0], d[1], d[2] = float32(prior-p), float32(-p*mean), float32(-p*log)
			if g[k].log == leastLog && log < 0 || g[k].log == mostLog && log > 0 {
				d[2] = 0
			}
		}
	}
	return logq
}
