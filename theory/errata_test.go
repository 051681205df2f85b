package theory

import (
	"math"
	"testing"

	"instanton/internal/special"
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
		amit -= special.Log2Cosh(w*w*x) / (w * w) / 8
	}
	near(t, "e(h)", l.HiddenEnergy([]float64{w * m[0], w * m[1], w * m[2]}), w*w*amit, 1e-14)
}

// Item 11: β copies of every hidden unit and β times the visible fields give P(v)^β; the product of the conditionals
// does not.
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
	t.Logf("total variation from P(v)²: replicated model %.1e, product of conditionals %.2f", distanceTo(replicated),
		distanceTo(printed))
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
	// Walks alternate between two sublattices of 14 and 13 sites, so they start on the larger: 8 corners and 6 face
	// centres. From a corner all three first steps are equivalent; from a face centre the four steps within the face
	// are.
	corner, face, centre := 0, 4, 13
	fromCorner := 3 * walks(1, 1<<corner|1<<1, 25)
	fromFace := 4*walks(1, 1<<face|1<<1, 25) + walks(centre, 1<<face|1<<centre, 25)
	directed := 8*fromCorner + 6*fromFace
	t.Logf("%d directed walks, %d structures up to the 48 symmetries (printed: 103,406)", directed, directed/48)
	if directed != 4960608 || directed/48 != 103346 {
		t.Errorf("%d directed walks, %d structures", directed, directed/48)
	}
}
