package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The constants of Philox4x32.
const (
	mul0   = 0xD2511F53
	mul1   = 0xCD9E8D57
	weyl0  = 0x9E3779B9
	weyl1  = 0xBB67AE85
	rounds = 10
)

// quad is the state of four Philox blocks, one 32-bit word in the low half of each 64-bit lane; the high halves hold
// rubbish, which VPMULUDQ does not read.
type quad [4]reg.VecVirtual

// roundKeys puts the ten pairs of round keys, broadcast, on the stack.
func roundKeys(key reg.Register) Mem {
	keys := AllocLocal(rounds * 64)
	k0, k1 := YMM(), YMM()
	VPBROADCASTD(Mem{Base: key}, k0)
	VPBROADCASTD(Mem{Base: key, Disp: 4}, k1)
	for r := range rounds {
		if r > 0 {
			VPADDD(i32(weyl0), k0, k0)
			VPADDD(i32(weyl1), k1, k1)
		}
		VMOVDQU(k0, keys.Offset(64*r))
		VMOVDQU(k1, keys.Offset(64*r+32))
	}
	return keys
}

// philoxRounds runs the rounds from the given one on, on several quads side by side, which hides the latency of the
// multiplications.
func philoxRounds(keys Mem, from int, quads ...*quad) {
	m0, m1 := vector(i32(mul0)), vector(i32(mul1))
	for r := from; r < rounds; r++ {
		for _, q := range quads {
			p0, p1 := YMM(), YMM()
			VPMULUDQ(q[0], m0, p0)
			VPMULUDQ(q[2], m1, p1)
			c0 := xor(high(p1), xor(q[1], keys.Offset(64*r)))
			c2 := xor(high(p0), xor(q[3], keys.Offset(64*r+32)))
			*q = quad{c0, p1, c2, p0}
		}
	}
}

// high moves the high halves of products to where words are.
func high(p reg.VecVirtual) reg.VecVirtual { return shift(VPSHUFD, 0xf5, p) }

// multiply gives the products of words.
func multiply(m uint32, c reg.VecVirtual) reg.VecVirtual { return binary(VPMULUDQ, c, i32(m)) }

// firstRounds prepares what the first two rounds of the blocks of one stream have in common, where only word 0 of the
// counter differs.
func firstRounds(keys Mem, counter reg.Register) Mem {
	word := func(i int) reg.VecVirtual {
		c := YMM()
		VPBROADCASTD(Mem{Base: counter, Disp: 4 * i}, c)
		return c
	}
	common := AllocLocal(128)
	VMOVDQU(xor(word(3), keys.Offset(32)), common)
	p1 := multiply(mul1, word(2))
	c0 := xor(high(p1), xor(word(1), keys))
	VMOVDQU(xor(p1, keys.Offset(64)), common.Offset(32))
	p0 := multiply(mul0, c0)
	VMOVDQU(xor(high(p0), keys.Offset(96)), common.Offset(64))
	VMOVDQU(p0, common.Offset(96))
	return common
}

// afterTwo is the state of four blocks with the given indices after two rounds.
func afterTwo(index reg.VecVirtual, common Mem) *quad {
	p0 := multiply(mul0, index)
	p1 := multiply(mul1, xor(high(p0), common))
	return &quad{xor(high(p1), common.Offset(32)), p1, xor(p0, common.Offset(64)), vector(common.Offset(96))}
}

// merge takes the low halves of a as even lanes and those of b as odd ones.
func merge(a, b reg.VecVirtual) reg.VecVirtual {
	r := YMM()
	VPBLENDD(Imm(0xAA), shift(VPSLLQ, 32, b), a, r)
	return r
}

