package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// i64 is a vector of copies of a 64-bit pattern in memory.
func i64(x uint64) Mem {
	lanes := 4
	if wide {
		lanes = 8
	}
	name := fmt.Sprintf("x%d_%016x", lanes, x)
	if m, ok := constants[name]; ok {
		return m
	}
	m := GLOBL(name, RODATA|NOPTR)
	for i := range lanes {
		DATA(8*i, U64(x))
	}
	constants[name] = m
	return m
}

// f64 is a vector of copies of a float64 in memory.
func f64(x float64) Mem { return i64(math.Float64bits(x)) }

func latent() {
	for _, wide = range []bool{false, true} {
		fold()
		coshTotal()
		for nodes := 8; nodes <= 32; nodes += 8 {
			coshProduct(nodes)
		}
	}
	wide = false
	mixtureProduct()
	addTimes()
}

// addTimes shifts fields along an axis.
func addTimes() {
	function("addTimesAVX2", "func(dst, x, w *float64, s float64, n int)",
		"addTimesAVX2 sets 8·n numbers:",
		"\tfor i := range 8 * n {",
		"\t\tdst[i] = x[i] + s*w[i]",
		"\t}")
	dst, x, w, n := load("dst"), load("x"), load("w"), load("n")
	s := broadcastDouble("s")
	Label("addTimes")
	SUBQ(Imm(1), n)
	JLT(LabelRef("addTimesDone"))
	for k := range 2 {
		shift := binary(VMULPD, s, Mem{Base: w, Disp: 32 * k})
		VMOVUPD(binary(VADDPD, shift, Mem{Base: x, Disp: 32 * k}), Mem{Base: dst, Disp: 32 * k})
	}
	for _, p := range []reg.Register{dst, x, w} {
		ADDQ(Imm(64), p)
	}
	JMP(LabelRef("addTimes"))
	Label("addTimesDone")
	VZEROUPPER()
	RET()
}

// exp2Double is the vector form of kernel.exp2Double, of several vectors in step.
func exp2Double(d vectors) vectors {
	d = d.each(func(i int) reg.VecVirtual { return binary(VMAXPD, d[i], f64(-1000)) })
	// Adding 1.5·2^52 rounds to whole numbers, which the lowest bits then hold.
	const magic = 3 << 51
	n := d.each(func(i int) reg.VecVirtual { return binary(VADDPD, d[i], f64(magic)) })
	f := d.each(func(i int) reg.VecVirtual { return binary(VSUBPD, n[i], f64(magic)) })
	f = d.each(func(i int) reg.VecVirtual { return binary(VSUBPD, d[i], f[i]) })
	p := d.each(func(int) reg.VecVirtual { return vector(f64(exp2Taylor(12))) })
	for k := 11; k >= 0; k-- {
		for i := range p {
			VFMADD213PD(f64(exp2Taylor(k)), f[i], p[i])
		}
	}
	return d.each(func(i int) reg.VecVirtual { return binary(VPADDQ, p[i], shift(VPSLLQ, 52, n[i])) })
}

// exp2Taylor is (log 2)^k/k!.
func exp2Taylor(k int) float64 {
	c := 1.0
	for i := 1; i <= k; i++ {
		c *= math.Ln2 / float64(i)
	}
	return c
}

// fields are loaded side by side, two vectors of them.
type fieldPair struct {
	value, sign, size vectors
}

func loadFields(x reg.Register) (f fieldPair) {
	f.value = make(vectors, 2)
	for i := range f.value {
		f.value[i] = vector(Mem{Base: x, Disp: i * width()})
	}
	f.sign = f.value.each(func(i int) reg.VecVirtual { return and(f.value[i], i64(1<<63)) })
	f.size = f.value.each(func(i int) reg.VecVirtual { return xor(f.value[i], f.sign[i]) })
	return f
}

// width is the size of a vector in bytes.
func width() int {
	if wide {
		return 64
	}
	return 32
}

