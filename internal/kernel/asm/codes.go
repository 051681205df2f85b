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
		// A register holds four fields of chain i and four of chain i+4, so that the transposition stays within the
		// halves of registers.
		quarter := func(i, k int) Mem {
			at := Mem{Base: starts[i/3], Disp: 32*half + 16*k}
			if i%3 > 0 {
				at.Index, at.Scale = chain, uint8(i%3)
			}
			return at
		}
		for k := range 2 {
			var r [4]reg.VecVirtual
			for i := range r {
				low := XMM()
				VMOVUPS(quarter(i, k), low)
				r[i] = YMM()
				VINSERTF128(Imm(1), quarter(i+4, k), low.AsY(), r[i])
				if fixed {
					r[i] = toFloat(r[i])
				}
				r[i] = mul(r[i], scale)
			}
			l0, h0 := binary(VUNPCKLPS, r[0], r[1]), binary(VUNPCKHPS, r[0], r[1])
			l1, h1 := binary(VUNPCKLPS, r[2], r[3]), binary(VUNPCKHPS, r[2], r[3])
			for j, column := range []reg.VecVirtual{
				binary(VUNPCKLPD, l0, l1), binary(VUNPCKHPD, l0, l1), binary(VUNPCKLPD, h0, h1),
				binary(VUNPCKHPD, h0, h1),
			} {
				VMOVUPS(column, Mem{Base: dst, Disp: 256*half + 128*k + 32*j})
			}
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
	function("categoricalAVX2",
		"func(dst *uint8, stride int, x *float32, q int, words *uint32, tops *float32, units int)",
		"categoricalAVX2 draws the states of Potts units on eight chains side by side, with",
		"probabilities ∝ 2^x. It overwrites x with cumulative sums and tops. Rows of dst are",
		"stride bytes apart:",
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
	q, tops, units := load("q"), load("tops"), load("units")
	SHLQ(Imm(5), q) // the bytes of a unit
	// Three passes over the units: in each the units do not wait for each other.
	pass := func(name string, body func(at, end reg.GPVirtual)) {
		at, end, n := load("x"), GP64(), GP64()
		MOVQ(units, n)
		Label(name + "Unit")
		SUBQ(Imm(1), n)
		JLT(LabelRef(name + "Done"))
		LEAQ(Mem{Base: at, Index: q, Scale: 1}, end)
		body(at, end)
		JMP(LabelRef(name + "Unit"))
		Label(name + "Done")
	}
	states := func(name string, at, end reg.GPVirtual, body func()) {
		Label(name)
		body()
		ADDQ(Imm(32), at)
		CMPQ(at, end)
		JLT(LabelRef(name))
	}

	to := GP64()
	MOVQ(tops, to)
	pass("top", func(at, end reg.GPVirtual) {
		top := vector(Mem{Base: at})
		states("top", at, end, func() { VMAXPS(Mem{Base: at}, top, top) })
		VMOVUPS(top, Mem{Base: to})
		ADDQ(Imm(32), to)
	})
	MOVQ(tops, to)
	pass("sum", func(at, end reg.GPVirtual) {
		top, sum := vector(Mem{Base: to}), YMM()
		ADDQ(Imm(32), to)
		VXORPS(sum, sum, sum)
		states("sum", at, end, func() {
			VADDPS(exp2Down(sub(vector(Mem{Base: at}), top)), sum, sum)
			VMOVUPS(sum, Mem{Base: at})
		})
	})
	dst, stride, words := load("dst"), load("stride"), load("words")
	dst3, dst6 := GP64(), GP64()
	LEAQ(Mem{Base: stride, Index: stride, Scale: 2}, dst3)
	LEAQ(Mem{Base: dst, Index: dst3, Scale: 2}, dst6)
	ADDQ(dst, dst3)
	rows := []reg.Register{dst, dst3, dst6}
	pass("count", func(at, end reg.GPVirtual) {
		u := mul(toFloat(shift(VPSRLD, 8, vector(Mem{Base: words}))), f32(1.0/(1<<24)))
		ADDQ(Imm(32), words)
		t := mul(u, Mem{Base: end, Disp: -32})
		count := YMM()
		VPXOR(count, count, count)
		states("count", at, end, func() {
			reached := YMM()
			VCMPPS(Imm(0x1d), Mem{Base: at}, t, reached) // t at least the sum
			VPSUBD(reached, count, count)
		})
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
	})
	VZEROUPPER()
	RET()
}
