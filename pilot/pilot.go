// Package pilot chooses a sampler for a model by trying.
//
// Choose runs short chains from different starts and lets package mixing judge them: alternating Gibbs sampling first,
// then samplers that cross barriers, from the cheapest to the most expensive. The first one whose chains mix is taken;
// if none does, the choice says so. Trials are counted in sweeps, not in seconds, so that the same seed always leads
// to the same choice.
//
//	choice, err := pilot.Choose(ctx, m, 1, pilot.Options{Data: data.States, Labels: data.Labels, Seed: 1})
//	fmt.Println(choice.Sampler, choice.Why)
//	err = sampler.NewPool(choice.Kernel, 0).Run(ctx, chains, 1000)
package pilot

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"instanton/dataset"
	"instanton/internal/kernels"
	"instanton/latent"
	"instanton/mixing"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// Options are what is known beyond the model. All fields may be left at their zero values.
type Options struct {
	Data    *unit.States // configurations in the modes of the model, from which chains start and samplers are fitted
	Labels  []int        // class of each configuration of Data
	Modes   mixing.Modes // between which chains should move; nil: patterns of the model, else labels, else components
	Seed    uint64
	Workers int // 0: one per processor

	Say func(message string) // if non-nil, told what is being tried
}

// Trial is a sampler that was tried.
type Trial struct {
	Sampler string         `json:"sampler"`
	Verdict mixing.Verdict `json:"verdict,omitempty"`
	Reason  string         `json:"reason"`  // of the verdict, or why the sampler could not be made
	Seconds float64        `json:"seconds"` // on the clock, with setup
}

// Choice is the sampler that was taken.
type Choice struct {
	Kernel  sampler.Kernel `json:"-"`
	Sampler string         `json:"sampler"`
	Why     string         `json:"why"`
	Mixes   bool           `json:"mixes"`
	Trials  []Trial        `json:"trials"`
	Seconds float64        `json:"seconds"`
}

// candidates are tried in this order: the first are cheap to make, the later ones have to be fitted.
var candidates = []string{"gibbs", "latent", "jump", "mixture", "tempering"}

// Size of a trial. Chains that move but not for long enough get a second trial, longer times as long.
const (
	chains = 32
	sweeps = 600
	longer = 5
)

// Choose finds a sampler of P(v)^β.
func Choose(ctx context.Context, m *rbm.RBM, beta float64, o Options) (*Choice, error) {
	began := time.Now()
	start, err := o.start(m)
	if err != nil {
		return nil, err
	}
	best := &Choice{}
	var most int              // transitions of the best so far
	var advice *mixing.Advice // after Gibbs sampling
	for _, name := range candidates {
		if o.Say != nil {
			o.Say("trying " + name)
		}
		k, d, trial, err := o.try(ctx, name, m, beta, start, advice)
		if err != nil {
			return nil, err
		}
		best.Trials = append(best.Trials, trial)
		if d == nil {
			continue
		}
		if advice == nil {
			advice = &d.Advice
		}
		if d.Verdict == mixing.Mixes {
			best.Kernel, best.Sampler, best.Mixes = k, name, true
			break
		}
		if best.Kernel == nil || d.Transitions > most {
			best.Kernel, best.Sampler, most = k, name, d.Transitions
		}
	}
	if best.Kernel == nil {
		return nil, errors.New("no sampler can be made for this model: " + best.Trials[0].Reason)
	}
	best.Why = best.why()
	best.Seconds = time.Since(began).Seconds()
	return best, nil
}

// start returns different places for the chains of trials to start from.
func (o *Options) start(m *rbm.RBM) (*unit.States, error) {
	if o.Data == nil {
		return mixing.Starts(m, chains, o.Seed), nil
	}
	if spec := m.Visible.Spec(); o.Data.Spec != spec {
		return nil, fmt.Errorf("data are %s: the model has %s", o.Data.Spec, spec)
	}
	if o.Data.Len == 0 {
		return nil, errors.New("the data are empty")
	}
	// Rows of each class in turn, else rows evenly spaced.
	rows := spaced(o.Data.Len, o.Labels)
	out := unit.NewStates(o.Data.Spec, chains)
	for k := range chains {
		out.CopyRow(k, o.Data, rows[k%len(rows)])
	}
	return out, nil
}

// spaced returns the numbers of at most as many rows as there are chains, from each class in turn if there are labels.
func spaced(n int, labels []int) []int {
	most := min(n, chains)
	var rows []int
	if labels == nil {
		for k := range most {
			rows = append(rows, k*n/most)
		}
		return rows
	}
	classes := map[int][]int{}
	var order []int
	for k, c := range labels {
		if classes[c] == nil {
			order = append(order, c)
		}
		classes[c] = append(classes[c], k)
	}
	for round := 0; len(rows) < most; round++ {
		for _, c := range order {
			own := classes[c]
			share := (most + len(order) - 1) / len(order)
			if round < len(own) && len(rows) < most {
				rows = append(rows, own[round*max(1, len(own)/share)%len(own)])
			}
		}
	}
	return rows
}

