package mixing

import (
	"math"

	"gonum.org/v1/gonum/stat"

	"instanton/internal/parallel"
	"instanton/unit"
)

// Occupancy describes the paths of chains among modes. A chain is in the mode in which it was last deep, so that
// fluctuations about a border do not count as changes.
type Occupancy struct {
	Names       []string
	Path        [][]int // mode by chain and draw; −1 before the chain is in any
	Share       []float64
	Error       []float64 // standard error of Share, from the variance over chains
	Transitions int
	Counts      [][]int   // changes from one mode to another
	Residence   []float64 // mean number of draws in a mode before it is left; +Inf if it never is
	Between     float64   // fraction of the draws that are deep in no mode
	PerRun      []float64 // effective sample size of one run: p(1−p)/Var(run means)
	Outside     int       // chains that were never deep in any mode; not counted above
	Merged      int       // number of modes merged into one, named all, because too many draws lie between them
}

// Occupy follows chains among modes; draw d of chain k is configuration k·draws+d.
func Occupy(v *unit.States, chains, draws int, modes Modes) *Occupancy {
	n := len(modes.Names())
	o := &Occupancy{Names: modes.Names(), Path: make([][]int, chains)}
	between := make([]int, chains)
	parallel.For(0, chains, func(_, c int) { o.Path[c], between[c] = follow(v, c*draws, draws, modes) })
	for _, k := range between {
		o.Between += float64(k) / float64(v.Len)
	}
	outside := 0
	for _, path := range o.Path {
		if path[draws-1] < 0 {
			outside++
		}
	}
	if n > 1 && (o.Between > givenBetween || modes.Found() && o.Between > foundBetween || 2*outside > chains) {
		o.Merged = n
		n, o.Names = 1, []string{"all"}
		for _, path := range o.Path {
			clear(path)
		}
	}
	o.count(n)
	return o
}

// follow returns the path of one chain and its number of draws deep in no mode.
func follow(v *unit.States, first, draws int, modes Modes) (path []int, between int) {
	path = make([]int, draws)
	now := -1
	for d := range draws {
		if mode, deep := modes.Of(v, first+d); deep {
			now = mode
		} else {
			between++
		}
		path[d] = now
	}
	return path, between
}

// Fractions of draws between modes above which the modes count as one. Modes found in the samples overlap from a tenth
// on: 0.2 of a single Gaussian lies within a quarter of a standard deviation of its centre. Modes that were given do
// not fit if nearly all draws, or most chains, are in none.
const (
	foundBetween = 0.1
	givenBetween = 0.8
)

func (o *Occupancy) count(n int) {
	o.Counts = make([][]int, n)
	for a := range o.Counts {
		o.Counts[a] = make([]int, n)
	}
	runs := make([][]float64, n) // fraction of each mode in each run that was in any
	stays := make([]int, n)
	for _, path := range o.Path {
		known, in := 0, make([]float64, n)
		for d, mode := range path {
			if mode < 0 {
				continue
			}
			known++
			in[mode]++
			stays[mode]++
			if d > 0 && path[d-1] >= 0 && path[d-1] != mode {
				o.Counts[path[d-1]][mode]++
				o.Transitions++
			}
		}
		if known == 0 {
			o.Outside++
			continue
		}
		for a := range runs {
			runs[a] = append(runs[a], in[a]/float64(known))
		}
	}
	for a := range runs {
		mean, variance := 0.0, math.NaN()
		if len(runs[a]) > 0 {
			mean, variance = stat.MeanVariance(runs[a], nil)
		}
		left := 0
		for _, k := range o.Counts[a] {
			left += k
		}
		o.Share = append(o.Share, mean)
		o.Error = append(o.Error, math.Sqrt(variance/float64(len(runs[a]))))
		o.Residence = append(o.Residence, float64(stays[a])/float64(left))
		o.PerRun = append(o.PerRun, mean*(1-mean)/variance)
	}
}

// Seen is the number of modes in which any chain was, not counting those that chains only left.
func (o *Occupancy) Seen() int {
	n := 0
	for a, p := range o.Share {
		if p > 0 && !o.Abandoned(a) {
			n++
		}
	}
	return n
}

// Entries is the number of changes into a mode.
func (o *Occupancy) Entries(mode int) int {
	n := 0
	for _, row := range o.Counts {
		n += row[mode]
	}
	return n
}

// Abandoned reports whether chains started in a mode and all of them left it for good.
func (o *Occupancy) Abandoned(mode int) bool {
	if o.Share[mode] == 0 || o.Entries(mode) > 0 {
		return false
	}
	for _, path := range o.Path {
		if path[len(path)-1] == mode {
			return false
		}
	}
	return true
}

// Rarest returns the mode, among those seen, that was entered least often, and how often.
func (o *Occupancy) Rarest() (mode, entries int) {
	entries = math.MaxInt
	for a, p := range o.Share {
		if n := o.Entries(a); p > 0 && !o.Abandoned(a) && n < entries {
			mode, entries = a, n
		}
	}
	return mode, entries
}

// Stayers returns the number of chains that stayed in one mode throughout and the mean number of changes of the
// others, 0 if there are none.
func (o *Occupancy) Stayers() (stayers int, others float64) {
	for _, path := range o.Path {
		moved := false
		for d := 1; d < len(path) && !moved; d++ {
			moved = path[d-1] >= 0 && path[d] != path[d-1]
		}
		if !moved {
			stayers++
		}
	}
	return stayers, float64(o.Transitions) / math.Max(1, float64(len(o.Path)-stayers))
}

// Islands is the number of groups of modes between which no chain moved.
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

// Indicator is one where a chain is in the mode and zero elsewhere, by chain and draw; chains that were in no mode are
// left out.
func (o *Occupancy) Indicator(mode int) [][]float64 {
	var out [][]float64
	for _, path := range o.Path {
		if path[len(path)-1] < 0 {
			continue
		}
		in := make([]float64, len(path))
		for d, m := range path {
			if m == mode {
				in[d] = 1
			}
		}
		out = append(out, in)
	}
	return out
}

// Matrix holds the fraction of the changes from each mode that lead to each other mode.
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
