package forest

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"instanton/unit"
)

// examples draws fair coins, and labels them.
func examples(n, width int, seed uint64, label func(x []float64, r *rand.Rand) int) (*unit.States, []int) {
	r := rand.New(rand.NewPCG(seed, 1))
	s := unit.NewStates(unit.Spec{Type: unit.Bernoulli, N: width}, n)
	labels := make([]int, n)
	x := make([]float64, width)
	for k := range n {
		for i := range x {
			x[i] = float64(r.IntN(2))
			s.Set(k, i, x[i])
		}
		labels[k] = label(x, r)
	}
	return s, labels
}

func train(t *testing.T, x *unit.States, labels []int, o Options) *Forest {
	t.Helper()
	f, err := Train(context.Background(), x, labels, o)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func errorRate(t *testing.T, f *Forest, x *unit.States, labels []int) float64 {
	t.Helper()
	got, err := f.Classify(x)
	if err != nil {
		t.Fatal(err)
	}
	wrong := 0.0
	for k, c := range got {
		if c != labels[k] {
			wrong++
		}
	}
	return wrong / float64(len(labels))
}

// Where one feature is the class and every node sees all features, every tree asks for that
// one and is done.
func TestOneFeatureIsTheClass(t *testing.T) {
	for _, kind := range []unit.Type{unit.Spin, unit.Bernoulli} {
		x, labels := examples(300, 70, 1, func(x []float64, _ *rand.Rand) int { return int(x[66]) })
		x.Type = kind
		f := train(t, x, labels, Options{Features: 70, Trees: 20})
		for _, tree := range f.trees {
			if len(tree.nodes) != 3 || tree.nodes[0].feature != 66 ||
				!reflect.DeepEqual(tree.shares, []float64{1, 0, 0, 1}) {
				t.Fatalf("%s: tree %+v, want one split by feature 66", kind, tree)
			}
		}
		if f.OutOfBag != 0 {
			t.Errorf("%s: out-of-bag error %g, want 0", kind, f.OutOfBag)
		}
	}
}

// Exclusive or: no single feature helps, so the first split gains next to nothing.
func TestExclusiveOr(t *testing.T) {
	label := func(x []float64, _ *rand.Rand) int { return int(x[0]) ^ int(x[1]) }
	x, labels := examples(400, 2, 1, label)
	f := train(t, x, labels, Options{Trees: 10, Features: 1})
	if e := errorRate(t, f, x, labels); e != 0 || f.OutOfBag != 0 {
		t.Errorf("error %g, out of bag %g, want 0", e, f.OutOfBag)
	}
}

// Labels that are wrong once in ten times: a tree of depth one knows that from the leaves.
func TestNoisyLabels(t *testing.T) {
	const n, noise = 4000, 0.1
	flips := [2]float64{}
	size := [2]float64{}
	x, labels := examples(n, 3, 2, func(x []float64, r *rand.Rand) int {
		c := int(x[1])
		size[c]++
		if r.Float64() < noise {
			flips[c]++
			return 1 - c
		}
		return c
	})
	f := train(t, x, labels, Options{Features: 3, MaxDepth: 1, Trees: 200})
	p, err := f.Probabilities(x)
	if err != nil {
		t.Fatal(err)
	}
	for k := range 10 {
		c := int(x.Value(k, 1))
		want := flips[c] / size[c] // a bootstrap's share is this on average
		// The share in one bootstrap varies by √(p(1−p)/size); 200 of them, five errors.
		if tol := 5 * math.Sqrt(want*(1-want)/size[c]/200); math.Abs(p[k][1-c]-want) > tol {
			t.Errorf("probability %g of the rare class, want %g ± %g", p[k][1-c], want, tol)
		}
		if math.Abs(p[k][0]+p[k][1]-1) > 1e-12 {
			t.Errorf("probabilities %v do not sum to one", p[k])
		}
	}
	// All examples of a side are classified alike, in the bag and out of it.
	if want := (flips[0] + flips[1]) / n; math.Abs(f.OutOfBag-want) > 1e-12 {
		t.Errorf("out-of-bag error %g, want %g", f.OutOfBag, want)
	}
}

// The error out of the bag agrees with that on new data, and stays a half where there is
// nothing to learn. 21 pixels vote on the class, each wrong with probability 0.3: a majority
// of them errs with probability 0.0264, the least that any classifier can reach.
func TestOutOfBagIsHonest(t *testing.T) {
	const n = 2000
	votes := func(seed uint64, wrong float64) (*unit.States, []int) {
		r := rand.New(rand.NewPCG(seed, 3))
		s := unit.NewStates(unit.Spec{Type: unit.Spin, N: 21}, n)
		labels := make([]int, n)
		for k := range n {
			labels[k] = r.IntN(2)
			for i := range 21 {
				if (r.Float64() < wrong) != (labels[k] == 1) {
					s.Set(k, i, 1)
				}
			}
		}
		return s, labels
	}
	for _, c := range []struct{ wrong, least, most float64 }{{0.3, 0.0264, 0.06}, {0.5, 0.5, 0.5}} {
		x, labels := votes(1, c.wrong)
		f := train(t, x, labels, Options{Seed: 1})
		fresh, truth := votes(2, c.wrong)
		e := errorRate(t, f, fresh, truth)
		tol := 5 * math.Sqrt(e*(1-e)/n)
		if math.Abs(e-f.OutOfBag) > math.Sqrt2*tol || e < c.least-tol || e > c.most+tol {
			t.Errorf("error %g on new data, %g out of the bag: want both between %g and %g ± %g", e, f.OutOfBag,
				c.least, c.most, tol)
		}
	}
}

// Three classes, one of them without examples.
func TestClasses(t *testing.T) {
	x, labels := examples(500, 6, 3, func(x []float64, _ *rand.Rand) int {
		return []int{0, 1,
			3}[int(x[2])*(1+int(x[4]))]
	})
	f := train(t, x, labels, Options{Trees: 25, Features: 6})
	if e := errorRate(t, f, x, labels); f.Classes != 4 || e != 0 {
		t.Errorf("%d classes, error %g: want 4 and 0", f.Classes, e)
	}
}

// Neither the number of workers nor the time of day changes a bit, the seed does; and the
// forest of a seed is a contract.
func TestDeterminism(t *testing.T) {
	x, labels := examples(200, 40, 4, func(x []float64, r *rand.Rand) int {
		if x[0]+x[1]+x[2]+x[3] > 2 {
			return 1
		}
		return 0
	})
	one := train(t, x, labels, Options{Trees: 12, Workers: 1, Seed: 5})
	many := train(t, x, labels, Options{Trees: 12, Workers: 5, Seed: 5})
	if !reflect.DeepEqual(one, many) {
		t.Error("five workers grew another forest than one")
	}
	other := train(t, x, labels, Options{Trees: 12, Seed: 6})
	if reflect.DeepEqual(one.trees, other.trees) {
		t.Error("seeds 5 and 6 grew the same forest")
	}
	nodes := 0
	for _, tree := range one.trees {
		nodes += len(tree.nodes)
	}
	if root := one.trees[0].nodes[0]; root != (node{1, [2]int32{1, 16}}) || nodes != 860 {
		t.Errorf("root %+v, %d nodes in all", root, nodes)
	}
}

func TestLimits(t *testing.T) {
	x, labels := examples(300, 10, 5, func(_ []float64, r *rand.Rand) int { return r.IntN(2) })
	f := train(t, x, labels, Options{Trees: 5, MaxDepth: 3})
	for _, tree := range f.trees {
		if len(tree.nodes) > 15 {
			t.Errorf("%d nodes at depth 3", len(tree.nodes))
		}
	}
	f = train(t, x, labels, Options{Trees: 5, MinLeaf: 100})
	for _, tree := range f.trees {
		if leaves := len(tree.shares) / 2; leaves > 3 {
			t.Errorf("%d leaves of at least 100 of 300 draws", leaves)
		}
	}
	done, stop := context.WithCancel(context.Background())
	stop()
	if _, err := Train(done, x, labels, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}

func TestBadInput(t *testing.T) {
	x, labels := examples(4, 3, 6, func(x []float64, _ *rand.Rand) int { return int(x[0]) })
	labels[0], labels[1] = 0, 1
	potts := unit.NewStates(unit.Spec{Type: unit.Potts, N: 3, Q: 4}, 4)
	for _, c := range []struct {
		x      *unit.States
		labels []int
		o      Options
		want   string
	}{
		{potts, labels, Options{}, "a random forest of potts:3x4: expected spin or Bernoulli units"},
		{x, labels[:3], Options{}, "3 labels for 4 examples"},
		{x, []int{0, 1, -1, 0}, Options{}, "the label of example 2 is -1: expected 0 to 1023"},
		{x, []int{0, 1, 1 << 40, 0}, Options{}, "expected 0 to 1023"},
		{x, []int{1, 1, 1, 1}, Options{}, "all 4 examples are of class 1: expected at least two classes"},
		{x, labels, Options{Trees: -1}, "-1 trees: expected 1 to"},
		{x, labels, Options{Features: 4}, "4 features a node: expected 1 to 3"},
		{x, labels, Options{MinLeaf: -2}, "-2 draws in a leaf"},
		{x.Slice(0, 0), nil, Options{}, "0 labels for 0 examples"},
	} {
		if _, err := Train(context.Background(), c.x, c.labels, c.o); err == nil || !strings.Contains(err.Error(),
			c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
	f := train(t, x, labels, Options{})
	if _, err := f.Classify(potts); err == nil || !strings.Contains(err.Error(),
		"trained on bernoulli:3: got configurations of potts:3x4") {
		t.Errorf("error %v for other units", err)
	}
}

// A hundred trees on as many pixels as there are zeros and ones in MNIST.
func BenchmarkTrain(b *testing.B) {
	x, labels := examples(12665, 784, 7, func(x []float64, r *rand.Rand) int {
		if x[0]+x[1]+x[2]+x[3]+x[4] > 2 {
			return 1
		}
		return 0
	})
	for b.Loop() {
		if _, err := Train(context.Background(), x, labels, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
