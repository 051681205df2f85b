package kernel

import "math"

// Coefficients of sin(πg/2)/g and cos(πg/2) in powers of g², for |g| ≤ ½.
var (
	sinPoly = [4]float32{1.5707963705062866, -0.6459634900093079, 0.07968003302812576, -0.004601657390594482}
	cosPoly = [4]float32{1, -1.2336970567703247, 0.2535986304283142, -0.020408350974321365}
)

// normalPair returns two standard normal numbers from two words by the Box–Muller method: √(−2 log u)·(cos 2πv, sin
// 2πv).
func normalPair(radius, angle uint32) (float32, float32) {
	r := sqrt(float32(log2(uniform(radius)) * (-2 * ln2)))
	turned := angle + 1<<29 // quadrants centred on the axes
	g := float32(float32(int32(angle-turned&(3<<30))) * (1.0 / (1 << 30)))
	g2 := float32(g * g)
	sin, cos := float32(g*polynomial4(g2, &sinPoly)), polynomial4(g2, &cosPoly)
	if turned&(1<<30) != 0 {
		sin, cos = cos, sin
	}
	cos = flip(cos, turned+1<<30)
	sin = flip(sin, turned)
	return float32(r * cos), float32(r * sin)
}

// flip changes the sign of x if the highest bit of s is set.
func flip(x float32, s uint32) float32 {
	return math.Float32frombits(math.Float32bits(x) ^ s&(1<<31))
}

// Normal holds the parameters of Gaussian units: given its input x, unit i has mean Gain[i]·x + Offset[i] and standard
// deviation Sigma[i].
type Normal struct {
	Gain, Offset, Sigma []float32
}

// Draw draws units 2k and 2k+1 from words 2k and 2k+1, of which there must be an even number:
//
//	for i := range dst {
//		dst[i] = (p.Gain[i]*x[i] + p.Offset[i]) + p.Sigma[i]*normal(words, i)
//	}
func (p *Normal) Draw(dst, x []float32, words []uint32) {
	i := 0
	for vector && len(dst)-i >= 16 {
		n := min(len(dst)-i, 1<<14) &^ 15 // short calls, since assembly cannot be preempted
		last := i + n - 1
		_, _, _, _, _ = p.Gain[last], p.Offset[last], p.Sigma[last], x[last], words[last]
		drawNormalAVX2(&dst[i], &x[i], &p.Gain[i], &p.Offset[i], &p.Sigma[i], &words[i], n/16)
		i += n
	}
	p.drawGo(dst, x, words, i)
}

// drawGo draws the units from the given one on:
//
//	for i := from; i < len(dst); i++ {
//		dst[i] = (p.Gain[i]*x[i] + p.Offset[i]) + p.Sigma[i]*normal(words, i)
//	}
func (p *Normal) drawGo(dst, x []float32, words []uint32, from int) {
	for i := from; i < len(dst); i += 2 {
		a, b := normalPair(words[i], words[i+1])
		dst[i] = (float32(p.Gain[i]*x[i]) + p.Offset[i]) + float32(p.Sigma[i]*a)
		if i+1 < len(dst) {
			dst[i+1] = (float32(p.Gain[i+1]*x[i+1]) + p.Offset[i+1]) + float32(p.Sigma[i+1]*b)
		}
	}
}
