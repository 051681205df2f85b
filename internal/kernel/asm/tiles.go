package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func tiles() {
	tileRows("quantiseRowsAVX2", true)
	tileRows("narrowRowsAVX2", false)
	tileColumns("quantiseColumnsAVX2", true)
	tileColumns("narrowColumnsAVX2", false)
	quantiseFloats()
	absolutes()
	absoluteSums()
}

func absoluteSums() {
	function("absoluteSumsAVX2", "func(dst, src *float64, n int, sums *[4]float64)",
		"absoluteSumsAVX2 adds the absolute values of 4·n numbers to dst, and to sums in four",
		"lanes:",
		"\tfor j := range 4 * n {",
		"\t\tdst[j] += abs(src[j])",
		"\t\tsums[j%4] += abs(src[j])",
		"\t}")
	dst, src, n := load("dst"), load("src"), load("n")
	lanes, store := sums()
	mask := vector(i64(1<<63 - 1))
	loop("absoluteSums", n, 32, []reg.GPVirtual{dst, src}, func() {
		v := binary(VANDPD, mask, Mem{Base: src})
		VMOVUPD(addd(v, Mem{Base: dst}), Mem{Base: dst})
		VADDPD(v, lanes, lanes)
	})
	store()
	VZEROUPPER()
	RET()
}

// signature is that of the conversions: whole numbers are scaled, float32 are not.
func signature(whole bool) string {
	if whole {
		return "func(dst *int32, src *float64, stride, n int, scale float64)"
	}
	return "func(dst *float32, src *float64, stride, n int)"
}

// doc says what a conversion does to element k of the source.
func doc(name, what, limit, element string, whole bool) []string {
	convert := "float32(" + element + ")"
	if whole {
		convert = "int32(RoundToEven(" + element + " * scale))"
	}
	return []string{
		name + " " + what,
		"stride bytes apart, to rows of sixteen:",
		"\tfor i := range " + limit + " {",
		"\t\tfor j := range 16 {",
		"\t\t\tdst[16*i+j] = " + convert,
		"\t\t}",
		"\t}",
	}
}

// converter returns what turns four float64 into four numbers of half the size.
func converter(whole bool) func(at Mem) reg.VecVirtual {
	if !whole {
		return func(at Mem) reg.VecVirtual {
			r := XMM()
			VCVTPD2PSY(at, r)
			return r
		}
	}
	scale := broadcastDouble("scale")
	return func(at Mem) reg.VecVirtual {
		r := XMM()
		VCVTPD2DQY(binary(VMULPD, scale, at), r)
		return r
	}
}

func tileRows(name string, whole bool) {
	function(name, signature(whole), doc(name, "converts sixteen columns of rows, which are", "n", "src[i*stride/8+j]",
		whole)...)
	dst, src, stride, n := load("dst"), load("src"), load("stride"), load("n")
	convert := converter(whole)
	Label(name + "Loop")
	SUBQ(Imm(1), n)
	JLT(LabelRef(name + "Done"))
	for k := range 4 {
		VMOVUPS(convert(Mem{Base: src, Disp: 32 * k}), Mem{Base: dst, Disp: 16 * k})
	}
	ADDQ(stride, src)
	ADDQ(Imm(64), dst)
	JMP(LabelRef(name + "Loop"))
	Label(name + "Done")
	VZEROUPPER()
	RET()
}

