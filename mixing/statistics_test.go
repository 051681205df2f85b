package mixing

import (
	"math"
	"testing"
)

// vectors returns autoregressive chains driven by a linear congruential generator, so that other programs can
// reproduce them.
func vectors(chains, draws int, phi, shift float64) [][]float64 {
	state := uint64(12345)
	out := make([][]float64, chains)
	for c := range out {
		var x float64
		for range draws {
			var u float64
			for range 4 {
				state = (1103515245*state + 12345) % (1 << 31)
				u += float64(state)/(1<<31) - 0.5
			}
			x = phi*x + u
			out[c] = append(out[c], x+shift*float64(c))
		}
	}
	return out
}

// Reference values of R-hat, the effective sample sizes and the MCSE are those of the R package posterior 1.4.0 (R
// 4.2.2), by the authors of the definitions: rhat, ess_bulk, ess_tail and mcse_mean. The functions of ArviZ
// (arviz/stats/diagnostics.py at commit 00bdf7dd), rewritten for numpy 1.24.2 and scipy 1.10.1, give the same twelve
// digits. τ is from an independent program that uses direct sums instead of Fourier transforms.
func TestAgainstReference(t *testing.T) {
	for _, c := range []struct {
		chains, draws                int
		phi, shift                   float64
		rhat, bulk, tail, mcse, sigh float64
	}{
		{4, 100, 0.5, 0, 1.01087528818, 165.76174433, 278.724923159, 0.0490714035783, 2.22272382706},
		{4, 101, 0.9, 0, 1.15394694322, 22.478255993, 90.2896472929, 0.235816803496, 19.1769861039},
		{3, 60, 0.3, 0.4, 1.18607138237, 16.6459226993, 82.1977327679, 0.173406412421, 16.0653608427},
		{1, 200, 0.7, 0, 1.02445252745, 56.8661857209, 95.6492555528, 0.100290586338, 2.7183403198},
		{2, 64, -0.5, 0, 1.00033729556, 269.722876115, 109.712113275, 0.0408557313394, 0.103832430394},
	} {
		x := vectors(c.chains, c.draws, c.phi, c.shift)
		tau, _ := Tau(x)
		for _, v := range []struct {
			name      string
			got, want float64
		}{
			{"R-hat", RHat(x), c.rhat}, {"bulk ESS", BulkESS(x), c.bulk}, {"tail ESS", TailESS(x), c.tail},
			{"MCSE", MCSE(x), c.mcse}, {"τ", tau, c.sigh},
		} {
			if math.Abs(v.got/v.want-1) > 1e-9 { // the references have twelve digits
				t.Errorf("%d chains, %d draws, φ = %g: %s %.12g, want %.12g", c.chains, c.draws, c.phi, v.name, v.got,
					v.want)
			}
		}
	}
}

// An autoregressive chain has τ = (1+φ)/(1−φ). Twenty chains of 2000 draws determine it to a few per cent: the error
// of Sokal's estimate is τ√(2(2W+1)/n) = 0.05τ here.
func TestTauOfAutoregression(t *testing.T) {
	for _, phi := range []float64{0, 0.5, 0.9} {
		want := (1 + phi) / (1 - phi)
		tau, enough := Tau(vectors(20, 2000, phi, 0))
		if tol := 4 * want * math.Sqrt(2*(10*want+1)/40000); math.Abs(tau-want) > tol {
			t.Errorf("φ = %g: τ = %g, want %g ± %g", phi, tau, want, tol)
		}
		if !enough {
			t.Errorf("φ = %g: 2000 draws are enough for τ = %g", phi, tau)
		}
	}
	if _, enough := Tau(vectors(4, 100, 0.9, 0)); enough {
		t.Error("100 draws are not enough for τ = 19")
	}
}

// The statistics of constant or very short chains are undefined.
func TestUnknown(t *testing.T) {
	still := [][]float64{{2, 2, 2, 2, 2, 2}, {2, 2, 2, 2, 2, 2}}
	short := [][]float64{{1, 2, 3}, {2, 1, 3}}
	for _, x := range [][][]float64{still, short} {
		tau, enough := Tau(x)
		for k, v := range []float64{RHat(x), BulkESS(x), TailESS(x), MCSE(x), tau} {
			if !math.IsNaN(v) {
				t.Errorf("statistic %d of %v is %g, want NaN", k, x, v)
			}
		}
		if enough {
			t.Errorf("%v is enough for τ", x)
		}
	}
	// Each chain is constant at its own value: R-hat is infinite, not undefined.
	if r := RHat([][]float64{{1, 1, 1, 1, 1, 1}, {2, 2, 2, 2, 2, 2}}); !math.IsInf(r, 1) {
		t.Errorf("R-hat of chains that stand still apart is %g, want +Inf", r)
	}
}
