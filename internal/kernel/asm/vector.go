package main

import (
	"fmt"
	"log"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// function opens a function that takes pointers which do not escape and uses no more of the stack than a NOSPLIT
// function may.
func function(name, signature string, doc ...string) {
	TEXT(name, NOSPLIT, signature)
	Pragma("noescape")
	Doc(doc...)
}

// functionWithFrame is function for those that keep tables on the stack.
func functionWithFrame(name, signature string, doc ...string) {
	TEXT(name, 0, signature)
	Pragma("noescape")
	Doc(doc...)
}

// load reads a parameter into a general register.
func load(name string) reg.GPVirtual {
	r := GP64()
	Load(Param(name), r)
	return r
}

// broadcastParam reads a float32 parameter into every lane.
func broadcastParam(name string) reg.VecVirtual {
	p, err := Param(name).Resolve()
	if err != nil {
		log.Fatal(err)
	}
	r := register()
	VBROADCASTSS(p.Addr, r)
	return r
}

// wide makes the helpers below write 512-bit code: sixteen lanes instead of eight.
var wide bool

// suffix names the instruction set.
func suffix() string {
	if wide {
		return "AVX512"
	}
	return "AVX2"
}

// register is a fresh one of the present width.
func register() reg.VecVirtual {
	if wide {
		return ZMM()
	}
	return YMM()
}

// constants of the file being written, by bit pattern.
var constants = map[string]Mem{}

// i32 is a vector of copies of a 32-bit pattern in memory.
func i32(x uint32) Mem {
	lanes := 8
	if wide {
		lanes = 16
	}
	name := fmt.Sprintf("x%d_%08x", lanes, x)
	if m, ok := constants[name]; ok {
		return m
	}
	m := GLOBL(name, RODATA|NOPTR)
	for i := range lanes {
		DATA(4*i, U32(x))
	}
	constants[name] = m
	return m
}

// f32 is a vector of copies of a float32 in memory.
func f32(x float32) Mem { return i32(math.Float32bits(x)) }

// lanes32 is a vector of different numbers in memory.
func lanes32(x ...uint32) Mem {
	name := "lanes"
	for _, l := range x {
		name += fmt.Sprintf("_%x", l)
	}
	if m, ok := constants[name]; ok {
		return m
	}
	m := GLOBL(name, RODATA|NOPTR)
	for i, l := range x {
		DATA(4*i, U32(l))
	}
	constants[name] = m
	return m
}

// Arithmetic on fresh registers: the result of each is a new vector. The second operand may lie in memory.

func binary(op func(...Op), a, b Op) reg.VecVirtual {
	r := register()
	op(b, a, r)
	return r
}

func add(a, b Op) reg.VecVirtual  { return binary(VADDPS, a, b) }
func sub(a, b Op) reg.VecVirtual  { return binary(VSUBPS, a, b) }
func mul(a, b Op) reg.VecVirtual  { return binary(VMULPS, a, b) }
func div(a, b Op) reg.VecVirtual  { return binary(VDIVPS, a, b) }
func addi(a, b Op) reg.VecVirtual { return binary(VPADDD, a, b) }
func subi(a, b Op) reg.VecVirtual { return binary(VPSUBD, a, b) }

func xor(a, b Op) reg.VecVirtual {
	r := register()
	if wide {
		VPXORD(b, a, r)
	} else {
		VPXOR(b, a, r)
	}
	return r
}

func and(a, b Op) reg.VecVirtual {
	r := register()
	if wide {
		VPANDD(b, a, r)
	} else {
		VPAND(b, a, r)
	}
	return r
}

func shift(op func(...Op), n uint64, a Op) reg.VecVirtual {
	r := register()
	op(Imm(n), a, r)
	return r
}

// toFloat converts signed integers.
func toFloat(a Op) reg.VecVirtual {
	r := register()
	VCVTDQ2PS(a, r)
	return r
}

// vector loads a memory operand.
func vector(m Op) reg.VecVirtual {
	r := register()
	VMOVUPS(m, r)
	return r
}

// polynomial is the vector form of kernel.polynomial4, 8 and 9: Σ c_k x^k with a rounding after every product and
// every sum, in pairs and pairs of pairs.
func polynomial(x Op, c []float32) reg.VecVirtual {
	pair := func(k int) reg.VecVirtual { return add(mul(x, f32(c[k+1])), f32(c[k])) }
	x2 := mul(x, x)
	four := func(k int) reg.VecVirtual {
		high := mul(pair(k+2), x2)
		return add(pair(k), high)
	}
	if len(c) == 4 {
		return four(0)
	}
	low, high, x4 := four(0), four(4), mul(x2, x2)
	if len(c) == 9 {
		high = add(high, mul(x4, f32(c[8])))
	}
	return add(low, mul(high, x4))
}

// vectors are worked on in step, so that one's latency is hidden behind the others.
type vectors []reg.VecVirtual

// each makes as many vectors as v has.
func (v vectors) each(f func(i int) reg.VecVirtual) vectors {
	r := make(vectors, len(v))
	for i := range v {
		r[i] = f(i)
	}
	return r
}