// addLanes adds vectors to sums of four lanes, in the order of their elements.
func addLanes(sums reg.VecVirtual, vs vectors) {
	for _, v := range vs {
		if !wide {
			VADDPD(v, sums, sums)
			continue
		}
		VADDPD(v.AsY(), sums, sums)
		high := YMM()
		VEXTRACTF64X4(Imm(1), v, high)
		VADDPD(high, sums, sums)
	}
}

// ymm loads four numbers whatever the present width.
func ymm(m Mem) reg.VecVirtual {
	r := YMM()
	VMOVUPS(m, r)
	return r
}

// negativeRate reads the rate of fold and the like into every lane, with a minus sign.
func negativeRate() reg.VecVirtual {
	rate := broadcastDouble("rate")
	return xor(rate, i64(1<<63))
}

func fold() {
	name := "fold" + suffix()
	lanes := width() / 4
	function(name, "func(e *float64, rows *uint32, x, w *float64, sums *[12]float64, rate float64, n int)",
		fmt.Sprintf("%s reduces %d·n fields to their absolute values, with sums in four lanes:", name, lanes),
		fmt.Sprintf("\tfor i := range %d * n {", lanes),
		"\t\tnegative := signbit(x[i])",
		"\t\te[i] = exp2Double(-rate * abs(x[i]))",
		"\t\trows[i] = 2*i + negative",
		"\t\tsums[i%4] += abs(x[i])",
		"\t\tsums[4+i%4] += negative ? -w[i] : w[i]",
		"\t\tsums[8+i%4] += x[i]",
		"\t}")
	e, rows, x, w, sums, n := load("e"), load("rows"), load("x"), load("w"), load("sums"), load("n")
	rate := negativeRate()
	s := [3]reg.VecVirtual{ymm(Mem{Base: sums}), ymm(Mem{Base: sums, Disp: 32}), ymm(Mem{Base: sums, Disp: 64})}
	// Rows of two vectors: the high halves of eight doubles, or of sixteen, side by side.
	index := vector(lanes32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30))
	Label("fold")
	SUBQ(Imm(1), n)
	JLT(LabelRef("folded"))
	f := loadFields(x)
	addLanes(s[0], f.size)
	signed := f.sign.each(func(i int) reg.VecVirtual { return xor(f.sign[i], Mem{Base: w, Disp: i * width()}) })
	addLanes(s[1], signed)
	addLanes(s[2], f.value)
	storeRows(rows, index, f.sign)
	exps := exp2Double(f.size.each(func(i int) reg.VecVirtual { return binary(VMULPD, f.size[i], rate) }))
	for i, v := range exps {
		VMOVUPS(v, Mem{Base: e, Disp: i * width()})
	}
	VPADDD(i32(uint32(2*lanes)), index, index)
	for _, p := range []reg.Register{e, x, w} {
		ADDQ(Imm(uint64(8*lanes)), p)
	}
	ADDQ(Imm(uint64(4*lanes)), rows)
	JMP(LabelRef("fold"))
	Label("folded")
	for i, v := range s {
		VMOVUPS(v, Mem{Base: sums, Disp: 32 * i})
	}
	VZEROUPPER()
	RET()
}

// storeRows writes index plus one where the sign is set.
func storeRows(rows reg.Register, index reg.VecVirtual, sign vectors) {
	var signs reg.VecVirtual
	if wide {
		signs = ZMM()
		high := YMM()
		VPMOVQD(shift(VPSRLQ, 63, sign[0]), signs.AsY())
		VPMOVQD(shift(VPSRLQ, 63, sign[1]), high)
		VINSERTI64X4(Imm(1), high, signs, signs)
	} else {
		both := YMM()
		VSHUFPS(Imm(0xdd), sign[1], sign[0], both) // 0 1 4 5 2 3 6 7
		VPERMQ(Imm(0xd8), both, both)
		signs = shift(VPSRLD, 31, both)
	}
	r := addi(index, signs)
	if wide {
		VMOVDQU32(r, Mem{Base: rows})
	} else {
		VMOVDQU(r, Mem{Base: rows})
	}
}

