package theory

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"instanton/rbm"
)

// Evidence for errata that concern no function of this package.

// The h equation holds for 0 ≤ t ≤ T−1: for T = 1 it is all there is, and it fixes h¹.
func TestErratumFirstHiddenValue(t *testing.T) {
	c := CurieWeiss{1.1}
	l := mustLandscape(t, c)
	m := must[float64](t)(c.Magnetization())
	p := must[*Path](t)(l.OptimalPath(PathProblem{From: []float64{m}, To: []float64{0}, Steps: 1}))
	h := p.H[0][0]
	near(t, "w(m¹+m⁰) − h¹ − w tanh(w h¹)", 1.1*m-h-1.1*math.Tanh(1.1*h), 0, 1e-14)
}

// m* is a fixed point of the instanton map too: Φ = Δf is an infimum that no finite path reaches.
func TestErratumInstantonNeverLeaves(t *testing.T) {
	c := CurieWeiss{1.5}
	m := must[float64](t)(c.Magnetization())
	next, _ := c.Instanton(m)
	near(t, "instanton from m*", next, m, 1e-14)
	next, _ = c.Relax(0)
	near(t, "relaxation from 0", next, 0, 0)
	l := mustLandscape(t, CurieWeiss{1.1})
	start := must[float64](t)(CurieWeiss{1.1}.Magnetization())
	barrier := must[float64](t)(CurieWeiss{1.1}.Barrier())
	before := math.Inf(1)
	for _, steps := range []int{10, 20, 40, 80} {
		p := must[*Path](t)(l.OptimalPath(PathProblem{From: []float64{start}, To: []float64{-start}, Steps: steps}))
		if !(p.Action > barrier && p.Action < before) {
			t.Errorf("Φ(%d) = %g after %g, Δf = %g", steps, p.Action, before, barrier)
		}
		before = p.Action
	}
}

// E^eff(h) of the Hopfield model is w²N times Amit's free energy Σm²/2 − (1/β)⟨log 2cosh(β ξ·m)⟩ at m = h/w, β = w².
func TestErratumAmitFactor(t *testing.T) {
	const w = 1.3
	l := mustLandscape(t, Hopfield{W: w, M: 3})
	m := []float64{0.5, 0.2, -0.3}
	amit := 0.0
	for _, x := range m {
		amit += x * x / 2
	}
	for code := range 8 {
		x := 0.0
		for mu := range m {
			x += m[mu] * float64(1-2*(code>>mu&1))
		}
		amit -= log2cosh(w*w*x) / (w * w) / 8
	}
	near(t, "e(h)", l.HiddenEnergy([]float64{w * m[0], w * m[1], w * m[2]}), w*w*amit, 1e-14)
}

// Items 10 and the note on detailed balance: the latent redraw in random order satisfies it, a fixed order keeps P(v) but
// violates it.
func TestErratumDetailedBalanceOfLatentMoves(t *testing.T) {
	s := Structured{W: 1.6, Overlap: must[rbm.Overlap](t)(rbm.AllToAll(2, 0.2))}
	b, err := s.lump(5)
	if err != nil {
		t.Fatal(err)
	}
	random := must[*Chain](t)(s.Chain(5, LatentRedraw))
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
			up.Set(i, j, grid.step*grid.step/(2*math.Pi)*math.Exp(-squareDistance(h, b.inputs(count))/2))
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
	t.Logf("two units, N = 5: random order violates detailed balance by %.1e, fixed order by %.1e while moving P(v) by %.1e", kept, broken, moved)
	if kept > 1e-15 || broken < 1e-5 || moved > 1e-13 {
		t.Errorf("random %g, fixed %g, stationarity %g", kept, broken, moved)
	}
}

// Item 11: β copies of every hidden unit and β times the visible fields give P(v)^β; the product of the conditionals does not.
func TestErratumReplicas(t *testing.T) {
	w := [3][2]float64{{0.5, -0.3}, {0.2, 0.8}, {-0.6, 0.4}}
	field := [3]float64{0.1, -0.4, 0.3}
	const beta = 2
	spins := func(code int) (v [3]float64) {
		for i := range v {
			v[i] = float64(2*(code>>i&1) - 1)
		}
		return v
	}
	var power, replicated, printed [8]float64
	for code := range 8 {
		v := spins(code)
		energy := 0.0 // −log P(v) up to a constant
		log := 0.0    // fields and one integral over h for every copy, by quadrature
		for i := range v {
			energy -= field[i] * v[i]
			log += beta * field[i] * v[i]
		}
		for mu := range 2 {
			input := 0.0
			for i := range v {
				input += w[i][mu] * v[i]
			}
			energy -= input * input / 2
			integral := 0.0
			for h := -12.0; h <= 12; h += 0.25 {
				integral += 0.25 * math.Exp(input*h-h*h/2)
			}
			log += beta * math.Log(integral)
		}
		power[code] = math.Exp(-beta * energy)
		replicated[code] = math.Exp(log)
		// ∫ dh P(v|h) squared, on the widest box that is still meaningful
		integral := 0.0
		for h1 := -6.0; h1 <= 6; h1 += 0.1 {
			for h2 := -6.0; h2 <= 6; h2 += 0.1 {
				p := 1.0
				for i := range v {
					p /= 1 + math.Exp(-2*v[i]*(field[i]+w[i][0]*h1+w[i][1]*h2))
				}
				integral += p
			}
		}
		printed[code] = integral * integral
	}
	distanceTo := func(q [8]float64) float64 {
		var zp, zq, d float64
		for i := range q {
			zp, zq = zp+power[i], zq+q[i]
		}
		for i := range q {
			d += math.Abs(power[i]/zp-q[i]/zq) / 2
		}
		return d
	}
	t.Logf("total variation from P(v)²: replicated model %.1e, product of conditionals %.2f", distanceTo(replicated), distanceTo(printed))
	if distanceTo(replicated) > 1e-15 || distanceTo(printed) < 0.1 {
		t.Errorf("replicated %g, printed %g", distanceTo(replicated), distanceTo(printed))
	}
}

