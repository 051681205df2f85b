package paper

import (
	"fmt"
	"slices"

	"instanton/lattice"
)

// sampleClaims judge sequences that were sampled: how well they fold, how different they are from each
// other and from those that were learnt from.
func (x *proteins) sampleClaims(r *Result, run *classRun, levels []temperature, beta int) {
	warm, cold := levels[0], levels[beta-1]
	r.Claim(Claim{
		Name: "low-temperature", Where: "section on lattice proteins",
		Statement: "Low temperatures are needed to generate proteins of high quality.",
		Criterion: fmt.Sprintf("at β = 1 less than half of the sampled sequences have P_nat > 0.99, at β = %d more than at β = 1, both by two standard errors", cold.Beta),
		Measured:  []Measured{{Name: "share at β = 1", Value: warm.Good, Error: warm.GoodError}, {Name: fmt.Sprintf("at β = %d", cold.Beta), Value: cold.Good, Error: cold.GoodError}},
		Verdict:   Judge(warm.Good+2*warm.GoodError < 0.5 && cold.Good-2*cold.GoodError > warm.Good+2*warm.GoodError),
	})
	median, good, wide := x.quality(run)
	r.Claim(Claim{
		Name: "quality", Where: "figure dynamics AGS LP (b)",
		Statement: "Sampled proteins fold well.",
		Criterion: fmt.Sprintf("at least half of them have P_nat > 0.99 for the structure of one of the families, by two standard errors, at the least β, up to %d, at which other chains had such a median, β = %d", len(levels), beta),
		Measured:  []Measured{{Name: "median P_nat", Value: median}, {Name: "share with P_nat > 0.99", Value: good, Error: wide}},
		Verdict:   Judge(good-2*wide > 0.5),
	})
	sampled, learnt := make([]float64, 2), make([]float64, 2)
	var errors [2]float64
	for class := range 2 {
		sampled[class], errors[class] = run.far(class)
		learnt[class] = x.within(class)
	}
	diverse := Claim{
		Name: "diverse", Where: "figure dynamics AGS LP, caption",
		Statement: "Sampled proteins are diverse.",
		Criterion: "sequences of different chains in one family differ at more than half as many sites as training sequences of the family, by two standard errors",
		Verdict:   Holds,
	}
	for class, name := range run.Names {
		diverse.Measured = append(diverse.Measured, Measured{Name: "sites that differ in " + name, Value: sampled[class], Error: errors[class]},
			Measured{Name: "in training sequences", Value: learnt[class]})
		if sampled[class]-2*errors[class] <= learnt[class]/2 {
			diverse.Verdict = Fails
		}
	}
	r.Claim(diverse)
	near, equal := x.nearest(run)
	real := x.nearestLearnt()
	mid := near[len(near)/2]
	r.Claim(Claim{
		Name: "new", Where: "figure dynamics AGS LP, caption",
		Statement: "Sampled proteins are different from the training data.",
		Criterion: "none is a training sequence, and the nearest one is half as far, in the median, as training sequences are from the nearest other",
		Measured: []Measured{
			{Name: "copies of training sequences", Value: float64(equal)}, {Name: "of sequences", Value: float64(len(near))},
			{Name: "median distance to the nearest", Value: float64(mid)}, {Name: "least", Value: float64(near[0])}, {Name: "median among training sequences", Value: float64(real)},
		},
		Verdict: Judge(equal == 0 && 2*mid >= real),
	})
}

// quality is the median P_nat of sampled sequences, and the share of those that fold as well as what was learnt
// from, with its error from the spread over chains.
func (x *proteins) quality(run *classRun) (median, good, err float64) {
	shares := make([]float64, run.chains)
	var all []float64
	for chain := range shares {
		rows := some(run.v.Slice(chain*run.draws, (chain+1)*run.draws), 50)
		for _, k := range rows {
			var v lattice.Sequence
			copy(v[:], run.v.CodeRow(chain*run.draws+k))
			p := x.pnat(v)
			all = append(all, max(p[0], p[1]))
			if max(p[0], p[1]) > minPnat {
				shares[chain] += 1 / float64(len(rows))
			}
		}
	}
	slices.Sort(all)
	good, err = meanAndError(shares)
	return all[len(all)/2], good, err
}

// within is the mean distance of training sequences of a family.
func (x *proteins) within(class int) float64 {
	v := x.Data.States
	var all []float64
	rows := some(v, 800)
	for k, a := range rows {
		for _, b := range rows[:k] {
			if x.Data.Labels[a] == class && x.Data.Labels[b] == class {
				all = append(all, float64(apart(v, a, v, b)))
			}
		}
	}
	mean, _ := meanAndError(all)
	return mean
}

// nearest are the distances of sampled sequences from the nearest training sequence, sorted, and how many
// are none.
func (x *proteins) nearest(run *classRun) (near []int, equal int) {
	for _, a := range some(run.v, 2000) {
		best := run.v.N
		for b := range x.Data.States.Len {
			best = min(best, apart(run.v, a, x.Data.States, b))
		}
		if best == 0 {
			equal++
		}
		near = append(near, best)
	}
	slices.Sort(near)
	return near, equal
}

// nearestLearnt is the median distance of training sequences from the nearest other one.
func (x *proteins) nearestLearnt() int {
	v := x.Data.States
	var near []int
	for _, a := range some(v, 1000) {
		best := v.N
		for b := range v.Len {
			if b != a {
				best = min(best, apart(v, a, v, b))
			}
		}
		near = append(near, best)
	}
	slices.Sort(near)
	return near[len(near)/2]
}
