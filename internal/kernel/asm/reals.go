package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Coefficients of package kernel.
var (
	log2Poly = []float32{
		1.442694902420044, -0.7213528156280518, 0.48092323541641235, -0.3602396249771118,
		0.2870987057685852, -0.24887686967849731, 0.23404234647750854, -0.14581164717674255,
	}
	sinPoly   = []float32{1.5707963705062866, -0.6459634900093079, 0.07968003302812576, -0.004601657390594482}
	cosPoly   = []float32{1, -1.2336970567703247, 0.2535986304283142, -0.020408350974321365}
	millsPoly = []float32{
		0.9999998211860657, 3.5000195503234863, 11.252700805664062, 32.112152099609375, 87.7444076538086,
		24.852540969848633, 1137.788330078125, -4798.83154296875, 4817.08837890625,
	}
	quantilePoly = []float32{
		2.2179200649261475, 0.23928293585777283, -0.0034697321243584156, -0.0004809460951946676, 6.810962804593146e-05,
		-2.0643024072342087e-06, -4.1960063867918507e-07, 3.838414386336808e-08, 8.907495296917034e-10,
	}
	quantileTail = []float32{
		5.068497657775879, 1.1876119375228882, 0.0020410106517374516, -0.0010647018207237124, 0.00034101674100384116,
		-0.00013759391731582582, 0.00010118437057826668, -5.008013249607757e-05, 9.211147698806599e-06,
	}
)

const (
	ln2       = 0.6931471805599453
	log2E     = 1.4426950408889634
	halfLog2E = 0.7213475204444817
	rootHalf  = 0.3989422804014327
	rootTwoPi = 2.5066282746310002
	allButTop = 1<<31 - 1
	top       = 1 << 31
)

// log2 is the vector form of kernel.log2.
func log2(x reg.VecVirtual) reg.VecVirtual {
	e := shift(VPSRAD, 23, subi(x, i32(0x3f3504f3)))
	r := sub(subi(x, shift(VPSLLD, 23, e)), f32(1))
	return add(toFloat(e), mul(r, polynomial(r, log2Poly)))
}

// exp2Down is the vector form of kernel.exp2Down.
func exp2Down(d reg.VecVirtual) reg.VecVirtual {
	d = binary(VMAXPS, d, f32(-126))
	n := YMM()
	VCVTPS2DQ(d, n)
	f := sub(d, toFloat(n))
	f2 := mul(f, f)
	low := add(mul(f, f32(0.6931469440460205)), f32(1.0000001192092896))
	mid := add(mul(f, f32(0.05550713092088699)), f32(0.24022120237350464))
	low = add(low, mul(mid, f2))
	top := add(mul(f, f32(0.001327647129073739)), f32(0.009675540961325169))
	p := add(low, mul(top, mul(f2, f2)))
	return addi(p, shift(VPSLLD, 23, n))
}

// uniform is the vector form of kernel.uniform.
func uniform(word reg.VecVirtual) reg.VecVirtual {
	return mul(add(toFloat(shift(VPSRLD, 1, word)), f32(0.5)), f32(1.0/(1<<31)))
}

func sqrt(x Op) reg.VecVirtual {
	r := YMM()
	VSQRTPS(x, r)
	return r
}

func negate(x Op) reg.VecVirtual   { return xor(x, i32(top)) }
func absolute(x Op) reg.VecVirtual { return and(x, i32(allButTop)) }

// choose takes a where the sign bit of mask is clear and b where it is set.
func choose(mask reg.VecVirtual, a, b Op) reg.VecVirtual {
	r := register()
	if wide {
		negative := K()
		VPMOVD2M(mask, negative)
		VBLENDMPS(b, a, negative, r)
		return r
	}
	VBLENDVPS(mask, b, a, r)
	return r
}

// compare is a mask of the lanes where a and b compare as the predicate says.
func compare(predicate uint64, a, b Op) reg.VecVirtual {
	r := YMM()
	VCMPPS(Imm(predicate), b, a, r)
	return r
}

// Predicates, ordered and quiet.
const (
	less    = 0x11
	atLeast = 0x1d
)

