package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func nade() {
	for _, w := range []bool{false, true} {
		wide = w
		nadeOutput()
		nadeInput()
		nadeBack()
		adamFloats()
	}
	wide = false
}

// perTile is the number of vectors in sixteen lanes.
func perTile() int {
	if wide {
		return 1
	}
	return 2
}

func broadcast(m Mem) reg.VecVirtual {
	r := register()
	VBROADCASTSS(m, r)
	return r
}

func nadeOutput() {
	name := "nadeOutput" + suffix()
	function(name, "func(z, a, v *float32, fours int)",
		name+" adds what one output gets from 4·fours rectified hidden units, in sixteen",
		"lanes, with four sums:",
		"\tfor j := range 4 * fours {",
		"\t\tfor c := range 16 {",
		"\t\t\tsums[j%4][c] = fma(v[j], max(a[16*j+c], 0), sums[j%4][c])",
		"\t\t}",
		"\t}",
		"\tz += (sums[0] + sums[1]) + (sums[2] + sums[3])")
	z, a, v, n := load("z"), load("a"), load("v"), load("fours")
	zero := vector(i32(0))
	var sums [4][2]reg.VecVirtual
	for k := range sums {
		for l := range perTile() {
			sums[k][l] = vector(i32(0))
		}
	}
	width := 64 / perTile()
	loop(name, n, 16, []reg.GPVirtual{v}, func() {
		for k := range sums {
			w := broadcast(Mem{Base: v, Disp: 4 * k})
			for l := range perTile() {
				r := binary(VMAXPS, vector(Mem{Base: a, Disp: 64*k + width*l}), zero)
				VFMADD231PS(r, w, sums[k][l])
			}
		}
		ADDQ(U32(256), a)
	})
	for l := range perTile() {
		sum := add(add(sums[0][l], sums[1][l]), add(sums[2][l], sums[3][l]))
		at := Mem{Base: z, Disp: width * l}
		VMOVUPS(add(sum, at), at)
	}
	end()
}

func nadeInput() {
	name := "nadeInput" + suffix()
	function(name, "func(a, w, x *float32, fours int)",
		name+" adds what 4·fours hidden units get from one input, in sixteen lanes:",
		"\tfor j := range 4 * fours {",
		"\t\tfor c := range 16 {",
		"\t\t\ta[16*j+c] = fma(w[j], x[c], a[16*j+c])",
		"\t\t}",
		"\t}")
	a, w, x, n := load("a"), load("w"), load("x"), load("fours")
	width := 64 / perTile()
	var from [2]reg.VecVirtual
	for l := range perTile() {
		from[l] = vector(Mem{Base: x, Disp: width * l})
	}
	loop(name, n, 16, []reg.GPVirtual{w}, func() {
		for k := range 4 {
			weight := broadcast(Mem{Base: w, Disp: 4 * k})
			for l := range perTile() {
				at := Mem{Base: a, Disp: 64*k + width*l}
				sum := vector(at)
				VFMADD231PS(from[l], weight, sum)
				VMOVUPS(sum, at)
			}
		}
		ADDQ(U32(256), a)
	})
	end()
}

