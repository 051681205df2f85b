package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func density() {
	cubics()
	addParabola()
	subtractMax()
	exponentials()
	pieceMasses()
}

// loop runs step n times and advances the pointers by the given number of bytes each time.
func loop(name string, n reg.GPVirtual, bytes uint64, pointers []reg.GPVirtual, step func()) {
	Label(name)
	SUBQ(Imm(1), n)
	JLT(LabelRef(name + "Done"))
	step()
	for _, p := range pointers {
		ADDQ(Imm(bytes), p)
	}
	JMP(LabelRef(name))
	Label(name + "Done")
}

func end() {
	VZEROUPPER()
	RET()
}

func cubics() {
	function("cubicsAVX2", "func(dst, node, weights *float64, subdivision, n int)",
		"cubicsAVX2 interpolates by n cubics through four nodes, each at a multiple of four points:",
		"\tfor j := range n {",
		"\t\tfor m := range subdivision {",
		"\t\t\tw := weights[m:]",
		"\t\t\tdst[j*subdivision+m] = w[0]*node[j] + w[subdivision]*node[j+1] +",
		"\t\t\t\tw[2*subdivision]*node[j+2] + w[3*subdivision]*node[j+3]",
		"\t\t}",
		"\t}")
	dst, node, weights, subdivision, n := load("dst"), load("node"), load("weights"), load("subdivision"), load("n")
	row := GP64()
	MOVQ(subdivision, row)
	SHLQ(Imm(3), row)
	loop("cubic", n, 8, []reg.GPVirtual{node}, func() {
		var p [4]reg.VecVirtual
		for k := range p {
			p[k] = YMM()
			VBROADCASTSD(Mem{Base: node, Disp: 8 * k}, p[k])
		}
		w, last := GP64(), GP64()
		MOVQ(weights, w)
		LEAQ(Mem{Base: weights, Index: row, Scale: 1}, last)
		Label("points")
		at := GP64()
		MOVQ(w, at)
		sum := binary(VMULPD, p[0], Mem{Base: at})
		for k := 1; k < 4; k++ {
			ADDQ(row, at)
			sum = binary(VADDPD, sum, binary(VMULPD, p[k], Mem{Base: at}))
		}
		VMOVUPS(sum, Mem{Base: dst})
		ADDQ(Imm(32), dst)
		ADDQ(Imm(32), w)
		CMPQ(w, last)
		JNE(LabelRef("points"))
	})
	end()
}

func addParabola() {
	function("addParabolaAVX2", "func(dst, parameters *float64, n int)",
		"addParabolaAVX2 adds the potential of a unit at 4·n points; the parameters are lo, step,",
		"origin, d, γ+, θ+, γ−, θ−, four copies each:",
		"\tfor k := range 4 * n {",
		"\t\tx := origin + (lo+k*step)*d",
		"\t\tdst[k] += x >= 0 ? (γ+*x/2+θ+)*x : (γ−*x/2+θ−)*x",
		"\t}")
	dst, parameters, n := load("dst"), load("parameters"), load("n")
	var p [8]reg.VecVirtual
	for k := range p {
		p[k] = vector(Mem{Base: parameters, Disp: 32 * k})
	}
	index := vector(lanes64(0, 1, 2, 3))
	loop("parabola", n, 32, []reg.GPVirtual{dst}, func() {
		s := binary(VADDPD, p[0], binary(VMULPD, index, p[1]))
		x := binary(VADDPD, p[2], binary(VMULPD, s, p[3]))
		right := YMM()
		VCMPPD(Imm(0x1d), vector(f64(0)), x, right) // x ≥ 0
		gamma, theta := YMM(), YMM()
		VBLENDVPD(right, p[4], p[6], gamma)
		VBLENDVPD(right, p[5], p[7], theta)
		u := binary(VMULPD, binary(VMULPD, gamma, x), f64(0.5))
		u = binary(VMULPD, binary(VADDPD, u, theta), x)
		VMOVUPS(binary(VADDPD, u, Mem{Base: dst}), Mem{Base: dst})
		VADDPD(f64(4), index, index)
	})
	end()
}

// lanes64 is a vector of four numbers in memory.
func lanes64(x ...float64) Mem {
	var words []uint32
	for _, l := range x {
		b := math.Float64bits(l)
		words = append(words, uint32(b), uint32(b>>32))
	}
	return lanes32(words...)
}

func subtractMax() {
	function("subtractMaxAVX2", "func(top *[4]float64, level, potential *float64, n int)",
		"subtractMaxAVX2 subtracts at 4·n points, and finds the largest of each lane:",
		"\tfor k := range 4 * n {",
		"\t\tlevel[k] -= potential[k]",
		"\t\ttop[k%4] = max(top[k%4], level[k])",
		"\t}")
	top, level, potential, n := load("top"), load("level"), load("potential"), load("n")
	t := vector(Mem{Base: top})
	loop("subtract", n, 32, []reg.GPVirtual{level, potential}, func() {
		x := binary(VSUBPD, vector(Mem{Base: level}), Mem{Base: potential})
		VMOVUPS(x, Mem{Base: level})
		VMAXPD(t, x, t) // a NaN in x leaves t
	})
	VMOVUPS(t, Mem{Base: top})
	end()
}