// try makes a sampler, runs it and judges it. A sampler that cannot be made gives no diagnosis.
func (o *Options) try(ctx context.Context, name string, m *rbm.RBM, beta float64, start *unit.States,
	advice *mixing.Advice) (sampler.Kernel, *mixing.Diagnosis, Trial, error) {
	began := time.Now()
	trial := Trial{Sampler: name}
	finish := func(d *mixing.Diagnosis, reason string) Trial {
		trial.Reason, trial.Seconds = reason, time.Since(began).Seconds()
		if d != nil {
			trial.Verdict = d.Verdict
		}
		return trial
	}
	k, err := o.make(ctx, name, m, beta, advice)
	if err != nil {
		return nil, nil, finish(nil, err.Error()), ctx.Err()
	}
	for n := sweeps; ; n *= longer {
		d, err := o.judge(ctx, k, start, n)
		if err != nil {
			return nil, nil, trial, err
		}
		if d.Verdict != mixing.TooShort || n > sweeps {
			return k, d, finish(d, d.Reason), nil
		}
	}
}

// make makes a sampler; latent moves are those that the diagnosis of Gibbs sampling advises.
func (o *Options) make(ctx context.Context, name string, m *rbm.RBM, beta float64, advice *mixing.Advice) (
	sampler.Kernel, error) {
	if name != "latent" || advice == nil {
		return kernels.New(name, m, beta, kernels.Options{Data: o.Data, Labels: o.Labels, Seed: o.Seed,
			Workers: o.Workers, Context: ctx})
	}
	if advice.Sampler != "latent" || advice.Clustered {
		return nil, errors.New("latent moves of few hidden units do not help here: " + advice.Reason)
	}
	moves := latent.Options{Block: advice.Block}
	if advice.Directions {
		if o.Data == nil {
			return nil, errors.New("latent moves need directions between data here, and there are none")
		}
		var err error
		d := &dataset.Dataset{States: o.Data, Labels: o.Labels}
		if moves.Directions, err = mixing.DataDirections(m, d, o.Seed); err != nil {
			return nil, err
		}
	}
	k, err := latent.New(m, beta, moves)
	if err != nil {
		return nil, err
	}
	return k, nil
}

// judge runs chains for n sweeps and diagnoses them.
func (o *Options) judge(ctx context.Context, k sampler.Kernel, start *unit.States, n int) (*mixing.Diagnosis, error) {
	c := sampler.NewChains(k.Model(), chains, o.Seed)
	if err := c.Begin(start); err != nil {
		return nil, err
	}
	plan := sampler.Plan{Burn: n / 10, Every: n / sweeps, Draws: sweeps}
	r := sampler.NewRecord(k, c, plan, false)
	if err := sampler.NewPool(k, o.Workers).Record(ctx, c, r, nil); err != nil {
		return nil, err
	}
	s := mixing.Samples{V: r.V, Chains: chains, Draws: r.Draws, Model: k.Model(), Sampler: sampler.Name(k),
		Start: start}
	modes, err := o.modes(s)
	if err != nil {
		return nil, err
	}
	return mixing.Diagnose(s, modes)
}

// modes are those that were given, else those that are known, else those found in the samples.
func (o *Options) modes(s mixing.Samples) (mixing.Modes, error) {
	switch {
	case o.Modes != nil:
		return o.Modes, nil
	case s.Model.Patterns != nil:
		return mixing.Patterns(s.Model)
	case o.Labels != nil:
		return mixing.Labels(&dataset.Dataset{States: o.Data, Labels: o.Labels}, s.V.Spec)
	}
	return mixing.PCA(s.V)
}

// why explains the choice in a sentence.
func (c *Choice) why() string {
	var failed []string
	for _, t := range c.Trials {
		if t.Sampler != c.Sampler && t.Verdict != "" {
			failed = append(failed, fmt.Sprintf("%s is %s", t.Sampler, verdictWords(t.Verdict)))
		}
	}
	switch {
	case !c.Mixes:
		return fmt.Sprintf("no sampler mixes (%s); %s moves most", strings.Join(append(failed, c.Sampler+" is "+
			verdictWords(c.verdict())), ", "), c.Sampler)
	case len(failed) == 0:
		return "chains from different starts agree"
	}
	return fmt.Sprintf("it is the first that mixes: %s", strings.Join(failed, ", "))
}

// verdict is that of the trial of the sampler that was taken.
func (c *Choice) verdict() mixing.Verdict {
	for _, t := range c.Trials {
		if t.Sampler == c.Sampler {
			return t.Verdict
		}
	}
	return ""
}

// verdictWords makes "is …" of a verdict.
func verdictWords(v mixing.Verdict) string {
	switch v {
	case mixing.TooShort:
		return "too slow"
	case mixing.OneMode:
		return "seen in one mode only"
	}
	return string(v)
}
