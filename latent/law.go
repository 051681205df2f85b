package latent

import (
	"math"

	"instanton/internal/kernel"
	"instanton/internal/rng"
)

// law is a density on a line that can be both drawn from and evaluated: the exponential of a piecewise linear function
// over a window, mixed with a small share of a Cauchy law so that it is positive wherever the law that it approximates
// is.
type law struct {
	subdivision int       // pieces between two nodes
	lo, step    float64   // of the fine points
	level       []float64 // logarithm of the density at them, up to a constant: the maximum is zero
	height      []float64 // exp(level)
	mass        []float64 // cumulative over pieces
	left, right float64   // the domain
	points      []float64 // memory of level, height and mass
}

// cauchyShare is the share of the Cauchy law in the mixture.
const cauchyShare = 1.0 / 512

// negligible is the level below which the density counts as zero within the window.
const negligible = -60

func newLaw(nodes int) *law {
	return &law{points: make([]float64, 3*kernel.MaxSubdivision*nodes)}
}

// begin prepares the fine points between the nodes.
func (l *law) begin(s span, subdivision int, left, right float64) {
	size := subdivision*(s.n-1) + 1
	l.subdivision, l.lo, l.step, l.left, l.right = subdivision, s.lo, s.step/float64(subdivision), left, right
	l.level = l.points[:size]
	l.height = l.points[size : 2*size]
	l.mass = l.points[2*size : 3*size-1]
}

func (l *law) at(k int) float64 { return l.lo + float64(k)*l.step }

// refine sets the levels to the cubics through four neighbouring nodes each; with fewer nodes, to straight lines.
func (l *law) refine(node []float64) {
	n := len(node)
	if n >= 4 {
		kernel.Cubics(l.level, node, l.subdivision)
		return
	}
	for k := range l.level {
		j := min(k/l.subdivision, max(n-2, 0))
		f := float64(k-l.subdivision*j) / float64(l.subdivision)
		l.level[k] = node[j] + f*(node[min(j+1, n-1)]-node[j])
	}
}

// finish subtracts the potential along the axis from the levels and turns them into a density.
func (l *law) finish(a *axis, origin []float64) {
	clear(l.height)
	for k, d := range a.along {
		a.potentials[k].AddAlong(l.height, l.lo, l.step, origin[k], d)
	}
	kernel.PieceDensity(l.level, l.height, l.mass, l.step, negligible)
}

// total is the mass in the window before it is normalised.
func (l *law) total() float64 { return l.mass[len(l.mass)-1] }

// draw turns two random words into a point: one picks the component, the other the quantile.
func (l *law) draw(pick, place uint32) float64 {
	u := rng.Uniform(place)
	if rng.Uniform(pick) < cauchyShare {
		return l.cauchy(u)
	}
	u *= l.total()
	lo, hi := 0, len(l.mass)-1 // the first piece whose cumulative mass exceeds u
	for lo < hi {
		if middle := (lo + hi) / 2; l.mass[middle] > u {
			hi = middle
		} else {
			lo = middle + 1
		}
	}
	before := 0.0
	if lo > 0 {
		before = l.mass[lo-1]
	}
	share := min(max((u-before)/(l.mass[lo]-before), 0), 1)
	d := l.level[lo+1] - l.level[lo]
	if math.Abs(d) < 1e-4 {
		return l.at(lo) + l.step*(share+d*share*(share-1)/2)
	}
	return l.at(lo) + l.step*math.Log1p(share*math.Expm1(d))/d
}

// logDensity is the logarithm of the density of draw.
func (l *law) logDensity(s float64) float64 {
	var inside float64
	if x := (s - l.lo) / l.step; x >= 0 && x <= float64(len(l.mass)) {
		k := min(int(x), len(l.mass)-1)
		if l.height[k] > 0 && l.height[k+1] > 0 {
			inside = math.Exp(l.level[k]+(x-float64(k))*(l.level[k+1]-l.level[k])) / l.total()
		}
	}
	return math.Log((1-cauchyShare)*inside + cauchyShare*l.cauchyDensity(s))
}

// frame describes the Cauchy law: centred on the window with its half width as scale, truncated to the domain.
func (l *law) frame() (middle, width, from, share float64) {
	reach := l.step * float64(len(l.mass)) / 2
	middle, width = l.lo+reach, reach
	from = math.Atan((l.left - middle) / width)
	return middle, width, from, math.Atan((l.right-middle)/width) - from
}

func (l *law) cauchy(u float64) float64 {
	middle, width, from, share := l.frame()
	return min(max(middle+width*math.Tan(from+u*share), l.left), l.right)
}

func (l *law) cauchyDensity(s float64) float64 {
	if s < l.left || s > l.right {
		return 0
	}
	middle, width, _, share := l.frame()
	x := (s - middle) / width
	return 1 / (width * share * (1 + x*x))
}
