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
	rowOfTiles()
	for _, w := range []bool{false, true} {
		wide = w
		meanWeights("logisticWeights", false)
		meanWeights("tanhWeights", true)
	}
	wide = false
}

// bitMeans is the vector form of kernel.logistic or kernel.tanh.
func bitMeans(name string, spin bool, doc ...string) {
	function(name, "func(x *float32, n int)", doc...)
	at, n := load("x"), load("n")
	Label(name + "Loop")
	SUBQ(Imm(1), n)
	JLT(LabelRef(name + "Done"))
	for i, mean := range meansOf(vectors{vector(Mem{Base: at}), vector(Mem{Base: at, Disp: 32})}, spin) {
		VMOVUPS(mean, Mem{Base: at, Disp: 32 * i})
	}
	ADDQ(Imm(64), at)
	JMP(LabelRef(name + "Loop"))
	Label(name + "Done")
	VZEROUPPER()
	RET()
}

// meansOf are the means of bits with the inputs x.
func meansOf(x vectors, spin bool) vectors {
	factor := float32(log2E)
	if spin {
		factor *= 2
	}
	e := exp2Up(x.each(func(i int) reg.VecVirtual { return binary(VMINPS, mul(absolute(x[i]), f32(factor)), f32(64)) }))
	one := vector(f32(1))
	small := x.each(func(i int) reg.VecVirtual { return div(one, add(e[i], one)) }) // the mean of −|x|
	return x.each(func(i int) reg.VecVirtual {
		result := sub(one, small[i])
		if spin {
			return binary(VORPS, sub(result, small[i]), and(x[i], i32(top)))
		}
		return choose(x[i], result, small[i])
	})
}

// meanWeights turns a tile of fields into the means of bits and those into weights.
func meanWeights(name string, spin bool) {
	name += suffix()
	mean := "logistic"
	if spin {
		mean = "tanh"
	}
	function(name, "func(dst, src *int32, rows int, scale float32, weights *float32, fixed float32, sums *[16]float64)",
		name+" turns a tile of fixed-point fields into means with weights, adds them",
		"up, and stores them in fixed point:",
		"\tfor i := range rows {",
		"\t\tfor j := range 16 {",
		"\t\t\tmean := "+mean+"(float32(src[16*i+j])*scale) * weights[i]",
		"\t\t\tsums[j] += float64(mean)",
		"\t\t\tdst[16*i+j] = int32(RoundToEven(mean * fixed))",
		"\t\t}",
		"\t}")
	dst, src, n, weights, to := load("dst"), load("src"), load("rows"), load("weights"), load("sums")
	scale, fixed := broadcastParam("scale"), broadcastParam("fixed")
	lanes, bytes := 8, 32
	if wide {
		lanes, bytes = 16, 64
	}
	total := make(vectors, 32/lanes)
	for i := range total {
		total[i] = register()
		VMOVUPD(Mem{Base: to, Disp: bytes * i}, total[i])
	}
	Label(name + "Loop")
	SUBQ(Imm(1), n)
	JLT(LabelRef(name + "Done"))
	weight := register()
	VBROADCASTSS(Mem{Base: weights}, weight)
	x := make(vectors, 16/lanes)
	for i := range x {
		x[i] = mul(toFloat(Mem{Base: src, Disp: bytes * i}), scale)
	}
	means := meansOf(x, spin)
	for i := range means {
		mean := mul(means[i], weight)
		whole := register()
		VCVTPS2DQ(mul(mean, fixed), whole)
		VMOVUPS(whole, Mem{Base: dst, Disp: bytes * i})
		low, high := register(), register()
		if wide {
			upper := YMM()
			VEXTRACTF64X4(Imm(1), mean, upper)
			VCVTPS2PD(mean.AsY(), low)
			VCVTPS2PD(upper, high)
		} else {
			upper := XMM()
			VEXTRACTF128(Imm(1), mean, upper)
			VCVTPS2PD(mean.AsX(), low)
			VCVTPS2PD(upper, high)
		}
		VADDPD(low, total[2*i], total[2*i])
		VADDPD(high, total[2*i+1], total[2*i+1])
	}
	ADDQ(Imm(64), dst)
	ADDQ(Imm(64), src)
	ADDQ(Imm(4), weights)
	JMP(LabelRef(name + "Loop"))
	Label(name + "Done")
	for i, t := range total {
		VMOVUPD(t, Mem{Base: to, Disp: bytes * i})
	}
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

func rowOfTiles() {
	function("addTilesAVX2", "func(dst *float64, src *int32, stride, tiles int, scale float64)",
		"addTilesAVX2 adds fixed-point fields of a chain, in tiles that are stride bytes apart:",
		"\tfor t := range tiles {",
		"\t\tfor j := range 16 {",
		"\t\t\tdst[16*t+j] += float64(src[t*stride/4+j]) * scale",
		"\t\t}",
		"\t}")
	dst, src, stride, n := load("dst"), load("src"), load("stride"), load("tiles")
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
	ADDQ(stride, src)
	ADDQ(U32(128), dst)
	JMP(LabelRef("tile"))
	Label("tileDone")
	VZEROUPPER()
	RET()
}