// coshTotal is fold and the product at the node zero in one.
func coshTotal() {
	name := "coshTotal" + suffix()
	lanes := width() / 4
	function(name, "func(product *float64, exponent *int64, e, x *float64, sums *[12]float64, rate float64, n int)",
		fmt.Sprintf("%s multiplies %d·n factors, with sums in four lanes. After every eighth unit the", name, lanes),
		"exponent bits of the product are moved to exponent; e is scratch:",
		fmt.Sprintf("\tfor i := range %d * n {", lanes),
		"\t\t*product *= exp2Double(-rate*abs(x[i])) + 1",
		"\t\tsums[i%4] += abs(x[i])",
		"\t\tsums[8+i%4] += x[i]",
		"\t}")
	product, exponent, e, x, sums, n := load("product"), load("exponent"), load("e"), load("x"), load("sums"), load("n")
	rate := negativeRate()
	sizes, values := ymm(Mem{Base: sums}), ymm(Mem{Base: sums, Disp: 64})
	p, count := XMM(), XMM()
	VMOVSD(Mem{Base: product}, p)
	VMOVQ(Mem{Base: exponent}, count)
	mask, one := XMM(), XMM()
	VMOVDQU(i64(1<<52-1), mask)
	VMOVDQU(f64(1), one)
	Label("total")
	SUBQ(Imm(1), n)
	JLT(LabelRef("totalDone"))
	f := loadFields(x)
	addLanes(sizes, f.size)
	addLanes(values, f.value)
	exps := exp2Double(f.size.each(func(i int) reg.VecVirtual { return binary(VMULPD, f.size[i], rate) }))
	for i, v := range exps {
		VMOVUPS(binary(VADDPD, v, f64(1)), Mem{Base: e, Disp: i * width()})
	}
	for k := range lanes {
		VMULSD(Mem{Base: e, Disp: 8 * k}, p, p)
		if k%8 == 7 {
			bits := XMM()
			VPSRLQ(Imm(52), p, bits)
			VPADDQ(bits, count, count)
			VPAND(mask, p, p)
			VPOR(one, p, p)
		}
	}
	ADDQ(Imm(uint64(8*lanes)), x)
	ADDQ(Imm(uint64(8*lanes)), e)
	JMP(LabelRef("total"))
	Label("totalDone")
	VMOVSD(p, Mem{Base: product})
	VMOVQ(count, Mem{Base: exponent})
	VMOVUPS(sizes, Mem{Base: sums})
	VMOVUPS(values, Mem{Base: sums, Disp: 64})
	VZEROUPPER()
	RET()
}

// nodeProduct is a product over units at some nodes, with the exponents summed apart.
type nodeProduct struct{ product, exponent vectors }

func newNodeProduct(nodes int) (p nodeProduct) {
	n := 8 * nodes / width()
	p.product, p.exponent = make(vectors, n), make(vectors, n)
	for i := range n {
		p.product[i] = vector(f64(1))
		p.exponent[i] = register()
		if wide {
			VPXORQ(p.exponent[i], p.exponent[i], p.exponent[i])
		} else {
			VPXOR(p.exponent[i], p.exponent[i], p.exponent[i])
		}
	}
	return p
}

// normalise moves the exponents of the products to their sums.
func (p nodeProduct) normalise() {
	for i, v := range p.product {
		VPADDQ(shift(VPSRLQ, 52, v), p.exponent[i], p.exponent[i])
		if wide {
			VPANDQ(i64(1<<52-1), v, v)
			VPORQ(f64(1), v, v)
		} else {
			VPAND(i64(1<<52-1), v, v)
			VPOR(f64(1), v, v)
		}
	}
}

func (p nodeProduct) store(product, exponent reg.Register) {
	for i := range p.product {
		VMOVUPS(p.product[i], Mem{Base: product, Disp: i * width()})
		VMOVUPS(p.exponent[i], Mem{Base: exponent, Disp: i * width()})
	}
}

