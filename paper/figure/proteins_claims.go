package figure

import (
	"fmt"
	"slices"

	"instanton/lattice"
	"instanton/paper/experiment"
	"instanton/paper/verdict"
)

// sampleClaims judge sequences that were sampled: how well they fold, how different they are from each
// other and from those that were learnt from.
func sampleClaims(x *experiment.Proteins, r *verdict.Result, run *experiment.ClassRun, levels []experiment.Temperature,
	beta int) {
	warm, cold := levels[0], levels[beta-1]
	r.Claim(verdict.Claim{
		Name: "low-temperature", Where: "section on lattice proteins",
		Statement: "Low temperatures are needed to generate proteins of high quality.",
		Criterion: fmt.Sprintf("at β = 1 less than half of the sampled sequences have P_nat > 0.99, at β = %d more "+
			"than at β = 1, both by two standard errors", cold.Beta),
		Measured: []verdict.Measured{{Name: "share at β = 1", Value: warm.Good, Error: warm.GoodError},
			{Name: fmt.Sprintf("at β = %d", cold.Beta), Value: cold.Good, Error: cold.GoodError}},
		Verdict: verdict.Judge(warm.Good+2*warm.GoodError < 0.5 &&
			cold.Good-2*cold.GoodError > warm.Good+2*warm.GoodError),
	})
	median, good, wide := foldQuality(x, run)
	r.Claim(verdict.Claim{
		Name: "quality", Where: "figure dynamics AGS LP (b)",
		Statement: "Sampled proteins fold well.",
		Criterion: fmt.Sprintf("at least half of them have P_nat > 0.99 for the structure of one of the families, "+
			"by two standard errors, at the least β, up to %d, at which other chains had such a median, β = %d",
			len(levels), beta),
		Measured: []verdict.Measured{{Name: "median P_nat", Value: median},
			{Name: "share with P_nat > 0.99", Value: good, Error: wide}},
		Verdict: verdict.Judge(good-2*wide > 0.5),
	})
	sampled, learnt := make([]float64, 2), make([]float64, 2)
	var errors [2]float64
	for class := range 2 {
		sampled[class], errors[class] = run.IndependentDistance(class)
		learnt[class] = familyDistance(x, class)
	}
	diverse := verdict.Claim{
		Name: "diverse", Where: "figure dynamics AGS LP, caption",
		Statement: "Sampled proteins are diverse.",
		Criterion: "sequences of different chains in one family differ at more than half as many sites as training " +
			"sequences of the family, by two standard errors",
		Verdict: verdict.Holds,
	}
	for class, name := range run.Names {
		diverse.Measured = append(diverse.Measured,
			verdict.Measured{Name: "sites that differ in " + name, Value: sampled[class], Error: errors[class]},
			verdict.Measured{Name: "in training sequences", Value: learnt[class]})
		if sampled[class]-2*errors[class] <= learnt[class]/2 {
			diverse.Verdict = verdict.Fails
		}
	}
	r.Claim(diverse)
	near, equal := nearestDistances(x, run)
	real := learntDistance(x)
	mid := near[len(near)/2]
	r.Claim(verdict.Claim{
		Name: "new", Where: "figure dynamics AGS LP, caption",
		Statement: "Sampled proteins are different from the training data.",
		Criterion: "none is a training sequence, and the nearest one is half as far, in the median, as training " +
			"sequences are from the nearest other",
		Measured: []verdict.Measured{
			{Name: "copies of training sequences", Value: float64(equal)},
			{Name: "of sequences", Value: float64(len(near))},
			{Name: "median distance to the nearest", Value: float64(mid)}, {Name: "least", Value: float64(near[0])},
			{Name: "median among training sequences", Value: float64(real)},
		},
		Verdict: verdict.Judge(equal == 0 && 2*mid >= real),
	})
}

// foldQuality is the median P_nat of sampled sequences, and the share of those that fold as well as what was learnt
// from, with its error from the spread over chains.
func foldQuality(x *experiment.Proteins, run *experiment.ClassRun) (median, good, err float64) {
	shares := make([]float64, run.Chains)
	var all []float64
	for chain := range shares {
		rows := evenlySpaced(run.V.Slice(chain*run.Draws, (chain+1)*run.Draws), 50)
		for _, k := range rows {
			var v lattice.Sequence
			copy(v[:], run.V.CodeRow(chain*run.Draws+k))
			p := x.Pnat(v)
			all = append(all, max(p[0], p[1]))
			if max(p[0], p[1]) > experiment.MinPnat {
				shares[chain] += 1 / float64(len(rows))
			}
		}
	}
	slices.Sort(all)
	good, err = experiment.MeanError(shares)
	return all[len(all)/2], good, err
}

// familyDistance is the mean distance of training sequences of a family.
func familyDistance(x *experiment.Proteins, class int) float64 {
	v := x.Data.States
	var all []float64
	rows := evenlySpaced(v, 800)
	for k, a := range rows {
		for _, b := range rows[:k] {
			if x.Data.Labels[a] == class && x.Data.Labels[b] == class {
				all = append(all, float64(v.Hamming(a, v, b)))
			}
		}
	}
	mean, _ := experiment.MeanError(all)
	return mean
}

// nearestDistances are the distances of sampled sequences from the nearest training sequence, sorted, and how many
// are none.
func nearestDistances(x *experiment.Proteins, run *experiment.ClassRun) (near []int, equal int) {
	for _, a := range evenlySpaced(run.V, 2000) {
		best := run.V.N
		for b := range x.Data.States.Len {
			best = min(best, run.V.Hamming(a, x.Data.States, b))
		}
		if best == 0 {
			equal++
		}
		near = append(near, best)
	}
	slices.Sort(near)
	return near, equal
}

// learntDistance is the median distance of training sequences from the nearest other one.
func learntDistance(x *experiment.Proteins) int {
	v := x.Data.States
	var near []int
	for _, a := range evenlySpaced(v, 1000) {
		best := v.N
		for b := range v.Len {
			if b != a {
				best = min(best, v.Hamming(a, v, b))
			}
		}
		near = append(near, best)
	}
	slices.Sort(near)
	return near[len(near)/2]
}
