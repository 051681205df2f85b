// Package synthetic makes data sets whose distribution is known, by sampling models. Build a model (package rbm has
// Hopfield and Curie–Weiss models, among others), then call FromPatterns for a labelled data set around its patterns.
package synthetic

import (
	"context"
	"fmt"

	"instanton/dataset"
	"instanton/internal/rng"
	"instanton/rbm"
	"instanton/sampler"
)

// FromPatterns makes a data set from a model that stores patterns: each configuration is the end of a chain of
// alternating Gibbs sampling that started at a pattern or, if the units are spins, possibly at the opposite of one,
// all equally likely. The label is the index of the start; opposites follow the patterns.
func FromPatterns(ctx context.Context, m *rbm.RBM, count, sweeps int, seed uint64) (*dataset.Dataset, error) {
	if m.Patterns == nil {
		return nil, fmt.Errorf("the model stores no patterns: expected some to start from")
	}
	if err := m.Visible.Spec().CheckCount(count); err != nil {
		return nil, err
	}
	k, err := sampler.NewGibbs(m, 1)
	if err != nil {
		return nil, err
	}
	c := sampler.NewChains(m, count, seed)
	labels, starts := make([]int, count), m.PatternsAndOpposites()
	r := rng.New(seed, rng.Data, 0, 0).Rand()
	for j := range labels {
		labels[j] = r.IntN(starts.Len)
		c.V.CopyRow(j, starts, labels[j])
	}
	if err := sampler.NewPool(k, 0).Run(ctx, c, sweeps); err != nil {
		return nil, err
	}
	names := make([]string, starts.Len)
	for a := range names {
		names[a] = fmt.Sprintf("%+d", a+1)
		if a >= m.Patterns.Len {
			names[a] = fmt.Sprintf("%+d", m.Patterns.Len-a-1)
		}
	}
	method := fmt.Sprintf("%d sweeps of alternating Gibbs sampling from the patterns", sweeps)
	info := map[string]string{"method": method}
	return &dataset.Dataset{Name: "hopfield", States: c.V, Labels: labels, LabelNames: names, Info: info}, nil
}
