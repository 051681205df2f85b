package rates

import (
	"fmt"
	"math"

	"instanton/internal/vec"
	"instanton/unit"
)

// features are numbers of a configuration. Chains that find all that is likely at each q agree on their means there,
// wherever they came from.
type features struct {
	see            *observer
	moving         bool // of the visible units only those that q depends on
	visible, means sums
	mean           []float64
}

// The first features: rates of single-unit moves to the next bins, which P(q) is made from, and their logarithms; then
// the energy, the visible units, the means of the hidden ones.
const (
	moves  = 4
	energy = moves
	units  = moves + 1
)

// followed is the largest number of features per layer. Larger layers are followed by as many sums of units with
// random signs.
const followed = 128

func newFeatures(see *observer) *features {
	hidden := see.m.Hidden.Spec().Width()
	return &features{
		see: see, visible: newSums(see.c.spec.Width()), means: newSums(hidden), mean: make([]float64, hidden),
	}
}

func (f *features) count() int { return units + f.visible.n + f.means.n }

// read computes the features of the configuration that the observer saw last.
func (f *features) read(dst []float64) {
	o := f.see
	clear(dst)
	dst[0], dst[1] = o.up, o.down
	dst[2], dst[3] = math.Log(o.up+1e-300), math.Log(o.down+1e-300)
	dst[energy] = o.m.EffectiveEnergyWith(o.inputs, o.x)
	for i, x := range o.x {
		if f.moving && !o.c.moves(i) {
			continue
		}
		channel, factor := o.c.spec.Channel(i, x)
		f.visible.add(dst[units:], channel, factor)
	}
	o.m.Hidden.Mean(f.mean, o.inputs)
	for j, x := range f.mean {
		f.means.add(dst[units+f.visible.n:], j, x)
	}
}

// name says what a feature is.
func (f *features) name(k int) string {
	switch {
	case k < moves:
		return "the rates of single-unit moves"
	case k == energy:
		return "the energy"
	case k < units+f.visible.n:
		return f.visible.name(k-units, "visible", f.see.c.spec)
	}
	return f.means.name(k-units-f.visible.n, "hidden", f.see.m.Hidden.Spec())
}

// sums are n sums of the channels of a layer.
type sums struct{ n, width int }

func newSums(width int) sums { return sums{min(width, followed), width} }

func (s sums) add(dst []float64, channel int, x float64) {
	if s.n == s.width {
		dst[channel] += x
		return
	}
	h := uint64(channel+1) * 0x9e3779b97f4a7c15 // Fibonacci hashing
	if h>>40&1 != 0 {
		x = -x
	}
	dst[(h>>41)%uint64(s.n)] += x
}

func (s sums) name(k int, layer string, spec unit.Spec) string {
	if s.n < s.width {
		return "the " + layer + " units"
	}
	return fmt.Sprintf("%s unit %d", layer, k/spec.Channels()+1)
}

// record is what features did along the chains of a group, each chain by itself.
type record struct {
	f       *features
	windows int
	window  []int     // of each bin, −1 for none
	visits  []float64 // chain × bin
	sum     []float64 // chain × window × feature
	inBin   []float64 // bin × feature, over all chains
	square  []float64 // bin × rates of moves, likewise
	now     []float64
}

// windows along q between the states, at most.
const mostWindows = 8

func newRecord(u *group, w *umbrella) *record {
	f := newFeatures(u.see)
	bins, n := u.c.bins, len(u.q)
	r := &record{f: f, windows: min(mostWindows, w.b-w.a+1), window: make([]int, bins), now: make([]float64, f.count())}
	for b := range r.window {
		r.window[b] = -1
		if b >= w.lo && b <= w.hi {
			r.window[b] = (min(max(b, w.a), w.b) - w.a) * r.windows / (w.b - w.a + 1)
		}
	}
	r.visits = make([]float64, n*bins)
	r.sum = make([]float64, n*r.windows*f.count())
	r.inBin, r.square = make([]float64, bins*f.count()), make([]float64, bins*moves)
	return r
}

// add takes the configuration of chain k in a bin, which the observer saw last.
func (r *record) add(k, bin int) {
	if r.window[bin] < 0 {
		return
	}
	r.f.read(r.now)
	n := len(r.now)
	r.visits[k*len(r.window)+bin]++
	vec.Add(r.sum[(k*r.windows+r.window[bin])*n:][:n], r.now)
	vec.Add(r.inBin[bin*n:][:n], r.now)
	for j, x := range r.now[:moves] {
		r.square[bin*moves+j] += x * x
	}
}
