package paper

import (
	"context"
	"errors"
	"fmt"
	"math"

	"instanton/evaluate"
	"instanton/internal/rng"
	"instanton/internal/special"
	"instanton/unit"
)

// bridge is annealing between independent sites and a model, both ways.
type bridge struct {
	chains int // in each direction, for each class
	steps  int
	burn   int // steps of alternating Gibbs sampling in a class before chains go down
}

// bridgedWeights estimates the share of a model's law that each class of its data has, where annealing in one
// direction is too noisy. From the independent sites of each class chains go up to the model and end where
// they may; others start at examples of the class, are given time there, and go down. With the logarithm w of a
// path's weight upwards, both have densities in the ratio e^w Z₀/Z_c for paths that end in class c, so that
// Bennett's estimator (J. Comput. Phys. 22, 245, 1976) finds Z_c:
//
//	Σ_{up, in c} σ(w − ℓ) = Σ_{down} σ(ℓ − w),   ℓ = log Z_c/Z₀ + log(n_up/n_down).
//
// Errors are those of drawing the paths again with replacement. That the chains of a class are in equilibrium
// within it when they go down is taken for granted.
func (t *trained) bridgedWeights(ctx context.Context, s Settings, b bridge, judge classifier) ([]modeWeight, error) {
	all := make([]bridgePaths, len(t.Data.LabelNames))
	for class, name := range t.Data.LabelNames {
		var err error
		if all[class], err = t.bridgeTo(ctx, s, b, class, judge); err != nil {
			return nil, fmt.Errorf("class %s: %w", name, err)
		}
	}
	return bridgeShares(t.Data.LabelNames, all, s.Seed), nil
}

// bridgeTo anneals to and from one class.
func (t *trained) bridgeTo(ctx context.Context, s Settings, b bridge, class int, judge classifier) (p bridgePaths, err error) {
	var rows []int
	for k, l := range t.Data.Labels {
		if l == class {
			rows = append(rows, k)
		}
	}
	if len(rows) == 0 {
		return p, errors.New("the data hold nothing of it: expected examples to start from")
	}
	sites, err := evaluate.Sites(t.Data.States, t.Data.Weights, rows)
	if err != nil {
		return p, err
	}
	ladder, _, err := evaluate.Ladder(ctx, t.Model, sites, b.steps, s.Seed, s.Workers)
	if err != nil {
		return p, err
	}
	a, err := evaluate.NewAnnealing(t.Model, sites, b.chains, s.Workers)
	if err != nil {
		return p, err
	}
	silent := func(int) {}
	first := func(part int) uint32 { return uint32(1+2*class+part) << 20 } // no two parts share random numbers
	up := a.Start(s.Seed, first(0))
	if p.up, err = a.Up(ctx, up, ladder, silent); err != nil {
		return p, err
	}
	ends, err := judge(up.V)
	if err != nil {
		return p, err
	}
	reached := false
	for k := range p.up {
		at, _ := mostProbable(ends[k])
		p.in = append(p.in, at == class)
		reached = reached || at == class
	}
	down := a.Start(s.Seed, first(1))
	if err := down.Begin(spreadOver(t.Data.States, rows, b.chains)); err != nil {
		return p, err
	}
	if err := a.Settle(ctx, down, b.burn); err != nil {
		return p, err
	}
	begins, err := judge(down.V)
	if err != nil {
		return p, err
	}
	fall, err := a.Down(ctx, down, ladder, silent)
	if err != nil {
		return p, err
	}
	for k, w := range fall {
		if at, _ := mostProbable(begins[k]); at == class {
			p.down = append(p.down, w)
		}
	}
	if !reached || len(p.down) < 2 {
		return p, errors.New("no chain that was annealed to it, or none that started at its examples, stayed there: expected the model to know it")
	}
	return p, nil
}

// bridgePaths are log-weights of annealing, log Z₀ included.
type bridgePaths struct {
	up   []float64
	in   []bool // whether a path up ended in the class
	down []float64
}

// bridgeShares solves for the classes' partition functions, with errors by the bootstrap.
func bridgeShares(names []string, paths []bridgePaths, seed uint64) []modeWeight {
	const again = 200
	all := make([]modeWeight, len(names))
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
		all[c].LogZErr, all[c].Error = spread(zs[c]), spread(shares[c])
	}
	return all
}

// resample draws as many paths with replacement, at least one of them up to the class.
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

// logZ solves Bennett's equation by bisection, and counts the paths in which both directions overlap.
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

// spreadOver picks a number of configurations, evenly spread over some rows.
func spreadOver(v *unit.States, rows []int, count int) *unit.States {
	picked := unit.NewStates(v.Spec, count)
	for k := range count {
		picked.CopyRow(k, v, rows[k*len(rows)/count])
	}
	return picked
}
