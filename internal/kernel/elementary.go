package kernel

import "math"

// Elementary functions for the draws, in float32 with rounding after every product and every sum: the explicit
// conversions keep the compiler from fusing them, and the assembly does the same operations in the same order.

// log2 of a positive normal number: the exponent, and r·P(r) of the rest 1+r, which lies in [√½, √2). The relative
// error of P is below 2e-7.
func log2(x float32) float32 {
	b := math.Float32bits(x)
	e := int32(b-0x3f3504f3) >> 23
	r := math.Float32frombits(b-uint32(e)<<23) - 1
	return float32(e) + float32(r*polynomial8(r, &log2Poly))
}

var log2Poly = [8]float32{
	1.442694902420044, -0.7213528156280518, 0.48092323541641235, -0.3602396249771118,
	0.2870987057685852, -0.24887686967849731, 0.23404234647750854, -0.14581164717674255,
}

// exp2Up is 2^y for 0 ≤ y ≤ 64. Every operation is monotonic in its operands, so the result is monotonic in y despite
// rounding; the relative error is below 3e-7.
func exp2Up(y float32) float32 {
	n := int32(y)
	f := y - float32(n)
	f2 := float32(f * f)
	low := float32(f*0.6931517124176025) + 1
	mid := float32(f*0.05581867694854736) + 0.240159273147583
	top := float32(f*0.001879318617284298) + 0.008990995585918427
	p := (low + float32(mid*f2)) + float32(top*float32(f2*f2))
	return math.Float32frombits(math.Float32bits(p) + uint32(n)<<23)
}

// bit is set with probability 1/(1+2^−x): it compares the word, or its complement if x ≥ 0, with 2³²/(1+2^|x|), so
// that the smaller probability keeps its relative precision. A word that sets the bit sets it at every larger x.
func bit(x float32, word uint32) bool {
	up := x >= 0
	if up {
		word = ^word
	}
	f := float32(int32(min(word, 1<<31-1))) + 0.5
	y := min(math.Float32frombits(math.Float32bits(x)&^(1<<31)), 64)
	return float32(f*(exp2Up(y)+1)) < 1<<32 != up
}

// exp2Down is 2^d for d ≤ 0, and 2^-126 below that. The relative error is below 3e-7.
func exp2Down(d float32) float32 {
	d = max(d, -126)
	n := int32(math.RoundToEven(float64(d)))
	f := d - float32(n)
	f2 := float32(f * f)
	low := float32(f*0.6931469440460205) + 1.0000001192092896
	mid := float32(f*0.05550713092088699) + 0.24022120237350464
	top := float32(f*0.001327647129073739) + 0.009675540961325169
	p := (low + float32(mid*f2)) + float32(top*float32(f2*f2))
	return math.Float32frombits(math.Float32bits(p) + uint32(n)<<23)
}

// uniform is (⌊word/2⌋+½)/2³¹, in (0, 1]; that of the complement is one minus it.
func uniform(word uint32) float32 {
	return float32((float32(int32(word>>1)) + 0.5) * (1.0 / (1 << 31)))
}

func sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }

// polynomial4, 8 and 9 evaluate Σ c_k x^k in pairs, pairs of pairs and so on, which a processor can do in parallel.
func polynomial4(x float32, c *[4]float32) float32 {
	return (c[0] + float32(c[1]*x)) + float32((c[2]+float32(c[3]*x))*float32(x*x))
}

func polynomial8(x float32, c *[8]float32) float32 {
	x2 := float32(x * x)
	low := (c[0] + float32(c[1]*x)) + float32((c[2]+float32(c[3]*x))*x2)
	high := (c[4] + float32(c[5]*x)) + float32((c[6]+float32(c[7]*x))*x2)
	return low + float32(high*float32(x2*x2))
}

func polynomial9(x float32, c *[9]float32) float32 {
	x2 := float32(x * x)
	x4 := float32(x2 * x2)
	low := (c[0] + float32(c[1]*x)) + float32((c[2]+float32(c[3]*x))*x2)
	high := (c[4] + float32(c[5]*x)) + float32((c[6]+float32(c[7]*x))*x2)
	high += float32(c[8] * x4)
	return low + float32(high*x4)
}
