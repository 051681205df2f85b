package kernel

import "math"

// exp2Series holds the coefficients (log 2)^k/k! of 2^f.
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
	n := vectorLength(len(e))
	if n > 0 {
		_, _, _ = rows[n-1], x[n-1], w[n-1]
		if vector512 {
			foldAVX512(&e[0], &rows[0], &x[0], &w[0], sums, rate, n/16)
		} else {
			foldAVX2(&e[0], &rows[0], &x[0], &w[0], sums, rate, n/8)
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

// vectorLength is how many of n fields the assembly can process, two vectors at a time.
func vectorLength(n int) int {
	switch {
	case vector512:
		return n &^ 15
	case vector:
		return n &^ 7
	}
	return 0
}

// nodeProducts holds products over units at some nodes, with separate exponents.
type nodeProducts struct {
	product  [maxNodeBlock]float64
	exponent [maxNodeBlock]int64
}

// coshProduct multiplies factors at nodes, a multiple of eight; rows of the table are stride apart. After every eighth
// unit and at the end the exponent bits of the products are moved to exponent:
//
//	for i := range e {
//		for g := range nodes {
//			product[g] *= fma(e[i], table[rows[i]*stride+g], 1)
//		}
//	}
func (p *nodeProducts) coshProduct(nodes int, e []float64, rows []uint32, table []float64, stride int) {
	if !vector || len(e) == 0 {
		p.coshProductGo(nodes, e, rows, table, stride)
		return
	}
	n := len(e)
	_, _, _ = rows[n-1], table[(2*n-1)*stride+nodes-1], p.product[nodes-1]
	at := &p.product[0]
	exponent := &p.exponent[0]
	switch {
	case vector512 && nodes == 32:
		coshProduct32AVX512(at, exponent, &e[0], &rows[0], &table[0], 8*stride, n)
	case vector512 && nodes == 24:
		coshProduct24AVX512(at, exponent, &e[0], &rows[0], &table[0], 8*stride, n)
	case vector512 && nodes == 16:
		coshProduct16AVX512(at, exponent, &e[0], &rows[0], &table[0], 8*stride, n)
	case vector512:
		coshProduct8AVX512(at, exponent, &e[0], &rows[0], &table[0], 8*stride, n)
	case nodes == 32:
		coshProduct16AVX2(at, exponent, &e[0], &rows[0], &table[0], 8*stride, n)
		coshProduct16AVX2(&p.product[16], &p.exponent[16], &e[0], &rows[0], &table[16], 8*stride, n)
	case nodes == 24:
		coshProduct24AVX2(at, exponent, &e[0], &rows[0], &table[0], 8*stride, n)
	case nodes == 16:
		coshProduct16AVX2(at, exponent, &e[0], &rows[0], &table[0], 8*stride, n)
	default:
		coshProduct8AVX2(at, exponent, &e[0], &rows[0], &table[0], 8*stride, n)
	}
}

// coshProductGo is coshProduct in Go.
func (p *nodeProducts) coshProductGo(nodes int, e []float64, rows []uint32, table []float64, stride int) {
	p.begin(nodes)
	for i, x := range e {
		for g, y := range table[int(rows[i])*stride:][:nodes] {
			p.product[g] *= math.FMA(x, y, 1)
		}
		if i%8 == 7 && i+1 < len(e) {
			p.normalise(nodes)
		}
	}
	p.normalise(nodes)
}

// mixtureProduct multiplies sums over states at sixteen nodes; rows of the table are stride apart. After every eighth
// unit and at the end the exponent bits of the products are moved to exponent:
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
func (p *nodeProducts) mixtureProduct(e, table []float64, stride, q int) {
	if !vector || len(e) == 0 {
		p.mixtureProductGo(e, table, stride, q)
		return
	}
	_ = table[(len(e)-1)*stride+pottsBlock-1]
	mixtureProductAVX2(&p.product[0], &p.exponent[0], &e[0], &table[0], 8*stride, q, len(e)/q)
}

// mixtureProductGo multiplies sums over states at sixteen nodes; rows of the table are stride apart. After every
// eighth unit and at the end the exponent bits of the products are moved to exponent:
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
func (p *nodeProducts) mixtureProductGo(e, table []float64, stride, q int) {
	p.begin(pottsBlock)
	for i := range len(e) / q {
		var sums [pottsBlock]float64
		for a := range q {
			x := e[i*q+a]
			for g, y := range table[(i*q+a)*stride:][:pottsBlock] {
				sums[g] = math.FMA(x, y, sums[g])
			}
		}
		for g, s := range sums {
			p.product[g] *= s
		}
		if i%8 == 7 && i+1 < len(e)/q {
			p.normalise(pottsBlock)
		}
	}
	p.normalise(pottsBlock)
}

// begin starts empty products.
func (p *nodeProducts) begin(nodes int) {
	for g := range nodes {
		p.product[g], p.exponent[g] = 1, 0
	}
}

// normalise moves the exponent bits of the products to exponent.
func (p *nodeProducts) normalise(nodes int) {
	for g := range nodes {
		p.product[g], p.exponent[g] = normalised(p.product[g], p.exponent[g])
	}
}

func normalised(product float64, exponent int64) (float64, int64) {
	b := math.Float64bits(product)
	return math.Float64frombits(b&(1<<52-1) | 1023<<52), exponent + int64(b>>52)
}

// logarithm is the logarithm of the product of n factors at node g, its exponent included.
func (p *nodeProducts) logarithm(g, n int) float64 { return logProduct(p.product[g], p.exponent[g], n) }

func logProduct(product float64, exponent int64, n int) float64 {
	bias := int64(1023 * max(1, (n+7)/8))
	return math.Ln2*float64(exponent-bias) + math.Log(product)
}
