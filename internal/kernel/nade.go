package kernel

import "math"

// The loops of an autoregressive network whose hidden units see the inputs one after the other (NADE: Larochelle and
// Murray, 2011). Hidden units come in multiples of sixteen, configurations in tiles of sixteen lanes.

// NADEOutput adds what one output gets from rectified hidden units:
//
//	for j, w := range v {
//		for c := range 16 {
//			z[c] += w * max(a[16*j+c], 0)
//		}
//	}
//
// with four fused sums, over j%4 = 0 … 3, which are added in the end.
func NADEOutput(z, a, v []float32) {
	n := len(v)
	_, _ = z[tile-1], a[tile*n-1]
	switch {
	case vector512:
		nadeOutputAVX512(&z[0], &a[0], &v[0], n/4)
	case vector:
		nadeOutputAVX2(&z[0], &a[0], &v[0], n/4)
	default:
		nadeOutputGo(z, a, v)
	}
}

func nadeOutputGo(z, a, v []float32) {
	var sums [4][tile]float32
	for j, w := range v {
		sum := &sums[j%4]
		for c, x := range a[tile*j:][:tile] {
			sum[c] = fma32(w, aboveZero(x), sum[c])
		}
	}
	for c := range tile {
		z[c] = ((sums[0][c] + sums[1][c]) + (sums[2][c] + sums[3][c])) + z[c]
	}
}

func aboveZero(x float32) float32 {
	if x > 0 {
		return x
	}
	return 0
}

// NADEInput adds what hidden units get from one input:
//
//	for j, weight := range w {
//		for c := range 16 {
//			a[16*j+c] = fma(weight, x[c], a[16*j+c])
//		}
//	}
func NADEInput(a, w, x []float32) {
	n := len(w)
	_, _ = x[tile-1], a[tile*n-1]
	switch {
	case vector512:
		nadeInputAVX512(&a[0], &w[0], &x[0], n/4)
	case vector:
		nadeInputAVX2(&a[0], &w[0], &x[0], n/4)
	default:
		nadeInputGo(a, w, x)
	}
}

func nadeInputGo(a, w, x []float32) {
	for j, weight := range w {
		to := a[tile*j:][:tile]
		for c, y := range x[:tile] {
			to[c] = fma32(weight, y, to[c])
		}
	}
}

// NADE is what NADEBack needs to know of a network. W and DW have a row of Hidden numbers for every channel of the
// inputs, V and DV for every output; each unit has In and Out of them.
type NADE struct {
	Units, In, Out, Hidden int
	W, V, DW, DV           []float32
}

// NADEBack goes back from the last unit to the first, for sixteen configurations and sixteen hidden units, those from
// number j on. A is what the hidden units received from all inputs, which it takes away again, and g their derivatives,
// both [configuration][hidden]; x are the inputs and e the derivatives of the outputs, [channel][configuration]:
//
//	for i := Units - 1; i >= 0; i-- {
//		for each channel k of unit i, the last first {
//			DW[k] += Σ_c x[k][c] g[c]
//			a[c] −= x[k][c] W[k]
//		}
//		for each output o of unit i, the last first {
//			DV[o] += Σ_c e[o][c] max(a[c], 0)
//			g[c] += e[o][c] V[o] where a[c] > 0
//		}
//	}
func NADEBack(n *NADE, j int, a, g, x, e []float32) {
	inputs, outputs := n.Units*n.In, n.Units*n.Out
	w, v := (inputs-1)*n.Hidden+j, (outputs-1)*n.Hidden+j
	_, _, _, _ = n.W[w+tile-1], n.DW[w+tile-1], n.V[v+tile-1], n.DV[v+tile-1]
	_, _, _, _ = a[(tile-1)*n.Hidden+j+tile-1], g[(tile-1)*n.Hidden+j+tile-1], x[inputs*tile-1], e[outputs*tile-1]
	if !vector {
		nadeBackGo(n, j, a, g, x, e)
		return
	}
	const rows = 4
	for c := 0; c < tile; c += rows {
		at, lastX, lastE := c*n.Hidden+j, (inputs-1)*tile+c, (outputs-1)*tile+c
		if vector512 {
			nadeBackAVX512(&a[at], &g[at], &n.W[w], &n.V[v], &n.DW[w], &n.DV[v], 4*n.Hidden, &x[lastX], &e[lastE],
				n.Units, n.In, n.Out)
			continue
		}
		for k := 0; k < tile; k += 8 {
			nadeBackAVX2(&a[at+k], &g[at+k], &n.W[w+k], &n.V[v+k], &n.DW[w+k], &n.DV[v+k], 4*n.Hidden, &x[lastX],
				&e[lastE], n.Units, n.In, n.Out)
		}
	}
}

func nadeBackGo(n *NADE, j int, a, g, x, e []float32) {
	for c := range tile {
		aRow, gRow := a[c*n.Hidden+j:][:tile], g[c*n.Hidden+j:][:tile]
		for i := n.Units - 1; i >= 0; i-- {
			for k := (i+1)*n.In - 1; k >= i*n.In; k-- {
				w, dw, y := n.W[k*n.Hidden+j:][:tile], n.DW[k*n.Hidden+j:][:tile], x[k*tile+c]
				for l := range w {
					dw[l] = fma32(y, gRow[l], dw[l])
					aRow[l] = fma32(-y, w[l], aRow[l])
				}
			}
			for o := (i+1)*n.Out - 1; o >= i*n.Out; o-- {
				v, dv, y := n.V[o*n.Hidden+j:][:tile], n.DV[o*n.Hidden+j:][:tile], e[o*tile+c]
				for l, activity := range aRow {
					dv[l] = fma32(y, aboveZero(activity), dv[l])
					if activity > 0 {
						gRow[l] = fma32(y, v[l], gRow[l])
					} else {
						gRow[l] = fma32(y, 0, gRow[l])
					}
				}
			}
		}
	}
}

// AdamFloats makes a step of descent with Adam in float32, given the running means m of the gradients, times scale, and
// s of their squares:
//
//	for i := range theta {
//		x := g[i] * scale
//		m[i] = keep1*m[i] + (1-keep1)*x
//		s[i] = keep2*s[i] + (1-keep2)*x*x
//		theta[i] -= rate * m[i] / (sqrt(correct*s[i]) + epsilon)
//	}
func AdamFloats(theta, g, m, s []float32, scale, keep1, keep2, rate, correct, epsilon float32) {
	n := 0
	if vector {
		n = len(theta) / tile
	}
	if n > 0 {
		_, _, _ = g[tile*n-1], m[tile*n-1], s[tile*n-1]
		f := adamFloatsAVX2
		if vector512 {
			f = adamFloatsAVX512
		}
		f(&theta[0], &g[0], &m[0], &s[0], n, scale, keep1, 1-keep1, keep2, 1-keep2, rate, correct, epsilon)
	}
	adamFloatsGo(theta[tile*n:], g[tile*n:], m[tile*n:], s[tile*n:], scale, keep1, keep2, rate, correct, epsilon)
}

func adamFloatsGo(theta, g, m, s []float32, scale, keep1, keep2, rate, correct, epsilon float32) {
	take1, take2 := 1-keep1, 1-keep2
	for i, x := range g {
		x = scale * x
		m[i] = float32(keep1*m[i]) + float32(take1*x)
		s[i] = float32(keep2*s[i]) + float32(take2*float32(x*x))
		root := float32(math.Sqrt(float64(float32(correct * s[i]))))
		theta[i] -= float32(rate*m[i]) / (root + epsilon)
	}
}
