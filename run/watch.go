package run

import (
	"context"
	"fmt"

	"instanton/rbm"
	"instanton/train"
)

// check adds what the watch finds to a report, in as many reports as it affords, and keeps the best model so far. A
// run that is resumed from before finds the same model to be the best one.
func (r *Run) check(one *Report) error {
	t := r.trainer
	all := max(1, t.Total()/r.reportEvery())
	every := (all + r.watch.Checks() - 1) / r.watch.Checks()
	if t.Updates()/r.reportEvery()%every != 0 && t.Updates() != t.Total() {
		return nil
	}
	c, best, err := r.watch.Check(context.Background()) // the context does not interrupt a report
	if err != nil {
		return err
	}
	one.Checked = true
	one.LogLikelihood, one.LogLikelihoodError, one.LogLikelihoodBound = c.LogLikelihood, c.Error, c.Bound
	one.Separation, one.SeparationError, one.Remaining = c.Separation, c.SeparationError, c.Remaining
	if best {
		return r.save("best.npz")
	}
	return nil
}

// checksOf are the checks that reports tell of.
func checksOf(reports []Report) (checks []train.Check) {
	for _, r := range reports {
		if r.Checked {
			checks = append(checks, train.Check{
				Updates: r.Updates, Rate: r.LearningRate, LogLikelihood: r.LogLikelihood, Error: r.LogLikelihoodError,
				Bound: r.LogLikelihoodBound, Separation: r.Separation, SeparationError: r.SeparationError,
				Remaining: r.Remaining,
			})
		}
	}
	return checks
}

// Judgement is the verdict with its reason, as a sentence: "drifted since update 400: …".
func (res *Result) Judgement() string {
	if res.DriftedSince != nil {
		return fmt.Sprintf("%s since update %d: %s", res.Verdict, *res.DriftedSince, res.Reason)
	}
	return fmt.Sprintf("%s: %s", res.Verdict, res.Reason)
}

// judge fills in the verdict on the training.
func (r *Run) judge(res *Result) error {
	o, err := r.watch.Conclude(context.Background(),
		func() (*rbm.RBM, error) { return rbm.Load(r.path("best.npz")) })
	if err != nil {
		return err
	}
	res.Verdict, res.Reason, res.IndependentLL = o.Verdict, o.Reason, &r.watch.Independent
	if o.Verdict == train.Drifted {
		res.DriftedSince = &o.Since
	}
	if res.LL == nil && o.LogLikelihood != nil {
		res.LL, res.LLError = o.LogLikelihood, &o.Error
	}
	if o.BestUpdate == nil {
		return nil
	}
	if *o.BestUpdate == r.trainer.Total() {
		if err := r.save("best.npz"); err != nil {
			return err
		}
	}
	path := r.path("best.npz")
	res.BestModel, res.BestUpdate, res.BestLL = &path, o.BestUpdate, o.BestLogLikelihood
	return nil
}
