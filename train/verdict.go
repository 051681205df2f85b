package train

import (
	"context"
	"fmt"
	"math"

	"instanton/evaluate"
	"instanton/rbm"
)

// Verdict says whether a trained model can be relied on.
type Verdict string

// The verdicts.
const (
	Good      Verdict = "good"
	Drifted   Verdict = "drifted"        // the model was better, or independent sites are
	NotLearnt Verdict = "not learnt yet" // it still improves, or its chains do not look like the data
	NotKnown  Verdict = "not known"      // there is no estimate of the likelihood to rely on
)

// Outcome is the judgement of a training.
type Outcome struct {
	Verdict Verdict
	Reason  string // one sentence
	Since   int    // the update since which a model has drifted: that of the best one

	// LogLikelihood is that of the final model, nil if it is not known; Error is its standard error.
	LogLikelihood *float64
	Error         float64
	// BestUpdate is the update after which the log-likelihood was highest, and BestLogLikelihood its value; both are
	// nil if none is known.
	BestUpdate        *int
	BestLogLikelihood *float64
}

// Limits of the verdict, in nats per sample and as shares of what has been gained over independent sites.
const (
	fallen      = 0.2 // below the best: no drift
	fallenShare = 0.02
	grownShare  = 0.1 // of the gain, in the last third of the learning: no longer learning
	grown       = 0.5
	leastGrown  = 0.05
	looksAlike  = 0.65 // separation by the classifier that is still accepted
	lookedAlike = 0.85 // the same for the population, which is smaller
	sigmas      = 3
)

// Conclude judges the training after its last check. best returns the model at the check whose log-likelihood is the
// highest; it is asked for only if that is not the last one.
func (w *Watch) Conclude(ctx context.Context, best func() (*rbm.RBM, error)) (*Outcome, error) {
	if len(w.checks) == 0 {
		if _, _, err := w.Check(ctx); err != nil {
			return nil, err
		}
	}
	o := &Outcome{}
	top := bestOf(w.checks)
	last := w.checks[len(w.checks)-1]
	doubt, err := w.refine(ctx, w.t.Model(), &last)
	if err != nil {
		return nil, err
	}
	if top >= 0 && top < len(w.checks)-1 && !w.plan.exact {
		m, err := best()
		if err != nil {
			return nil, err
		}
		if _, err := w.refine(ctx, m, &w.checks[top]); err != nil {
			return nil, err
		}
	}
	w.checks[len(w.checks)-1] = last
	o.judge(w.checks, w.Independent, doubt)
	if top >= 0 { // that model was kept, and the last one is there
		kept := w.checks[top]
		if last.LogLikelihood != nil && last.atLeast() > kept.atLeast() {
			kept = last
		}
		o.BestUpdate, o.BestLogLikelihood = &kept.Updates, kept.LogLikelihood
	} else if o.LogLikelihood != nil {
		o.BestUpdate, o.BestLogLikelihood = &last.Updates, o.LogLikelihood
	}
	return o, nil
}

// refine replaces the estimate of a check by annealing from both sides, or says why it cannot be relied on. Its draws
// are compared with the data, besides the chains of the training.
func (w *Watch) refine(ctx context.Context, m *rbm.RBM, c *Check) (doubt string, err error) {
	energy, err := w.energy(m)
	if err != nil {
		return "", err
	}
	known := w.plan.exact
	if !known && !w.options.Estimate {
		s, err := evaluate.New(m, w.data, w.weights, false)
		if err != nil {
			return "", err
		}
		if known = s.LogLikelihood != nil; known {
			c.LogLikelihood, c.Error = s.LogLikelihood, new(float64)
		}
	}
	if w.options.follow {
		return w.followed(m, c, "annealing from independent sites is not allowed")
	}
	a, err := evaluate.NewAIS(ctx, m, evaluate.AISOptions{
		Chains: endChains, Steps: w.plan.ladder, Burn: 20, Seed: w.t.chains.Seed, Reference: w.sites,
		Data: w.contrast.data, Workers: w.options.Workers,
	})
	if err != nil {
		return "", err
	}
	if a.Verdict != evaluate.Good {
		if known {
			return "", nil
		}
		return w.followed(m, c, a.Reason)
	}
	if c.Updates == w.t.updates {
		w.compare(c, m, a.Draws)
	}
	if known {
		return "", nil
	}
	l, spread := -energy-max(a.LogZ, a.Lower), (a.Upper-a.Lower)/(2*sigmas)
	c.LogLikelihood, c.Error = &l, &spread
	return "", nil
}

