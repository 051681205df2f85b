package tempering

import (
	"math"

	"instanton/batch"
	"instanton/internal/special"
	"instanton/unit"
)

// classEstimate estimates the weights that make all classes equally frequent on a rung, from draws on all rungs.
// Within a class, Bennett's acceptance ratio gives log Z_{r+1}(c)/Z_r(c), whether or not replicas change class; at the
// bottom the classes are counted.
type classEstimate struct {
	*Kernel
	rows  ladderWorker
	find  *classWorker
	count []float64     // of each class at the bottom
	pairs [][]pairDraws // by pair of rungs and class
}

// pairDraws are the differences F_r − F_{r+1} of draws from rungs r and r+1.
type pairDraws struct{ low, high []float64 }

func newClassEstimate(k *Kernel) *classEstimate {
	e := &classEstimate{Kernel: k, rows: k.ladder.worker(), find: k.balance.worker(),
		count: make([]float64, k.balance.classes)}
	for range k.Rungs() - 1 {
		e.pairs = append(e.pairs, make([]pairDraws, k.balance.classes))
	}
	return e
}

// add takes in the replicas of a pilot.
func (e *classEstimate) add(p *pilot) {
	n := e.Rungs()
	here, there, class := make([]float64, batch.MaxRows), make([]float64, batch.MaxRows), make([]int, batch.MaxRows)
	for r := range n {
		v := p.replicas(r)
		for lo := 0; lo < v.Len; lo += batch.MaxRows {
			rows := min(batch.MaxRows, v.Len-lo)
			e.find.find(class[:rows], v, lo)
			if r > 0 {
				e.difference(here, there, r-1, v, lo, rows)
				for k, d := range here[:rows] {
					at := &e.pairs[r-1][class[k]]
					at.high = append(at.high, d)
				}
			}
			if r < n-1 {
				e.difference(here, there, r, v, lo, rows)
				for k, d := range here[:rows] {
					at := &e.pairs[r][class[k]]
					at.low = append(at.low, d)
				}
			}
			if r == 0 {
				for _, c := range class[:rows] {
					e.count[c]++
				}
			}
		}
	}
}

// difference sets dst to F_r − F_{r+1}.
func (e *classEstimate) difference(dst, scratch []float64, r int, v *unit.States, lo, rows int) {
	e.rows.energies(dst[:rows], r, v, lo)
	e.rows.energies(scratch[:rows], r+1, v, lo)
	for k := range rows {
		dst[k] -= scratch[k]
	}
}

// set gives the kernel the weights. A class that is missing on a rung is assumed to change there as the others do.
func (e *classEstimate) set() {
	logZ := make([]float64, e.balance.classes)
	for c, n := range e.count {
		logZ[c] = math.Log(n + 0.5)
	}
	for r := 1; r < e.Rungs()-1; r++ {
		var mean, known float64
		change := make([]float64, len(logZ))
		for c := range change {
			if change[c] = e.pairs[r-1][c].logRatio(); !math.IsNaN(change[c]) {
				mean += change[c]
				known++
			}
		}
		var level float64
		for c := range logZ {
			if math.IsNaN(change[c]) {
				change[c] = mean / max(known, 1)
			}
			logZ[c] += change[c]
			level += logZ[c] / float64(len(logZ))
		}
		for c := range logZ {
			e.balance.weight[r][c] = level - logZ[c]
		}
	}
}

// logRatio is log Z_{r+1}/Z_r within a class, NaN if there are no draws. With w = F_r − F_{r+1} it solves
//
//	Σ_low σ(w − ℓ) = Σ_high σ(ℓ − w),   ℓ = log Z_{r+1}/Z_r + log(n_low/n_high)
//
// (Bennett, J. Comput. Phys. 22, 245, 1976). With draws of one side only it is the mean of e^w or e^{−w}.
func (p *pairDraws) logRatio() float64 {
	switch {
	case len(p.low) == 0 && len(p.high) == 0:
		return math.NaN()
	case len(p.high) == 0:
		return special.LogSumExp(p.low) - math.Log(float64(len(p.low)))
	case len(p.low) == 0:
		minus := make([]float64, len(p.high))
		for k, x := range p.high {
			minus[k] = -x
		}
		return math.Log(float64(len(p.high))) - special.LogSumExp(minus)
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, side := range [][]float64{p.low, p.high} {
		for _, x := range side {
			lo, hi = min(lo, x), max(hi, x)
		}
	}
	shift := math.Log(float64(len(p.low)) / float64(len(p.high)))
	lo, hi = lo-50+min(shift, 0), hi+50+max(shift, 0)
	excess := func(l float64) (sum float64) { // falls as l rises
		for _, w := range p.low {
			sum += 1 / (1 + math.Exp(l-w))
		}
		for _, w := range p.high {
			sum -= 1 / (1 + math.Exp(w-l))
		}
		return sum
	}
	for hi-lo > 1e-6 {
		if middle := (lo + hi) / 2; excess(middle) > 0 {
			lo = middle
		} else {
			hi = middle
		}
	}
	return (lo+hi)/2 - shift
}
