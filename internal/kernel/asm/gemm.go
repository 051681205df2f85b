package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The micro-kernel holds 6 rows of 16 columns in twelve registers.
const gemmRows = 6

func gemm() {
	microKernel()
	packRows()
	packColumns()
	peaks()
	wideKernel()
}

// wideKernel holds 12 rows of 32 columns in 24 registers.
func wideKernel() {
	function("gemmAVX512", "func(c *float32, stride int, a0, a1, b0, b1 *float32, n int)",
		"gemmAVX512 adds the products of two packed panels of six rows and two of sixteen",
		"columns to c, whose rows are stride bytes apart; every sum is fused and in order:",
		"\tfor k := range n {",
		"\t\tfor i := range 12 {",
		"\t\t\tfor j := range 32 {",
		"\t\t\t\tc[i*stride/4+j] = fma(a(i/6)[6*k+i%6], b(j/16)[16*k+j%16], c[i*stride/4+j])",
		"\t\t\t}",
		"\t\t}",
		"\t}")
	wide = true
	c, stride, n := load("c"), load("stride"), load("n")
	a, b := []reg.GPVirtual{load("a0"), load("a1")}, []reg.GPVirtual{load("b0"), load("b1")}
	row := GP64()
	MOVQ(c, row)
	var sums [2 * gemmRows][2]reg.VecVirtual
	for i := range sums {
		sums[i] = [2]reg.VecVirtual{vector(Mem{Base: row}), vector(Mem{Base: row, Disp: 64})}
		ADDQ(stride, row)
	}
	steps := func(count int) {
		for k := range count {
			right := [2]reg.VecVirtual{vector(Mem{Base: b[0], Disp: 64 * k}), vector(Mem{Base: b[1], Disp: 64 * k})}
			for i := range sums {
				x := register()
				VBROADCASTSS(Mem{Base: a[i/gemmRows], Disp: 4 * (gemmRows*k + i%gemmRows)}, x)
				VFMADD231PS(right[0], x, sums[i][0])
				VFMADD231PS(right[1], x, sums[i][1])
			}
		}
		for i := range 2 {
			ADDQ(U32(uint32(4*gemmRows*count)), a[i])
			ADDQ(U32(uint32(64*count)), b[i])
		}
	}
	const unroll = 2
	Label("multiplyWide")
	SUBQ(Imm(unroll), n)
	JLT(LabelRef("multiplyWideRest"))
	steps(unroll)
	JMP(LabelRef("multiplyWide"))
	Label("multiplyWideRest")
	ADDQ(Imm(unroll), n)
	JZ(LabelRef("multipliedWide"))
	steps(1)
	Label("multipliedWide")
	MOVQ(c, row)
	for i := range sums {
		VMOVUPS(sums[i][0], Mem{Base: row})
		VMOVUPS(sums[i][1], Mem{Base: row, Disp: 64})
		ADDQ(stride, row)
	}
	VZEROUPPER()
	RET()
	wide = false
}

func microKernel() {
	function("gemmAVX2", "func(c *float32, stride int, a, b *float32, n int)",
		"gemmAVX2 adds the product of a packed panel of six rows and one of sixteen columns",
		"to c, whose rows are stride bytes apart; every sum is fused and in order:",
		"\tfor k := range n {",
		"\t\tfor i := range 6 {",
		"\t\t\tfor j := range 16 {",
		"\t\t\t\tc[i*stride/4+j] = fma(a[6*k+i], b[16*k+j], c[i*stride/4+j])",
		"\t\t\t}",
		"\t\t}",
		"\t}")
	c, stride, a, b, n := load("c"), load("stride"), load("a"), load("b"), load("n")
	row := GP64()
	MOVQ(c, row)
	var sums [gemmRows][2]reg.VecVirtual
	for i := range gemmRows {
		sums[i] = [2]reg.VecVirtual{vector(Mem{Base: row}), vector(Mem{Base: row, Disp: 32})}
		ADDQ(stride, row)
	}
	steps := func(count int) {
		for k := range count {
			b0, b1 := vector(Mem{Base: b, Disp: 64 * k}), vector(Mem{Base: b, Disp: 64*k + 32})
			for i := range gemmRows {
				x := YMM()
				VBROADCASTSS(Mem{Base: a, Disp: 4 * (gemmRows*k + i)}, x)
				VFMADD231PS(b0, x, sums[i][0])
				VFMADD231PS(b1, x, sums[i][1])
			}
		}
		ADDQ(U32(uint32(4*gemmRows*count)), a)
		ADDQ(U32(uint32(64*count)), b)
	}
	const unroll = 4
	Label("multiply")
	SUBQ(Imm(unroll), n)
	JLT(LabelRef("multiplyRest"))
	steps(unroll)
	JMP(LabelRef("multiply"))
	Label("multiplyRest")
	ADDQ(Imm(unroll), n)
	Label("multiplyOne")
	SUBQ(Imm(1), n)
	JLT(LabelRef("multiplied"))
	steps(1)
	JMP(LabelRef("multiplyOne"))
	Label("multiplied")
	MOVQ(c, row)
	for i := range gemmRows {
		VMOVUPS(sums[i][0], Mem{Base: row})
		VMOVUPS(sums[i][1], Mem{Base: row, Disp: 32})
		ADDQ(stride, row)
	}
	VZEROUPPER()
	RET()
}

