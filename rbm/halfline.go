package rbm

import (
	"math"

	"instanton/internal/special"
)

// half is the law ∝ e^{−γx²/2−bx} on x > 0. In units of 1/√γ it is the standard half-line law with a = b/√γ.
type half struct{ gamma, b float64 }

func (h half) a() float64       { return h.b / math.Sqrt(h.gamma) }
func (h half) logNorm() float64 { return special.LogMills(h.a()) - math.Log(h.gamma)/2 }

// logNormAndMean is both at once.
func (h half) logNormAndMean() (logNorm, mean float64) {
	logMills, mean := special.LogMillsAndHalfMean(h.a())
	return logMills - math.Log(h.gamma)/2, mean / math.Sqrt(h.gamma)
}

func (h half) mean() float64     { return special.HalfMean(h.a()) / math.Sqrt(h.gamma) }
func (h half) variance() float64 { return special.HalfVar(h.a()) / h.gamma }
func (h half) second() float64   { return special.HalfSecond(h.a()) / h.gamma }
func (h half) mode() float64     { return max(0, -h.b/h.gamma) }

// quantile is the value that the unit exceeds with probability u.
func (h half) quantile(u float64) float64 { return special.HalfQuantile(h.a(), u) / math.Sqrt(h.gamma) }

// third is ⟨x³⟩ = (2⟨x⟩ − b⟨x²⟩)/γ, from ∫(x² e^{−γx²/2−bx})' dx = 0.
func (h half) third() float64 { return (2*h.mean() - h.b*h.second()) / h.gamma }
