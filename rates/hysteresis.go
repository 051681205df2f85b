package rates

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"instanton/internal/vec"
)

// difference is how two sets of chains differ in the mean of a feature in a window of q.
type difference struct {
	window, feature int
	p               float64 // probability of one as large by chance
	tests           int     // that were made
}

// chainsOf are chains of groups: those for which take is true.
type chainsOf struct {
	records []*record
	take    func(k int) bool
}

// compare looks for the least likely difference between two sets of chains at the same q, in some features and windows.
// The means of each bin, over all chains of the pool, are taken off first. A chain is one observation, however long.
func compare(pool []*record, x, y chainsOf, features, windows int) difference {
	mean, _ := binMeans(pool)
	least := difference{p: 1}
	ax, ay := make([]moments, features), make([]moments, features)
	for window := range windows {
		x.residuals(ax, mean, window)
		y.residuals(ay, mean, window)
		for k := range features {
			p, ok := distinct(&ax[k], &ay[k])
			if !ok {
				continue
			}
			if least.tests++; p < least.p {
				least.window, least.feature, least.p = window, k, p
			}
		}
	}
	return least
}

// binMeans are the means of the features in each bin, and how often the bins were seen.
func binMeans(pool []*record) (mean, seen []float64) {
	nf, bins := pool[0].f.count(), len(pool[0].window)
	mean, seen = make([]float64, bins*nf), make([]float64, bins)
	for _, p := range pool {
		vec.Add(mean, p.inBin)
		for j, n := range p.visits {
			seen[j%bins] += n
		}
	}
	for b, n := range seen {
		if n > 0 {
			vec.Scale(1/n, mean[b*nf:(b+1)*nf])
		}
	}
	return mean, seen
}

// renewals is the number of times that a chain renews its rates of single-unit moves at the same q: the effective
// number of its looks there, in the worst window. It is one where every chain keeps to a part of what there is at that
// q, and infinite where the rates are functions of q.
func renewals(c chainsOf, windows int) float64 {
	mean, seen := binMeans(c.records)
	nf, bins := c.records[0].f.count(), len(seen)
	square := make([]float64, bins*moves)
	for _, r := range c.records {
		vec.Add(square, r.square)
	}
	least := math.Inf(1)
	dst := make([]moments, moves)
	for window := range windows {
		c.residuals(dst, mean, window)
		for k := range dst {
			var variance, size float64
			for b, n := range seen {
				if n > 0 && c.records[0].window[b] == window {
					x := mean[b*nf+k]
					variance += square[b*moves+k] - n*x*x
					size += n * x * x
				}
			}
			if dst[k].length == 0 || dst[k].worth() < 8 || !(variance > 1e-6*size) {
				continue
			}
			_, between := dst[k].mean()
			least = min(least, variance/dst[k].length/between/dst[k].worth())
		}
	}
	return least
}

// residuals collects what features of the chains differ by from their means in each bin of a window.
func (c chainsOf) residuals(dst []moments, mean []float64, window int) {
	for k := range dst {
		dst[k] = moments{}
	}
	for _, r := range c.records {
		nf, bins := r.f.count(), len(r.window)
		for chain := range len(r.visits) / bins {
			if !c.take(chain) {
				continue
			}
			visits := r.visits[chain*bins:][:bins]
			total := 0.0
			for b, n := range visits {
				if r.window[b] == window {
					total += n
				}
			}
			if total == 0 {
				continue
			}
			for k := range dst {
				rest := r.sum[(chain*r.windows+window)*nf+k]
				size := math.Abs(rest)
				for b, n := range visits {
					if n > 0 && r.window[b] == window {
						rest -= n * mean[b*nf+k]
					}
				}
				dst[k].add(rest, total, size)
			}
		}
	}
}

// moments are those of sums over chains of different lengths.
type moments struct {
	chains                   []float64 // sums, and how many terms each has
	lengths                  []float64
	sum, length, square, big float64
}

func (m *moments) add(sum, length, size float64) {
	m.chains, m.lengths = append(m.chains, sum), append(m.lengths, length)
	m.sum, m.length, m.square = m.sum+sum, m.length+length, m.square+length*length
	m.big = max(m.big, size/length)
}

// worth is the number of chains of equal length that these are worth.
func (m *moments) worth() float64 { return m.length * m.length / m.square }

// mean and the square of its standard error, by the scatter between chains.
func (m *moments) mean() (mean, variance float64) {
	mean = m.sum / m.length
	for k, s := range m.chains {
		d := s - mean*m.lengths[k]
		variance += d * d
	}
	n := m.worth()
	return mean, variance / (m.length * m.length) * n / (n - 1)
}

// distinct is the probability of a difference as large between means of the same law (Welch's test); false where
// there are too few chains to tell.
func distinct(x, y *moments) (p float64, ok bool) {
	if x.length == 0 || y.length == 0 || x.worth() < 4 || y.worth() < 4 {
		return 1, false
	}
	mx, vx := x.mean()
	my, vy := y.mean()
	rounding := 1e-9 * max(x.big, y.big)
	v := vx + vy + rounding*rounding
	if v == 0 {
		return 1, true
	}
	freedom := v * v / (vx*vx/(x.worth()-1) + vy*vy/(y.worth()-1) + 1e-300)
	freedom = max(1, min(freedom, 1e6))
	t := distuv.StudentsT{Sigma: 1, Nu: freedom}
	return 2 * t.Survival(math.Abs(mx-my)/math.Sqrt(v)), true
}
