package paper

import (
	"context"
	"fmt"
	"math"

	"instanton/dataset"
	"instanton/evaluate"
	"instanton/internal/rng"
	"instanton/internal/special"
	"instanton/sampler"
	"instanton/unit"
)

// bridge is annealing between the independent sites of all data and a model, both ways.
type bridge struct {
	chains int // up, and down from each class
	steps  int
	burn   int // steps of alternating Gibbs sampling in a class before chains go down
}

// bridgedWeights estimates the share of a model's law that each class of its data has, where annealing in
// one direction is too noisy. Chains go up from the sites to the model and end where they may; others start at
// examples of a class, are given time there, and go down. With the logarithm w of the weight of a path, either
// way, both have densities in the ratio e^{w}Z₀/Z_c for paths that end in class c, so that Bennett's
// estimator (J. Comput. Phys. 22, 245, 1976) finds Z_c:
//
//	Σ_{up, in c} σ(w − ℓ) = Σ_{down from c} σ(ℓ − w),   ℓ = log Z_c/Z₀ + log(n_up/n_down).
//
// Errors are those of drawing the paths again with replacement. Whether a class is in equilibrium with itself
// when its chains go down is taken for granted.
func (t *trained) bridgedWeights(ctx context.Context, s Settings, b bridge, judge classifier) ([]modeWeight, error) {
	sites, err := evaluate.Sites(t.Data.States, t.Data.Weights, nil)
	if err != nil {
		return nil, err
	}
	a, err := newAnnealer(t.Model, sites, b.chains, s)
	if err != nil {
		return nil, err
	}
	ladder, err := a.ladder(ctx, b.steps)
	if err != nil {
		return nil, err
	}
	up := a.start(1)
	rise, err := a.up(ctx, up, ladder)
	if err != nil {
		return nil, err
	}
	ends, err := judge(up.V)
	if err != nil {
		return nil, err
	}
	p := paths{up: rise, from: make([][]float64, len(t.Data.LabelNames))}
	for k := range rise {
		class, _ := mostProbable(ends[k])
		p.end = append(p.end, class)
	}
	for class, name := range t.Data.LabelNames {
		c, err := a.within(ctx, t.Data, class, b.burn)
		if err != nil {
			return nil, err
		}
		before, err := judge(c.V)
		if err != nil {
			return nil, err
		}
		fall, err := a.down(ctx, c, ladder)
		if err != nil {
			return nil, err
		}
		for k, w := range fall {
			if at, _ := mostProbable(before[k]); at == class {
				p.from[class] = append(p.from[class], w)
			}
		}
		if len(p.from[class]) < 2 {
			return nil, fmt.Errorf("chains from examples of class %s are not there after %d steps: expected the model to know the class", name, b.burn)
		}
	}
	return p.weights(t.Data.LabelNames, s.Seed)
}

// paths are log-weights of annealing, log Z₀ included.
type paths struct {
	up   []float64
	end  []int       // the class in which a path up ended
	from [][]float64 // down from each class
}

// weights solves for the classes' partition functions, with errors by the bootstrap.
func (p paths) weights(names []string, seed uint64) ([]modeWeight, error) {
	const again = 100
	all := make([]modeWeight, len(names))
	logs, overlap := p.logZ()
	for c, name := range names {
		if math.IsInf(logs[c], 0) {
			return nil, fmt.Errorf("none of %d chains that were annealed ended in class %s: expected some", len(p.up), name)
		}
		all[c] = modeWeight{Name: name, LogZ: logs[c], Share: math.Exp(logs[c] - special.LogSumExp(logs)), ESS: overlap[c]}
	}
	zs, shares := make([][]float64, len(names)), make([][]float64, len(names))
	for k := range again {
		logs, _ := p.resample(rng.New(seed, rng.Resample, uint32(k), 1)).logZ()
		total := special.LogSumExp(logs)
		for c := range names {
			if !math.IsInf(logs[c], 0) {
				zs[c] = append(zs[c], logs[c])
			}
			shares[c] = append(shares[c], math.Exp(logs[c]-total))
		}
	}
	for c := range all {
		all[c].LogZErr, all[c].Error = spread(zs[c]), spread(shares[c])
	}
	return all, nil
}

// spread is the standard deviation.
func spread(x []float64) float64 {
	_, err := meanAndError(x)
	return err * math.Sqrt(float64(len(x)))
}

// resample draws as many paths with replacement.
func (p paths) resample(stream rng.Stream) paths {
	at := uint32(0)
	pick := func(n int) int {
		b := stream.Block(at)
		at++
		return rng.Below(b[0], b[1], n)
	}
	q := paths{from: make([][]float64, len(p.from))}
	for range p.up {
		k := pick(len(p.up))
		q.up, q.end = append(q.up, p.up[k]), append(q.end, p.end[k])
	}
	for c, w := range p.from {
		for range w {
			q.from[c] = append(q.from[c], w[pick(len(w))])
		}
	}
	return q
}

// logZ solves Bennett's equation for each class by bisection, and counts the paths in which both directions
// overlap. It is −Inf for a class that no path up ended in.
func (p paths) logZ() (logs, overlap []float64) {
	for c, down := range p.from {
		lo, hi := math.Inf(1), math.Inf(-1)
		for k, w := range p.up {
			if p.end[k] == c {
				lo, hi = min(lo, w), max(hi, w)
			}
		}
		if math.IsInf(lo, 1) {
			logs, overlap = append(logs, math.Inf(-1)), append(overlap, 0)
			continue
		}
		for _, w := range down {
			lo, hi = min(lo, w), max(hi, w)
		}
		ratio := math.Log(float64(len(p.up)) / float64(len(down)))
		sides := func(z float64) (up, fall float64) {
			for k, w := range p.up {
				if p.end[k] == c {
					up += special.Sigmoid(w - z - ratio)
				}
			}
			for _, w := range down {
				fall += special.Sigmoid(z + ratio - w)
			}
			return up, fall
		}
		margin := math.Abs(ratio) + math.Log(float64(len(p.up)+len(down))) + 1
		lo, hi = lo-margin, hi+margin
		for range 100 {
			mid := (lo + hi) / 2
			if up, fall := sides(mid); up > fall {
				lo = mid
			} else {
				hi = mid
			}
		}
		up, fall := sides((lo + hi) / 2)
		logs, overlap = append(logs, (lo+hi)/2), append(overlap, up+fall)
	}
	return logs, overlap
}

// within are chains that have spent some steps of the model from examples of a class.
func (a *annealer) within(ctx context.Context, d *dataset.Dataset, class, burn int) (*sampler.Chains, error) {
	var rows []int
	for k, l := range d.Labels {
		if l == class {
			rows = append(rows, k)
		}
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("the data hold nothing of class %s: expected examples to start from", d.LabelNames[class])
	}
	c := a.start(uint32(2 + class))
	examples := unit.NewStates(d.States.Spec, c.V.Len)
	for k := range c.V.Len {
		examples.CopyRow(k, d.States, rows[k*len(rows)/c.V.Len])
	}
	if err := c.Begin(examples); err != nil {
		return nil, err
	}
	if err := a.set(1); err != nil {
		return nil, err
	}
	return c, a.pool.Run(ctx, c, burn)
}