// transpose8 turns eight rows of eight numbers into eight columns.
func transpose8(r [8]reg.VecVirtual) (c [8]reg.VecVirtual) {
	var pairs, fours [8]reg.VecVirtual
	for i := range 4 {
		pairs[2*i] = binary(VUNPCKLPS, r[2*i], r[2*i+1])
		pairs[2*i+1] = binary(VUNPCKHPS, r[2*i], r[2*i+1])
	}
	for i := range 2 {
		for j := range 2 {
			x, y := pairs[4*i+j], pairs[4*i+2+j]
			fours[4*i+2*j] = binary(VUNPCKLPD, x, y)
			fours[4*i+2*j+1] = binary(VUNPCKHPD, x, y)
		}
	}
	for i := range 4 {
		c[i], c[i+4] = YMM(), YMM()
		VPERM2F128(Imm(0x20), fours[i+4], fours[i], c[i])
		VPERM2F128(Imm(0x31), fours[i+4], fours[i], c[i+4])
	}
	return c
}

func packRows() {
	function("packRowsAVX2", "func(dst, src *float32, stride, octets int)",
		"packRowsAVX2 packs six rows that are stride bytes apart; it writes two numbers more:",
		"\tfor k := range 8 * octets {",
		"\t\tfor i := range 6 {",
		"\t\t\tdst[6*k+i] = src[i*stride/4+k]",
		"\t\t}",
		"\t}")
	dst, src, stride, n := load("dst"), load("src"), load("stride"), load("octets")
	src3 := GP64()
	LEAQ(Mem{Base: stride, Index: stride, Scale: 2}, src3)
	ADDQ(src, src3)
	Label("packRows")
	SUBQ(Imm(1), n)
	JLT(LabelRef("packedRows"))
	var rows [8]reg.VecVirtual
	for i, base := range []reg.Register{src, src3} {
		rows[3*i] = vector(Mem{Base: base})
		rows[3*i+1] = vector(Mem{Base: base, Index: stride, Scale: 1})
		rows[3*i+2] = vector(Mem{Base: base, Index: stride, Scale: 2})
	}
	rows[6], rows[7] = rows[5], rows[5] // what they put is overwritten
	for k, column := range transpose8(rows) {
		VMOVUPS(column, Mem{Base: dst, Disp: 4 * gemmRows * k})
	}
	ADDQ(Imm(32), src)
	ADDQ(Imm(32), src3)
	ADDQ(U32(4*gemmRows*8), dst)
	JMP(LabelRef("packRows"))
	Label("packedRows")
	VZEROUPPER()
	RET()
}

func packColumns() {
	function("packColumnsAVX2", "func(dst, src *float32, stride, n int)",
		"packColumnsAVX2 packs six adjacent columns of rows that are stride bytes apart:",
		"\tfor k := range n {",
		"\t\tfor i := range 6 {",
		"\t\t\tdst[6*k+i] = src[k*stride/4+i]",
		"\t\t}",
		"\t}")
	dst, src, stride, n := load("dst"), load("src"), load("stride"), load("n")
	Label("packColumns")
	SUBQ(Imm(1), n)
	JLT(LabelRef("packedColumns"))
	four, two := XMM(), GP64()
	VMOVUPS(Mem{Base: src}, four)
	MOVQ(Mem{Base: src, Disp: 16}, two)
	VMOVUPS(four, Mem{Base: dst})
	MOVQ(two, Mem{Base: dst, Disp: 16})
	ADDQ(stride, src)
	ADDQ(Imm(4*gemmRows), dst)
	JMP(LabelRef("packColumns"))
	Label("packedColumns")
	RET()
}

// peaks are the fastest that an instruction set can multiply and add.
func peaks() {
	for _, w := range []bool{false, true} {
		wide = w
		lanes, name := 8, "fmaPeak"+suffix()
		if wide {
			lanes = 16
		}
		function(name, "func(n int)",
			fmt.Sprintf("%s does n rounds of twelve independent vector multiply-adds, %d floating", name, 24*lanes),
			"point operations a round:",
			"\tfor range n {",
			"\t\tfor i := range 12 {",
			"\t\t\tsum[i] += x * x",
			"\t\t}",
			"\t}")
		n := load("n")
		var sums [12]reg.VecVirtual
		x := vector(i32(0))
		for i := range sums {
			sums[i] = vector(i32(0))
		}
		Label(name + "Loop")
		for i := range sums {
			VFMADD231PS(x, x, sums[i])
		}
		DECQ(n)
		JNZ(LabelRef(name + "Loop"))
		VZEROUPPER()
		RET()
	}
	wide = false
}