func tileColumns(name string, whole bool) {
	function(name, signature(whole), doc(name, "transposes sixteen columns of 4·n numbers, which are", "4 * n",
		"src[j*stride/8+i]", whole)...)
	dst, src, stride, n := load("dst"), load("src"), load("stride"), load("n")
	convert := converter(whole)
	stride3 := GP64()
	LEAQ(Mem{Base: stride, Index: stride, Scale: 2}, stride3)
	Label(name + "Loop")
	SUBQ(Imm(1), n)
	JLT(LabelRef(name + "Done"))
	from := GP64()
	MOVQ(src, from)
	for k := range 4 {
		r := [4]reg.VecVirtual{
			convert(Mem{Base: from}), convert(Mem{Base: from, Index: stride, Scale: 1}),
			convert(Mem{Base: from, Index: stride, Scale: 2}), convert(Mem{Base: from, Index: stride3, Scale: 1}),
		}
		pair := func(op func(...Op), a, b reg.VecVirtual) reg.VecVirtual {
			x := XMM()
			op(b, a, x)
			return x
		}
		l0, h0 := pair(VUNPCKLPS, r[0], r[1]), pair(VUNPCKHPS, r[0], r[1])
		l1, h1 := pair(VUNPCKLPS, r[2], r[3]), pair(VUNPCKHPS, r[2], r[3])
		for i, x := range []reg.VecVirtual{pair(VUNPCKLPD, l0, l1), pair(VUNPCKHPD, l0, l1), pair(VUNPCKLPD, h0, h1),
			pair(VUNPCKHPD, h0, h1)} {
			VMOVUPS(x, Mem{Base: dst, Disp: 64*i + 16*k})
		}
		if k < 3 {
			LEAQ(Mem{Base: from, Index: stride, Scale: 4}, from)
		}
	}
	ADDQ(Imm(32), src)
	ADDQ(U32(256), dst)
	JMP(LabelRef(name + "Loop"))
	Label(name + "Done")
	VZEROUPPER()
	RET()
}

func quantiseFloats() {
	function("quantiseFloatsAVX2", "func(dst *int32, src *float32, stride, n int, scale float32)",
		"quantiseFloatsAVX2 converts sixteen columns of rows of float32, which are stride bytes",
		"apart, to rows of sixteen whole numbers:",
		"\tfor i := range n {",
		"\t\tfor j := range 16 {",
		"\t\t\tdst[16*i+j] = int32(RoundToEven(src[i*stride/4+j] * scale))",
		"\t\t}",
		"\t}")
	dst, src, stride, n := load("dst"), load("src"), load("stride"), load("n")
	scale := broadcastParam("scale")
	Label("floats")
	SUBQ(Imm(1), n)
	JLT(LabelRef("floatsDone"))
	for k := range 2 {
		r := YMM()
		VCVTPS2DQ(mul(scale, Mem{Base: src, Disp: 32 * k}), r)
		VMOVDQU(r, Mem{Base: dst, Disp: 32 * k})
	}
	ADDQ(stride, src)
	ADDQ(Imm(64), dst)
	JMP(LabelRef("floats"))
	Label("floatsDone")
	VZEROUPPER()
	RET()
}

func absolutes() {
	for _, f := range []struct {
		name, what, body string
		op               func(...Op)
	}{
		{"addAbsAVX2", "adds the absolute values of 4·n numbers to dst:", "dst[j] += abs(src[j])", VADDPD},
		{"maxAbsAVX2", "raises dst to the absolute values of 4·n numbers:", "dst[j] = max(dst[j], abs(src[j]))",
			VMAXPD},
	} {
		function(f.name, "func(dst, src *float64, n int)",
			f.name+" "+f.what,
			"\tfor j := range 4 * n {",
			"\t\t"+f.body,
			"\t}")
		dst, src, n := load("dst"), load("src"), load("n")
		Label(f.name + "Loop")
		SUBQ(Imm(1), n)
		JLT(LabelRef(f.name + "Done"))
		v := vector(Mem{Base: src})
		VANDPD(i64(1<<63-1), v, v)
		// With an operand that is not a number VMAXPD gives the second, here v.
		r := YMM()
		f.op(v, vector(Mem{Base: dst}), r)
		VMOVUPS(r, Mem{Base: dst})
		ADDQ(Imm(32), src)
		ADDQ(Imm(32), dst)
		JMP(LabelRef(f.name + "Loop"))
		Label(f.name + "Done")
		VZEROUPPER()
		RET()
	}
}
