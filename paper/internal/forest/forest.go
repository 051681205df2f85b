package forest

import (
	"context"
	"fmt"
	"math"
	"runtime"

	"instanton/internal/parallel"
	"instanton/unit"
)

// Options are the settings of a forest; zero means the usual one.
type Options struct {
	Trees    int // number of trees: 100
	Features int // features tried at a node: √N, rounded down
	MinLeaf  int // fewest draws of a bootstrap in a leaf: 1
	MaxDepth int // most splits from root to leaf: no bound
	Seed     uint64
	Workers  int // goroutines: one per processor; they change no bit of the forest
}

// Bounds that refuse a mistyped number before the memory is asked for.
const (
	maxClasses = 1 << 10
	maxTrees   = 1 << 20
)

// Forest is a trained classifier.
type Forest struct {
	Spec    unit.Spec // what it classifies
	Classes int       // classes are 0 to Classes−1

	// OutOfBag is the share of the examples that are misclassified by the trees whose
	// bootstrap they are not in, an honest estimate of the error on new data. It is NaN
	// where every example is in every bootstrap.
	OutOfBag float64

	trees []tree
}

// Train grows a forest on examples of spin or Bernoulli units and their classes. It returns
// the context's error when that ends.
func Train(ctx context.Context, x *unit.States, labels []int, o Options) (*Forest, error) {
	classes, err := check(x, labels)
	if err != nil {
		return nil, err
	}
	if err := o.fill(x.Spec); err != nil {
		return nil, err
	}
	f := &Forest{Spec: x.Spec, Classes: classes, trees: make([]tree, o.Trees)}
	t := newTable(x, labels, classes)
	bags := make([][]uint64, o.Trees) // examples in each bootstrap
	growers := make([]*grower, parallel.Workers(o.Workers, o.Trees))
	err = parallel.ForContext(ctx, o.Workers, o.Trees, func(worker, k int) {
		if growers[worker] == nil {
			growers[worker] = newGrower(t, o)
		}
		f.trees[k], bags[k] = growers[worker].grow(uint32(k))
	})
	if err != nil {
		return nil, err
	}
	return f, f.outOfBag(ctx, x, t, bags, o.Workers)
}

func check(x *unit.States, labels []int) (classes int, err error) {
	if x.Type != unit.Spin && x.Type != unit.Bernoulli {
		return 0, fmt.Errorf("a random forest of %s: expected spin or Bernoulli units", x.Spec)
	}
	if len(labels) != x.Len || x.Len == 0 {
		return 0, fmt.Errorf("%d labels for %d examples: expected one each, and at least one", len(labels), x.Len)
	}
	if int64(x.Len) > math.MaxInt32 {
		return 0, fmt.Errorf("%d examples: expected at most %d", x.Len, math.MaxInt32)
	}
	several := false
	for k, l := range labels {
		if l < 0 || l >= maxClasses {
			return 0, fmt.Errorf("the label of example %d is %d: expected 0 to %d", k, l, maxClasses-1)
		}
		classes = max(classes, l+1)
		several = several || l != labels[0]
	}
	if !several {
		return 0, fmt.Errorf("all %d examples are of class %d: expected at least two classes", x.Len, labels[0])
	}
	return classes, nil
}

// fill replaces zeros by the usual settings.
func (o *Options) fill(spec unit.Spec) error {
	usual := func(value *int, usual int) {
		if *value == 0 {
			*value = usual
		}
	}
	usual(&o.Trees, 100)
	usual(&o.Features, int(math.Sqrt(float64(spec.N))))
	usual(&o.MinLeaf, 1)
	usual(&o.MaxDepth, math.MaxInt)
	usual(&o.Workers, runtime.GOMAXPROCS(0))
	for _, v := range []struct {
		name        string
		value, most int
	}{{"trees", o.Trees, maxTrees}, {"features a node", o.Features, spec.N}, {"draws in a leaf", o.MinLeaf,
		math.MaxInt}, {"splits above a leaf", o.MaxDepth, math.MaxInt}, {"workers", o.Workers, math.MaxInt}} {
		if v.value < 1 || v.value > v.most {
			return fmt.Errorf("%d %s: expected 1 to %d", v.value, v.name, v.most)
		}
	}
	return nil
}

// Probabilities are the probabilities of the classes for each configuration: the mean over
// the trees of the classes' shares in the leaf it falls into. Configurations must be of the
// kind that the forest was trained on.
func (f *Forest) Probabilities(x *unit.States) ([][]float64, error) {
	if x.Spec != f.Spec {
		return nil, fmt.Errorf("the forest was trained on %s: got configurations of %s", f.Spec, x.Spec)
	}
	out := make([][]float64, x.Len)
	flat := make([]float64, x.Len*f.Classes)
	parallel.For(0, x.Len, func(_, k int) {
		out[k] = flat[k*f.Classes : (k+1)*f.Classes]
		for t := range f.trees {
			f.trees[t].vote(out[k], x.BitRow(k))
		}
		for c := range out[k] {
			out[k][c] /= float64(len(f.trees))
		}
	})
	return out, nil
}

// Classify gives each configuration its most probable class, the smaller of equals.
func (f *Forest) Classify(x *unit.States) ([]int, error) {
	p, err := f.Probabilities(x)
	if err != nil {
		return nil, err
	}
	out := make([]int, len(p))
	for k := range p {
		out[k] = largest(p[k])
	}
	return out, nil
}

// largest is the index of the largest number, the first of equals.
func largest(x []float64) int {
	at := 0
	for k, v := range x {
		if v > x[at] {
			at = k
		}
	}
	return at
}
