package experiment

import (
	"context"
	"fmt"
	"math"

	"instanton/dataset"
	"instanton/evaluate"
	"instanton/internal/special"
	"instanton/mixing"
	"instanton/paper/verdict"
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

// ClassRun are chains and what a classifier says of them.
type ClassRun struct {
	V             *unit.States // draw d of chain k is configuration k·draws+d
	Chains, Draws int
	Every         int         // steps between draws
	P             [][]float64 // probabilities of the classes
	*mixing.Occupancy
}

// Classes says how configurations are told apart.
type Classes struct {
	Names     []string // of the classes
	Classify  evaluate.Classifier
	Threshold float64 // a class counts as entered from this probability on
}

// RunClasses records chains from the given configurations.
func RunClasses(ctx context.Context, s verdict.Settings, k sampler.Kernel, from *unit.States, steps, every int,
	c Classes) (*ClassRun, error) {
	chains := sampler.NewChains(k.Model(), from.Len, s.Seed)
	if err := chains.Begin(from); err != nil {
		return nil, err
	}
	record := sampler.NewRecord(k, chains, sampler.Plan{Every: every, Draws: steps / every}, false)
	if err := sampler.NewPool(k, s.Workers).Record(ctx, chains, record, nil); err != nil {
		return nil, err
	}
	return NewClassRun(record.V, from.Len, every, c)
}

// NewClassRun classifies the draws of chains.
func NewClassRun(v *unit.States, chains, every int, c Classes) (*ClassRun, error) {
	p, err := c.Classify(v)
	if err != nil {
		return nil, err
	}
	r := &ClassRun{V: v, Chains: chains, Draws: v.Len / chains, Every: every, P: p}
	r.Occupancy = mixing.Occupy(v, chains, r.Draws, judged{c.Names, p, c.Threshold})
	return r, nil
}

// InterleavedExamples picks examples of class 0, 1, …, 0, 1, …
func InterleavedExamples(d *dataset.Dataset, count int) (*unit.States, error) {
	classes := len(d.LabelNames)
	v := unit.NewStates(d.States.Spec, count)
	next := make([]int, classes)
	for k := range count {
		class := k % classes
		for next[class] < len(d.Labels) && d.Labels[next[class]] != class {
			next[class]++
		}
		if next[class] == len(d.Labels) {
			return nil, fmt.Errorf("the data hold too few examples of class %s to start %d chains", d.LabelNames[class],
				count)
		}
		v.CopyRow(k, d.States, next[class])
		next[class]++
	}
	return v, nil
}

// Steps is the length of all chains together.
func (r *ClassRun) Steps() float64 { return float64(r.Chains * r.Draws * r.Every) }

// Rate is the number of changes of class per 1000 steps of a chain.
func (r *ClassRun) Rate() (mean, err float64) { return PerThousand(r.Transitions, r.Steps()) }

// PerThousand is the rate of rare events per 1000 steps, with the error of a Poisson number of them. Where there were
// none it is so large that two of it are the bound that such a number has with 95 %, -log 0.05 = 3.
func PerThousand(events int, steps float64) (mean, err float64) {
	wide := math.Sqrt(float64(events))
	if events == 0 {
		wide = 1.5
	}
	return 1000 * float64(events) / steps, 1000 * wide / steps
}

// Departures says, for a caption, which of the first few chains leave their class within so many steps, and when.
func (r *ClassRun) Departures(chains, steps int) string {
	text := ""
	for k := range chains {
		first := -1
		for d, class := range r.Path[k][:min(r.Draws, steps/r.Every)] {
			if first < 0 {
				first = class
			} else if class >= 0 && class != first {
				text += fmt.Sprintf(" The chain that starts at %s goes over to %s at step %d.", r.Names[first],
					r.Names[class], (d+1)*r.Every)
				break
			}
		}
	}
	return text
}

// Confidence is the mean probability of the most probable class, with its error from the spread over chains.
func (r *ClassRun) Confidence() (mean, err float64) {
	x := make([]float64, r.Chains)
	for k := range x {
		for _, p := range r.P[k*r.Draws:][:r.Draws] {
			_, best := evaluate.MostProbable(p)
			x[k] += best / float64(r.Draws)
		}
	}
	return MeanError(x)
}

// Mixed tells by the split R-hat of the first class whether chains from all classes have come together.
func (r *ClassRun) Mixed() string {
	x := mixing.RHat(r.Indicator(0))
	switch {
	case !special.Finite(x) || r.Transitions == 0:
		return "not mixed: no chain changed its class"
	case x > 1.05:
		return fmt.Sprintf("not mixed: R-hat %.2f", x)
	}
	return fmt.Sprintf("R-hat %.3f", x)
}
