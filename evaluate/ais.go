package evaluate

import (
	"context"
	"fmt"
	"math"

	"instanton/internal/rng"
	"instanton/internal/special"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// AISOptions are the settings of annealed importance sampling. The zero value selects the defaults.
type AISOptions struct {
	Chains int // in each direction; 0: 200
	Steps  int // of the ladder; 0: as many as a pilot run finds necessary
	Burn   int // sweeps of the model before the reverse chains start; 0: 100
	Seed   uint64
	// Reference is the law at β = 0, of independent units; nil takes the visible potentials of the model. Sites fits
	// one to data, which is usually closer.
	Reference rbm.Layer
	Workers   int
	// Progress is called with the number of steps done and their total, in both directions.
	Progress func(done, total int)
}

// AIS holds estimates of log Z from both sides.
//
// Forward chains go from independent sites to the model. The mean of their weights is an unbiased estimate of Z, so
// its logarithm is below log Z on average and, by Markov's inequality, exceeds log Z + a with a probability of at most
// e^{−a}. Reverse chains go from the model to independent sites and estimate 1/Z, so their estimate of log Z is too
// high on average. This holds exactly for chains that start in equilibrium. Those here start at the ends of the
// forward chains, resampled by weight and moved by sweeps of the model: if all forward chains have missed a mode, so
// have the reverse chains, and both estimates err alike.
type AIS struct {
	LogZ         float64 `json:"log_z"` // from the forward chains
	Error        float64 `json:"log_z_error"`
	Reverse      float64 `json:"log_z_reverse"`
	ReverseError float64 `json:"log_z_reverse_error"`
	// Lower is the forward estimate minus three standard errors, Upper the reverse estimate plus three.
	Lower float64 `json:"log_z_lower"`
	Upper float64 `json:"log_z_upper"`

	Chains int     `json:"chains"`
	Steps  int     `json:"steps"`
	Length float64 `json:"thermodynamic_length"`
	ESS    float64 `json:"effective_chains"` // of the forward chains: (Σw)²/Σw²
}

// sigmas is the number of standard errors in the bounds.
const sigmas = 3

// Trustworthy returns what speaks against the numbers, or an empty string.
func (a *AIS) Trustworthy() (why string) {
	switch {
	case a.ESS < float64(a.Chains)/10:
		return fmt.Sprintf("only %.1f of %d chains carry weight", a.ESS, a.Chains)
	case a.Reverse-a.LogZ > 1:
		return fmt.Sprintf("the estimates from the two sides differ by %.3g", a.Reverse-a.LogZ)
	}
	return ""
}

// Numbers of the first chains of each part, so that no two parts share random numbers.
const (
	forwardFirst = 0
	reverseFirst = 1 << 24
	pilotFirst   = 1 << 25
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
		return nil, fmt.Errorf("annealing of %d chains by %d steps after a burn-in of %d: expected 2 to %d chains; "+
			"steps and burn-in must be ≥ 0", o.Chains, o.Steps, o.Burn, reverseFirst-1)
	}
	if o.Reference == nil {
		o.Reference = m.Visible
	}
	if o.Reference.Spec() != m.Visible.Spec() {
		return nil, fmt.Errorf("a reference of %s: the model has visible units %s", o.Reference.Spec(),
			m.Visible.Spec())
	}
	ladder, length, err := Ladder(ctx, m, o.Reference, o.Steps, o.Seed, o.Workers)
	if err != nil {
		return nil, err
	}
	a, err := NewAnnealing(m, o.Reference, o.Chains, o.Workers)
	if err != nil {
		return nil, err
	}
	steps := len(ladder) - 1
	step := func(done int) {
		if o.Progress != nil {
			o.Progress(done, 2*steps)
		}
	}
	c := a.Start(o.Seed, forwardFirst)
	forward, err := a.Up(ctx, c, ladder, step)
	if err != nil {
		return nil, err
	}
	c = resample(c, forward, o.Seed)
	if err := a.Settle(ctx, c, o.Burn); err != nil {
		return nil, err
	}
	reverse, err := a.Down(ctx, c, ladder, func(done int) { step(steps + done) })
	if err != nil {
		return nil, err
	}
	for k := range reverse {
		reverse[k] = -reverse[k]
	}
	r := &AIS{Chains: o.Chains, Steps: steps, Length: length}
	mean, relative := logMean(forward)
	r.LogZ, r.Error = mean, relative
	r.ESS = float64(o.Chains) / (1 + relative*relative*float64(o.Chains-1))
	mean, relative = logMean(reverse)
	r.Reverse, r.ReverseError = -mean, relative
	r.Lower, r.Upper = r.LogZ-sigmas*r.Error, r.Reverse+sigmas*r.ReverseError
	return r, nil
}

// resample draws as many chains as there are, with probabilities proportional to their weights (systematic
// resampling).
func resample(c *sampler.Chains, logs []float64, seed uint64) *sampler.Chains {
	n := len(logs)
	total := special.LogSumExp(logs)
	v := unit.NewStates(c.V.Spec, n)
	u := rng.Uniform(rng.New(seed, rng.Resample, 0, 0).Block(0)[0])
	from, sum := 0, math.Exp(logs[0]-total)
	for k := range n {
		for at := (float64(k) + u) / float64(n); sum < at && from < n-1; {
			from++
			sum += math.Exp(logs[from] - total)
		}
		v.CopyRow(k, c.V, from)
	}
	return &sampler.Chains{Seed: seed, First: reverseFirst, V: v, Proposed: make([]uint64, n),
		Accepted: make([]uint64, n)}
}

// logMean is the logarithm of the mean of e^x (not the mean of x) and its standard error, which is the relative
// standard error of the mean of e^x.
func logMean(xs []float64) (mean, standardError float64) {
	n := float64(len(xs))
	mean = special.LogSumExp(xs) - math.Log(n)
	var variance float64
	for _, x := range xs {
		d := math.Exp(x-mean) - 1
		variance += d * d / (n - 1)
	}
	return mean, math.Sqrt(variance / n)
}
