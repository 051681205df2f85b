package figure

import (
	"fmt"

	"instanton/evaluate"
	"instanton/paper/experiment"
	"instanton/paper/verdict"
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
func stuckClaim(r *verdict.Result, c stuck, run *experiment.ClassRun, weights []evaluate.ClassWeight) {
	claim := verdict.Claim{
		Name: c.name, Where: c.where, Statement: c.statement,
		Criterion: fmt.Sprintf("a chain leaves its class less than once in %d steps, by two standard errors (%d "+
			"chains, started in all classes in turn); a class that has more than %g of the model's weight, by two "+
			"standard errors, "+
			"does not count, since it is right to stay there", c.within, run.Chains, nearlyAll),
		Measured: []verdict.Measured{{Name: "changes of class", Value: float64(run.Transitions)},
			{Name: "in steps", Value: run.Steps()}},
	}
	met, whole := true, ""
	for k, w := range weights {
		left := 0
		for _, n := range run.Counts[k] {
			left += n
		}
		claim.Measured = append(claim.Measured, verdict.Measured{Name: "weight of " + w.Name, Value: w.Share,
			Error: w.Error}, verdict.Measured{Name: "annealed chains that carry it", Value: w.ESS},
			verdict.Measured{Name: "time spent in " + w.Name, Value: run.Share[k], Error: run.Error[k]})
		if w.Share-2*w.Error > nearlyAll {
			whole = w.Name
			continue
		}
		if run.Share[k] == 0 {
			met = false // nobody stayed
			continue
		}
		rate, err := experiment.PerThousand(left, run.Steps()*run.Share[k])
		scale := float64(c.within) / 1000
		claim.Measured = append(claim.Measured,
			verdict.Measured{Name: fmt.Sprintf("departures from %s in %d steps", w.Name, c.within), Value: rate * scale,
				Error: err * scale})
		met = met && (rate+2*err)*scale < 1
	}
	claim.Verdict = verdict.Judge(met)
	if whole != "" && met {
		claim.Verdict = verdict.Corrected
		claim.Correction = fmt.Sprintf("class %s has nearly all of the model's weight, so that chains from it have "+
			"little else to see; those from the other are stuck.", whole)
	}
	r.Claim(claim)
}
