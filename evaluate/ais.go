package evaluate

import (
	"context"
	"fmt"
	"math"

	"instanton/batch"
	"instanton/internal/rng"
	"instanton/internal/special"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// AISOptions are the settings of annealed importance sampling. The zero value works.
type AISOptions struct {
	Chains int // in each direction; 0: 200
	Steps  int // of the ladder; 0: as many as the pilot run finds necessary, and more where the two sides disagree
	Burn   int // sweeps of the model before chains go back; 0: 100
	Seed   uint64
	// Reference is the law at β = 0, independent units; nil takes the model's own visible
	// potentials. Sites fits one to data, which is usually closer; where it is not, the model's own are tried, too.
	Reference rbm.Layer
	// Data are configurations that the model should know, if there are any: chains go back from them, too,
	// and their probabilities must not add up to more than one.
	Data    *unit.States
	Workers int
	Device  batch.Device // on which chains are moved; nil: the processor
	// Progress hears of the steps done out of all, in both directions. It begins again where another ladder is needed.
	Progress func(done, total int)
}

// AIS are estimates of log Z from both sides.
//
// Forward chains go from independent sites to the model; the mean of their weights is an
// unbiased estimate of Z, so its logarithm is below log Z on average, and by Markov's
// inequality exceeds log Z + a with a probability of at most e^{−a}. Reverse chains go
// from the model to independent sites and estimate 1/Z, so theirs is above on average.
// That holds for chains that start at the model's law. Chains that start at the law within one mode A find
//
//	⟨e^{−w}⟩ = P_forward(A) Z₀/Z_A,   hence   Z = Σ_A P_forward(A) Ẑ_A ≤ max_A Ẑ_A
//
// with the estimate Ẑ_A from that mode. So reverse chains start in as many modes as can be found: at the ends of the
// forward chains, chosen by their weights, at the data, at minima of the energy, and at random. A mode whose Ẑ_A is far
// above the forward estimate is one that the forward chains have missed.
type AIS struct {
	Judgement

	LogZ         float64 `json:"log_z"` // of the forward chains
	Error        float64 `json:"log_z_error"`
	Reverse      float64 `json:"log_z_reverse"` // of those that go back from the ends of the forward chains
	ReverseError float64 `json:"log_z_reverse_error"`
	// Lower and Upper are the estimates less and plus three standard errors, Upper for the highest of all starts.
	Lower float64 `json:"log_z_lower"`
	Upper float64 `json:"log_z_upper"`
	// Floor is log Σ e^{−E_eff} over all distinct configurations seen, data included; log Z cannot be less. It is nil
	// for real visible units.
	Floor  *float64 `json:"log_z_floor"`
	Starts []Start  `json:"starts"` // what reverse chains find, by where they start

	Chains int     `json:"chains"`
	Steps  int     `json:"steps"`
	Length float64 `json:"thermodynamic_length"`
	ESS    float64 `json:"effective_chains"` // of the forward chains: (Σw)²/Σw²
	// Transition is where the energy fluctuates most along the way, if it is a peak.
	Transition *Peak `json:"transition"`
	// Hysteresis is where chains that go up and chains that come down differ most.
	Hysteresis Hysteresis `json:"hysteresis"`

	// Draws are the ends of the forward chains, drawn in proportion to their weights.
	Draws *unit.States `json:"-"`

	spread float64 // of the logarithms of weights: a standard deviation
}

// Start is the estimate of log Z from reverse chains of one kind.
type Start struct {
	From   string  `json:"from"` // ends, data, minima or random
	Chains int     `json:"chains"`
	LogZ   float64 `json:"log_z"`
	Error  float64 `json:"log_z_error"`
	// Highest is the estimate from the chains of one mode whose weights are highest, and their number.
	Highest       float64 `json:"highest"`
	HighestChains int     `json:"highest_chains"`
}

// sigmas is how many standard errors the bounds are wide.
const sigmas = 3

// First numbers of the chains of each part, so that no two share random numbers.
const (
	forwardFirst = 0
	reverseFirst = 1 << 24
	pilotFirst   = 1 << 25
	startsFirst  = 1 << 26 // of the second batch of reverse chains, and twice as much of the third
	coldFirst    = 1 << 29
	randomFirst  = 1 << 30
)

// Where the two sides do not agree, ladders grow by a factor a few times, unless their length was asked for.
const (
	longer      = 4
	mostLonger  = 2
	longestAuto = 8000 // steps that are still made longer
)

// NewAIS estimates log Z by annealed importance sampling in both directions.
func NewAIS(ctx context.Context, m *rbm.RBM, o AISOptions) (*AIS, error) {
	if o.Chains == 0 {
		o.Chains = 200
	}
	if o.Burn == 0 {
		o.Burn = 100
	}
	if o.Chains < 2 || o.Chains >= reverseFirst || o.Steps < 0 || o.Burn < 0 {
		return nil, fmt.Errorf("annealing of %d chains by %d steps: expected at least 2 chains and steps that are "+
			"not negative", o.Chains, o.Steps)
	}
	if o.Reference == nil {
		o.Reference = m.Visible
	}
	if o.Reference.Spec() != m.Visible.Spec() {
		return nil, fmt.Errorf("a reference of %s: the model has visible units %s", o.Reference.Spec(),
			m.Visible.Spec())
	}
	if o.Data != nil && (o.Data.Spec != m.Visible.Spec() || o.Data.Len == 0) {
		return nil, fmt.Errorf("%d configurations of %s to start from: the model has visible units %s", o.Data.Len,
			o.Data.Spec, m.Visible.Spec())
	}
	return annealUntilKnown(ctx, m, o)
}

// annealUntilKnown tries the reference first, then the model's own potentials, and then longer ladders with whichever
// of them had the narrower bounds.
func annealUntilKnown(ctx context.Context, m *rbm.RBM, o AISOptions) (*AIS, error) {
	try := func(reference rbm.Layer, steps int) (*AIS, error) {
		o.Reference = reference
		ladder, length, err := ladderOn(ctx, o.Device, m, reference, steps, o.Seed, o.Workers)
		if err != nil {
			return nil, err
		}
		a, err := anneal(ctx, m, o, ladder)
		if err != nil {
			return nil, err
		}
		a.Length = length
		a.judge()
		return a, nil
	}
	asked, reference := o.Steps, o.Reference
	a, err := try(reference, asked)
	if err != nil || a.Verdict == Good {
		return a, err
	}
	if reference != m.Visible {
		own, err := try(m.Visible, asked)
		if err != nil || own.Verdict == Good {
			return own, err
		}
		if own.Upper-own.Lower < a.Upper-a.Lower {
			a, reference = own, m.Visible
		}
	}
	for range mostLonger {
		if asked > 0 || a.Steps > longestAuto {
			break
		}
		if a, err = try(reference, longer*a.Steps); err != nil || a.Verdict == Good {
			break
		}
	}
	return a, err
}

// anneal takes chains up and down one ladder.
func anneal(ctx context.Context, m *rbm.RBM, o AISOptions, ladder []float64) (*AIS, error) {
	a, err := newAnnealingOn(o.Device, m, o.Reference, o.Chains, o.Workers)
	if err != nil {
		return nil, err
	}
	steps := len(ladder) - 1
	passes, done := 3, 0
	if o.Data != nil {
		passes++
	}
	step := func(int) {
		if done++; o.Progress != nil {
			o.Progress(done, passes*steps)
		}
	}
	seen := newDistinct(m)
	up := newProfile(ladder)
	c := a.Start(o.Seed, forwardFirst)
	forward, err := a.Up(ctx, c, ladder, func(t int) {
		up.add(a, t-1)
		step(t)
	})
	if err != nil {
		return nil, err
	}
	if err := seen.add(c.V); err != nil {
		return nil, err
	}
	r := &AIS{Chains: o.Chains, Steps: steps, Transition: up.peak(), spread: robustSpread(forward)}
	mean, relative := special.LogMeanExp(forward)
	r.LogZ, r.Error = mean, relative
	r.ESS = float64(o.Chains) / (1 + relative*relative*float64(o.Chains-1))

	low, err := minima(ctx, m, c, o)
	if err != nil {
		return nil, err
	}
	if o.Data != nil {
		if err := seen.add(o.Data); err != nil {
			return nil, err
		}
	}
	ends := unit.NewStates(c.V.Spec, o.Chains)
	Resample(ends, c.V, forward, rng.Uniform(rng.New(o.Seed, rng.Resample, 0, 0).Block(0)[0]))
	r.Draws = ends.Clone() // those below go on
	for k, s := range startsOf(m, ends, low, o) {
		first := uint32(reverseFirst)
		if k > 0 {
			first = startsFirst << (k - 1)
		}
		down := &sampler.Chains{Seed: o.Seed, First: first, V: s.v, Proposed: make([]uint64, o.Chains),
			Accepted: make([]uint64, o.Chains)}
		if err := seen.add(down.V); err != nil {
			return nil, err
		}
		if err := a.Settle(ctx, down, o.Burn); err != nil {
			return nil, err
		}
		if err := seen.add(down.V); err != nil {
			return nil, err
		}
		back := newProfile(ladder)
		logs, err := a.Down(ctx, down, ladder, func(done int) {
			back.add(a, len(ladder)-done)
			step(done)
		})
		if err != nil {
			return nil, err
		}
		r.Hysteresis.widen(up.against(back))
		if k == 0 {
			r.spread = max(r.spread, robustSpread(logs))
		}
		for _, part := range s.parts {
			r.Starts = append(r.Starts, newStart(part.from, logs[part.lo:part.hi]))
		}
	}
	r.Reverse, r.ReverseError = r.Starts[0].LogZ, r.Starts[0].Error
	r.Lower, r.Upper = r.LogZ-sigmas*r.Error, math.Inf(-1)
	for _, s := range r.Starts {
		missed := 3 / float64(o.Chains) * math.Exp(s.Highest-r.LogZ) // see allowed
		r.Upper = max(r.Upper, s.LogZ+sigmas*s.Error, r.LogZ+math.Log1p(missed))
	}
	r.Floor = seen.logSum()
	return r, nil
}

// newStart makes an estimate of log Z from the weights of reverse chains.
func newStart(from string, logs []float64) Start {
	for k := range logs {
		logs[k] = -logs[k]
	}
	mean, relative := special.LogMeanExp(logs)
	s := Start{From: from, Chains: len(logs), LogZ: -mean, Error: relative}
	s.Highest, s.HighestChains = highest(logs)
	return s
}

// Resample sets dst to as many configurations of a batch, chosen in proportion to their weights, given by their
// logarithms, and evenly spread (systematic resampling); u is uniform on (0,1).
func Resample(dst, from *unit.States, logs []float64, u float64) {
	n := float64(dst.Len)
	total := special.LogSumExp(logs)
	at, sum := 0, math.Exp(logs[0]-total)
	for k := range dst.Len {
		for want := (float64(k) + u) / n; sum < want && at < len(logs)-1; {
			at++
			sum += math.Exp(logs[at] - total)
		}
		dst.CopyRow(k, from, at)
	}
}

// spread picks a number of configurations evenly from a batch; fewer are all taken.
func spread(v *unit.States, count int) *unit.States {
	if v.Len <= count {
		return v
	}
	picked := unit.NewStates(v.Spec, count)
	for k := range count {
		picked.CopyRow(k, v, k*v.Len/count)
	}
	return picked
}