// Item 12: Bars and Stripes of size L has 2^(L+1) − 2 images.
func TestErratumBarsAndStripes(t *testing.T) {
	for size := 2; size <= 4; size++ {
		count := 0
		for image := range 1 << (size * size) {
			bars, stripes := true, true
			for i := range size * size {
				x := image >> i & 1
				bars = bars && x == image>>(i%size)&1            // equal to the first of its column
				stripes = stripes && x == image>>(i/size*size)&1 // equal to the first of its row
			}
			if bars || stripes {
				count++
			}
		}
		t.Logf("L = %d: %d images, 2^(L+1) − 2 = %d", size, count, 1<<(size+1)-2)
		if count != 1<<(size+1)-2 {
			t.Errorf("L = %d: %d images", size, count)
		}
	}
}

// Item 13: the compact walks of 27 sites on the 3×3×3 cube.
func TestErratumLatticeStructures(t *testing.T) {
	var neighbours [27][]int
	for a := range 27 {
		for b := range 27 {
			dx, dy, dz := a%3-b%3, a/3%3-b/3%3, a/9-b/9
			if dx*dx+dy*dy+dz*dz == 1 {
				neighbours[a] = append(neighbours[a], b)
			}
		}
	}
	var walks func(at int, visited uint32, left int) int
	walks = func(at int, visited uint32, left int) int {
		if left == 0 {
			return 1
		}
		n := 0
		for _, next := range neighbours[at] {
			if visited>>next&1 == 0 {
				n += walks(next, visited|1<<next, left-1)
			}
		}
		return n
	}
	// Walks alternate between two sublattices of 14 and 13 sites, so they start on the larger: 8 corners and 6 face centres. From a
	// corner all three first steps are equivalent; from a face centre the four steps within the face are.
	corner, face, centre := 0, 4, 13
	fromCorner := 3 * walks(1, 1<<corner|1<<1, 25)
	fromFace := 4*walks(1, 1<<face|1<<1, 25) + walks(centre, 1<<face|1<<centre, 25)
	directed := 8*fromCorner + 6*fromFace
	t.Logf("%d directed walks, %d structures up to the 48 symmetries (printed: 103,406)", directed, directed/48)
	if directed != 4960608 || directed/48 != 103346 {
		t.Errorf("%d directed walks, %d structures", directed, directed/48)
	}
}

// The note on tower sampling: total variation of P(v) when h is drawn from P(h) on a fixed grid, N = 128, w = 1.5.
func TestErratumTowerSampling(t *testing.T) {
	const n, w = 128, 1.5
	chain := must[*Chain](t)(CurieWeiss{w}.Chain(n, LatentRedraw))
	exact := chain.Known()
	table := make([]float64, n+1)
	bias := func(spacing, reach float64) float64 {
		drawn, total := make([]float64, n+1), 0.0
		for j := -int(reach / spacing); j <= int(reach/spacing); j++ {
			h := float64(j) * spacing
			x := w * h / math.Sqrt(n)
			p := math.Exp(-h*h/2 + n*(log2cosh(x)-1.14))
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
		{1, 32, 1.8e-9, 5e-11}, {2, 32, 4.5e-3, 5e-5}, {4, 32, 6.6e-2, 5e-4}, {0.25, 18, 1.7e-2, 5e-4}, {0.25, 16, 0.15, 5e-3},
	} {
		got := bias(c.spacing, c.reach)
		t.Logf("grid of spacing %g within ±%g: total variation %.2g", c.spacing, c.reach, got)
		near(t, "bias", got, c.want, c.tolerance)
	}
}

// With the grid draw, jittered within its cell, as the proposal of an independence Metropolis step, P(h) is invariant at any
// spacing and range: the step is written out on a fine subdivision of the cells.
func TestErratumTowerSamplingCorrected(t *testing.T) {
	const n, w, fine = 128, 1.5, 0.125
	m := must[float64](t)(CurieWeiss{w}.Magnetization())
	near(t, "mode of P(h)", w*m*math.Sqrt(n), 16.55, 6e-3)
	near(t, "width of P(h)", 1/math.Sqrt(1-w*w*(1-m*m)), 1.06, 5e-3)
	log := func(h float64) float64 { return -h*h/2 + n*(log2cosh(w*h/math.Sqrt(n))-1.14) }
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
