package train

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"instanton/dataset"
	"instanton/rbm"
	"instanton/unit"
)

// samples are some random configurations of any type.
func samples(t *testing.T, spec unit.Spec, n int) *unit.States {
	t.Helper()
	s := unit.NewStates(spec, n)
	for k := range n {
		for i := range spec.N {
			switch {
			case spec.Type.Discrete():
				s.Set(k, i, spec.StateValue((k*k+3*k*i+i)%7%spec.States()))
			default:
				s.Set(k, i, math.Abs(math.Sin(float64(k*k+i)))+0.1)
			}
		}
	}
	return s
}

func small(epochs int) Config {
	cfg := Default()
	cfg.Epochs, cfg.Batch = epochs, 20
	return cfg
}

func advance(t *testing.T, tr *Trainer, updates int) {
	t.Helper()
	for range updates {
		if err := tr.Update(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
}

// file writes the state of a trainer.
func file(t *testing.T, tr *Trainer) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := tr.Checkpoint(&b, 0); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

var pairs = []struct{ visible, hidden unit.Spec }{
	{unit.Spec{Type: unit.Spin, N: 70}, unit.Spec{Type: unit.Gaussian, N: 5}},
	{unit.Spec{Type: unit.Bernoulli, N: 9}, unit.Spec{Type: unit.Spin, N: 20}},
	{unit.Spec{Type: unit.Potts, N: 6, Q: 4}, unit.Spec{Type: unit.DReLU, N: 3}},
	{unit.Spec{Type: unit.Gaussian, N: 5}, unit.Spec{Type: unit.Bernoulli, N: 4}},
}

// Same seed, same bits: whatever the number of workers, and wherever the training was stopped and resumed from its
// checkpoint. Another seed gives other bits. The caller's data are left unchanged.
func TestSameSeedSameBits(t *testing.T) {
	for _, p := range pairs {
		for _, method := range []string{"pcd", "cd", "jump"} {
			data := samples(t, p.visible, 90)
			before := data.Clone()
			weights := make([]float64, data.Len)
			for k := range weights {
				weights[k] = 0.5 + float64(k%4)
			}
			start := func(seed uint64, workers int) *Trainer {
				cfg := small(4)
				cfg.Method, cfg.Seed, cfg.Optimizer.Name = method, seed, "adam"
				if method == "jump" {
					cfg.Method, cfg.Sampler = "pcd", "jump"
				}
				cfg.Optimizer.Rate = 1e-3
				tr, err := cfg.New(p.hidden, Data{States: data, Weights: weights}, workers)
				if err != nil {
					t.Fatal(err)
				}
				return tr
			}
			whole := start(1, 1)
			advance(t, whole, whole.Total())
			want := file(t, whole)

			cut := start(1, 3)
			for cut.Updates() < cut.Total() {
				advance(t, cut, min(7, cut.Total()-cut.Updates()))
				saved := file(t, cut)
				cut = start(1, 2) // a new process
				if _, err := cut.Restore(bytes.NewReader(saved), int64(len(saved))); err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(file(t, cut), saved) {
					t.Fatalf("%s with %s: a checkpoint changes when it is read and written", p.visible, p.hidden)
				}
			}
			if !bytes.Equal(file(t, cut), want) {
				t.Errorf("%s with %s, %s: a training stopped and resumed with other workers ends differently",
					p.visible, p.hidden, method)
			}
			other := start(2, 1)
			advance(t, other, other.Total())
			if bytes.Equal(file(t, other), want) {
				t.Errorf("%s with %s: another seed gives the same bits", p.visible, p.hidden)
			}
			if !data.Equal(before) {
				t.Errorf("%s: training changed the caller's data", p.visible)
			}
		}
	}
}

// A checkpoint of another training is refused with a sentence and changes nothing.
func TestRestoreRefuses(t *testing.T) {
	data := samples(t, pairs[1].visible, 50)
	make1 := func(change func(*Config), hidden unit.Spec) *Trainer {
		cfg := small(3)
		change(&cfg)
		tr, err := cfg.New(hidden, Data{States: data}, 1)
		if err != nil {
			t.Fatal(err)
		}
		return tr
	}
	from := make1(func(*Config) {}, pairs[1].hidden)
	advance(t, from, 1)
	saved := file(t, from)
	for want, to := range map[string]*Trainer{
		"expected bernoulli:9 with spin:21": make1(func(*Config) {}, unit.Spec{Type: unit.Spin, N: 21}),
		"seed 2":                            make1(func(c *Config) { c.Seed = 2 }, pairs[1].hidden),
		"chains: expected 33":               make1(func(c *Config) { c.Chains = 33 }, pairs[1].hidden),
		"optimizer.u":                       make1(func(c *Config) { c.Optimizer.Name = "adam" }, pairs[1].hidden),
	} {
		before := file(t, to)
		_, err := to.Restore(bytes.NewReader(saved), int64(len(saved)))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
		if !bytes.Equal(file(t, to), before) {
			t.Errorf("%v: the refused checkpoint changed the trainer", err)
		}
	}
}

// A sample of weight two counts like two samples, in all of the gradient and in the start of the model; one of weight
// zero counts for nothing.
func TestWeightsCountLikeCopies(t *testing.T) {
	for _, p := range pairs {
		data := samples(t, p.visible, 7)
		weights := []float64{1, 2, 0, 1, 3, 1, 0}
		copies := unit.NewStates(p.visible, 8)
		row := 0
		for k, w := range weights {
			for range int(w) {
				copies.CopyRow(row, data, k)
				row++
			}
		}
		cfg := small(1)
		cfg.Chains, cfg.Gradient, cfg.Regularize.Penalty = 10, "standardised", 0.1
		a, err := cfg.New(p.hidden, Data{States: data, Weights: weights}, 1)
		if err != nil {
			t.Fatal(err)
		}
		b, err := cfg.New(p.hidden, Data{States: copies}, 1)
		if err != nil {
			t.Fatal(err)
		}
		advance(t, a, 1)
		advance(t, b, 1)
		for k, w := range a.model.W {
			if math.Abs(w-b.model.W[k]) > 1e-6 { // float32 rows, summed differently
				t.Fatalf("%s: weight %d is %g, with copies %g", p.visible, k, w, b.model.W[k])
			}
		}
		for l, layer := range []rbm.Layer{a.model.Visible, a.model.Hidden} {
			other := []rbm.Layer{b.model.Visible, b.model.Hidden}[l]
			for i, x := range layer.Params() {
				for j := range x.Data {
					if y := other.Params()[i].Data[j]; math.Abs(x.Data[j]-y) > 1e-5*(1+math.Abs(y)) {
						t.Errorf("%s: %s[%d] is %g, with copies %g", p.visible, x.Name, j, x.Data[j], y)
					}
				}
			}
		}
	}
}

// Only ratios of weights matter: a minibatch of samples whose weights are tiny compared with those of others learns
// what it would learn alone, and a sample whose weight is negligible compared with the largest is left out.
func TestWeightsOfAnySize(t *testing.T) {
	spec := unit.Spec{Type: unit.Spin, N: 6}
	data := samples(t, spec, 40)
	weights := make([]float64, data.Len)
	for k := range weights {
		weights[k] = 1.7e308
	}
	weights[1], weights[2], weights[3] = 1e-200, 0, 1e300
	d, err := Data{States: data, Weights: weights}.check()
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Rows) != data.Len-2 || slices.Contains(d.Rows, 1) || slices.Contains(d.Rows, 2) {
		t.Errorf("samples %v are learnt from, want all but 1 and 2", d.Rows)
	}
	for k := range weights {
		weights[k] = math.Pow(10, -float64(k)) // down to 1e-39
	}
	cfg := small(3)
	cfg.Batch = 1
	tr, err := cfg.New(unit.Spec{Type: unit.Gaussian, N: 2}, Data{States: data, Weights: weights}, 1)
	if err != nil {
		t.Fatal(err)
	}
	for range tr.PerEpoch() {
		advance(t, tr, 1)
		if tr.gradient.positive.Weight() != 1 {
			t.Fatalf("the weights of a minibatch of one sample sum to %g, want 1", tr.gradient.positive.Weight())
		}
	}
}

// The model starts at the means of the data: with the weights scaled to nothing, exactly.
func TestStartsAtTheMeansOfTheData(t *testing.T) {
	for _, p := range pairs {
		data := samples(t, p.visible, 40)
		cfg := small(1)
		cfg.Scale = 0
		tr, err := cfg.New(p.hidden, Data{States: data}, 1)
		if err != nil {
			t.Fatal(err)
		}
		mean := restMeans(tr.model.Visible)
		for c, want := range tr.coords.mu {
			if math.Abs(mean[c]-want) > 1e-5 {
				t.Errorf("%s: channel %d starts at a mean of %g, data %g", p.visible, c, mean[c], want)
			}
		}
	}
}

// Every epoch uses every sample once, in minibatches of nearly equal size, and not in the order of the epoch before.
func TestMinibatches(t *testing.T) {
	data, err := Data{States: samples(t, unit.Spec{Type: unit.Spin, N: 3}, 53)}.check()
	if err != nil {
		t.Fatal(err)
	}
	b := newMinibatches(data, 10, 1)
	var orders [][]int
	for epoch := range 3 {
		var rows int
		for j := range b.perEpoch {
			b.take(epoch*b.perEpoch + j)
			n := 0
			for _, w := range b.weight {
				n += int(w)
			}
			if n < 8 || n > 9 {
				t.Errorf("a minibatch of %d samples, want 8 or 9 of 53 in %d", n, b.perEpoch)
			}
			rows += n
		}
		if rows != 53 {
			t.Errorf("%d samples in an epoch, want 53", rows)
		}
		sorted := slices.Sorted(slices.Values(b.order))
		if !slices.Equal(sorted, data.Rows) {
			t.Error("an epoch is not a permutation of the samples")
		}
		orders = append(orders, slices.Clone(b.order))
	}
	if slices.Equal(orders[0], orders[1]) {
		t.Error("two epochs have the same order")
	}
	b.take(b.perEpoch) // back to the second epoch
	if !slices.Equal(b.order, orders[1]) {
		t.Error("the order of an epoch depends on what came before")
	}
}

func TestSplit(t *testing.T) {
	train, valid, err := Split(100, 0.1, 1)
	if err != nil || len(train) != 90 || len(valid) != 10 {
		t.Fatalf("%d and %d, error %v", len(train), len(valid), err)
	}
	all := slices.Sorted(slices.Values(append(slices.Clone(train), valid...)))
	for k, i := range all {
		if i != k {
			t.Fatal("the two parts are not all samples")
		}
	}
	for _, share := range []float64{-0.1, 1, math.NaN(), 0.999} {
		if _, _, err := Split(10, share, 1); err == nil {
			t.Errorf("a share of %g was accepted", share)
		}
	}
}

// Chains can be moved by any kernel, and all of them learn.
func TestEverySampler(t *testing.T) {
	data, err := dataset.CurieWeiss(8, 1.2, 400, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"gibbs", "metropolis", "glauber", "latent"} {
		cfg := small(30)
		cfg.Sampler, cfg.Batch, cfg.Chains, cfg.Optimizer.Rate = name, 100, 200, 0.01
		tr, err := cfg.New(unit.Spec{Type: unit.Gaussian, N: 1}, Data{States: data.States}, 2)
		if err != nil {
			t.Fatal(err)
		}
		advance(t, tr, tr.Total())
		// Weights of 1.2/√8 each have the norm 1.2; 400 samples leave a few per cent.
		if w := tr.WeightNorm(); math.Abs(w-1.2) > 0.2 {
			t.Errorf("%s: the norm of the weights is %g, want about 1.2", name, w)
		}
	}
	cfg := small(1)
	cfg.Sampler = "magic"
	if _, err := cfg.New(unit.Spec{Type: unit.Spin, N: 1}, Data{States: data.States}, 1); err == nil {
		t.Error("a sampler that there is not was accepted")
	}
}

// A training that runs away stops with a sentence: which quantity, when, what to try.
func TestDivergence(t *testing.T) {
	data := samples(t, pairs[0].visible, 50)
	for name, change := range map[string]func(*Config){
		"norm": func(c *Config) { c.Optimizer.Rate = 1e4 },
		"NaN":  func(c *Config) { c.Optimizer.Rate, c.Clip, c.Optimizer.Name = 1e300, 0, "sgd" },
	} {
		cfg := small(10)
		change(&cfg)
		tr, err := cfg.New(pairs[0].hidden, Data{States: data}, 1)
		if err != nil {
			t.Fatal(err)
		}
		for err == nil && tr.Updates() < tr.Total() {
			err = tr.Update(context.Background())
		}
		if err == nil {
			t.Errorf("%s: a learning rate of %g did not diverge", name, cfg.Optimizer.Rate)
			continue
		}
		for _, want := range []string{
			"the training diverged: the norm of", "at update ", "try a smaller learning rate than 1",
		} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %q, want %q", name, err, want)
			}
		}
	}
}