func philox() {
	functionWithFrame("philoxAVX2", "func(dst *uint32, key *[2]uint32, counter *[4]uint32, quads int)",
		"philoxAVX2 sets the first 16·quads words of dst to the words of a stream:",
		"\tfor b := range 4 * quads {",
		"\t\tblock := philox4x32(counter[0]+b, counter[1], counter[2], counter[3], key)",
		"\t\tcopy(dst[4*b:], block)",
		"\t}")
	dst, key, counter, n := load("dst"), load("key"), load("counter"), load("quads")
	keys := roundKeys(key)
	index := YMM()
	VPBROADCASTD(Mem{Base: counter}, index)
	// Lanes in the order 0, 2, 1, 3, so that unpacking leaves blocks in order.
	VPADDD(lanes32(0, 0, 2, 0, 1, 0, 3, 0), index, index)
	common := firstRounds(keys, counter)
	// Three quads at a time hide the latency of the multiplications; one or two may be left.
	step := func(count int) {
		quads := make([]*quad, count)
		for i := range quads {
			quads[i] = afterTwo(index, common)
			VPADDD(i32(4), index, index)
		}
		philoxRounds(keys, 2, quads...)
		for i, q := range quads {
			lo, hi := merge(q[0], q[1]), merge(q[2], q[3])
			VMOVDQU(binary(VPUNPCKLQDQ, lo, hi), Mem{Base: dst, Disp: 64 * i})
			VMOVDQU(binary(VPUNPCKHQDQ, lo, hi), Mem{Base: dst, Disp: 64*i + 32})
		}
	}
	Label("loop")
	SUBQ(Imm(3), n)
	JLT(LabelRef("rest"))
	step(3)
	ADDQ(U32(192), dst)
	JMP(LabelRef("loop"))
	Label("rest")
	ADDQ(Imm(2), n)
	JLT(LabelRef("done"))
	JEQ(LabelRef("one"))
	step(2)
	JMP(LabelRef("done"))
	Label("one")
	step(1)
	Label("done")
	VZEROUPPER()
	RET()

	functionWithFrame("philoxLanesAVX2", "func(dst *uint32, key *[2]uint32, counter *[4]uint32, blocks int)",
		"philoxLanesAVX2 sets dst to the words of eight streams side by side, those of",
		"the chains counter[1] to counter[1]+7:",
		"\tfor b := range blocks {",
		"\t\tfor lane := range 8 {",
		"\t\t\tblock := philox4x32(counter[0]+b, counter[1]+lane, counter[2], counter[3], key)",
		"\t\t\tfor j := range 4 {",
		"\t\t\t\tdst[8*(4*b+j)+lane] = block[j]",
		"\t\t\t}",
		"\t\t}",
		"\t}")
	dst, key, counter, n = load("dst"), load("key"), load("counter"), load("blocks")
	keys = roundKeys(key)
	fixed := AllocLocal(128)
	one, odd := YMM(), YMM()
	VPBROADCASTD(Mem{Base: counter, Disp: 4}, one)
	VPADDD(lanes32(1, 0, 3, 0, 5, 0, 7, 0), one, odd)
	VPADDD(lanes32(0, 0, 2, 0, 4, 0, 6, 0), one, one)
	VMOVDQU(one, fixed)
	VMOVDQU(odd, fixed.Offset(32))
	VPBROADCASTD(Mem{Base: counter, Disp: 8}, one)
	VMOVDQU(one, fixed.Offset(64))
	VPBROADCASTD(Mem{Base: counter, Disp: 12}, one)
	VMOVDQU(one, fixed.Offset(96))
	index = YMM()
	VPBROADCASTD(Mem{Base: counter}, index)
	Label("loopLanes")
	TESTQ(n, n)
	JZ(LabelRef("doneLanes"))
	a := quad{addi(index, i32(0)), vector(fixed), vector(fixed.Offset(64)), vector(fixed.Offset(96))}
	b := quad{addi(index, i32(0)), vector(fixed.Offset(32)), vector(fixed.Offset(64)), vector(fixed.Offset(96))}
	VPADDD(i32(1), index, index)
	philoxRounds(keys, 0, &a, &b)
	for j := range 4 {
		VMOVDQU(merge(a[j], b[j]), Mem{Base: dst, Disp: 32 * j})
	}
	ADDQ(Imm(128), dst)
	DECQ(n)
	JMP(LabelRef("loopLanes"))
	Label("doneLanes")
	VZEROUPPER()
	RET()

	wide = true
	philoxWide()
	wide = false
}

