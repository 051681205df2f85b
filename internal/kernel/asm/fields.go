package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
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
	for _, r := range []lines{avx2Lines, avx512Lines} {
		russianTables(r)
		for _, g := range []int{4, 7, 10, groups} {
			russianAdd(r, g)
		}
		gather(r)
	}
}

// lines are rows of sixteen 32-bit numbers, in two registers or in one.
type lines struct {
	suffix    string
	registers int
	bytes     int // of a register
	register  func() reg.VecVirtual
	move      func(from, to Op)
	clear     func(x Op)
}

var (
	avx2Lines   = lines{"AVX2", 2, 32, YMM, VMOVDQU, func(x Op) { VPXOR(x, x, x) }}
	avx512Lines = lines{"AVX512", 1, 64, ZMM, func(from, to Op) { VMOVDQU32(from, to) }, func(x Op) { VPXORD(x, x, x) }}
)

// part is register i of a line in memory.
func (l lines) part(m Mem, i int) Mem { return m.Offset(i * l.bytes) }

// load reads a line.
func (l lines) load(m Mem) vectors {
	line := make(vectors, l.registers)
	for i := range line {
		line[i] = l.register()
		l.move(l.part(m, i), line[i])
	}
	return line
}

// store writes a line.
func (l lines) store(line vectors, m Mem) {
	for i, x := range line {
		l.move(x, l.part(m, i))
	}
}

// accumulate adds or subtracts a line in memory.
func (l lines) accumulate(op func(...Op), line vectors, m Mem) {
	for i, x := range line {
		op(l.part(m, i), x, x)
	}
}

func russianTables(l lines) {
	name := "subsetSums" + l.suffix
	function(name, "func(dst, rows *int32, groups int)",
		name+" tabulates the sums of all subsets of each group of five rows of",
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
	zero := make(vectors, l.registers)
	for i := range zero {
		zero[i] = l.register()
		l.clear(zero[i])
	}
	Label(name + "Loop")
	TESTQ(n, n)
	JZ(LabelRef(name + "Done"))
	l.store(zero, Mem{Base: dst})
	for b := range group {
		if b == group-1 {
			CMPQ(left, Imm(1))
			JEQ(LabelRef(name + "Done"))
		}
		row := l.load(Mem{Base: rows, Disp: entry * b})
		for set := range 1 << b {
			to := Mem{Base: dst, Disp: entry * (1<<b + set)}
			if set == 0 {
				l.store(row, to)
				continue
			}
			sum := make(vectors, l.registers)
			for i := range sum {
				sum[i] = l.register()
				VPADDD(l.part(Mem{Base: dst, Disp: entry * set}, i), row[i], sum[i])
			}
			l.store(sum, to)
		}
	}
	ADDQ(U32(table), dst)
	ADDQ(U32(entry*group), rows)
	DECQ(left)
	DECQ(n)
	JMP(LabelRef(name + "Loop"))
	Label(name + "Done")
	VZEROUPPER()
	RET()
}

func russianAdd(l lines, groups int) {
	name := fmt.Sprintf("addSubsets%d%s", groups, l.suffix)
	function(name, "func(acc, from *int32, step int, tables *int32, words *uint64, stride, chains int)",
		fmt.Sprintf("%s adds the tabulated sum of each of the first %d groups of bits of a word", name, groups),
		"to what every chain starts from, its accumulators (step 64) or one line for all (step 0);",
		"words are stride bytes apart:",
		"\tfor c := range chains {",
		"\t\tcopy(acc[16*c:][:16], from[c*step/4:])",
		fmt.Sprintf("\t\tfor g := range %d {", groups),
		"\t\t\tset := words[c*stride/8] >> (5 * g) & 31",
		"\t\t\tfor j := range 16 {",
		"\t\t\t\tacc[16*c+j] += tables[(g<<5+set)*16+j]",
		"\t\t\t}",
		"\t\t}",
		"\t}")
	acc, from, step := load("acc"), load("from"), load("step")
	tables, words, stride, n := load("tables"), load("words"), load("stride"), load("chains")
	Label(name + "Loop")
	TESTQ(n, n)
	JZ(LabelRef(name + "Done"))
	word := GP64()
	MOVQ(Mem{Base: words}, word)
	ADDQ(stride, words)
	sum := l.load(Mem{Base: from})
	ADDQ(step, from)
	for g := range groups {
		at := GP64()
		RORXQ(Imm(uint64((group*g-6+64)%64)), word, at)
		if g == 12 {
			ANDL(U32(15<<6), at.As32()) // only four bits are left
		} else {
			ANDL(U32(mask), at.As32())
		}
		l.accumulate(VPADDD, sum, Mem{Base: tables, Index: at, Scale: 1, Disp: table * g})
	}
	l.store(sum, Mem{Base: acc})
	ADDQ(Imm(entry), acc)
	DECQ(n)
	JMP(LabelRef(name + "Loop"))
	Label(name + "Done")
	VZEROUPPER()
	RET()
}

func gather(l lines) {
	name := "addRows" + l.suffix
	function(name, "func(acc, tile *int32, rows *uint32, counts *[2]uint32, chains int)",
		name+" adds listed rows of a tile to the accumulators of every chain and",
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
	Label(name + "Loop")
	TESTQ(n, n)
	JZ(LabelRef(name + "Done"))
	sum := l.load(Mem{Base: acc})
	for i, op := range []func(...Op){VPADDD, VPSUBD} {
		left := GP64()
		MOVL(Mem{Base: counts, Disp: 4 * i}, left.As32())
		loop, done := fmt.Sprintf("%sFour%d", name, i), fmt.Sprintf("%sNext%d", name, i)
		Label(loop)
		SUBQ(Imm(1), left)
		JLT(LabelRef(done))
		for k := range 4 {
			at := GP64()
			MOVL(Mem{Base: rows, Disp: 4 * k}, at.As32())
			l.accumulate(op, sum, Mem{Base: tile, Index: at, Scale: 1})
		}
		ADDQ(Imm(16), rows)
		JMP(LabelRef(loop))
		Label(done)
	}
	l.store(sum, Mem{Base: acc})
	ADDQ(Imm(entry), acc)
	ADDQ(Imm(8), counts)
	DECQ(n)
	JMP(LabelRef(name + "Loop"))
	Label(name + "Done")
	VZEROUPPER()
	RET()
}
