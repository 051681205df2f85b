package kernel

// Half are the parameters of ReLU units: given its input x, unit i has the density
// ∝ exp(−y²/2 − ay) on y > 0 in units of Gain[i], with a = Offset[i] − Gain[i]·x. For
// U(y) = γy²/2 + θy that is Gain = 1/√γ and Offset = θ/√γ.
type Half struct {
	Gain, Offset []float32
}

// Draw draws unit i from words[i]:
//
//	for i := range dst {
//		dst[i] = p.Gain[i] * halfQuantile(p.Offset[i]-p.Gain[i]*x[i], words[i])
//	}
func (p *Half) Draw(dst, x []float32, words []uint32) {
	n := 0
	if vector {
		n = len(dst) &^ 7
		if n > 0 {
			_, _, _, _ = p.Gain[n-1], p.Offset[n-1], x[n-1], words[n-1]
			drawHalfAVX2(&dst[0], &x[0], &p.Gain[0], &p.Offset[0], &words[0], n/8)
		}
	}
	p.drawGo(dst, x, words, n)
}

// drawGo draws the units from the given one on:
//
//	for i := from; i < len(dst); i++ {
//		dst[i] = p.Gain[i] * halfQuantile(p.Offset[i]-p.Gain[i]*x[i], words[i])
//	}
func (p *Half) drawGo(dst, x []float32, words []uint32, from int) {
	for i := from; i < len(dst); i++ {
		g := p.Gain[i]
		dst[i] = float32(g * halfQuantile(p.Offset[i]-float32(g*x[i]), words[i]))
	}
}

// Double are the parameters of dReLU units: given its input x, unit i is right of zero
// as a Half with Right, or left of it as the negative of a Half with Left and input −x.
// Odds[i] is log2 of Right.Gain over Left.Gain.
type Double struct {
	Right, Left Half
	Odds        []float32
}

// Draw draws the side of unit i from words[2i] and the distance from words[2i+1]:
//
//	for i := range dst {
//		right, left := p.Right.Offset[i]-p.Right.Gain[i]*x[i], p.Left.Offset[i]+p.Left.Gain[i]*x[i]
//		if bit((logMills(right)-logMills(left))+p.Odds[i], words[2*i]) {
//			dst[i] = p.Right.Gain[i] * halfQuantile(right, words[2*i+1])
//		} else {
//			dst[i] = -p.Left.Gain[i] * halfQuantile(left, words[2*i+1])
//		}
//	}
func (p *Double) Draw(dst, x []float32, words []uint32) {
	n := 0
	if vector {
		n = len(dst) &^ 7
		if n > 0 {
			_, _, _, _ = p.Right.Gain[n-1], p.Right.Offset[n-1], p.Left.Gain[n-1], p.Left.Offset[n-1]
			_, _, _ = p.Odds[n-1], x[n-1], words[2*n-1]
			drawDoubleAVX2(&dst[0], &x[0], &p.Right.Gain[0], &p.Right.Offset[0], &p.Left.Gain[0], &p.Left.Offset[0], &p.Odds[0], &words[0], n/8)
		}
	}
	p.drawGo(dst, x, words, n)
}

// drawGo draws the units from the given one on:
//
//	for i := from; i < len(dst); i++ {
//		right, left := p.Right.Offset[i]-p.Right.Gain[i]*x[i], p.Left.Offset[i]+p.Left.Gain[i]*x[i]
//		if bit((logMills(right)-logMills(left))+p.Odds[i], words[2*i]) {
//			dst[i] = p.Right.Gain[i] * halfQuantile(right, words[2*i+1])
//		} else {
//			dst[i] = -p.Left.Gain[i] * halfQuantile(left, words[2*i+1])
//		}
//	}
func (p *Double) drawGo(dst, x []float32, words []uint32, from int) {
	for i := from; i < len(dst); i++ {
		right := p.Right.Offset[i] - float32(p.Right.Gain[i]*x[i])
		left := p.Left.Offset[i] + float32(p.Left.Gain[i]*x[i])
		if bit((logMills(right)-logMills(left))+p.Odds[i], words[2*i]) {
			dst[i] = float32(p.Right.Gain[i] * halfQuantile(right, words[2*i+1]))
		} else {
			dst[i] = -float32(p.Left.Gain[i] * halfQuantile(left, words[2*i+1]))
		}
	}
}