// followed relies on the population that has followed the training where annealing from independent sites failed for
// the given reason, as it does if there is a first-order transition on the way. It may have lost modes of the data:
// then a classifier tells it from them.
func (w *Watch) followed(m *rbm.RBM, c *Check, reason string) (doubt string, err error) {
	if c.LogLikelihood == nil || w.population == nil || w.population.lost {
		return reason, nil
	}
	if c.Updates != w.t.updates {
		return "", nil // an earlier model: the estimate of its time stands
	}
	area, spread, err := w.contrast.separation(m, w.population.draws())
	if err == nil && !(area-2*spread <= lookedAlike) {
		return fmt.Sprintf("%s; the chains that followed the training differ from the data", reason), nil
	}
	return "", nil
}

// judge compares the last check with the others. The doubt about the last likelihood is empty if it is known.
func (o *Outcome) judge(checks []Check, independent float64, doubt string) {
	last := checks[len(checks)-1]
	top, topError, at := independent, 0.0, 0 // a model without weights
	if k := bestOf(checks); k >= 0 {
		if best := checks[k]; *best.LogLikelihood > top {
			top, topError, at = *best.LogLikelihood, *best.Error, best.Updates
		}
	}
	tolerance := fallen + fallenShare*(top-independent)
	highest := math.Inf(1) // that the final likelihood can be
	if last.LogLikelihood != nil && doubt == "" {
		o.LogLikelihood, o.Error = last.LogLikelihood, *last.Error
		highest = *last.LogLikelihood
		tolerance += sigmas * math.Hypot(topError, o.Error)
	} else {
		tolerance += sigmas * topError
	}
	if last.Bound != nil {
		highest = min(highest, *last.Bound)
	}
	say := func(v Verdict, format string, args ...any) { o.Verdict, o.Reason = v, fmt.Sprintf(format, args...) }
	grew, from := growth(checks, independent)
	var enough float64 // growth that does not matter
	if o.LogLikelihood != nil {
		gain := *o.LogLikelihood - independent
		enough = max(leastGrown, min(grown, grownShare*gain), fallenShare*gain)
	}
	switch {
	case highest < top-tolerance:
		o.Since = at
		say(Drifted, "the log-likelihood per sample was %.4g and %s; independent sites have %.4g", top,
			isNow(o.LogLikelihood, highest), independent)
	case o.LogLikelihood == nil && doubt != "":
		say(NotKnown, "%s", doubt)
	case o.LogLikelihood == nil:
		say(NotKnown, "the chains that follow the training do not tell the log-likelihood")
	case grew > enough+o.Error:
		say(NotLearnt, "the log-likelihood per sample still grows, by %.2g since update %d, to %.4g", grew, from,
			*o.LogLikelihood)
	case last.Separation != nil && *last.Separation-2**last.SeparationError > looksAlike:
		say(NotLearnt, "a classifier tells chains from data in %.0f %% of the cases; the log-likelihood per sample is "+
			"%.4g, that of independent sites %.4g", 100**last.Separation, *o.LogLikelihood, independent)
	case last.Remaining != nil && *last.Remaining > enough:
		say(NotLearnt, "the log-likelihood per sample is %.4g, that of independent sites %.4g, and it could still "+
			"grow by %.2g, as the moments of chains and data tell", *o.LogLikelihood, independent, *last.Remaining)
	default:
		say(Good, "the log-likelihood per sample is %.4g, that of independent sites %.4g, and it no longer grows%s",
			*o.LogLikelihood, independent, resembling(last))
	}
}

// isNow says what the likelihood has become.
func isNow(l *float64, highest float64) string {
	if l != nil && *l <= highest {
		return fmt.Sprintf("is now %.4g", *l)
	}
	return fmt.Sprintf("is now at most %.4g", highest)
}

func resembling(c Check) string {
	if c.Separation == nil {
		return ""
	}
	return fmt.Sprintf("; a classifier tells chains from data in %.0f %% of the cases, where 50 %% is chance",
		100*max(*c.Separation, 0.5))
}

// growth is by how much the likelihood exceeds what it had been before the last third of the learning, measured in the
// sum of the learning rates, and since which update that is.
func growth(checks []Check, independent float64) (grew float64, from int) {
	last := checks[len(checks)-1]
	if last.LogLikelihood == nil {
		return 0, 0
	}
	learnt := make([]float64, len(checks)) // sum of the learning rates
	var sum, before float64
	for k, c := range checks {
		sum += (float64(c.Updates) - before) * c.Rate
		before, learnt[k] = float64(c.Updates), sum
	}
	highest := independent // at a large learning rate the likelihood goes up and down
	for k, c := range checks {
		if learnt[k] <= sum*2/3 {
			from = c.Updates
			if c.LogLikelihood != nil {
				highest = max(highest, *c.LogLikelihood)
			}
		}
	}
	return *last.LogLikelihood - highest, from
}
