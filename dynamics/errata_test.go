package dynamics

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"instanton/internal/special"
	"instanton/internal/vec"
	"instanton/rbm"
	"instanton/theory"
)

// Items 10 and the note on detailed balance: the latent redraw in random order satisfies it, a fixed order keeps P(v)
// but violates it.
func TestErratumDetailedBalanceOfLatentMoves(t *testing.T) {
	s := theory.Structured{W: 1.6, Overlap: must[rbm.Overlap](t)(rbm.AllToAll(2, 0.2))}
	b, err := newLumped(s, 5)
	if err != nil {
		t.Fatal(err)
	}
	random := must[*Chain](t)(BlockCounts(s, 5, LatentRedraw))
	pi := random.Known()
	grid := b.grid(1e-16)
	points := grid.points()
	up, down := mat.NewDense(b.states, len(points), nil), mat.NewDense(len(points), b.states, nil)
	weight, table := make([]float64, len(points)), make([][]float64, len(b.size))
	for k, size := range b.size {
		table[k] = make([]float64, size+1)
	}
	for j, h := range points {
		weight[j] = b.logHidden(h)
		for k, x := range b.blockFields(h) {
			binomial(table[k], x)
		}
		for i, count := range random.State {
			up.Set(i, j, grid.step*grid.step/(2*math.Pi)*math.Exp(-vec.SquaredDistance(h, b.inputs(count))/2))
			p := 1.0
			for k := range table {
				p *= table[k][int(count[k])]
			}
			down.Set(j, i, p)
		}
	}
	// the redraws act on P(v|h) from the last to the first
	grid.redrawUnit(1, weight, down)
	grid.redrawUnit(0, weight, down)
	var fixed mat.Dense
	fixed.Mul(up, down)
	var broken, kept, moved float64
	for i := range b.states {
		out := 0.0
		for j := range b.states {
			broken = math.Max(broken, math.Abs(pi[i]*fixed.At(i, j)-pi[j]*fixed.At(j, i)))
			kept = math.Max(kept, math.Abs(pi[i]*random.Probability(i, j)-pi[j]*random.Probability(j, i)))
			out += pi[j] * fixed.At(j, i)
		}
		moved = math.Max(moved, math.Abs(out-pi[i]))
	}
	t.Logf("two units, N = 5: random order violates detailed balance by %.1e, fixed order by %.1e "+
		"while moving P(v) by %.1e", kept, broken, moved)
	if kept > 1e-15 || broken < 1e-5 || moved > 1e-13 {
		t.Errorf("random %g, fixed %g, stationarity %g", kept, broken, moved)
	}
}

// The note on tower sampling: total variation of P(v) when h is drawn from P(h) on a fixed grid, N = 128, w = 1.5.
func TestErratumTowerSampling(t *testing.T) {
	const n, w = 128, 1.5
	chain := must[*Chain](t)(CurieWeiss(theory.CurieWeiss{W: w}, n, LatentRedraw))
	exact := chain.Known()
	table := make([]float64, n+1)
	bias := func(spacing, reach float64) float64 {
		drawn, total := make([]float64, n+1), 0.0
		for j := -int(reach / spacing); j <= int(reach/spacing); j++ {
			h := float64(j) * spacing
			x := w * h / math.Sqrt(n)
			p := math.Exp(-h*h/2 + n*(special.Log2Cosh(x)-1.14))
			total += p
			binomial(table, x)
			for k := range table {
				drawn[k] += p * table[k]
			}
		}
		d := 0.0
		for k := range exact {
			d += math.Abs(drawn[k]/total-exact[k]) / 2
		}
		return d
	}
	for _, c := range []struct{ spacing, reach, want, tolerance float64 }{
		{1, 32, 1.8e-9, 5e-11}, {2, 32, 4.5e-3, 5e-5}, {4, 32, 6.6e-2, 5e-4}, {0.25, 18, 1.7e-2, 5e-4},
		{0.25, 16, 0.15, 5e-3},
	} {
		got := bias(c.spacing, c.reach)
		t.Logf("grid of spacing %g within ±%g: total variation %.2g", c.spacing, c.reach, got)
		near(t, "bias", got, c.want, c.tolerance)
	}
}

// With the grid draw, jittered within its cell, as the proposal of an independence Metropolis step, P(h) is invariant
// at any spacing and range: the step is written out on a fine subdivision of the cells.
func TestErratumTowerSamplingCorrected(t *testing.T) {
	const n, w, fine = 128, 1.5, 0.125
	m := must[float64](t)(theory.CurieWeiss{W: w}.Magnetization())
	near(t, "mode of P(h)", w*m*math.Sqrt(n), 16.55, 6e-3)
	near(t, "width of P(h)", 1/math.Sqrt(1-w*w*(1-m*m)), 1.06, 5e-3)
	log := func(h float64) float64 { return -h*h/2 + n*(special.Log2Cosh(w*h/math.Sqrt(n))-1.14) }
	for _, grid := range []struct{ spacing, reach float64 }{{1, 32}, {4, 32}, {1, 16}} {
		var target, proposal []float64
		var zt, zp float64
		for h := -32 + fine/2; h < 32; h += fine {
			p, q := math.Exp(log(h)), 0.0
			if cell := grid.spacing * math.Round(h/grid.spacing); math.Abs(cell) <= grid.reach {
				q = math.Exp(log(cell))
			}
			target, proposal = append(target, p), append(proposal, q)
			zt, zp = zt+p, zp+q
		}
		after := make([]float64, len(target))
		for i, p := range target {
			stay := 1.0
			for j, q := range proposal {
				if q == 0 {
					continue
				}
				move := q / zp * math.Min(1, target[j]*proposal[i]/(p*q))
				after[j] += p / zt * move
				stay -= move
			}
			after[i] += p / zt * stay
		}
		d := 0.0
		for i, p := range target {
			d += math.Abs(after[i]-p/zt) / 2
		}
		t.Logf("independence step, grid of spacing %g within ±%g: total variation %.0e", grid.spacing, grid.reach, d)
		near(t, "bias", d, 0, 2e-15)
	}
}
