package kernel

import "math"

// exp2Series are the coefficients (log 2)^k/k! of 2^f.
var exp2Series = func() (c [13]float64) {
	c[0] = 1
	for k := 1; k < len(c); k++ {
		c[k] = c[k-1] * (math.Ln2 / float64(k))
	}
	return c
}()

// exp2Double is 2^d in float64 for −1000 ≤ d < 1000, and 2^-1000 below.
func exp2Double(d float64) float64 {
	d = max(d, -1000)
	n := math.RoundToEven(d)
	f := d - n
	p := exp2Series[12]
	for k := 11; k >= 0; k-- {
		p = math.FMA(p, f, exp2Series[k])
	}
	return math.Float64frombits(math.Float64bits(p) + uint64(int64(n))<<52)
}

// foldFields reduces fields to their absolute values, with sums in four lanes:
//
//	for i := range e {
//		negative := signbit(x[i])
//		e[i] = exp2Double(-rate * abs(x[i]))
//		rows[i] = 2*i + negative
//		sums[i%4] += abs(x[i])
//		sums[4+i%4] += negative ? -w[i] : w[i]
//		sums[8+i%4] += x[i]
//	}
func foldFields(e []float64, rows []uint32, x, w []float64, sums *[12]float64, rate float64) {
	n := 0
	if vector {
		if n = len(e) &^ 3; n > 0 {
			_, _, _ = rows[n-1], x[n-1], w[n-1]
			foldAVX2(&e[0], &rows[0], &x[0], &w[0], sums, rate, n/4)
		}
	}
	foldFieldsGo(e, rows, x, w, sums, rate, n)
}

// foldFieldsGo reduces fields to their absolute values, with sums in four lanes:
//
//	for i := from; i < len(e); i++ {
//		negative := signbit(x[i])
//		e[i] = exp2Double(-rate * abs(x[i]))
//		rows[i] = 2*i + negative
//		sums[i%4] += abs(x[i])
//		sums[4+i%4] += negative ? -w[i] : w[i]
//		sums[8+i%4] += x[i]
//	}
func foldFieldsGo(e []float64, rows []uint32, x, w []float64, sums *[12]float64, rate float64, from int) {
	for i := from; i < len(e); i++ {
		sign := math.Float64bits(x[i]) &^ (1<<63 - 1)
		size := math.Abs(x[i])
		e[i] = exp2Double(-rate * size)
		rows[i] = uint32(2*i) + uint32(sign>>63)
		sums[i%4] += size
		sums[4+i%4] += math.Float64frombits(math.Float64bits(w[i]) ^ sign)
		sums[8+i%4] += x[i]
	}
}

// coshProduct multiplies factors at sixteen nodes; rows of the table are stride apart.
// After every eighth unit and at the end the exponent bits of the products are moved to
// exponent:
//
//	for i := range e {
//		for g := range 16 {
//			product[g] *= fma(e[i], table[rows[i]*stride+g], 1)
//		}
//	}
func coshProduct(product *[nodeBlock]float64, exponent *[nodeBlock]int64, e []float64, rows []uint32, table []float64, stride int) {
	if !vector || len(e) == 0 {
		coshProductGo(product, exponent, e, rows, table, stride)
		return
	}
	_, _ = rows[len(e)-1], table[(2*len(e)-1)*stride+nodeBlock-1]
	coshProductAVX2(product, exponent, &e[0], &rows[0], &table[0], 8*stride, len(e))
}

// coshProductGo multiplies factors at sixteen nodes; rows of the table are stride apart.
// After every eighth unit and at the end the exponent bits of the products are moved to
// exponent:
//
//	for i := range e {
//		for g := range 16 {
//			product[g] *= fma(e[i], table[rows[i]*stride+g], 1)
//		}
//	}
func coshProductGo(product *[nodeBlock]float64, exponent *[nodeBlock]int64, e []float64, rows []uint32, table []float64, stride int) {
	begin(product, exponent)
	for i, x := range e {
		for g, y := range table[int(rows[i])*stride:][:nodeBlock] {
			product[g] *= math.FMA(x, y, 1)
		}
		if i%8 == 7 && i+1 < len(e) {
			normalise(product, exponent)
		}
	}
	normalise(product, exponent)
}

// mixtureProduct multiplies sums over states at sixteen nodes; rows of the table are
// stride apart. After every eighth unit and at the end the exponent bits of the products
// are moved to exponent:
//
//	for i := range len(e) / q {
//		for g := range 16 {
//			sum := 0
//			for a := range q {
//				sum = fma(e[i*q+a], table[(i*q+a)*stride+g], sum)
//			}
//			product[g] *= sum
//		}
//	}
func mixtureProduct(product *[nodeBlock]float64, exponent *[nodeBlock]int64, e, table []float64, stride, q int) {
	if !vector || len(e) == 0 {
		mixtureProductGo(product, exponent, e, table, stride, q)
		return
	}
	_ = table[(len(e)-1)*stride+nodeBlock-1]
	mixtureProductAVX2(product, exponent, &e[0], &table[0], 8*stride, q, len(e)/q)
}

// mixtureProductGo multiplies sums over states at sixteen nodes; rows of the table are
// stride apart. After every eighth unit and at the end the exponent bits of the products
// are moved to exponent:
//
//	for i := range len(e) / q {
//		for g := range 16 {
//			sum := 0
//			for a := range q {
//				sum = fma(e[i*q+a], table[(i*q+a)*stride+g], sum)
//			}
//			product[g] *= sum
//		}
//	}
func mixtureProductGo(product *[nodeBlock]float64, exponent *[nodeBlock]int64, e, table []float64, stride, q int) {
	begin(product, exponent)
	for i := range len(e) / q {
		var sums [nodeBlock]float64
		for a := range q {
			x := e[i*q+a]
			for g, y := range table[(i*q+a)*stride:][:nodeBlock] {
				sums[g] = math.FMA(x, y, sums[g])
			}
		}
		for g, s := range sums {
			product[g] *= s
		}
		if i%8 == 7 && i+1 < len(e)/q {
			normalise(product, exponent)
		}
	}
	normalise(product, exponent)
}

// begin starts empty products.
func begin(product *[nodeBlock]float64, exponent *[nodeBlock]int64) {
	for g := range product {
		product[g], exponent[g] = 1, 0
	}
}

// normalise moves the exponent bits of the products to exponent.
func normalise(product *[nodeBlock]float64, exponent *[nodeBlock]int64) {
	for g, p := range product {
		b := math.Float64bits(p)
		exponent[g] += int64(b >> 52)
		product[g] = math.Float64frombits(b&(1<<52-1) | 1023<<52)
	}
}
