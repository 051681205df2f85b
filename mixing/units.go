package mixing

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"instanton/batch"
	"instanton/internal/parallel"
	"instanton/unit"
)

// Units has R-hat and the bulk effective sample size of every unit of a layer, null for one
// that never changes or whose rarer state is too rare to say anything.
type Units struct {
	RHat []Number `json:"rhat"`
	ESS  []Number `json:"ess_bulk"`
}

// maxFollowed is the number of draws per chain by which single units are followed, maxFollowedRows that of all chains.
const (
	maxFollowed     = 1000
	maxFollowedRows = 24_000
)

// rare is the share of draws below which a state of a unit is too rare to compare chains by; a state held by one whole
// chain is never too rare.
func rare(chains int) float64 { return min(0.01, 0.5/float64(chains)) }

// followUnits follows every site and every hidden unit's mean, and adds the worst of them to
// the quantities: the one on which the chains agree least, and the one with the fewest
// effective draws. A frozen unit in a model whose energy and principal components mix well
// shows nowhere else.
func (d *Diagnosis) followUnits(s Samples) {
	most := max(3*minDraws, min(maxFollowed, maxFollowedRows/s.Chains))
	every := (s.Draws + most - 1) / most
	draws := s.Draws / every
	if draws < minDraws {
		return
	}
	kept := unit.NewStates(s.V.Spec, s.Chains*draws)
	for c := range s.Chains {
		for t := range draws {
			kept.CopyRow(c*draws+t, s.V, c*s.Draws+t*every)
		}
	}
	d.Visible = d.followLayer("site", kept.N, kept.Channels(), s.Chains, draws, func(dst []float64, channel int) {
		spec := kept.Spec
		for k := range dst {
			if spec.Type == unit.Potts {
				dst[k] = 0
				if int(kept.CodeRow(k)[channel/spec.Q]) == channel%spec.Q {
					dst[k] = 1
				}
			} else {
				dst[k] = kept.Value(k, channel)
			}
		}
	})
	if s.Model == nil {
		return
	}
	hidden := s.Model.Hidden.Spec()
	width := hidden.Width()
	means := make([]float32, kept.Len*width) // channel by channel
	engine, block := prepare(s.Model), make([]float64, min(draws, kept.Len)*width)
	for c := range s.Chains {
		engine.Means(block, batch.Hidden, kept.Slice(c*draws, (c+1)*draws))
		for k, x := range block {
			means[k%width*kept.Len+c*draws+k/width] = float32(x)
		}
	}
	d.Hidden = d.followLayer("hidden unit", hidden.N, hidden.Channels(), s.Chains, draws,
		func(dst []float64, channel int) {
			for k, x := range means[channel*kept.Len : (channel+1)*kept.Len] {
				dst[k] = float64(x)
			}
		})
}

// followLayer follows the channels of a layer, and keeps the worst of each unit. Values sets
// dst to a channel's numbers, chain by chain.
func (d *Diagnosis) followLayer(name string, n, channels, chains, draws int,
	values func(dst []float64, channel int)) *Units {
	followed := make([]unitSeries, n*channels)
	scratch := make([][]float64, parallel.Workers(0, n))
	parallel.For(0, n, func(worker, i int) {
		if scratch[worker] == nil {
			scratch[worker] = make([]float64, chains*draws)
		}
		for a := range channels {
			values(scratch[worker], i*channels+a)
			followed[i*channels+a] = measureUnit(chainsOf(scratch[worker], chains))
		}
	})
	units := &Units{RHat: make([]Number, n), ESS: make([]Number, n)}
	apart, small := -1, -1
	for i := range n {
		units.RHat[i], units.ESS[i] = Number(math.NaN()), Number(math.NaN())
		for a := range channels {
			c := i*channels + a
			u := followed[c]
			if !u.known {
				continue
			}
			d.Compared++
			if !(u.rhat <= float64(units.RHat[i])) {
				units.RHat[i] = Number(u.rhat)
			}
			if !(u.ess >= float64(units.ESS[i])) {
				units.ESS[i] = Number(u.ess)
			}
			if u.persists && (d.persistent == nil || u.rhat > d.persistent.rhat) {
				d.persistent = &persistence{label(name, i, a, channels), u.rhat, u.groups}
			}
			if apart < 0 || u.p < followed[apart].p || u.p == followed[apart].p && u.rhat > followed[apart].rhat {
				apart = c
			}
			if small < 0 || u.ess < followed[small].ess {
				small = c
			}
		}
	}
	buffer := make([]float64, chains*draws)
	for k, c := range []int{apart, small} {
		if c < 0 || k == 1 && c == apart {
			continue
		}
		values(buffer, c)
		d.follow(label(name, c/channels, c%channels, channels), chainsOf(buffer, chains))
		q := &d.Quantities[len(d.Quantities)-1]
		q.worst, q.p = true, followed[c].p
		q.Tau *= Number(float64(d.Draws / draws)) // of the draws that were left out, too
	}
	return units
}

