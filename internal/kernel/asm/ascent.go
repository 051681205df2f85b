package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func ascent() {
	rmsprop()
	adam()
	momentum()
	clip()
	centre()
	advance()
	compensate()
	squares()
}

func addd(a, b Op) reg.VecVirtual { return binary(VADDPD, a, b) }
func subd(a, b Op) reg.VecVirtual { return binary(VSUBPD, a, b) }
func muld(a, b Op) reg.VecVirtual { return binary(VMULPD, a, b) }
func divd(a, b Op) reg.VecVirtual { return binary(VDIVPD, a, b) }

func rootd(a Op) reg.VecVirtual {
	r := YMM()
	VSQRTPD(a, r)
	return r
}

// doubles loads four float64.
func doubles(at Op) reg.VecVirtual {
	r := YMM()
	VMOVUPD(at, r)
	return r
}

func rmsprop() {
	function("rmspropAVX2", "func(gradients, squares *float64, n int, keep, take, rate, correct, epsilon float64)",
		"rmspropAVX2 turns 4·n gradients into steps:",
		"\tfor i := range 4 * n {",
		"\t\tg := gradients[i]",
		"\t\tsquares[i] = keep*squares[i] + take*g*g",
		"\t\tgradients[i] = rate * g / (epsilon + sqrt(squares[i]*correct))",
		"\t}")
	g, s, n := load("gradients"), load("squares"), load("n")
	keep, take := broadcastDouble("keep"), broadcastDouble("take")
	rate, correct, epsilon := broadcastDouble("rate"), broadcastDouble("correct"), broadcastDouble("epsilon")
	loop("rmsprop", n, 32, []reg.GPVirtual{g, s}, func() {
		grad, square := Mem{Base: g}, Mem{Base: s}
		x := doubles(grad)
		mean := addd(muld(keep, square), muld(muld(take, x), x))
		VMOVUPD(mean, square)
		VMOVUPD(divd(muld(rate, x), addd(epsilon, rootd(muld(mean, correct)))), grad)
	})
	end()
}

func adam() {
	function("adamAVX2", "func(gradients, means, squares *float64, n int, "+
		"keepU, takeU, keepS, takeS, rate, correctU, correctS, epsilon float64)",
		"adamAVX2 turns 4·n gradients into steps:",
		"\tfor i := range 4 * n {",
		"\t\tg := gradients[i]",
		"\t\tmeans[i] = keepU*means[i] + takeU*g",
		"\t\tsquares[i] = keepS*squares[i] + takeS*g*g",
		"\t\tgradients[i] = rate * means[i] * correctU / (epsilon + sqrt(squares[i]*correctS))",
		"\t}")
	g, u, s, n := load("gradients"), load("means"), load("squares"), load("n")
	keepU, takeU := broadcastDouble("keepU"), broadcastDouble("takeU")
	keepS, takeS := broadcastDouble("keepS"), broadcastDouble("takeS")
	rate, epsilon := broadcastDouble("rate"), broadcastDouble("epsilon")
	correctU, correctS := broadcastDouble("correctU"), broadcastDouble("correctS")
	loop("adam", n, 32, []reg.GPVirtual{g, u, s}, func() {
		grad, mean, square := Mem{Base: g}, Mem{Base: u}, Mem{Base: s}
		x := doubles(grad)
		first := addd(muld(keepU, mean), muld(takeU, x))
		VMOVUPD(first, mean)
		second := addd(muld(keepS, square), muld(muld(takeS, x), x))
		VMOVUPD(second, square)
		VMOVUPD(divd(muld(muld(rate, first), correctU), addd(epsilon, rootd(muld(second, correctS)))), grad)
	})
	end()
}

func momentum() {
	function("momentumAVX2", "func(gradients, memory *float64, n int, keep, rate float64)",
		"momentumAVX2 turns 4·n gradients into steps:",
		"\tfor i := range 4 * n {",
		"\t\tmemory[i] = keep*memory[i] + gradients[i]",
		"\t\tgradients[i] = rate * memory[i]",
		"\t}")
	g, u, n := load("gradients"), load("memory"), load("n")
	keep, rate := broadcastDouble("keep"), broadcastDouble("rate")
	loop("momentum", n, 32, []reg.GPVirtual{g, u}, func() {
		sum := addd(muld(keep, Mem{Base: u}), Mem{Base: g})
		VMOVUPD(sum, Mem{Base: u})
		VMOVUPD(muld(rate, sum), Mem{Base: g})
	})
	end()
}

