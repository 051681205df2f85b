package evaluate

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"

	"instanton/dataset"
	"instanton/internal/rng"
	"instanton/internal/special"
	"instanton/rbm"
	"instanton/unit"
)

// Classifier returns the probability of every class for each configuration.
type Classifier func(v *unit.States) ([][]float64, error)

// MostProbable returns the most probable class and its probability.
func MostProbable(p []float64) (class int, probability float64) {
	for c, x := range p {
		if x > probability {
			class, probability = c, x
		}
	}
	return class, probability
}

// ClassWeight is the weight of a class in the law of a model. A chain that never leaves a class says nothing about
// this weight; nor does training with persistent chains determine the weights of modes between which the chains do not
// move.
type ClassWeight struct {
	Name    string  `json:"name"`
	Share   float64 `json:"share"`
	Error   float64 `json:"error"`
	LogZ    float64 `json:"log_z"`            // of the class alone
	LogZErr float64 `json:"log_z_error"`      // its standard error
	ESS     float64 `json:"effective_chains"` // number of chains that carry the estimate
}

// TotalLogZ returns log Z of a model, from the partition functions of its classes, and its standard error.
func TotalLogZ(classes []ClassWeight) (logZ, err float64) {
	var logs []float64
	for _, w := range classes {
		logs = append(logs, w.LogZ)
		err += w.Share * w.Share * w.LogZErr * w.LogZErr
	}
	return special.LogSumExp(logs), math.Sqrt(err)
}

// BridgeOptions are the settings of annealing between independent sites and a model, in both directions.
type BridgeOptions struct {
	Chains  int // in each direction, for each class
	Steps   int
	Burn    int // sweeps of alternating Gibbs sampling within a class before chains go down
	Seed    uint64
	Workers int
}

// Bridge estimates the weights of the classes of labelled data in the law of a model, for cases in which annealing in
// one direction is too noisy. Some chains go up from the independent sites of each class to the model and may end
// anywhere; others start at examples of the class, relax there, and go down. With w the logarithm of the weight of a
// path upwards, the densities of both kinds of paths have the ratio e^w Z₀/Z_c for paths that end in class c, so that
// Bennett's estimator (J. Comput. Phys. 22, 245, 1976) gives Z_c:
//
//	Σ_{up, in c} σ(w − ℓ) = Σ_{down} σ(ℓ − w),   ℓ = log Z_c/Z₀ + log(n_up/n_down).
//
// Errors are estimated by the bootstrap over paths. The chains of a class are assumed to be in equilibrium within it
// when they go down.
func Bridge(ctx context.Context, m *rbm.RBM, data *dataset.Dataset, classify Classifier,
	o BridgeOptions) ([]ClassWeight, error) {
	all := make([]bridgePaths, len(data.LabelNames))
	for class, name := range data.LabelNames {
		var err error
		if all[class], err = bridgeTo(ctx, m, data, class, classify, o); err != nil {
			return nil, fmt.Errorf("class %s: %w", name, err)
		}
	}
	return classWeights(data.LabelNames, all, o.Seed), nil
}

// bridgeTo anneals to and from one class.
func bridgeTo(ctx context.Context, m *rbm.RBM, data *dataset.Dataset, class int, classify Classifier,
	o BridgeOptions) (p bridgePaths, err error) {
	var rows []int
	for k, l := range data.Labels {
		if l == class {
			rows = append(rows, k)
		}
	}
	if len(rows) == 0 {
		return p, errors.New("the data have no examples of it: expected some to start from")
	}
	sites, err := Sites(data.States, data.Weights, rows)
	if err != nil {
		return p, err
	}
	ladder, _, err := Ladder(ctx, m, sites, o.Steps, o.Seed, o.Workers)
	if err != nil {
		return p, err
	}
	a, err := NewAnnealing(m, sites, o.Chains, o.Workers)
	if err != nil {
		return p, err
	}
	silent := func(int) {}
	first := func(part int) uint32 { return uint32(1+2*class+part) << 20 } // no two parts share random numbers
	up := a.Start(o.Seed, first(0))
	if p.up, err = a.Up(ctx, up, ladder, silent); err != nil {
		return p, err
	}
	ends, err := classify(up.V)
	if err != nil {
		return p, err
	}
	reached := false
	for k := range p.up {
		at, _ := MostProbable(ends[k])
		p.in = append(p.in, at == class)
		reached = reached || at == class
	}
	down := a.Start(o.Seed, first(1))
	if err := down.Begin(evenlySpaced(data.States, rows, o.Chains)); err != nil {
		return p, err
	}
	if err := a.Settle(ctx, down, o.Burn); err != nil {
		return p, err
	}
	begins, err := classify(down.V)
	if err != nil {
		return p, err
	}
	fall, err := a.Down(ctx, down, ladder, silent)
	if err != nil {
		return p, err
	}
	for k, w := range fall {
		if at, _ := MostProbable(begins[k]); at == class {
			p.down = append(p.down, w)
		}
	}
	if !reached || len(p.down) < 2 {
		return p, errors.New("no chain that was annealed, or none that started at its examples, ended in it: " +
			"expected the model to know it")
	}
	return p, nil
}

