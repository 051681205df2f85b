package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// A word of 64 input units is cut into twelve groups of five and one of four.
const (
	group  = 5
	groups = 13
	entry  = 64                  // bytes of a row of sixteen sums
	table  = entry << group      // bytes of the table of a group
	mask   = (1<<group - 1) << 6 // selects a group's bits, shifted to count entries
)

func fields() {
	russianTables()
	for _, g := range []int{4, 7, 10, groups} {
		russianAdd(g)
	}
	gather()
}

func russianTables() {
	function("subsetSumsAVX2", "func(dst, rows *int32, groups int)",
		"subsetSumsAVX2 tabulates the sums of all subsets of each group of five rows of",
		"sixteen numbers (the thirteenth group has four):",
		"\tfor g := range groups {",
		"\t\tfor set := range 1 << size(g) {",
		"\t\t\tfor j := range 16 {",
		"\t\t\t\tdst[(g<<5+set)*16+j] = Σ rows[(5*g+b)*16+j] over the bits b of set",
		"\t\t\t}",
		"\t\t}",
		"\t}")
	dst, rows, n := load("dst"), load("rows"), load("groups")
	left := GP64()
	MOVQ(U32(groups), left) // counts down from 13, so that the last group is known
	zero := YMM()
	VPXOR(zero, zero, zero)
	Label("tables")
	TESTQ(n, n)
	JZ(LabelRef("tablesDone"))
	VMOVDQU(zero, Mem{Base: dst})
	VMOVDQU(zero, Mem{Base: dst, Disp: 32})
	for b := range group {
		if b == group-1 {
			CMPQ(left, Imm(1))
			JEQ(LabelRef("tablesDone"))
		}
		lo, hi := vector(Mem{Base: rows, Disp: entry * b}), vector(Mem{Base: rows, Disp: entry*b + 32})
		for set := range 1 << b {
			to := entry * (1<<b + set)
			if set == 0 {
				VMOVDQU(lo, Mem{Base: dst, Disp: to})
				VMOVDQU(hi, Mem{Base: dst, Disp: to + 32})
				continue
			}
			VMOVDQU(addi(lo, Mem{Base: dst, Disp: entry * set}), Mem{Base: dst, Disp: to})
			VMOVDQU(addi(hi, Mem{Base: dst, Disp: entry*set + 32}), Mem{Base: dst, Disp: to + 32})
		}
	}
	ADDQ(U32(table), dst)
	ADDQ(U32(entry*group), rows)
	DECQ(left)
	DECQ(n)
	JMP(LabelRef("tables"))
	Label("tablesDone")
	VZEROUPPER()
	RET()
}

func russianAdd(groups int) {
	name := fmt.Sprintf("addSubsets%dAVX2", groups)
	function(name, "func(acc, tables *int32, words *uint64, stride, chains int)",
		fmt.Sprintf("%s adds the tabulated sum of each of the first %d groups of bits of a word", name, groups),
		"to the accumulators of every chain; words are stride bytes apart:",
		"\tfor c := range chains {",
		fmt.Sprintf("\t\tfor g := range %d {", groups),
		"\t\t\tset := words[c*stride/8] >> (5 * g) & 31",
		"\t\t\tfor j := range 16 {",
		"\t\t\t\tacc[16*c+j] += tables[(g<<5+set)*16+j]",
		"\t\t\t}",
		"\t\t}",
		"\t}")
	acc, tables, words, stride, n := load("acc"), load("tables"), load("words"), load("stride"), load("chains")
	Label(name + "Loop")
	TESTQ(n, n)
	JZ(LabelRef(name + "Done"))
	word := GP64()
	MOVQ(Mem{Base: words}, word)
	ADDQ(stride, words)
	lo, hi := vector(Mem{Base: acc}), vector(Mem{Base: acc, Disp: 32})
	for g := range groups {
		at := GP64()
		RORXQ(Imm(uint64((group*g-6+64)%64)), word, at)
		if g == 12 {
			ANDL(U32(15<<6), at.As32()) // only four bits are left
		} else {
			ANDL(U32(mask), at.As32())
		}
		VPADDD(Mem{Base: tables, Index: at, Scale: 1, Disp: table * g}, lo, lo)
		VPADDD(Mem{Base: tables, Index: at, Scale: 1, Disp: table*g + 32}, hi, hi)
	}
	VMOVDQU(lo, Mem{Base: acc})
	VMOVDQU(hi, Mem{Base: acc, Disp: 32})
	ADDQ(Imm(entry), acc)
	DECQ(n)
	JMP(LabelRef(name + "Loop"))
	Label(name + "Done")
	VZEROUPPER()
	RET()
}

func gather() {
	function("addRowsAVX2", "func(acc, tile *int32, rows *uint32, counts *[2]uint32, chains int)",
		"addRowsAVX2 adds listed rows of a tile to the accumulators of every chain and",
		"subtracts others. Lists hold byte offsets, counts are in units of four of them, and",
		"the lists of successive chains follow each other:",
		"\tfor c := range chains {",
		"\t\tfor range 4 * counts[c][0] {",
		"\t\t\tacc[16*c:][:16] += tile[next(rows)/4:][:16]",
		"\t\t}",
		"\t\tfor range 4 * counts[c][1] {",
		"\t\t\tacc[16*c:][:16] -= tile[next(rows)/4:][:16]",
		"\t\t}",
		"\t}")
	acc, tile, rows, counts, n := load("acc"), load("tile"), load("rows"), load("counts"), load("chains")
	Label("rows")
	TESTQ(n, n)
	JZ(LabelRef("rowsDone"))
	lo, hi := vector(Mem{Base: acc}), vector(Mem{Base: acc, Disp: 32})
	for i, op := range []func(...Op){VPADDD, VPSUBD} {
		left := GP64()
		MOVL(Mem{Base: counts, Disp: 4 * i}, left.As32())
		loop, done := fmt.Sprintf("rowsFour%d", i), fmt.Sprintf("rowsNext%d", i)
		Label(loop)
		SUBQ(Imm(1), left)
		JLT(LabelRef(done))
		for k := range 4 {
			at := GP64()
			MOVL(Mem{Base: rows, Disp: 4 * k}, at.As32())
			op(Mem{Base: tile, Index: at, Scale: 1}, lo, lo)
			op(Mem{Base: tile, Index: at, Scale: 1, Disp: 32}, hi, hi)
		}
		ADDQ(Imm(16), rows)
		JMP(LabelRef(loop))
		Label(done)
	}
	VMOVDQU(lo, Mem{Base: acc})
	VMOVDQU(hi, Mem{Base: acc, Disp: 32})
	ADDQ(Imm(entry), acc)
	ADDQ(Imm(8), counts)
	DECQ(n)
	JMP(LabelRef("rows"))
	Label("rowsDone")
	VZEROUPPER()
	RET()
}
