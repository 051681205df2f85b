package paper

import (
	"context"
	"fmt"
	"math"

	"instanton/dataset"
	"instanton/evaluate"
	"instanton/mixing"
	"instanton/sampler"
	"instanton/unit"
)

// judged are the modes of configurations whose classes are known with their probabilities.
type judged struct {
	names []string
	p     [][]float64 // by configuration
	deep  float64     // a class counts as entered from this probability on
}

var _ mixing.Modes = judged{}

func (j judged) Names() []string { return j.names }
func (j judged) Found() bool     { return false }
func (j judged) Of(_ *unit.States, k int) (class int, deep bool) {
	class, p := evaluate.MostProbable(j.p[k])
	return class, p >= j.deep
}

// classRun are chains and what a classifier says of them.
type classRun struct {
	v             *unit.States // draw d of chain k is configuration k·draws+d
	chains, draws int
	every         int         // steps between draws
	p             [][]float64 // probabilities of the classes
	*mixing.Occupancy
}

// judgement says how configurations are told apart.
type judgement struct {
	names []string // of the classes
	judge evaluate.Classifier
	deep  float64 // a class counts as entered from this probability on
}

// runClasses records chains from the given configurations.
func (s Settings) runClasses(ctx context.Context, k sampler.Kernel, from *unit.States, steps, every int, j judgement) (*classRun, error) {
	c := sampler.NewChains(k.Model(), from.Len, s.Seed)
	if err := c.Begin(from); err != nil {
		return nil, err
	}
	r := &classRun{chains: from.Len, draws: steps / every, every: every}
	record := sampler.NewRecord(k, c, sampler.Plan{Every: every, Draws: r.draws}, false)
	err := sampler.NewPool(k, s.Workers).Record(ctx, c, record, nil)
	if err != nil {
		return nil, err
	}
	r.v = record.V
	if r.p, err = j.judge(r.v); err != nil {
		return nil, err
	}
	r.Occupancy = mixing.Occupy(r.v, r.chains, r.draws, judged{j.names, r.p, j.deep})
	return r, nil
}

// examplesByTurns picks examples of class 0, 1, …, 0, 1, …
func examplesByTurns(d *dataset.Dataset, count int) (*unit.States, error) {
	classes := len(d.LabelNames)
	v := unit.NewStates(d.States.Spec, count)
	next := make([]int, classes)
	for k := range count {
		class := k % classes
		for next[class] < len(d.Labels) && d.Labels[next[class]] != class {
			next[class]++
		}
		if next[class] == len(d.Labels) {
			return nil, fmt.Errorf("the data hold too few examples of class %s to start %d chains", d.LabelNames[class], count)
		}
		v.CopyRow(k, d.States, next[class])
		next[class]++
	}
	return v, nil
}

// steps is the length of all chains together.
func (r *classRun) steps() float64 { return float64(r.chains * r.draws * r.every) }

// rate is the number of changes of class per 1000 steps of a chain.
func (r *classRun) rate() (mean, err float64) { return perThousand(r.Transitions, r.steps()) }

// perThousand is the rate of rare events per 1000 steps, with the error of a Poisson number of them. Where there were none
// it is so large that two of it are the bound that such a number has with 95 %, -log 0.05 = 3.
func perThousand(events int, steps float64) (mean, err float64) {
	wide := math.Sqrt(float64(events))
	if events == 0 {
		wide = 1.5
	}
	return 1000 * float64(events) / steps, 1000 * wide / steps
}

// departures says, for a caption, which of the first few chains leave their class within so many steps, and when.
func (r *classRun) departures(chains, steps int) string {
	text := ""
	for k := range chains {
		first := -1
		for d, class := range r.Path[k][:min(r.draws, steps/r.every)] {
			if first < 0 {
				first = class
			} else if class >= 0 && class != first {
				text += fmt.Sprintf(" The chain that starts at %s goes over to %s at step %d.", r.Names[first], r.Names[class], (d+1)*r.every)
				break
			}
		}
	}
	return text
}

// confidence is the mean probability of the most probable class, with its error from the spread over chains.
func (r *classRun) confidence() (mean, err float64) {
	x := make([]float64, r.chains)
	for k := range x {
		for _, p := range r.p[k*r.draws:][:r.draws] {
			_, best := evaluate.MostProbable(p)
			x[k] += best / float64(r.draws)
		}
	}
	return meanAndError(x)
}

// mixed tells by the split R-hat of the first class whether chains from all classes have come together.
func (r *classRun) mixed() string {
	x := mixing.RHat(r.Indicator(0))
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0) || r.Transitions == 0:
		return "not mixed: no chain changed its class"
	case x > 1.05:
		return fmt.Sprintf("not mixed: R-hat %.2f", x)
	}
	return fmt.Sprintf("R-hat %.3f", x)
}