// bridgePaths holds log-weights of annealing, log Z₀ included.
type bridgePaths struct {
	up   []float64
	in   []bool // whether a path up ended in the class
	down []float64
}

// classWeights solves for the partition functions of the classes, with bootstrap errors.
func classWeights(names []string, paths []bridgePaths, seed uint64) []ClassWeight {
	const again = 200
	all := make([]ClassWeight, len(names))
	logs := make([]float64, len(names))
	for c, p := range paths {
		logs[c], all[c].ESS = p.logZ()
	}
	total := special.LogSumExp(logs)
	for c, name := range names {
		all[c].Name, all[c].LogZ, all[c].Share = name, logs[c], math.Exp(logs[c]-total)
	}
	zs, shares := make([][]float64, len(names)), make([][]float64, len(names))
	for k := range again {
		random := rng.New(seed, rng.Resample, uint32(k), 1)
		at := uint32(0)
		for c, p := range paths {
			logs[c], _ = p.resample(random, &at).logZ()
			zs[c] = append(zs[c], logs[c])
		}
		total := special.LogSumExp(logs)
		for c := range names {
			shares[c] = append(shares[c], math.Exp(logs[c]-total))
		}
	}
	for c := range all {
		all[c].LogZErr, all[c].Error = stat.StdDev(zs[c], nil), stat.StdDev(shares[c], nil)
	}
	return all
}

// resample draws as many paths with replacement, including at least one that goes up to the class.
func (p bridgePaths) resample(random rng.Stream, at *uint32) (q bridgePaths) {
	pick := func(n int) int {
		b := random.Block(*at)
		*at++
		return rng.Below(b[0], b[1], n)
	}
	for reached := false; !reached; {
		q.up, q.in = nil, nil
		for range p.up {
			k := pick(len(p.up))
			q.up, q.in = append(q.up, p.up[k]), append(q.in, p.in[k])
			reached = reached || p.in[k]
		}
	}
	for range p.down {
		q.down = append(q.down, p.down[pick(len(p.down))])
	}
	return q
}

// logZ solves Bennett's equation by bisection, and counts the paths in the overlap of both directions.
func (p bridgePaths) logZ() (z, overlap float64) {
	lo, hi := math.Inf(1), math.Inf(-1)
	for k, w := range p.up {
		if p.in[k] {
			lo, hi = min(lo, w), max(hi, w)
		}
	}
	for _, w := range p.down {
		lo, hi = min(lo, w), max(hi, w)
	}
	ratio := math.Log(float64(len(p.up)) / float64(len(p.down)))
	sides := func(z float64) (up, down float64) {
		for k, w := range p.up {
			if p.in[k] {
				up += special.Sigmoid(w - z - ratio)
			}
		}
		for _, w := range p.down {
			down += special.Sigmoid(z + ratio - w)
		}
		return up, down
	}
	margin := math.Abs(ratio) + math.Log(float64(len(p.up)+len(p.down))) + 1
	lo, hi = lo-margin, hi+margin
	for range 60 {
		mid := (lo + hi) / 2
		if up, down := sides(mid); up > down {
			lo = mid
		} else {
			hi = mid
		}
	}
	up, down := sides((lo + hi) / 2)
	return (lo + hi) / 2, up + down
}

// evenlySpaced picks count configurations, evenly spaced among the given rows.
func evenlySpaced(v *unit.States, rows []int, count int) *unit.States {
	picked := unit.NewStates(v.Spec, count)
	for k := range count {
		picked.CopyRow(k, v, rows[k*len(rows)/count])
	}
	return picked
}
