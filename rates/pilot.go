package rates

import (
	"context"
	"fmt"
	"math"
)

// pilot finds the umbrella under which the chains go back and forth between the states. It starts from what the chains
// see near the states, extrapolates log P(q), and corrects the extrapolation as the chains advance.
func (w *umbrella) pilot(ctx context.Context, groups []*group, workers int) error {
	c := groups[0].c
	w.f = make([]float64, w.hi-w.lo+1)
	total := newFlows(c.bins)
	const cycles, looks = 4, 3
	most := 100 + 10*(w.b-w.a)
	after := -1 // rounds since the states were connected
	for round := 0; after < max(5, round/4); round++ {
		if round > most {
			return &notKnown{NotJoined, fmt.Sprintf("%d sweeps under the umbrella did not connect the two states: the "+
				"values q = %g to %g were not all seen, so q may not be a good coordinate between them",
				round*looks*cycles*len(groups[0].levels), c.edge(w.a), c.edge(w.b))}
		}
		err := each(ctx, groups, workers, func(u *group) error {
			for range looks {
				for range cycles {
					u.cycle(w)
				}
				u.look()
			}
			return nil
		})
		if err != nil {
			return err
		}
		for _, u := range groups {
			total.add(u.seen)
			u.seen = newFlows(c.bins)
		}
		if w.guess(total); after >= 0 || total.joined(w.a, w.b) {
			after++
		}
	}
	return nil
}

// enough is the number of configurations in a bin from which its flows are trusted.
const enough = 10

// joined reports whether all slopes between two bins are known.
func (f *flows) joined(lo, hi int) bool {
	for b := lo; b < hi; b++ {
		if math.IsNaN(f.slope(b, enough)) {
			return false
		}
	}
	return true
}

// guess sets f = −log P(q) between the states, from the known slopes and, where they are unknown, by interpolation
// between the nearest known ones.
func (w *umbrella) guess(total *flows) {
	slope := make([]float64, w.b-w.a)
	last := -1
	for k := range slope {
		slope[k] = total.slope(w.a+k, enough)
		if math.IsNaN(slope[k]) {
			continue
		}
		for j := last + 1; j < k; j++ {
			slope[j] = slope[k]
			if last >= 0 {
				t := float64(j-last) / float64(k-last)
				slope[j] = (1-t)*slope[last] + t*slope[k]
			}
		}
		last = k
	}
	for j := last + 1; j < len(slope); j++ {
		slope[j] = 0
		if last >= 0 {
			slope[j] = slope[last]
		}
	}
	f := 0.0
	for b := w.lo; b <= w.hi; b++ {
		if b > w.a && b <= w.b {
			f -= slope[b-1-w.a]
		}
		w.f[b-w.lo] = f
	}
}
