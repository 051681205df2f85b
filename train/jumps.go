package train

import (
	"context"
	"fmt"
	"math"

	"instanton/batch"
	"instanton/jump"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// Jumps says whether the chains of a training jump between modes, besides the sweeps of their kernel.
type Jumps int

// Jumps are tested against the present model, so they leave its law invariant whatever the proposal is. Around at most
// jump.MaxCentres distinct samples of discrete units they cost little and are made from the beginning; otherwise a
// network proposes them.
const (
	NoJumps     Jumps = iota
	JumpIfStuck       // a network is fitted only once chains remember where they were
	AlwaysJump
)

// proposal follows the model: a *jump.Centres or a *jump.Tracker.
type proposal interface {
	Kernel() *jump.Kernel
	Refit(c *sampler.Chains) float64
}

// jumps are those of the chains of a training, with the state of their proposal.
type jumps struct {
	since  int // the update before which the chains began to jump, −1 if they do not
	every  int // updates from one jump to the next
	recall recall
	stuck  bool // whether chains need jumps that are too expensive

	afforded float64 // nanoseconds per update, from which every follows
	sweeps   int     // of an update; a jump comes with some of them

	proposal proposal
	prepare  func(m *rbm.RBM) (proposal, error)
	chains   *sampler.Chains // those of the training, with random numbers and counts of their own
	pool     *sampler.Pool
	workers  int

	fitted             *sampler.Chains // what the proposal is fitted to: chains, and some data
	proposed, accepted []uint64        // before the update
}

// jumpSeed keeps the random numbers of jumps apart from those of sweeps.
const jumpSeed = 0x9e3779b97f4a7c15

// newJumps prepares the jumps of chains, nil for none.
func newJumps(o Options, m *rbm.RBM, data Data, c *sampler.Chains, samples int) (*jumps, error) {
	if o.Jumps == NoJumps {
		return nil, nil
	}
	n := c.V.Len
	counts := func() []uint64 { return make([]uint64, n) }
	j := &jumps{since: -1, workers: o.Workers, sweeps: o.Sweeps, proposed: counts(), accepted: counts(),
		afforded: jumpShare * updateWork(m, n, o.Sweeps, samples), recall: newRecall(c.V)}
	j.chains = &sampler.Chains{Seed: o.Seed ^ jumpSeed, V: c.V, Proposed: counts(), Accepted: counts()}
	centres, shares := distinct(data, jump.MaxCentres)
	if centres != nil {
		j.fitted = j.chains
		j.prepare = func(m *rbm.RBM) (proposal, error) {
			return jump.NewCentres(m, centres, shares, o.Seed)
		}
		return j, j.begin(m, 0)
	}
	j.fitted = &sampler.Chains{V: unit.NewStates(c.V.Spec, n+n/dataShare)}
	j.prepare = func(m *rbm.RBM) (proposal, error) {
		return jump.NewTracker(m, jump.TrackerOptions{Network: jump.NetworkOptions{Seed: o.Seed, Workers: o.Workers}})
	}
	if o.Jumps == AlwaysJump {
		return j, j.begin(m, 0)
	}
	return j, nil
}

// dataShare is the number of chains per sample in what a network is fitted to. Samples are there so that a mode of the
// data is proposed when no chain is left in it.
const dataShare = 4

// distinct returns the samples without repetitions, with the sum of their weights; nil if there are more than a
// mixture has room for, or fewer than two, or if the units are real.
func distinct(data Data, most int) (centres *unit.States, shares []float64) {
	if !data.States.Type.Discrete() {
		return nil, nil
	}
	var first []int
rows:
	for _, k := range data.Rows {
		for z, other := range first {
			if data.States.Hamming(k, data.States, other) == 0 {
				shares[z] += data.weight(k)
				continue rows
			}
		}
		if len(first) == most {
			return nil, nil
		}
		first, shares = append(first, k), append(shares, data.weight(k))
	}
	if len(first) < 2 {
		return nil, nil
	}
	centres = unit.NewStates(data.States.Spec, len(first))
	for z, k := range first {
		centres.CopyRow(z, data.States, k)
	}
	return centres, shares
}

// begin lets the chains jump from now on.
func (j *jumps) begin(m *rbm.RBM, update int) (err error) {
	if j.proposal, err = j.prepare(m); err != nil {
		return err
	}
	j.since, j.pool = update, sampler.NewPool(j.proposal.Kernel(), j.workers)
	j.every = int(max(1, math.Ceil(j.work(m)/j.afforded)))
	return nil
}

// Work of jumps, in nanoseconds of one processor, as measured at 784-500.
const (
	jumpShare   = 0.4  // of that of an update, which is overestimated: measured, less than an update
	drawWorkPer = 0.04 // of a multiplication of a draw, or of log q
	fitWorkPer  = 0.16 // of a multiplication of a network, of one step for one configuration
	centresWork = 100  // of a channel of a component, in a refit of centres
)

// work is about the nanoseconds of a jump of all chains and the refit after it, beyond the sweeps that it replaces.
func (j *jumps) work(m *rbm.RBM) float64 {
	k := j.proposal.Kernel()
	q := k.Proposal().Cost()
	refit := q * centresWork
	if t, ok := j.proposal.(*jump.Tracker); ok {
		refit = q * fitWorkPer * float64(t.Rows())
	}
	more := float64(max(0, j.steps()-j.sweeps)) * sweepWork(m)
	if k.Side() == batch.Hidden {
		m = m.Transpose()
	}
	return float64(j.chains.V.Len)*(more+2*energyWork(m)+2*q*drawWorkPer) + refit
}

const (
	firstRefits    = 100     // of a network before its first jump
	mostParameters = 1 << 23 // of a network that is used unasked
)

// look begins to jump in the next update if the chains are stuck.
func (j *jumps) look(m *rbm.RBM, batch *minibatches, update int) error {
	if j.since >= 0 || update%recallUpdates != 0 || !j.recall.look(j.chains.V) {
		return nil
	}
	if j.stuck = jump.TrackerSize(m) > mostParameters; j.stuck {
		return nil
	}
	if err := j.begin(m, update+1); err != nil {
		return err
	}
	for range firstRefits {
		j.refit(batch)
	}
	return nil
}

// due tells whether chains jump in an update.
func (j *jumps) due(update int) bool {
	return j != nil && j.since >= 0 && (update-j.since)%j.every == 0
}

// steps is the number of Gibbs steps that come with a jump.
func (j *jumps) steps() int {
	if j.proposal.Kernel().Side() == batch.Hidden {
		return 1
	}
	return 2
}

// move makes a jump of every chain.
func (j *jumps) move(ctx context.Context, m *rbm.RBM) error {
	copy(j.proposed, j.chains.Proposed)
	copy(j.accepted, j.chains.Accepted)
	if err := j.proposal.Kernel().Update(m); err != nil {
		return err
	}
	return j.pool.Run(ctx, j.chains, 1)
}

// back undoes the counts of a jump; the configurations are put back with the chains.
func (j *jumps) back(sweep uint64) {
	copy(j.chains.Proposed, j.proposed)
	copy(j.chains.Accepted, j.accepted)
	j.chains.Sweep = sweep
}

// refit fits the proposal to the chains and the minibatch.
func (j *jumps) refit(batch *minibatches) {
	v := j.fitted.V
	if v != j.chains.V {
		for k := range v.Len {
			if n := j.chains.V.Len; k < n {
				v.CopyRow(k, j.chains.V, k)
			} else {
				v.CopyRow(k, batch.states, (k-n)%batch.filled)
			}
		}
	}
	j.proposal.Refit(j.fitted)
}

// JumpReport says what the jumps of a training have done.
type JumpReport struct {
	Proposal   string  // what proposes them
	Since      int     // the update before which they began
	Every      int     // updates from one jump of a chain to the next
	Made       uint64  // number of jumps of each chain so far
	Acceptance float64 // of all jumps so far, NaN before the first
}

// Jumps reports on the jumps of the chains, nil if there are none.
func (t *Trainer) Jumps() *JumpReport {
	j := t.chains.jumps
	if j == nil || j.since < 0 {
		return nil
	}
	return &JumpReport{Proposal: j.proposal.Kernel().Proposal().Name(), Since: j.since, Every: j.every,
		Made: j.chains.Sweep, Acceptance: j.chains.Acceptance()}
}

// Sampler names what moves the chains, and says why.
func (t *Trainer) Sampler() (name, why string) {
	c := t.chains
	name = sampler.Name(c.kernel)
	r := t.Jumps()
	switch {
	case c.jumps == nil:
		return name, "it was asked for"
	case r == nil && c.jumps.stuck:
		return name, fmt.Sprintf("chains remember where they were %d updates ago, but a network that proposes jumps "+
			"would have %.2g parameters", recallUpdates, jump.TrackerSize(t.model))
	case r == nil && math.IsNaN(c.jumps.recall.last):
		return name, "the training was too short to see whether chains get stuck"
	case r == nil:
		return name, fmt.Sprintf("chains forget where they were within %d updates, so they need no jumps",
			recallUpdates)
	case t.options.Jumps == AlwaysJump:
		return name + " and jumps", "they were asked for"
	case r.Since == 0:
		return name + " and jumps", "there are so few distinct samples that jumps between them cost little"
	}
	return name + " and jumps", fmt.Sprintf("before update %d, chains still remembered where they were %d updates ago",
		r.Since, recallUpdates)
}