// everyEight runs step for n units and normalises after each eighth and at the end.
func (p nodeProduct) everyEight(name string, n reg.GPVirtual, step func()) {
	left := GP64()
	Label(name + "Eight")
	MOVQ(U32(8), left)
	CMPQ(n, left)
	CMOVQLT(n, left)
	SUBQ(left, n)
	Label(name + "Unit")
	SUBQ(Imm(1), left)
	JLT(LabelRef(name + "Normalise"))
	step()
	JMP(LabelRef(name + "Unit"))
	Label(name + "Normalise")
	p.normalise()
	TESTQ(n, n)
	JNZ(LabelRef(name + "Eight"))
}

func coshProduct(nodes int) {
	if !wide && nodes == 32 {
		return // more than there are registers
	}
	name := fmt.Sprintf("coshProduct%d%s", nodes, suffix())
	function(name, "func(product *float64, exponent *int64, e *float64, rows *uint32, table *float64, stride, n int)",
		fmt.Sprintf("%s multiplies factors at %d nodes; rows of the table are stride bytes", name, nodes),
		"apart. After every eighth unit and at the end the exponent bits of the products are",
		"moved to exponent:",
		"\tfor i := range n {",
		fmt.Sprintf("\t\tfor g := range %d {", nodes),
		"\t\t\tproduct[g] *= fma(e[i], table[rows[i]*stride/8+g], 1)",
		"\t\t}",
		"\t}")
	product, exponent, e, rows, table := load("product"), load("exponent"), load("e"), load("rows"), load("table")
	stride, n := load("stride"), load("n")
	p := newNodeProduct(nodes)
	one := vector(f64(1))
	p.everyEight("cosh", n, func() {
		at := GP64()
		MOVL(Mem{Base: rows}, at.As32())
		IMULQ(stride, at)
		ADDQ(Imm(4), rows)
		x := register()
		VBROADCASTSD(Mem{Base: e}, x)
		ADDQ(Imm(8), e)
		for i, v := range p.product {
			f := register()
			VMOVUPS(Mem{Base: table, Index: at, Scale: 1, Disp: i * width()}, f)
			VFMADD213PD(one, x, f)
			VMULPD(f, v, v)
		}
	})
	p.store(product, exponent)
	VZEROUPPER()
	RET()
}

func mixtureProduct() {
	function("mixtureProductAVX2", "func(product *float64, exponent *int64, e, table *float64, stride, q, n int)",
		"mixtureProductAVX2 multiplies sums over states at sixteen nodes; rows of the table are",
		"stride bytes apart. After every eighth unit and at the end the exponent bits of the",
		"products are moved to exponent:",
		"\tfor i := range n {",
		"\t\tfor g := range 16 {",
		"\t\t\tsum := 0",
		"\t\t\tfor a := range q {",
		"\t\t\t\tsum = fma(e[i*q+a], table[(i*q+a)*stride/8+g], sum)",
		"\t\t\t}",
		"\t\t\tproduct[g] *= sum",
		"\t\t}",
		"\t}")
	product, exponent, e, table := load("product"), load("exponent"), load("e"), load("table")
	stride, q, n := load("stride"), load("q"), load("n")
	p := newNodeProduct(16)
	p.everyEight("mixture", n, func() {
		left := GP64()
		MOVQ(q, left)
		var sums [4]reg.VecVirtual
		for i := range sums {
			sums[i] = YMM()
			VXORPD(sums[i], sums[i], sums[i])
		}
		Label("state")
		x := YMM()
		VBROADCASTSD(Mem{Base: e}, x)
		for i, s := range sums {
			VFMADD231PD(Mem{Base: table, Disp: 32 * i}, x, s)
		}
		ADDQ(Imm(8), e)
		ADDQ(stride, table)
		DECQ(left)
		JNZ(LabelRef("state"))
		for i, v := range p.product {
			VMULPD(sums[i], v, v)
		}
	})
	p.store(product, exponent)
	VZEROUPPER()
	RET()
}