func nadeBack() {
	name := "nadeBack" + suffix()
	hidden := "8"
	if wide {
		hidden = "16"
	}
	function(name, "func(a, grad, w, v, dw, dv *float32, stride int, x, e *float32, units, in, out int)",
		name+" goes back through the units of four configurations, for "+hidden+" hidden units.",
		"Rows of a, grad, w, v, dw and dv are stride bytes apart, those of x and e sixteen numbers; w,",
		"v, dw, dv, x and e point to their last rows:",
		"\tfor range units {",
		"\t\tfor range in {",
		"\t\t\tfor c := range 4 {",
		"\t\t\t\tdw[j] = fma(x[c], grad[c][j], dw[j])",
		"\t\t\t\ta[c][j] = fma(-x[c], w[j], a[c][j])",
		"\t\t\t}",
		"\t\t\tw, dw, x = the rows before",
		"\t\t}",
		"\t\tfor range out {",
		"\t\t\tfor c := range 4 {",
		"\t\t\t\tdv[j] = fma(e[c], max(a[c][j], 0), dv[j])",
		"\t\t\t\tgrad[c][j] = fma(e[c], v[j] if a[c][j] > 0 else 0, grad[c][j])",
		"\t\t\t}",
		"\t\t\tv, dv, e = the rows before",
		"\t\t}",
		"\t}")
	const rows = 4
	zero := vector(i32(0))
	stride := load("stride")
	var as, gs [rows]reg.VecVirtual
	at := load("a")
	for c := range rows {
		as[c] = vector(Mem{Base: at})
		ADDQ(stride, at)
	}
	at = load("grad")
	for c := range rows {
		gs[c] = vector(Mem{Base: at})
		ADDQ(stride, at)
	}
	w, v, dw, dv, x, e := load("w"), load("v"), load("dw"), load("dv"), load("x"), load("e")
	units, left := load("units"), GP64()
	Label(name + "Unit")
	SUBQ(Imm(1), units)
	JLT(LabelRef(name + "Done"))
	Load(Param("in"), left)
	Label(name + "Input")
	weights, sum := vector(Mem{Base: w}), vector(Mem{Base: dw})
	for c := range rows {
		b := broadcast(Mem{Base: x, Disp: 4 * c})
		VFMADD231PS(gs[c], b, sum)
		VFNMADD231PS(weights, b, as[c])
	}
	VMOVUPS(sum, Mem{Base: dw})
	SUBQ(stride, w)
	SUBQ(stride, dw)
	SUBQ(Imm(64), x)
	DECQ(left)
	JNZ(LabelRef(name + "Input"))
	Load(Param("out"), left)
	Label(name + "Output")
	weights, sum = vector(Mem{Base: v}), vector(Mem{Base: dv})
	for c := range rows {
		b := broadcast(Mem{Base: e, Disp: 4 * c})
		r := binary(VMAXPS, as[c], zero)
		VFMADD231PS(r, b, sum)
		seen := register()
		if wide {
			k := K()
			VCMPPS(Imm(14), zero, as[c], k) // greater
			VMOVUPS_Z(weights, k, seen)
		} else {
			VCMPPS(Imm(14), zero, as[c], seen)
			VANDPS(weights, seen, seen)
		}
		VFMADD231PS(seen, b, gs[c])
	}
	VMOVUPS(sum, Mem{Base: dv})
	SUBQ(stride, v)
	SUBQ(stride, dv)
	SUBQ(Imm(64), e)
	DECQ(left)
	JNZ(LabelRef(name + "Output"))
	JMP(LabelRef(name + "Unit"))
	Label(name + "Done")
	at = load("a")
	for c := range rows {
		VMOVUPS(as[c], Mem{Base: at})
		ADDQ(stride, at)
	}
	at = load("grad")
	for c := range rows {
		VMOVUPS(gs[c], Mem{Base: at})
		ADDQ(stride, at)
	}
	end()
}

func adamFloats() {
	name := "adamFloats" + suffix()
	function(name, "func(theta, grad, m, s *float32, n int, scale, keep1, take1, keep2, take2, rate, correct, epsilon float32)",
		name+" makes a step of descent with 16·n parameters:",
		"\tfor i := range 16 * n {",
		"\t\tx := grad[i] * scale",
		"\t\tm[i] = keep1*m[i] + take1*x",
		"\t\ts[i] = keep2*s[i] + take2*x*x",
		"\t\ttheta[i] -= rate * m[i] / (sqrt(correct*s[i]) + epsilon)",
		"\t}")
	theta, g, m, s, n := load("theta"), load("grad"), load("m"), load("s"), load("n")
	scale, keep1, take1 := broadcastParam("scale"), broadcastParam("keep1"), broadcastParam("take1")
	keep2, take2 := broadcastParam("keep2"), broadcastParam("take2")
	rate, correct, epsilon := broadcastParam("rate"), broadcastParam("correct"), broadcastParam("epsilon")
	width := 64 / perTile()
	loop(name, n, 64, []reg.GPVirtual{theta, g, m, s}, func() {
		for l := range perTile() {
			at := func(base reg.GPVirtual) Mem { return Mem{Base: base, Disp: width * l} }
			x := mul(scale, at(g))
			first := add(mul(keep1, at(m)), mul(take1, x))
			VMOVUPS(first, at(m))
			second := add(mul(keep2, at(s)), mul(take2, mul(x, x)))
			VMOVUPS(second, at(s))
			root := register()
			VSQRTPS(mul(correct, second), root)
			step := div(mul(rate, first), add(root, epsilon))
			VMOVUPS(sub(vector(at(theta)), step), at(theta))
		}
	})
	end()
}
