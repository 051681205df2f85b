package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// i64 is a vector of four copies of a 64-bit pattern in memory.
func i64(x uint64) Mem {
	name := fmt.Sprintf("x4_%016x", x)
	if m, ok := constants[name]; ok {
		return m
	}
	m := GLOBL(name, RODATA|NOPTR)
	for i := range 4 {
		DATA(8*i, U64(x))
	}
	constants[name] = m
	return m
}

// f64 is a vector of four copies of a float64 in memory.
func f64(x float64) Mem { return i64(math.Float64bits(x)) }

func latent() {
	fold()
	coshProduct()
	mixtureProduct()
	addTimes()
}

// addTimes shifts fields along an axis.
func addTimes() {
	function("addTimesAVX2", "func(dst, x, w *float64, s float64, n int)",
		"addTimesAVX2 sets 8·n numbers:",
		"\tfor i := range 8 * n {",
		"\t\tdst[i] = x[i] + s*w[i]",
		"\t}")
	dst, x, w, n := load("dst"), load("x"), load("w"), load("n")
	s := broadcastDouble("s")
	Label("addTimes")
	SUBQ(Imm(1), n)
	JLT(LabelRef("addTimesDone"))
	for k := range 2 {
		VMOVUPD(binary(VADDPD, binary(VMULPD, s, Mem{Base: w, Disp: 32 * k}), Mem{Base: x, Disp: 32 * k}), Mem{Base: dst, Disp: 32 * k})
	}
	for _, p := range []reg.Register{dst, x, w} {
		ADDQ(Imm(64), p)
	}
	JMP(LabelRef("addTimes"))
	Label("addTimesDone")
	VZEROUPPER()
	RET()
}

// exp2Double is the vector form of kernel.exp2Double.
func exp2Double(d reg.VecVirtual) reg.VecVirtual {
	d = binary(VMAXPD, d, f64(-1000))
	n := XMM()
	VCVTPD2DQY(d, n)
	f := YMM()
	VCVTDQ2PD(n, f)
	f = binary(VSUBPD, d, f)
	p := vector(f64(exp2Taylor(12)))
	for k := 11; k >= 0; k-- {
		VFMADD213PD(f64(exp2Taylor(k)), f, p)
	}
	long := YMM()
	VPMOVSXDQ(n, long)
	r := YMM()
	VPADDQ(shift(VPSLLQ, 52, long), p, r)
	return r
}

// exp2Taylor is (log 2)^k/k!.
func exp2Taylor(k int) float64 {
	c := 1.0
	for i := 1; i <= k; i++ {
		c *= math.Ln2 / float64(i)
	}
	return c
}

func fold() {
	function("foldAVX2", "func(e *float64, rows *uint32, x, w *float64, sums *[12]float64, rate float64, n int)",
		"foldAVX2 reduces 4·n fields to their absolute values, with sums in four lanes:",
		"\tfor i := range 4 * n {",
		"\t\tnegative := signbit(x[i])",
		"\t\te[i] = exp2Double(-rate * abs(x[i]))",
		"\t\trows[i] = 2*i + negative",
		"\t\tsums[i%4] += abs(x[i])",
		"\t\tsums[4+i%4] += negative ? -w[i] : w[i]",
		"\t\tsums[8+i%4] += x[i]",
		"\t}")
	e, rows, x, w, sums, n := load("e"), load("rows"), load("x"), load("w"), load("sums"), load("n")
	p, err := Param("rate").Resolve()
	if err != nil {
		panic(err)
	}
	rate := YMM()
	VBROADCASTSD(p.Addr, rate)
	VXORPD(f64(math.Copysign(0, -1)), rate, rate)
	s := [3]reg.VecVirtual{vector(Mem{Base: sums}), vector(Mem{Base: sums, Disp: 32}), vector(Mem{Base: sums, Disp: 64})}
	index := XMM()
	VMOVDQU(lanes32(0, 2, 4, 6, 0, 0, 0, 0), index)
	even := vector(lanes32(0, 2, 4, 6, 0, 0, 0, 0))
	Label("fold")
	SUBQ(Imm(1), n)
	JLT(LabelRef("folded"))
	v := vector(Mem{Base: x})
	sign := YMM()
	VPAND(i64(1<<63), v, sign)
	size := YMM()
	VPXOR(sign, v, size)
	VMOVUPS(exp2Double(binary(VMULPD, size, rate)), Mem{Base: e})
	VADDPD(size, s[0], s[0])
	signed := YMM()
	VPXOR(Mem{Base: w}, sign, signed)
	VADDPD(signed, s[1], s[1])
	VADDPD(v, s[2], s[2])
	narrow := YMM()
	VPERMD(shift(VPSRLQ, 63, v), even, narrow)
	row := XMM()
	VPADDD(index, narrow.AsX(), row)
	VMOVDQU(row, Mem{Base: rows})
	VPADDD(i32(8), index, index)
	for _, p := range []reg.Register{e, x, w} {
		ADDQ(Imm(32), p)
	}
	ADDQ(Imm(16), rows)
	JMP(LabelRef("fold"))
	Label("folded")
	for i, v := range s {
		VMOVUPS(v, Mem{Base: sums, Disp: 32 * i})
	}
	VZEROUPPER()
	RET()
}

