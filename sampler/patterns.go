package sampler

import (
	"context"
	"fmt"

	"instanton/dataset"
	"instanton/internal/rng"
	"instanton/rbm"
)

// FromPatterns makes a data set of a model that stores patterns: each configuration
// ends a chain of alternating Gibbs sampling that began at a pattern or its opposite,
// all equally likely. The label is the pattern's number, opposites following after the
// patterns.
func FromPatterns(ctx context.Context, m *rbm.RBM, count, sweeps int, seed uint64) (*dataset.Dataset, error) {
	if m.Patterns == nil {
		return nil, fmt.Errorf("the model stores no patterns")
	}
	if err := m.Visible.Spec().CheckCount(count); err != nil {
		return nil, err
	}
	k, err := NewGibbs(m, 1)
	if err != nil {
		return nil, err
	}
	c := NewChains(m, count, seed)
	labels := make([]int, count)
	patterns := m.Patterns.Len
	r := rng.New(seed, rng.Data, 0, 0).Rand()
	x := make([]float64, m.Patterns.N)
	for j := range count {
		labels[j] = r.IntN(2 * patterns)
		m.Patterns.Values(x, labels[j]%patterns)
		if labels[j] >= patterns {
			for i := range x {
				x[i] = -x[i]
			}
		}
		c.V.SetValues(j, x)
	}
	if err := NewPool(k, 0).Run(ctx, c, sweeps); err != nil {
		return nil, err
	}
	names := make([]string, 2*patterns)
	for mu := range patterns {
		names[mu], names[mu+patterns] = fmt.Sprintf("+%d", mu+1), fmt.Sprintf("-%d", mu+1)
	}
	info := map[string]string{"method": fmt.Sprintf("%d sweeps of alternating Gibbs sampling from the patterns", sweeps)}
	return &dataset.Dataset{Name: "hopfield", States: c.V, Labels: labels, LabelNames: names, Info: info}, nil
}
