package mixing

import (
	"math"

	"gonum.org/v1/gonum/stat"

	"instanton/unit"
)

// Occupancy is what chains did among modes. A chain is in the mode where it was last deep,
// so that wandering about a border counts as no change.
type Occupancy struct {
	Names       []string
	Path        [][]int // mode by chain and draw, −1 before the first
	Share       []float64
	Error       []float64 // standard error of Share, from the spread over chains
	Transitions int
	Counts      [][]int   // changes from one mode to another
	Residence   []float64 // mean number of draws in a mode before it is left; +Inf if it never is
	Between     float64   // share of the draws that are deep in no mode
	PerRun      []float64 // effective sample size of the indicator in one run: p(1−p)/Var(run means)
}

// Occupy follows chains through modes; draw d of chain k is configuration k·draws+d.
func Occupy(v *unit.States, chains, draws int, modes Modes) *Occupancy {
	n := len(modes.Names())
	o := &Occupancy{Names: modes.Names(), Path: make([][]int, chains)}
	x := make([]float64, v.Width())
	for c := range chains {
		o.Path[c] = make([]int, draws)
		now := -1
		for d := range draws {
			features(x, v, c*draws+d)
			if mode, deep := modes.Of(x); deep {
				now = mode
			} else {
				o.Between += 1 / float64(v.Len)
			}
			o.Path[c][d] = now
		}
	}
	if modes.Found() && o.Between > overlap {
		n, o.Names = 1, []string{"all"}
		for _, path := range o.Path {
			clear(path)
		}
	}
	o.count(n, chains)
	return o
}

// overlap is the share of draws between modes from which modes that were found in the
// samples count as one: 0.2 of a single Gaussian lies within a quarter of a standard
// deviation from its middle.
const overlap = 0.1

func (o *Occupancy) count(n, chains int) {
	o.Counts = make([][]int, n)
	for a := range o.Counts {
		o.Counts[a] = make([]int, n)
	}
	runs := make([][]float64, n) // share of each mode in each run
	for a := range runs {
		runs[a] = make([]float64, chains)
	}
	stays := make([]int, n)
	for c, path := range o.Path {
		known := 0
		for d, mode := range path {
			if mode < 0 {
				continue
			}
			known++
			runs[mode][c]++
			stays[mode]++
			if d > 0 && path[d-1] >= 0 && path[d-1] != mode {
				o.Counts[path[d-1]][mode]++
				o.Transitions++
			}
		}
		for a := range runs {
			runs[a][c] /= math.Max(float64(known), 1)
		}
	}
	for a := range runs {
		mean, variance := stat.MeanVariance(runs[a], nil)
		left := 0
		for _, k := range o.Counts[a] {
			left += k
		}
		o.Share = append(o.Share, mean)
		o.Error = append(o.Error, math.Sqrt(variance/float64(chains)))
		o.Residence = append(o.Residence, float64(stays[a])/float64(left))
		o.PerRun = append(o.PerRun, mean*(1-mean)/variance)
	}
}

// Seen is the number of modes in which any chain was.
func (o *Occupancy) Seen() int {
	n := 0
	for _, p := range o.Share {
		if p > 0 {
			n++
		}
	}
	return n
}

// Islands is the number of groups of modes between which no chain went.
func (o *Occupancy) Islands() int {
	group := make([]int, len(o.Share))
	for a := range group {
		group[a] = a
	}
	for a, row := range o.Counts {
		for b, k := range row {
			if k == 0 || group[a] == group[b] {
				continue
			}
			from, to := group[a], group[b]
			for c := range group {
				if group[c] == from {
					group[c] = to
				}
			}
		}
	}
	distinct := map[int]bool{}
	for a, p := range o.Share {
		if p > 0 {
			distinct[group[a]] = true
		}
	}
	return len(distinct)
}

// Indicator is one where a chain is in the mode, by chain and draw.
func (o *Occupancy) Indicator(mode int) [][]float64 {
	out := make([][]float64, len(o.Path))
	for c, path := range o.Path {
		out[c] = make([]float64, len(path))
		for d, m := range path {
			if m == mode {
				out[c][d] = 1
			}
		}
	}
	return out
}

// Matrix is the share of the changes from each mode that lead to each other.
func (o *Occupancy) Matrix() [][]float64 {
	out := make([][]float64, len(o.Counts))
	for a, row := range o.Counts {
		out[a] = make([]float64, len(row))
		sum := 0
		for _, k := range row {
			sum += k
		}
		for b, k := range row {
			if sum > 0 {
				out[a][b] = float64(k) / float64(sum)
			}
		}
	}
	return out
}
