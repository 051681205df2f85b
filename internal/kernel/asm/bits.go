package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// exp2Up is the vector form of kernel.exp2Up, on several vectors in step.
func exp2Up(y vectors) vectors {
	n := y.each(func(i int) reg.VecVirtual {
		n := register()
		VCVTTPS2DQ(y[i], n)
		return n
	})
	f := y.each(func(i int) reg.VecVirtual { return sub(y[i], toFloat(n[i])) })
	line := func(c1, c0 float32) vectors {
		r := y.each(func(i int) reg.VecVirtual { return mul(f[i], f32(c1)) })
		return y.each(func(i int) reg.VecVirtual { return add(r[i], f32(c0)) })
	}
	f2 := y.each(func(i int) reg.VecVirtual { return mul(f[i], f[i]) })
	mid := line(0.05581867694854736, 0.240159273147583)
	low := line(0.6931517124176025, 1)
	mid = y.each(func(i int) reg.VecVirtual { return mul(mid[i], f2[i]) })
	low = y.each(func(i int) reg.VecVirtual { return add(low[i], mid[i]) })
	top := line(0.001879318617284298, 0.008990995585918427)
	f4 := y.each(func(i int) reg.VecVirtual { return mul(f2[i], f2[i]) })
	top = y.each(func(i int) reg.VecVirtual { return mul(top[i], f4[i]) })
	p := y.each(func(i int) reg.VecVirtual { return add(low[i], top[i]) })
	return y.each(func(i int) reg.VecVirtual { return addi(p[i], shift(VPSLLD, 23, n[i])) })
}

// bit is the vector form of kernel.bit: masks of the lanes that are set.
func bit(x vectors, words []Op) vectors {
	e := exp2Up(x.each(func(i int) reg.VecVirtual { return binary(VMINPS, and(x[i], i32(1<<31-1)), f32(64)) }))
	zero := YMM()
	VXORPS(zero, zero, zero)
	up := x.each(func(i int) reg.VecVirtual {
		up := YMM()
		VCMPPS(Imm(0x1d), zero, x[i], up) // greater or equal, ordered
		return up
	})
	near := x.each(func(i int) reg.VecVirtual { return binary(VPMINUD, xor(up[i], words[i]), i32(1<<31-1)) })
	f := x.each(func(i int) reg.VecVirtual { return add(toFloat(near[i]), f32(0.5)) })
	product := x.each(func(i int) reg.VecVirtual { return mul(f[i], add(e[i], f32(1))) })
	return x.each(func(i int) reg.VecVirtual {
		hit := YMM()
		VCMPPS(Imm(0x11), f32(1<<32), product[i], hit) // less, ordered
		return xor(hit, up[i])
	})
}

func bits() {
	for _, w := range []bool{false, true} {
		wide = w
		drawBits("drawBitsFixed", true,
			"draws one bit for each unit of a row of 32·pairs fixed-point",
			"fields, which lie in tiles of 16 that are stride bytes apart:",
			"\tfor i := range 32 * pairs {",
			"\t\tf := fields[i/16*stride/4+i%16]",
			"\t\tdst[i/32] |= bit(float32(f)*scale, words[i]) << (i % 32)",
			"\t}")
		drawBits("drawBits", false,
			"is drawBitsFixed with fields in floating point.")
	}
	wide = false
}

func drawBits(name string, fixed bool, doc ...string) {
	name += suffix()
	doc[0] = name + " " + doc[0]
	element := "*float32"
	if fixed {
		element = "*int32"
	}
	function(name, "func(dst *uint32, fields "+element+", stride int, scale float32, words *uint32, pairs int)", doc...)
	dst, in, stride, words, n := load("dst"), load("fields"), load("stride"), load("words"), load("pairs")
	scale := broadcastParam("scale")
	Label(name + "Loop")
	TESTQ(n, n)
	JZ(LabelRef(name + "Done"))
	second := GP64()
	LEAQ(Mem{Base: in, Index: stride, Scale: 1}, second)
	input := func(at Mem) reg.VecVirtual {
		v := register()
		if fixed {
			VCVTDQ2PS(at, v)
		} else {
			VMOVUPS(at, v)
		}
		return mul(v, scale)
	}
	if wide {
		x := vectors{input(Mem{Base: in}), input(Mem{Base: second})}
		for half, set := range bitMasks(x, []Op{Mem{Base: words}, Mem{Base: words, Disp: 64}}) {
			KMOVW(set, Mem{Base: dst, Disp: 2 * half})
		}
	} else {
		packed := GP64()
		for half, base := range []reg.Register{in, second} {
			x, w := make(vectors, 2), make([]Op, 2)
			for i := range x {
				x[i], w[i] = input(Mem{Base: base, Disp: 32 * i}), Mem{Base: words, Disp: 64*half + 32*i}
			}
			for i, mask := range bit(x, w) {
				set := GP32()
				VMOVMSKPS(mask, set)
				if half+i == 0 {
					MOVL(set, packed.As32())
					continue
				}
				SHLL(Imm(uint64(16*half+8*i)), set)
				ORL(set, packed.As32())
			}
		}
		MOVL(packed.As32(), Mem{Base: dst})
	}
	ADDQ(Imm(4), dst)
	ADDQ(Imm(128), words)
	LEAQ(Mem{Base: second, Index: stride, Scale: 1}, in)
	DECQ(n)
	JMP(LabelRef(name + "Loop"))
	Label(name + "Done")
	VZEROUPPER()
	RET()
}

// bitMasks is bit for 512-bit vectors, whose comparisons give masks.
func bitMasks(x vectors, words []Op) []reg.OpmaskVirtual {
	e := exp2Up(x.each(func(i int) reg.VecVirtual { return binary(VMINPS, and(x[i], i32(1<<31-1)), f32(64)) }))
	zero := register()
	VPXORD(zero, zero, zero)
	masks := make([]reg.OpmaskVirtual, len(x))
	for i := range x {
		up, hit := K(), K()
		VCMPPS(Imm(0x1d), zero, x[i], up) // greater or equal, ordered
		word := register()
		VMOVDQU32(words[i], word)
		VPXORD(i32(1<<32-1), word, up, word) // the complement, where up
		f := add(toFloat(binary(VPMINUD, word, i32(1<<31-1))), f32(0.5))
		VCMPPS(Imm(0x11), f32(1<<32), mul(f, add(e[i], f32(1))), hit) // less, ordered
		masks[i] = K()
		KXORW(hit, up, masks[i])
	}
	return masks
}
