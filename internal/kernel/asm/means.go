package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func means() {
	bitMeans("logisticAVX2", false,
		"logisticAVX2 replaces 16·n inputs by the means of 0/1 units:",
		"\tfor i := range 16 * n {",
		"\t\tx[i] = logistic(x[i])",
		"\t}")
	bitMeans("tanhAVX2", true,
		"tanhAVX2 replaces 16·n inputs by the means of ±1 units:",
		"\tfor i := range 16 * n {",
		"\t\tx[i] = tanh(x[i])",
		"\t}")
	columnSums()
	tileSums()
}

// bitMeans is the vector form of kernel.logistic or kernel.tanh.
func bitMeans(name string, spin bool, doc ...string) {
	function(name, "func(x *float32, n int)", doc...)
	at, n := load("x"), load("n")
	Label(name + "Loop")
	SUBQ(Imm(1), n)
	JLT(LabelRef(name + "Done"))
	x := vectors{vector(Mem{Base: at}), vector(Mem{Base: at, Disp: 32})}
	factor := float32(log2E)
	if spin {
		factor *= 2
	}
	e := exp2Up(x.each(func(i int) reg.VecVirtual { return binary(VMINPS, mul(absolute(x[i]), f32(factor)), f32(64)) }))
	one := vector(f32(1))
	small := x.each(func(i int) reg.VecVirtual { return div(one, add(e[i], one)) }) // the mean of −|x|
	for i := range x {
		result := sub(one, small[i])
		if spin {
			result = sub(result, small[i])
			result = binary(VORPS, result, and(x[i], i32(top)))
		} else {
			result = choose(x[i], result, small[i])
		}
		VMOVUPS(result, Mem{Base: at, Disp: 32 * i})
	}
	ADDQ(Imm(64), at)
	JMP(LabelRef(name + "Loop"))
	Label(name + "Done")
	VZEROUPPER()
	RET()
}

func columnSums() {
	function("addColumnsAVX2", "func(sums *float64, x *float32, n int)",
		"addColumnsAVX2 adds 8·n numbers to sums:",
		"\tfor i := range 8 * n {",
		"\t\tsums[i] += float64(x[i])",
		"\t}")
	sums, x, n := load("sums"), load("x"), load("n")
	Label("columns")
	SUBQ(Imm(1), n)
	JLT(LabelRef("columnsDone"))
	for k := range 2 {
		r := YMM()
		VCVTPS2PD(Mem{Base: x, Disp: 16 * k}, r)
		to := Mem{Base: sums, Disp: 32 * k}
		VMOVUPD(binary(VADDPD, r, to), to)
	}
	ADDQ(Imm(64), sums)
	ADDQ(Imm(32), x)
	JMP(LabelRef("columns"))
	Label("columnsDone")
	VZEROUPPER()
	RET()
}

func tileSums() {
	function("addFieldsAVX2", "func(dst *float64, stride int, src *int32, chains int, scale float64)",
		"addFieldsAVX2 adds a tile of fixed-point fields to rows that are stride bytes apart:",
		"\tfor c := range chains {",
		"\t\tfor j := range 16 {",
		"\t\t\tdst[c*stride/8+j] += float64(src[16*c+j]) * scale",
		"\t\t}",
		"\t}")
	dst, stride, src, n := load("dst"), load("stride"), load("src"), load("chains")
	scale := broadcastDouble("scale")
	Label("tile")
	SUBQ(Imm(1), n)
	JLT(LabelRef("tileDone"))
	for k := range 4 {
		r := YMM()
		VCVTDQ2PD(Mem{Base: src, Disp: 16 * k}, r)
		to := Mem{Base: dst, Disp: 32 * k}
		VMOVUPD(binary(VADDPD, binary(VMULPD, r, scale), to), to)
	}
	ADDQ(stride, dst)
	ADDQ(Imm(64), src)
	JMP(LabelRef("tile"))
	Label("tileDone")
	VZEROUPPER()
	RET()
}