func clip() {
	function("clipAVX2", "func(x *float64, n int, least, most float64)",
		"clipAVX2 limits 4·n numbers; one that is not a number stays:",
		"\tfor i := range 4 * n {",
		"\t\tx[i] = min(max(x[i], least), most)",
		"\t}")
	x, n := load("x"), load("n")
	least, most := broadcastDouble("least"), broadcastDouble("most")
	loop("clip", n, 32, []reg.GPVirtual{x}, func() {
		// With an operand that is not a number VMAXPD and VMINPD give the second, here x.
		VMOVUPD(binary(VMINPD, most, binary(VMAXPD, least, doubles(Mem{Base: x}))), Mem{Base: x})
	})
	end()
}

func centre() {
	function("centreAVX2", "func(grad, x, y *float64, n int, a, b float64)",
		"centreAVX2 subtracts two rows from 4·n numbers:",
		"\tfor i := range 4 * n {",
		"\t\tgrad[i] -= a*x[i] + b*y[i]",
		"\t}")
	g, x, y, n := load("grad"), load("x"), load("y"), load("n")
	a, b := broadcastDouble("a"), broadcastDouble("b")
	loop("centre", n, 32, []reg.GPVirtual{g, x, y}, func() {
		off := addd(muld(a, Mem{Base: x}), muld(b, Mem{Base: y}))
		VMOVUPD(subd(doubles(Mem{Base: g}), off), Mem{Base: g})
	})
	end()
}

// sums loads four running sums, and returns what stores them at the end.
func sums() (lanes reg.VecVirtual, store func()) {
	at := load("sums")
	lanes = doubles(Mem{Base: at})
	return lanes, func() { VMOVUPD(lanes, Mem{Base: at}) }
}

func advance() {
	function("advanceAVX2", "func(w, steps *float64, n int, sums *[4]float64)",
		"advanceAVX2 adds 4·n steps to weights, and their squares to sums in four lanes:",
		"\tfor i := range 4 * n {",
		"\t\tw[i] += steps[i]",
		"\t\tsums[i%4] += w[i] * w[i]",
		"\t}")
	w, g, n := load("w"), load("steps"), load("n")
	lanes, store := sums()
	loop("advance", n, 32, []reg.GPVirtual{w, g}, func() {
		x := addd(doubles(Mem{Base: w}), Mem{Base: g})
		VMOVUPD(x, Mem{Base: w})
		VADDPD(muld(x, x), lanes, lanes)
	})
	store()
	end()
}

func compensate() {
	function("compensateAVX2", "func(dst, steps, x *float64, n int, a float64, sums *[4]float64)",
		"compensateAVX2 subtracts 4·n steps from dst, and adds their product with x to sums in",
		"four lanes:",
		"\tfor i := range 4 * n {",
		"\t\tdst[i] -= a * steps[i]",
		"\t\tsums[i%4] += steps[i] * x[i]",
		"\t}")
	dst, g, x, n := load("dst"), load("steps"), load("x"), load("n")
	a := broadcastDouble("a")
	lanes, store := sums()
	loop("compensate", n, 32, []reg.GPVirtual{dst, g, x}, func() {
		step := doubles(Mem{Base: g})
		VMOVUPD(subd(doubles(Mem{Base: dst}), muld(a, step)), Mem{Base: dst})
		VADDPD(muld(step, Mem{Base: x}), lanes, lanes)
	})
	store()
	end()
}

func squares() {
	function("squaresAVX2", "func(x *float64, n int, sums *[4]float64)",
		"squaresAVX2 adds the squares of 4·n numbers to sums in four lanes:",
		"\tfor i := range 4 * n {",
		"\t\tsums[i%4] += x[i] * x[i]",
		"\t}")
	x, n := load("x"), load("n")
	lanes, store := sums()
	loop("squares", n, 32, []reg.GPVirtual{x}, func() {
		v := doubles(Mem{Base: x})
		VADDPD(muld(v, v), lanes, lanes)
	})
	store()
	end()
}

// broadcastDouble reads a float64 parameter into every lane.
func broadcastDouble(name string) reg.VecVirtual {
	p, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	r := register()
	VBROADCASTSD(p.Addr, r)
	return r
}
