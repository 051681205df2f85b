package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func codes() {
	lanes("lanesFixedAVX2", true,
		"lanesFixedAVX2 lays the fields of eight chains side by side, in units of scale; the",
		"sixteen fields of a tile lie together, those of chains and tiles strides apart (in",
		"bytes):",
		"\tfor j := range 16 * tiles {",
		"\t\tfor lane := range 8 {",
		"\t\t\tdst[8*j+lane] = float32(src[(lane*chain+j/16*tile)/4+j%16]) * scale",
		"\t\t}",
		"\t}")
	lanes("lanesAVX2", false,
		"lanesAVX2 is lanesFixedAVX2 for fields in floating point.")
	categorical()
}

func lanes(name string, fixed bool, doc ...string) {
	element := "*float32"
	if fixed {
		element = "*int32"
	}
	function(name, "func(dst *float32, src "+element+", chain, tile, tiles int, scale float32)", doc...)
	dst, src, chain, tile, n := load("dst"), load("src"), load("chain"), load("tile"), load("tiles")
	scale := broadcastParam("scale")
	// The rows of chains 0, 3 and 6 have pointers; the others lie one or two strides on.
	starts := []reg.Register{src, GP64(), GP64()}
	for i := 1; i < 3; i++ {
		p := starts[i].(reg.GPVirtual)
		LEAQ(Mem{Base: chain, Index: chain, Scale: 2}, p)
		ADDQ(starts[i-1], p)
	}
	Label(name + "Loop")
	SUBQ(Imm(1), n)
	JLT(LabelRef(name + "Done"))
	for half := range 2 {
		var rows [8]reg.VecVirtual
		for i := range rows {
			at := Mem{Base: starts[i/3], Disp: 32 * half}
			if i%3 > 0 {
				at.Index, at.Scale = chain, uint8(i%3)
			}
			if fixed {
				rows[i] = mul(toFloat(at), scale)
			} else {
				rows[i] = mul(scale, at)
			}
		}
		for j, column := range transpose8(rows) {
			VMOVUPS(column, Mem{Base: dst, Disp: 256*half + 32*j})
		}
	}
	for _, p := range starts {
		ADDQ(tile, p)
	}
	ADDQ(U32(512), dst)
	JMP(LabelRef(name + "Loop"))
	Label(name + "Done")
	VZEROUPPER()
	RET()
}

func categorical() {
	function("categoricalAVX2", "func(dst *uint8, stride int, x *float32, q int, words *uint32, units int)",
		"categoricalAVX2 draws the states of Potts units on eight chains side by side, with",
		"probabilities ∝ 2^x. It overwrites x with cumulative sums. Rows of dst are stride",
		"bytes apart:",
		"\tfor i := range units {",
		"\t\tfor lane := range 8 {",
		"\t\t\tx := x[8*q*i+lane:] // every eighth number",
		"\t\t\ttop := max of x[8*a] over a",
		"\t\t\tsum := 0",
		"\t\t\tfor a := range q {",
		"\t\t\t\tsum += exp2Down(x[8*a] - top)",
		"\t\t\t\tx[8*a] = sum",
		"\t\t\t}",
		"\t\t\tt := float32(words[8*i+lane]>>8) / (1 << 24) * sum",
		"\t\t\tdst[lane*stride+i] = number of a with x[8*a] <= t",
		"\t\t}",
		"\t}")
	dst, stride, x, q, words, n := load("dst"), load("stride"), load("x"), load("q"), load("words"), load("units")
	dst3, dst6 := GP64(), GP64()
	LEAQ(Mem{Base: stride, Index: stride, Scale: 2}, dst3)
	LEAQ(Mem{Base: dst, Index: dst3, Scale: 2}, dst6)
	ADDQ(dst, dst3)
	rows := []reg.Register{dst, dst3, dst6}
	end := GP64()
	SHLQ(Imm(5), q) // the bytes of a unit
	Label("unit")
	SUBQ(Imm(1), n)
	JLT(LabelRef("unitsDone"))
	LEAQ(Mem{Base: x, Index: q, Scale: 1}, end)
	at := GP64()

	top := vector(Mem{Base: x})
	LEAQ(Mem{Base: x, Disp: 32}, at)
	Label("top")
	CMPQ(at, end)
	JGE(LabelRef("topDone"))
	VMAXPS(Mem{Base: at}, top, top)
	ADDQ(Imm(32), at)
	JMP(LabelRef("top"))
	Label("topDone")

	sum := YMM()
	VXORPS(sum, sum, sum)
	MOVQ(x, at)
	Label("sum")
	VADDPS(exp2Down(sub(vector(Mem{Base: at}), top)), sum, sum)
	VMOVUPS(sum, Mem{Base: at})
	ADDQ(Imm(32), at)
	CMPQ(at, end)
	JLT(LabelRef("sum"))

	t := mul(mul(toFloat(shift(VPSRLD, 8, vector(Mem{Base: words}))), f32(1.0/(1<<24))), sum)
	count := YMM()
	VPXOR(count, count, count)
	Label("count")
	reached := YMM()
	VCMPPS(Imm(0x1d), Mem{Base: x}, t, reached) // t at least the sum
	VPSUBD(reached, count, count)
	ADDQ(Imm(32), x)
	CMPQ(x, end)
	JLT(LabelRef("count"))

	halves := []reg.VecVirtual{XMM(), XMM()}
	VEXTRACTI128(Imm(0), count, halves[0])
	VEXTRACTI128(Imm(1), count, halves[1])
	for lane := range 8 {
		to := Mem{Base: rows[lane/3]}
		if lane%3 > 0 {
			to.Index, to.Scale = stride, uint8(lane%3)
		}
		VPEXTRB(Imm(uint64(4*(lane%4))), halves[lane/4], to)
	}
	for _, row := range rows {
		INCQ(row)
	}
	ADDQ(Imm(32), words)
	JMP(LabelRef("unit"))
	Label("unitsDone")
	VZEROUPPER()
	RET()
}