func TestConfigCheck(t *testing.T) {
	spin := unit.Spec{Type: unit.Spin, N: 4}
	if err := Default().Check(spin); err != nil {
		t.Errorf("the default settings are refused: %v", err)
	}
	for want, change := range map[string]func(*Config){
		"epochs = 0: expected at least 1":        func(c *Config) { c.Epochs = 0 },
		"batch = -1":                             func(c *Config) { c.Batch = -1 },
		"k = 0":                                  func(c *Config) { c.Sweeps = 0 },
		`method "pdc": expected one of pcd, cd`:  func(c *Config) { c.Method = "pdc" },
		`optimizer "rms"`:                        func(c *Config) { c.Optimizer.Name = "rms" },
		"learning rate = 0":                      func(c *Config) { c.Optimizer.Rate = 0 },
		"learning rate = NaN":                    func(c *Config) { c.Optimizer.Rate = math.NaN() },
		"50 chains with method cd":               func(c *Config) { c.Method, c.Chains = "cd", 50 },
		"l1 = -1":                                func(c *Config) { c.Regularize.L1 = -1 },
		"beta2 = 1":                              func(c *Config) { c.Optimizer.Beta2 = 1 },
		"a geometric schedule that ends at 0":    func(c *Config) { c.Schedule.Final = 0 },
		`schedule "linear": expected one of con`: func(c *Config) { c.Schedule.Name = "linear" },
	} {
		c := Default()
		change(&c)
		if err := c.Check(spin); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	c := Default()
	c.Regularize.Penalty = 0.1
	if err := c.Check(unit.Spec{Type: unit.Potts, N: 3, Q: 3}); err == nil {
		t.Error("the penalty of Potts hidden units is not defined, but was accepted")
	}
}

// An update allocates little: nothing that grows with the batch or the model.
func TestUpdateAllocatesLittle(t *testing.T) {
	spec := unit.Spec{Type: unit.Spin, N: 256}
	data := samples(t, spec, 300)
	cfg := small(1000)
	cfg.Batch = 128
	tr, err := cfg.New(unit.Spec{Type: unit.Spin, N: 128}, Data{States: data}, 1)
	if err != nil {
		t.Fatal(err)
	}
	advance(t, tr, 4)
	result := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			if err := tr.Update(context.Background()); err != nil {
				b.Fatal(err)
			}
			tr.updates = 4
		}
	})
	// What is left is the closure of a run of the sampler and the workers' start.
	if got := result.AllocedBytesPerOp(); got > 1<<10 {
		t.Errorf("an update allocates %d bytes, want next to nothing", got)
	}
}

