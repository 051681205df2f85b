package kernel

// Half holds the parameters of ReLU units: given its input x, unit i has the density ∝ exp(−y²/2 − ay) on y > 0 in
// units of Gain[i], with a = Offset[i] − Gain[i]·x. For U(y) = γy²/2 + θy this means Gain = 1/√γ and Offset = θ/√γ.
type Half struct {
	Gain, Offset []float32
}

// Draw draws unit i from words[i]:
//
//	for i := range dst {
//		dst[i] = p.Gain[i] * halfQuantile(p.Offset[i]-p.Gain[i]*x[i], words[i])
//	}
func (p *Half) Draw(dst, x []float32, words []uint32) {
	i := 0
	for vector && len(dst)-i >= 8 {
		n := min(len(dst)-i, 1<<12) &^ 7 // short calls, since assembly cannot be preempted
		last := i + n - 1
		_, _, _, _ = p.Gain[last], p.Offset[last], x[last], words[last]
		drawHalfAVX2(&dst[i], &x[i], &p.Gain[i], &p.Offset[i], &words[i], n/8)
		i += n
	}
	p.drawGo(dst, x, words, i)
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

// Double holds the parameters of dReLU units: given its input x, unit i is either on the right of zero, as a Half with
// Right, or on the left, as the negative of a Half with Left and input −x. Odds[i] is log2(Right.Gain/Left.Gain).
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
	i := 0
	for vector && len(dst)-i >= 8 {
		n := min(len(dst)-i, 1<<11) &^ 7 // short calls, since assembly cannot be preempted
		last := i + n - 1
		_, _, _, _ = p.Right.Gain[last], p.Right.Offset[last], p.Left.Gain[last], p.Left.Offset[last]
		_, _, _ = p.Odds[last], x[last], words[2*last+1]
		drawDoubleAVX2(&dst[i], &x[i], &p.Right.Gain[i], &p.Right.Offset[i], &p.Left.Gain[i], &p.Left.Offset[i],
			&p.Odds[i], &words[2*i], n/8)
		i += n
	}
	p.drawGo(dst, x, words, i)
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