// millsRatio is the vector form of kernel.millsRatio.
func millsRatio(z Op) reg.VecVirtual {
	t := div(vector(f32(1)), add(z, f32(3.5)))
	return mul(t, polynomial(t, millsPoly))
}

// logMills is the vector form of kernel.logMills.
func logMills(a reg.VecVirtual) reg.VecVirtual {
	z := absolute(a)
	m := millsRatio(z)
	c := mul(mul(z, z), f32(halfLog2E))
	inner := sub(vector(f32(rootTwoPi)), mul(m, exp2Down(negate(c))))
	zero := YMM()
	VXORPS(zero, zero, zero)
	right := compare(atLeast, a, zero)
	l := log2(choose(right, inner, m))
	return choose(right, add(c, l), l)
}

// frame is memory for what does not fit into the registers.
type frame struct{ memory Mem }

func (f frame) slot(i int) Mem { return f.memory.Offset(32 * i) }

func (f frame) save(i int, v reg.VecVirtual) { VMOVUPS(v, f.slot(i)) }

// quantileSlots is the number of slots that halfQuantile uses.
const quantileSlots = 6

// halfQuantile is the vector form of kernel.halfQuantile. Each of the two ways is computed only if some lane needs it.
// Labels need a name of their own in each function.
func halfQuantile(name string, f frame, a, word reg.VecVirtual) reg.VecVirtual {
	const aAt, mAt, uAt, restAt, resultAt, sideAt = 0, 1, 2, 3, 4, 5
	f.save(aAt, a)
	ones := YMM()
	VPCMPEQD(ones, ones, ones)
	f.save(uAt, uniform(word))
	f.save(restAt, uniform(xor(word, ones)))
	f.save(mAt, millsRatio(absolute(a)))
	far := compare(atLeast, f.slotVector(aAt), f32(3))
	f.save(sideAt, far)
	lanes := GP32()
	VMOVMSKPS(far, lanes)
	TESTL(lanes, lanes)
	JZ(LabelRef(name + "Near"))
	quantileFar(f, aAt, mAt, uAt, resultAt)
	CMPL(lanes, Imm(0xff))
	JEQ(LabelRef(name + "Known"))
	Label(name + "Near")
	near := quantileNear(f, aAt, mAt, uAt, restAt)
	f.save(resultAt, choose(f.slotVector(sideAt), near, vector(f.slot(resultAt))))
	Label(name + "Known")
	return f.slotVector(resultAt)
}

// quantileFar is the vector form of kernel.quantileFar.
func quantileFar(f frame, aAt, mAt, uAt, resultAt int) {
	a := binary(VMINPS, f.slotVector(aAt), f32(1e9))
	t := mul(log2(f.slotVector(uAt)), f32(-ln2))
	a2 := mul(a, a)
	least := mul(t, mul(a, f.slot(mAt)))
	x2 := add(a2, add(least, least))
	x := sqrt(x2)
	mx := millsRatio(x)
	xm := mul(x, mx)
	l := log2(div(mx, f.slot(mAt)))
	step := mul(sub(sub(least, mul(l, f32(ln2))), t), xm)
	one := vector(f32(1))
	bend := div(sub(sub(one, xm), div(xm, x2)), add(xm, xm))
	v := sub(least, div(step, sub(one, mul(step, bend))))
	v = binary(VMINPS, binary(VMAXPS, v, least), t)
	v2 := add(v, v)
	f.save(resultAt, div(v2, add(a, sqrt(add(a2, v2)))))
}

