package lattice

// Loops over all structures. Weights and labels are padded to whole strides, with weight zero, and labels stay below
// maxFactors; masks prove this to the compiler. Sums run in four independent parts.

const (
	stride = 8
	mask   = maxFactors - 1
)

// strides rounds a number of structures up to whole strides.
func strides(n int) int { return (n + stride - 1) / stride * stride }

// scaledSum is
//
//	for s := range w { sum += w[s] * ratio[label[s]] }
func scaledSum(w []float64, label []uint16, ratio *[maxFactors]float64) float64 {
	var a, b, c, d float64
	for len(w) >= stride && len(label) >= stride {
		x, l := (*[stride]float64)(w), (*[stride]uint16)(label)
		a += x[0] * ratio[l[0]&mask]
		b += x[1] * ratio[l[1]&mask]
		c += x[2] * ratio[l[2]&mask]
		d += x[3] * ratio[l[3]&mask]
		a += x[4] * ratio[l[4]&mask]
		b += x[5] * ratio[l[5]&mask]
		c += x[6] * ratio[l[6]&mask]
		d += x[7] * ratio[l[7]&mask]
		w, label = w[stride:], label[stride:]
	}
	return (a + b) + (c + d)
}

// scale is
//
//	for s := range w { w[s] *= ratio[label[s]]; sum += w[s] }
func scale(w []float64, label []uint16, ratio *[maxFactors]float64) float64 {
	var a, b, c, d float64
	for len(w) >= stride && len(label) >= stride {
		x, l := (*[stride]float64)(w), (*[stride]uint16)(label)
		x[0] *= ratio[l[0]&mask]
		x[1] *= ratio[l[1]&mask]
		x[2] *= ratio[l[2]&mask]
		x[3] *= ratio[l[3]&mask]
		x[4] *= ratio[l[4]&mask]
		x[5] *= ratio[l[5]&mask]
		x[6] *= ratio[l[6]&mask]
		x[7] *= ratio[l[7]&mask]
		a += x[0] + x[4]
		b += x[1] + x[5]
		c += x[2] + x[6]
		d += x[3] + x[7]
		w, label = w[stride:], label[stride:]
	}
	return (a + b) + (c + d)
}

// histogram is
//
//	for s := range w { sums[label[s]] += w[s] }
//
// in two halves to be added, since neighbours often have the same label.
func histogram(w []float64, label []uint16, even, odd *[maxFactors]float64) {
	for len(w) >= stride && len(label) >= stride {
		x, l := (*[stride]float64)(w), (*[stride]uint16)(label)
		even[l[0]&mask] += x[0]
		odd[l[1]&mask] += x[1]
		even[l[2]&mask] += x[2]
		odd[l[3]&mask] += x[3]
		even[l[4]&mask] += x[4]
		odd[l[5]&mask] += x[5]
		even[l[6]&mask] += x[6]
		odd[l[7]&mask] += x[7]
		w, label = w[stride:], label[stride:]
	}
}
