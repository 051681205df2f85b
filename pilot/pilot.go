// Package pilot chooses a sampler for a model by trying.
//
// Choose runs short chains from different starts and lets package mixing judge them: alternating Gibbs sampling first,
// then samplers that cross barriers, from the cheapest to the most expensive. The first one whose chains mix is taken;
// if none does, the choice says so. Trials are counted in sweeps, not in seconds, so that the same seed leads to the
// same choice, unless the limit on their time ends them.
//
//	choice, err := pilot.Choose(ctx, m, 1, pilot.Options{Data: data.States, Labels: data.Labels, Seed: 1})
//	fmt.Println(choice.Sampler, choice.Why)
//	err = sampler.NewPool(choice.Kernel, 0).Run(ctx, chains, 1000)
package pilot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"instanton/dataset"
	"instanton/internal/kernels"
	"instanton/internal/variants"
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
	Workers int           // 0: one per processor
	Limit   time.Duration // of all trials after the first; 0: Limit

	Say func(message string) // if non-nil, told what is being tried
}

// Limit is the default limit on the time of trials.
const Limit = time.Minute

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
	Sampler string         `json:"sampler"` // its name, and settings after colons: latent:2
	Why     string         `json:"why"`
	Mixes   bool           `json:"mixes"`
	Trials  []Trial        `json:"trials"`
	Seconds float64        `json:"seconds"`
	Spent   bool           `json:"spent"` // the limit ended the trials
}

// candidates are tried in this order: the first are cheap to make, the later ones have to be fitted. Latent moves are
// those that the diagnosis of Gibbs sampling advises, or else those that reach further than single units: swaps in the
// axes of the weights for Gaussian hidden units, and jumps between the representations of data.
func (o *Options) candidates(m *rbm.RBM, advice *mixing.Advice) []string {
	var names, later []string
	if spec := m.Hidden.Spec(); m.Visible.Spec().Type.Discrete() {
		several := advice.Sampler == "jump" || advice.Block > 1 // units have to change together
		if several && spec.Type == unit.Gaussian && spec.N > 1 && spec.N <= mostAxes {
			names = append(names, "latent:swaps:gauge")
		}
		if several && o.Data != nil && !spec.Type.Discrete() {
			names = append(names, "latent:prototypes")
		}
		switch block := fmt.Sprintf("latent:%d", advice.Block); {
		case !several:
			names = append(names, "latent")
		case advice.Sampler == "latent" && spec.Type.Discrete():
			names = append(names, block)
		case advice.Sampler == "latent": // a law of two real units takes longer than a fit of jumps
			later = append(later, block)
		}
	}
	names = append(append(names, "jump"), later...)
	if o.Data != nil {
		names = append(names, "mixture")
	}
	return append(names, "tempering")
}

// mostAxes is the largest number of hidden units whose axes are searched for: it takes a moment.
const mostAxes = 64

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
	if o.Limit == 0 {
		o.Limit = Limit
	}
	limited, cancel := context.WithTimeout(ctx, o.Limit)
	defer cancel()
	best := &Choice{}
	most := 0 // transitions of the best so far
	names := []string{"gibbs"}
	for at := 0; at < len(names) && !best.Mixes; at++ {
		name := names[at]
		if o.Say != nil {
			o.Say("trying " + name)
		}
		within := limited
		if at == 0 {
			within = ctx // one sampler is tried in any case
		}
		k, d, trial, err := o.try(within, name, m, beta, start)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if limited.Err() != nil && at > 0 && d == nil {
			best.Spent = true
			break
		}
		if err != nil {
			return nil, err
		}
		best.Trials = append(best.Trials, trial)
		if at == 0 && d == nil {
			return nil, errors.New("the model cannot be sampled: " + trial.Reason)
		}
		if at == 0 {
			names = append(names, o.candidates(m, &d.Advice)...)
		}
		if d == nil {
			continue
		}
		// Chains that agree on one mode have mixed if others from the same starts did not: the starts lie apart.
		mixes := d.Verdict == mixing.Mixes || d.Verdict == mixing.OneMode && best.apart()
		if best.Kernel == nil || mixes || d.Transitions > most {
			best.Kernel, best.Sampler, best.Mixes, most = k, name, mixes, d.Transitions
		}
		if at == 0 && d.Verdict == mixing.OneMode {
			break // nothing shows that there is more to find
		}
	}
	best.Why = best.why(o.Limit, most)
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
func (o *Options) try(ctx context.Context, name string, m *rbm.RBM, beta float64, start *unit.States) (sampler.Kernel,
	*mixing.Diagnosis, Trial, error) {
	began := time.Now()
	trial := Trial{Sampler: name}
	k, _, err := variants.New(name, m, beta, kernels.Options{Data: o.Data, Labels: o.Labels, Seed: o.Seed,
		Workers: o.Workers, Context: ctx})
	if err != nil {
		trial.Reason, trial.Seconds = err.Error(), time.Since(began).Seconds()
		return nil, nil, trial, ctx.Err()
	}
	for n := sweeps; ; n *= longer {
		d, err := o.judge(ctx, k, start, n)
		if err != nil {
			return nil, nil, trial, err
		}
		if d.Verdict != mixing.TooShort || n > sweeps {
			trial.Verdict, trial.Reason, trial.Seconds = d.Verdict, d.Reason, time.Since(began).Seconds()
			return k, d, trial, nil
		}
	}
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

// apart reports whether a sampler was stuck, so that the starts must lie in different modes.
func (c *Choice) apart() bool {
	return slices.ContainsFunc(c.Trials, func(t Trial) bool { return t.Verdict == mixing.Stuck })
}

// why explains the choice in a sentence, given the changes of mode of the sampler that was taken.
func (c *Choice) why(limit time.Duration, changes int) string {
	var tried []string
	for _, t := range c.Trials {
		if t.Verdict != "" && (t.Sampler != c.Sampler || !c.Mixes) {
			tried = append(tried, t.Sampler+" "+verdictWords(t.Verdict))
		}
	}
	outcome := strings.Join(tried, ", ")
	if last := len(tried) - 1; last > 0 {
		outcome = strings.Join(tried[:last], ", ") + " and " + tried[last]
	}
	text := "chains from different starts agree"
	switch {
	case c.Mixes && len(tried) > 0:
		text += ", whereas " + outcome
	case len(c.Trials) == 1 && c.Trials[0].Verdict == mixing.OneMode:
		text += " on a single mode; if there are others, give data from them"
	case !c.Mixes:
		text = "nothing that was tried mixes, so the weights of the modes are not to be trusted: " + outcome
		if len(tried) > 1 && changes > 0 {
			text += fmt.Sprintf("; %s changes mode most often", c.Sampler)
		}
	}
	if c.Spent {
		text += fmt.Sprintf("; trials ended after %.0f s, before all samplers were tried", limit.Seconds())
	}
	return text
}

// verdictWords says what a sampler did.
func verdictWords(v mixing.Verdict) string {
	switch v {
	case mixing.TooShort:
		return "is too slow"
	case mixing.OneMode:
		return "saw one mode only"
	}
	return "is " + string(v)
}