// quantileNear is the vector form of kernel.quantileNear.
func quantileNear(f frame, aAt, mAt, uAt, restAt int) reg.VecVirtual {
	z := absolute(f.slotVector(aAt))
	tail := mul(mul(exp2Down(negate(mul(mul(z, z), f32(halfLog2E)))), f32(rootHalf)), f.slot(mAt))
	rest := sub(vector(f32(1)), tail)
	zero := YMM()
	VXORPS(zero, zero, zero)
	right := compare(atLeast, f.slotVector(aAt), zero)
	upper, lower := choose(right, rest, tail), choose(right, tail, rest)
	u := f.slotVector(uAt)
	p := mul(u, upper)
	q := add(f.slotVector(restAt), mul(u, lower))
	w := negate(log2(mul(mul(p, q), f32(4))))
	s := sub(q, p)
	small := polynomial(sub(w, f32(4)), quantilePoly)
	big := polynomial(sub(sqrt(w), f32(4.5)), quantileTail)
	r := choose(compare(less, w, f32(8)), big, small)
	zero = YMM()
	VXORPS(zero, zero, zero)
	return binary(VMAXPS, sub(mul(s, r), f.slot(aAt)), zero)
}

func (f frame) slotVector(i int) reg.VecVirtual { return vector(f.slot(i)) }

func reals() {
	drawNormal()
	drawHalf()
	drawDouble()
	toReals()
}

func drawNormal() {
	function("drawNormalAVX2", "func(dst, x, gain, offset, sigma *float32, words *uint32, n int)",
		"drawNormalAVX2 draws 16·n Gaussian units:",
		"\tfor i := range 16 * n {",
		"\t\tdst[i] = (gain[i]*x[i] + offset[i]) + sigma[i]*normal(words, i)",
		"\t}")
	dst, x, gain, offset, sigma, words, n := load("dst"), load("x"), load("gain"), load("offset"), load("sigma"),
		load("words"), load("n")
	at := GP64()
	XORQ(at, at)
	Label("normal")
	SUBQ(Imm(1), n)
	JLT(LabelRef("normalDone"))
	index := func(base reg.Register, i int) Mem { return Mem{Base: base, Index: at, Scale: 1, Disp: 32 * i} }
	w0, w1 := vector(index(words, 0)), vector(index(words, 1))
	radius, angle := YMM(), YMM()
	VSHUFPS(Imm(0x88), w1, w0, radius)
	VSHUFPS(Imm(0xdd), w1, w0, angle)
	r := sqrt(mul(log2(uniform(radius)), f32(-2*ln2)))
	turned := addi(angle, i32(1<<29))
	g := mul(toFloat(subi(angle, and(turned, i32(3<<30)))), f32(1.0/(1<<30)))
	g2 := mul(g, g)
	sin, cos := mul(g, polynomial(g2, sinPoly)), polynomial(g2, cosPoly)
	swap := shift(VPSLLD, 1, turned)
	sin, cos = choose(swap, sin, cos), choose(swap, cos, sin)
	cos = mul(r, xor(cos, and(addi(turned, i32(1<<30)), i32(top))))
	sin = mul(r, xor(sin, and(turned, i32(top))))
	for i, op := range []func(...Op){VUNPCKLPS, VUNPCKHPS} {
		z := binary(op, cos, sin)
		mean := add(mul(vector(index(x, i)), index(gain, i)), index(offset, i))
		VMOVUPS(add(mean, mul(z, index(sigma, i))), index(dst, i))
	}
	ADDQ(Imm(64), at)
	JMP(LabelRef("normal"))
	Label("normalDone")
	VZEROUPPER()
	RET()
}

func drawHalf() {
	function("drawHalfAVX2", "func(dst, x, gain, offset *float32, words *uint32, n int)",
		"drawHalfAVX2 draws 8·n ReLU units:",
		"\tfor i := range 8 * n {",
		"\t\tdst[i] = gain[i] * halfQuantile(offset[i]-gain[i]*x[i], words[i])",
		"\t}")
	dst, x, gain, offset, words, n := load("dst"), load("x"), load("gain"), load("offset"), load("words"), load("n")
	f := frame{AllocLocal(32 * quantileSlots)}
	at := GP64()
	XORQ(at, at)
	Label("half")
	SUBQ(Imm(1), n)
	JLT(LabelRef("halfDone"))
	index := func(base reg.Register) Mem { return Mem{Base: base, Index: at, Scale: 1} }
	a := sub(vector(index(offset)), mul(vector(index(gain)), index(x)))
	y := halfQuantile("half", f, a, vector(index(words)))
	VMOVUPS(mul(y, index(gain)), index(dst))
	ADDQ(Imm(32), at)
	JMP(LabelRef("half"))
	Label("halfDone")
	VZEROUPPER()
	RET()
}