// Constants of kernel.expDouble.
var expTaylor = []float64{
	1, 0.5, 1.6666666666666666667e-1, 4.1666666666666666667e-2, 8.3333333333333333333e-3, 1.3888888888888888889e-3,
	1.9841269841269841270e-4, 2.4801587301587301587e-5,
}

const (
	ln2High = 0.69314718055966295651160180568695068359375
	ln2Low  = 0.28235290563031577122588448175013436025525412068e-12
)

// expDouble is the vector form of kernel.expDouble, of several vectors in step.
func expDouble(x vectors) vectors {
	const magic = 3 << 51
	n := x.each(func(i int) reg.VecVirtual {
		return binary(VADDPD, binary(VMULPD, x[i], f64(math.Log2E)), f64(magic))
	})
	f := x.each(func(i int) reg.VecVirtual {
		whole := binary(VSUBPD, n[i], f64(magic))
		f := YMM()
		VMOVAPD(x[i], f)
		VFNMADD231PD(f64(ln2High), whole, f)
		VFNMADD231PD(f64(ln2Low), whole, f)
		return binary(VMULPD, f, f64(0.0625))
	})
	top := len(expTaylor) - 1
	p := x.each(func(int) reg.VecVirtual { return vector(f64(expTaylor[top])) })
	for k := top - 1; k >= 0; k-- {
		for i := range p {
			VFMADD213PD(f64(expTaylor[k]), f[i], p[i])
		}
	}
	f = x.each(func(i int) reg.VecVirtual { return binary(VMULPD, f[i], p[i]) })
	for range 3 {
		f = x.each(func(i int) reg.VecVirtual { return binary(VMULPD, f[i], binary(VADDPD, f[i], f64(2))) })
	}
	return x.each(func(i int) reg.VecVirtual {
		two := binary(VADDPD, f[i], f64(2))
		VFMADD213PD(f64(1), two, f[i])
		return binary(VPADDQ, f[i], shift(VPSLLQ, 52, n[i]))
	})
}

func exponentials() {
	function("exponentialsAVX2", "func(height, level *float64, top, negligible float64, n int)",
		"exponentialsAVX2 turns 8·n levels into heights:",
		"\tfor k := range 8 * n {",
		"\t\tif level[k] -= top; level[k] > negligible {",
		"\t\t\theight[k] = expDouble(level[k])",
		"\t\t} else {",
		"\t\t\tlevel[k], height[k] = -Inf, 0",
		"\t\t}",
		"\t}")
	height, level, n := load("height"), load("level"), load("n")
	top, least := broadcastDouble("top"), broadcastDouble("negligible")
	loop("exponential", n, 64, []reg.GPVirtual{height, level}, func() {
		x := make(vectors, 2)
		for i := range x {
			x[i] = binary(VSUBPD, vector(Mem{Base: level, Disp: 32 * i}), top)
		}
		keep := x.each(func(i int) reg.VecVirtual {
			r := YMM()
			VCMPPD(Imm(0x1e), least, x[i], r) // x > least
			none := vector(f64(math.Inf(-1)))
			VBLENDVPD(r, x[i], none, none)
			VMOVUPS(none, Mem{Base: level, Disp: 32 * i})
			return r
		})
		for i, e := range expDouble(x) {
			VMOVUPS(and(e, keep[i]), Mem{Base: height, Disp: 32 * i})
		}
	})
	end()
}

func pieceMasses() {
	function("piecesAVX2", "func(mass, level, height *float64, step float64, n int)",
		"piecesAVX2 integrates 4·n pieces:",
		"\tfor k := range 4 * n {",
		"\t\ta, b, d := height[k], height[k+1], level[k+1]-level[k]",
		"\t\tmass[k] = a == 0 || b == 0 ? 0 : abs(d) < 1e-4 ? step*(a+b)/2*(1-d*d/12) : step*(b-a)/d",
		"\t}")
	mass, level, height, n := load("mass"), load("level"), load("height"), load("n")
	step := broadcastDouble("step")
	loop("piece", n, 32, []reg.GPVirtual{mass, level, height}, func() {
		a, b := vector(Mem{Base: height}), vector(Mem{Base: height, Disp: 8})
		d := binary(VSUBPD, vector(Mem{Base: level, Disp: 8}), Mem{Base: level})
		flat := YMM()
		VCMPPD(Imm(0x11), vector(f64(1e-4)), and(d, i64(1<<63-1)), flat) // |d| < 1e-4
		over, under := YMM(), YMM()
		VBLENDVPD(flat, binary(VMULPD, d, d), binary(VMULPD, step, binary(VSUBPD, b, a)), over)
		VBLENDVPD(flat, vector(f64(12)), d, under)
		ratio := binary(VDIVPD, over, under)
		mean := binary(VMULPD, binary(VMULPD, step, binary(VADDPD, a, b)), f64(0.5))
		mean = binary(VMULPD, mean, binary(VSUBPD, vector(f64(1)), ratio))
		r := YMM()
		VBLENDVPD(flat, mean, ratio, r)
		for _, h := range []reg.VecVirtual{a, b} {
			positive := YMM()
			VCMPPD(Imm(0x0c), vector(f64(0)), h, positive) // h ≠ 0
			r = and(r, positive)
		}
		VMOVUPS(r, Mem{Base: mass})
	})
	end()
}
