package pca

import (
	"math/bits"

	"instanton/unit"
)

// covariance multiplies vectors by the covariance matrix of configurations, C = Σ w (x−m)(x−m)ᵀ / Σ w, without writing
// out the matrix or the vectors x. A discrete configuration is x = scale·e + base, where e is one in the channels that
// are set; base and m are combined into the shift.
type covariance struct {
	v       *unit.States
	weights []float64 // nil: all one
	total   float64
	mean    []float64
	set     []int32 // channels set in one configuration
}

func newCovariance(v *unit.States, weights []float64, total float64) *covariance {
	c := &covariance{v: v, weights: weights, total: total, mean: make([]float64, v.Width())}
	scale, base := c.scale()
	for k := range v.Len {
		w := c.weight(k) / total
		if v.Type.Discrete() {
			for _, i := range c.channels(k) {
				c.mean[i] += w * scale
			}
			continue
		}
		for i, x := range v.RealRow(k)[:v.N] {
			c.mean[i] += w * float64(x)
		}
	}
	for i := range c.mean {
		c.mean[i] += base
	}
	return c
}

// scale returns the factors that write a spin as 2e − 1 and other discrete units as e.
func (c *covariance) scale() (scale, base float64) {
	if c.v.Type == unit.Spin {
		return 2, -1
	}
	return 1, 0
}

func (c *covariance) weight(k int) float64 {
	if c.weights == nil {
		return 1
	}
	return c.weights[k]
}

// channels lists the channels that are set in configuration k of discrete units.
func (c *covariance) channels(k int) []int32 {
	c.set = c.set[:0]
	if c.v.Type == unit.Potts {
		for i, a := range c.v.CodeRow(k)[:c.v.N] {
			c.set = append(c.set, int32(i*c.v.Q+int(a)))
		}
		return c.set
	}
	for w, word := range c.v.BitRow(k) {
		for ; word != 0; word &= word - 1 {
			if i := w*64 + bits.TrailingZeros64(word); i < c.v.N {
				c.set = append(c.set, int32(i))
			}
		}
	}
	return c.set
}

// trace is the total variance in all directions.
func (c *covariance) trace() float64 {
	var sum float64
	if c.v.Type.Discrete() { // e is 0 or 1: its variance is p(1−p)
		scale, base := c.scale()
		for _, m := range c.mean {
			p := (m - base) / scale
			sum += scale * scale * p * (1 - p)
		}
		return sum
	}
	for k := range c.v.Len {
		for i, x := range c.v.RealRow(k)[:c.v.N] {
			d := float64(x) - c.mean[i]
			sum += c.weight(k) / c.total * d * d
		}
	}
	return sum
}

// shift is Σ_i (m_i − base) y_i, to be subtracted from the sums over the channels that are set. Vectors are
// interleaved: y[i·b+j] is entry i of vector j out of b.
func (c *covariance) shift(y []float64, b int) []float64 {
	out := make([]float64, b)
	_, base := c.scale()
	for i, m := range c.mean {
		for j := range out {
			out[j] += (m - base) * y[i*b+j]
		}
	}
	return out
}

// coordinates sets s to (x−m)·y for configuration k and each of the vectors.
func (c *covariance) coordinates(s, y, shift []float64, k int) {
	b := len(s)
	if !c.v.Type.Discrete() {
		clear(s)
		for i, x := range c.v.RealRow(k)[:c.v.N] {
			d := float64(x) - c.mean[i]
			for j, yj := range y[i*b : (i+1)*b] {
				s[j] += d * yj
			}
		}
		return
	}
	scale, _ := c.scale()
	clear(s)
	for _, i := range c.channels(k) {
		for j, yj := range y[int(i)*b : (int(i)+1)*b] {
			s[j] += yj
		}
	}
	for j := range s {
		s[j] = scale*s[j] - shift[j]
	}
}

// times sets z to C·y for b interleaved vectors.
func (c *covariance) times(z, y []float64, b int) {
	clear(z)
	shift, s, sum := c.shift(y, b), make([]float64, b), make([]float64, b)
	scale, base := c.scale()
	for k := range c.v.Len {
		c.coordinates(s, y, shift, k)
		w := c.weight(k) / c.total
		for j := range s {
			s[j] *= w
			sum[j] += s[j]
		}
		if !c.v.Type.Discrete() {
			for i, x := range c.v.RealRow(k)[:c.v.N] {
				d := float64(x) - c.mean[i]
				for j, sj := range s {
					z[i*b+j] += d * sj
				}
			}
			continue
		}
		for _, i := range c.set {
			zi := z[int(i)*b : (int(i)+1)*b]
			for j, sj := range s {
				zi[j] += scale * sj
			}
		}
	}
	if !c.v.Type.Discrete() {
		return
	}
	for i, m := range c.mean { // Σ s vanishes up to rounding
		for j := range sum {
			z[i*b+j] -= (m - base) * sum[j]
		}
	}
}