// An interrupted update changes nothing: the next ones end where those of an uninterrupted training do.
func TestCutUpdateLeavesNoTrace(t *testing.T) {
	data := samples(t, pairs[0].visible, 50)
	cfg := small(10)
	cfg.Sweeps = 50
	whole, err := cfg.New(pairs[0].hidden, Data{States: data}, 2)
	if err != nil {
		t.Fatal(err)
	}
	cut, err := cfg.New(pairs[0].hidden, Data{States: data}, 2)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		before := file(t, cut)
		if err := cut.Update(ctx); !errors.Is(err, context.Canceled) {
			t.Fatalf("a cancelled update gave %v", err)
		}
		if !bytes.Equal(before, file(t, cut)) {
			t.Fatal("a cancelled update left a trace")
		}
		advance(t, cut, 1)
		advance(t, whole, 1)
	}
	if !bytes.Equal(file(t, whole), file(t, cut)) {
		t.Error("cancelled updates changed the training")
	}
}

// Real units whose weights overcome their potentials run away: that is a divergence.
func TestChainsThatRunAwayAreADivergence(t *testing.T) {
	data := samples(t, unit.Spec{Type: unit.Gaussian, N: 6}, 50)
	cfg := small(1000)
	cfg.Optimizer.Name, cfg.Optimizer.Rate = "sgd", 0.5
	cfg.Sweeps, cfg.Clip = 2000, 0
	tr, err := cfg.New(unit.Spec{Type: unit.Gaussian, N: 4}, Data{States: data}, 1)
	if err != nil {
		t.Fatal(err)
	}
	for err == nil && tr.Updates() < tr.Total() {
		err = tr.Update(context.Background())
	}
	var d *Divergence
	if !errors.As(err, &d) {
		t.Errorf("error %v, want a divergence", err)
	}
}

// The unit of real data makes no difference in standardised coordinates: the weights after the first update and after a
// later one are those of data of another scale, divided by it.
func TestRealDataOfAnyScale(t *testing.T) {
	spec := unit.Spec{Type: unit.Gaussian, N: 6}
	data := samples(t, spec, 60)
	const scale = 1024 // exact in binary
	scaled := unit.NewStates(spec, data.Len)
	for k := range data.Len {
		for i := range spec.N {
			scaled.Set(k, i, scale*data.Value(k, i))
		}
	}
	for _, hidden := range []unit.Spec{{Type: unit.Gaussian, N: 3}, {Type: unit.Spin, N: 4}} {
		start := func(data *unit.States) *Trainer {
			cfg := small(10)
			cfg.Gradient = "standardised"
			tr, err := cfg.New(hidden, Data{States: data}, 1)
			if err != nil {
				t.Fatal(err)
			}
			return tr
		}
		a, b := start(data), start(scaled)
		for k, w := range a.model.W {
			if other := scale * b.model.W[k]; math.Abs(w-other) > 1e-9 {
				t.Errorf("%s: weight %d starts at %g, with larger data at %g over the scale", hidden, k, w, other)
			}
		}
		advance(t, b, b.Total()) // and nothing runs away
	}
}