// A product over units at sixteen nodes, with the exponents summed apart.
type nodeProduct struct{ product, exponent [4]reg.VecVirtual }

func newNodeProduct() (p nodeProduct) {
	for i := range 4 {
		p.product[i], p.exponent[i] = vector(f64(1)), YMM()
		VPXOR(p.exponent[i], p.exponent[i], p.exponent[i])
	}
	return p
}

// normalise moves the exponents of the products to their sums.
func (p nodeProduct) normalise() {
	for i, v := range p.product {
		VPADDQ(shift(VPSRLQ, 52, v), p.exponent[i], p.exponent[i])
		VPAND(i64(1<<52-1), v, v)
		VPOR(f64(1), v, v)
	}
}

func (p nodeProduct) store(product, exponent reg.Register) {
	for i := range 4 {
		VMOVUPS(p.product[i], Mem{Base: product, Disp: 32 * i})
		VMOVDQU(p.exponent[i], Mem{Base: exponent, Disp: 32 * i})
	}
}

// everyEight runs step for n units and normalises after each eighth and at the end.
func (p nodeProduct) everyEight(name string, n reg.GPVirtual, step func()) {
	left := GP64()
	Label(name + "Eight")
	MOVQ(U32(8), left)
	CMPQ(n, left)
	CMOVQLT(n, left)
	SUBQ(left, n)
	Label(name + "Unit")
	SUBQ(Imm(1), left)
	JLT(LabelRef(name + "Normalise"))
	step()
	JMP(LabelRef(name + "Unit"))
	Label(name + "Normalise")
	p.normalise()
	TESTQ(n, n)
	JNZ(LabelRef(name + "Eight"))
}

func coshProduct() {
	function("coshProductAVX2", "func(product *[16]float64, exponent *[16]int64, e *float64, rows *uint32, table *float64, stride, n int)",
		"coshProductAVX2 multiplies factors at sixteen nodes; rows of the table are stride bytes",
		"apart. After every eighth unit and at the end the exponent bits of the products are",
		"moved to exponent:",
		"\tfor i := range n {",
		"\t\tfor g := range 16 {",
		"\t\t\tproduct[g] *= fma(e[i], table[rows[i]*stride/8+g], 1)",
		"\t\t}",
		"\t}")
	product, exponent, e, rows, table := load("product"), load("exponent"), load("e"), load("rows"), load("table")
	stride, n := load("stride"), load("n")
	p := newNodeProduct()
	p.everyEight("cosh", n, func() {
		at := GP64()
		MOVL(Mem{Base: rows}, at.As32())
		IMULQ(stride, at)
		ADDQ(Imm(4), rows)
		x := YMM()
		VBROADCASTSD(Mem{Base: e}, x)
		ADDQ(Imm(8), e)
		for i, v := range p.product {
			f := vector(f64(1))
			VFMADD231PD(Mem{Base: table, Index: at, Scale: 1, Disp: 32 * i}, x, f)
			VMULPD(f, v, v)
		}
	})
	p.store(product, exponent)
	VZEROUPPER()
	RET()
}

func mixtureProduct() {
	function("mixtureProductAVX2", "func(product *[16]float64, exponent *[16]int64, e, table *float64, stride, q, n int)",
		"mixtureProductAVX2 multiplies sums over states at sixteen nodes; rows of the table are",
		"stride bytes apart. After every eighth unit and at the end the exponent bits of the",
		"products are moved to exponent:",
		"\tfor i := range n {",
		"\t\tfor g := range 16 {",
		"\t\t\tsum := 0",
		"\t\t\tfor a := range q {",
		"\t\t\t\tsum = fma(e[i*q+a], table[(i*q+a)*stride/8+g], sum)",
		"\t\t\t}",
		"\t\t\tproduct[g] *= sum",
		"\t\t}",
		"\t}")
	product, exponent, e, table := load("product"), load("exponent"), load("e"), load("table")
	stride, q, n := load("stride"), load("q"), load("n")
	p := newNodeProduct()
	p.everyEight("mixture", n, func() {
		left := GP64()
		MOVQ(q, left)
		var sums [4]reg.VecVirtual
		for i := range sums {
			sums[i] = YMM()
			VXORPD(sums[i], sums[i], sums[i])
		}
		Label("state")
		x := YMM()
		VBROADCASTSD(Mem{Base: e}, x)
		for i, s := range sums {
			VFMADD231PD(Mem{Base: table, Disp: 32 * i}, x, s)
		}
		ADDQ(Imm(8), e)
		ADDQ(stride, table)
		DECQ(left)
		JNZ(LabelRef("state"))
		for i, v := range p.product {
			VMULPD(sums[i], v, v)
		}
	})
	p.store(product, exponent)
	VZEROUPPER()
	RET()
}