// philoxWide is philoxAVX2 with eight blocks in a register.
func philoxWide() {
	functionWithFrame("philoxAVX512", "func(dst *uint32, key *[2]uint32, counter *[4]uint32, octets int)",
		"philoxAVX512 sets the first 32·octets words of dst to the words of a stream:",
		"\tfor b := range 8 * octets {",
		"\t\tblock := philox4x32(counter[0]+b, counter[1], counter[2], counter[3], key)",
		"\t\tcopy(dst[4*b:], block)",
		"\t}")
	dst, key, counter, n := load("dst"), load("key"), load("counter"), load("octets")
	broadcast := func(m Mem) reg.VecVirtual {
		r := ZMM()
		VPBROADCASTD(m, r)
		return r
	}
	k0, k1 := broadcast(Mem{Base: key}), broadcast(Mem{Base: key, Disp: 4})
	memory := AllocLocal(rounds * 128)
	for r := range rounds {
		if r > 0 {
			k0, k1 = addi(k0, i32(weyl0)), addi(k1, i32(weyl1))
		}
		VMOVDQU32(k0, memory.Offset(128*r))
		VMOVDQU32(k1, memory.Offset(128*r+64))
	}
	index := broadcast(Mem{Base: counter})
	// An order of the lanes in which unpacking leaves blocks in order.
	VPADDD(lanes32(0, 0, 4, 0, 1, 0, 5, 0, 2, 0, 6, 0, 3, 0, 7, 0), index, index)
	fixed := [4]reg.VecVirtual{}
	for i := 1; i < 4; i++ {
		fixed[i] = broadcast(Mem{Base: counter, Disp: 4 * i})
	}
	m0, m1 := broadcast(i32(mul0)), broadcast(i32(mul1))
	odd := K()
	ones := GP32()
	MOVL(U32(0xAAAA), ones)
	KMOVW(ones, odd)
	merge := func(a, b reg.VecVirtual) reg.VecVirtual {
		VPSHUFD(Imm(0xA0), b, odd, a)
		return a
	}
	step := func(count int) {
		state := make([]quad, count)
		for i := range state {
			first := ZMM()
			VMOVDQA32(index, first)
			state[i] = quad{first, fixed[1], fixed[2], fixed[3]}
			VPADDD(i32(8), index, index)
		}
		for r := range rounds {
			for i, q := range state {
				p0, p1 := binary(VPMULUDQ, q[0], m0), binary(VPMULUDQ, q[2], m1)
				c0, c2 := shift(VPSRLQ, 32, p1), shift(VPSRLQ, 32, p0)
				VPTERNLOGD(Imm(0x96), memory.Offset(128*r), q[1], c0) // the exclusive or of three
				VPTERNLOGD(Imm(0x96), memory.Offset(128*r+64), q[3], c2)
				state[i] = quad{c0, p1, c2, p0}
			}
		}
		for i, q := range state {
			lo, hi := merge(q[0], q[1]), merge(q[2], q[3])
			VMOVDQU32(binary(VPUNPCKLQDQ, lo, hi), Mem{Base: dst, Disp: 128 * i})
			VMOVDQU32(binary(VPUNPCKHQDQ, lo, hi), Mem{Base: dst, Disp: 128*i + 64})
		}
		ADDQ(U32(uint32(128*count)), dst)
	}
	for _, count := range []int{4, 2, 1} { // several at a time hide the latency
		name := fmt.Sprintf("philoxWide%d", count)
		Label(name)
		SUBQ(Imm(uint64(count)), n)
		JLT(LabelRef(name + "Done"))
		step(count)
		JMP(LabelRef(name))
		Label(name + "Done")
		ADDQ(Imm(uint64(count)), n)
	}
	VZEROUPPER()
	RET()
}