func drawDouble() {
	function("drawDoubleAVX2",
		"func(dst, x, rightGain, rightOffset, leftGain, leftOffset, odds *float32, words *uint32, n int)",
		"drawDoubleAVX2 draws 8·n dReLU units:",
		"\tfor i := range 8 * n {",
		"\t\tright, left := rightOffset[i]-rightGain[i]*x[i], leftOffset[i]+leftGain[i]*x[i]",
		"\t\tif bit((logMills(right)-logMills(left))+odds[i], words[2*i]) {",
		"\t\t\tdst[i] = rightGain[i] * halfQuantile(right, words[2*i+1])",
		"\t\t} else {",
		"\t\t\tdst[i] = -leftGain[i] * halfQuantile(left, words[2*i+1])",
		"\t\t}",
		"\t}")
	dst, x, rightGain, rightOffset := load("dst"), load("x"), load("rightGain"), load("rightOffset")
	leftGain, leftOffset, odds, words, n := load("leftGain"), load("leftOffset"), load("odds"), load("words"), load("n")
	const rightAt, leftAt, maskAt = quantileSlots, quantileSlots + 1, quantileSlots + 2
	f := frame{AllocLocal(32 * (quantileSlots + 3))}
	at := GP64()
	XORQ(at, at)
	Label("double")
	SUBQ(Imm(1), n)
	JLT(LabelRef("doubleDone"))
	index := func(base reg.Register) Mem { return Mem{Base: base, Index: at, Scale: 1} }
	// Even and odd words, in the order of the units after the permutation.
	pick := func(imm uint64) reg.VecVirtual {
		r := YMM()
		VSHUFPS(Imm(imm), Mem{Base: words, Index: at, Scale: 2, Disp: 32},
			vector(Mem{Base: words, Index: at, Scale: 2}), r)
		VPERMQ(Imm(0xd8), r, r)
		return r
	}
	right := sub(vector(index(rightOffset)), mul(vector(index(rightGain)), index(x)))
	left := add(vector(index(leftOffset)), mul(vector(index(leftGain)), index(x)))
	f.save(rightAt, right)
	f.save(leftAt, left)
	l := logMills(left)
	l = sub(logMills(f.slotVector(rightAt)), l)
	l = add(l, index(odds))
	mask := bit(vectors{l}, []Op{pick(0x88)})[0]
	f.save(maskAt, mask)
	a := choose(mask, vector(f.slot(leftAt)), vector(f.slot(rightAt)))
	y := halfQuantile("double", f, a, pick(0xdd))
	m := f.slotVector(maskAt)
	y = mul(y, choose(m, vector(index(leftGain)), vector(index(rightGain))))
	VMOVUPS(choose(m, negate(y), y), index(dst))
	ADDQ(Imm(32), at)
	JMP(LabelRef("double"))
	Label("doubleDone")
	VZEROUPPER()
	RET()
}

func toReals() {
	function("realsAVX2", "func(dst *float32, stride int, src *int32, chains int, scale float32)",
		"realsAVX2 turns a tile of fixed-point fields into rows that are stride bytes apart:",
		"\tfor c := range chains {",
		"\t\tfor j := range 16 {",
		"\t\t\tdst[c*stride/4+j] = float32(src[16*c+j]) * scale",
		"\t\t}",
		"\t}")
	dst, stride, src, n := load("dst"), load("stride"), load("src"), load("chains")
	scale := broadcastParam("scale")
	Label("reals")
	SUBQ(Imm(1), n)
	JLT(LabelRef("realsDone"))
	for i := range 2 {
		VMOVUPS(mul(toFloat(Mem{Base: src, Disp: 32 * i}), scale), Mem{Base: dst, Disp: 32 * i})
	}
	ADDQ(stride, dst)
	ADDQ(Imm(64), src)
	JMP(LabelRef("reals"))
	Label("realsDone")
	VZEROUPPER()
	RET()
}