// label names a channel of a unit by its number in the model, from zero.
func label(name string, i, state, channels int) string {
	if channels > 1 {
		return fmt.Sprintf("%s %d, state %d", name, i, state)
	}
	return fmt.Sprintf("%s %d", name, i)
}

// unitSeries is what is measured of one channel.
type unitSeries struct {
	known     bool
	rhat, ess float64
	p         float64 // probability of chains that differ as much, if they mix
	persists  bool
	groups    [2]group // where the chains stay, if they do
}

// group is chains that stay about a value.
type group struct {
	chains int
	at     float64
}

// persistence is a quantity on which chains differ in the same way throughout.
type persistence struct {
	name   string
	rhat   float64
	groups [2]group
}

func measureUnit(x [][]float64) unitSeries {
	u := unitSeries{rhat: math.NaN(), ess: math.NaN(), p: 1}
	if constant(x) || tooRare(x) {
		return u
	}
	halves := split(x)
	n, count := float64(len(halves[0])), float64(len(halves))
	means, within := make([]float64, len(halves)), 0.0
	for c, h := range halves {
		mean, s2 := stat.MeanVariance(h, nil)
		means[c] = mean
		within += s2 / count
	}
	long := longVariance(x)
	between := stat.Variance(means, nil)
	u.known, u.rhat = true, math.Sqrt((n*between/within+n-1)/n)
	// The variance of the overall mean, by the autocorrelation within and by the means of the halves.
	u.ess = (within + between) / (max(long/n, between) / count)
	u.p = chance(between, long/n, len(halves))
	u.persists, u.groups = persists(x, long)
	return u
}

// tooRare tells that a quantity of two values has one of them so rarely that chains cannot be
// compared by it.
func tooRare(x [][]float64) bool {
	first, second, seen, count, n := x[0][0], 0.0, false, 0, 0
	for _, c := range x {
		n += len(c)
		for _, v := range c {
			switch {
			case v == first:
				count++
			case !seen:
				second, seen = v, true
			case v != second:
				return false // more than two values
			}
		}
	}
	share := float64(count) / float64(n)
	return min(share, 1-share) < rare(len(x))
}

// chance is the probability that means of so many parts of chains in equilibrium vary as much
// as these do, given the variance of such a mean by the autocorrelation within.
func chance(between, variance float64, parts int) float64 {
	switch {
	case between == 0:
		return 1
	case variance == 0:
		return 0 // frozen in different places
	}
	ν := float64(parts - 1)
	return distuv.ChiSquared{K: ν}.Survival(ν * between / variance)
}

// ownTau is the integrated autocorrelation time of one chain about its own mean, at least one,
// with Sokal's window; most units need a few lags only.
func ownTau(x []float64, mean float64) float64 {
	var zero float64
	for _, v := range x {
		zero += (v - mean) * (v - mean)
	}
	tau := 1.0
	for w := 1; w < len(x)/2 && float64(w) < 5*tau; w++ {
		var sum float64
		for t, v := range x[w:] {
			sum += (v - mean) * (x[t] - mean)
		}
		tau += 2 * sum / zero
	}
	return max(tau, 1)
}

// persists tells whether chains differ in the last third of a run as they did in the first:
// the covariance of the two means over the chains is the variance of what stays, and the
// difference of the two is what moved. Where the former is nine times the latter, and nine
// times the variance of such means, running longer will not bring the chains together. Long is
// the variance within chains times their autocorrelation time.
func persists(x [][]float64, long float64) (bool, [2]group) {
	third := len(x[0]) / 3
	if len(x) < 2 || third < 2 {
		return false, [2]group{}
	}
	first, last, noise := make([]float64, len(x)), make([]float64, len(x)), long/float64(third)
	for c := range x {
		first[c], last[c] = stat.Mean(x[c][:third], nil), stat.Mean(x[c][len(x[c])-third:], nil)
	}
	stays := stat.Covariance(first, last, nil)
	var moved float64
	a, b := stat.Mean(first, nil), stat.Mean(last, nil)
	for c := range first {
		step := (first[c] - a) - (last[c] - b)
		moved += step * step / float64(2*(len(x)-1))
	}
	if !(stays > 9*moved && stays > 9*noise) {
		return false, [2]group{}
	}
	low, high := halve(last)
	groups := [2]group{{at: low}, {at: high}}
	for _, m := range last {
		if math.Abs(m-low) <= math.Abs(m-high) {
			groups[0].chains++
		} else {
			groups[1].chains++
		}
	}
	return true, groups
}

// longVariance is the variance within halves of chains times their autocorrelation time.
func longVariance(x [][]float64) (long float64) {
	if len(x) == 0 || len(x[0]) < 4 {
		return 0
	}
	halves := split(x)
	for _, h := range halves {
		if mean, s2 := stat.MeanVariance(h, nil); s2 > 0 {
			long += s2 * ownTau(h, mean) / float64(len(halves))
		}
	}
	return long
}
