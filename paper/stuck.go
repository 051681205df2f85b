package paper

import (
	"fmt"
	"strings"
)

// stuck says what a claim on confinement is about.
type stuck struct {
	name, where, statement string
	within                 int // steps that a chain is said to stay for
}

// nearlyAll is the share of a model's weight above which a class is the whole model: to stay in it is no
// failure.
const nearlyAll = 0.99

// stuckClaim judges whether chains stay in their class though the model has others. The weights of the classes
// are known from annealing, since chains that stay say nothing of what else there is.
func stuckClaim(r *Result, c stuck, run *classRun, weights []modeWeight) {
	claim := Claim{
		Name: c.name, Where: c.where, Statement: c.statement,
		Criterion: fmt.Sprintf("chains leave a class less than once in %d steps, by two standard errors (%d chains, from all classes by turns); the weights of the classes in the model do not count a class as one to be stuck in "+
			"where it has more than %g of the whole", c.within, run.chains, nearlyAll),
		Measured: []Measured{{Name: "changes of class", Value: float64(run.Transitions)}, {Name: "in steps", Value: run.steps()}},
	}
	met, whole := true, ""
	for k, w := range weights {
		left := 0
		for _, n := range run.Counts[k] {
			left += n
		}
		claim.Measured = append(claim.Measured, Measured{Name: "weight of " + w.Name, Value: w.Share, Error: w.Error}, Measured{Name: "time spent in " + w.Name, Value: run.Share[k], Error: run.Error[k]})
		if w.Share > nearlyAll {
			whole = w.Name
			continue
		}
		if run.Share[k] == 0 {
			met = false // nobody stayed
			continue
		}
		rate, err := perThousand(left, run.steps()*run.Share[k])
		scale := float64(c.within) / 1000
		claim.Measured = append(claim.Measured, Measured{Name: fmt.Sprintf("departures from %s in %d steps", w.Name, c.within), Value: rate * scale, Error: err * scale})
		met = met && (rate+2*err)*scale < 1
	}
	claim.Verdict = Judge(met)
	correction := ""
	if run.Transitions > 0 {
		correction = fmt.Sprintf("for long, not for ever: a chain changes its class about once in %.2g steps.", run.steps()/float64(run.Transitions))
	}
	if whole != "" {
		correction += fmt.Sprintf(" Class %s has nearly all of the model's weight, so that chains from it have little else to see; those from the other are stuck.", whole)
	}
	if correction != "" && met {
		claim.Verdict, claim.Correction = Corrected, strings.TrimSpace(correction)
	}
	r.Claim(claim)
}
