package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func ascent() {
	function("rmspropAVX2", "func(gradients, squares *float64, n int, keep, take, rate, correct, epsilon float64)",
		"rmspropAVX2 turns 8·n gradients into steps:",
		"\tfor i := range 8 * n {",
		"\t\tg := gradients[i]",
		"\t\tsquares[i] = keep*squares[i] + take*g*g",
		"\t\tgradients[i] = rate * g / (epsilon + sqrt(squares[i]*correct))",
		"\t}")
	g, s, n := load("gradients"), load("squares"), load("n")
	keep, take := broadcastDouble("keep"), broadcastDouble("take")
	rate, correct, epsilon := broadcastDouble("rate"), broadcastDouble("correct"), broadcastDouble("epsilon")
	Label("rmsprop")
	SUBQ(Imm(1), n)
	JLT(LabelRef("rmspropDone"))
	for k := range 2 {
		grad, square := Mem{Base: g, Disp: 32 * k}, Mem{Base: s, Disp: 32 * k}
		x := YMM()
		VMOVUPD(grad, x)
		mean := binary(VADDPD, binary(VMULPD, keep, square), binary(VMULPD, binary(VMULPD, take, x), x))
		VMOVUPD(mean, square)
		root := YMM()
		VSQRTPD(binary(VMULPD, mean, correct), root)
		VMOVUPD(binary(VDIVPD, binary(VMULPD, rate, x), binary(VADDPD, epsilon, root)), grad)
	}
	ADDQ(Imm(64), g)
	ADDQ(Imm(64), s)
	JMP(LabelRef("rmsprop"))
	Label("rmspropDone")
	VZEROUPPER()
	RET()
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
