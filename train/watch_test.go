package train

import (
	"bytes"
	"context"
	"math"
	"reflect"
	"testing"

	"instanton/evaluate"
	"instanton/internal/problem"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// The population finds log Z of models that it reaches along a crooked path, for every type of hidden unit and for real
// visible units. The error is that of eight islands, Student's t with 7 degrees of freedom: beyond 6 of them with a
// probability of 5e-4.
func TestPopulationFollowsLogZ(t *testing.T) {
	for _, p := range problem.Pairs() {
		if !p.Visible.Discrete() && !p.Hidden.Discrete() {
			continue // no exact log Z
		}
		m := problem.Tiny(p.Visible, p.Hidden)
		sites := m.Clone().Visible
		start := m.Clone()
		pop, err := newPopulation(start, sites, 3, 1)
		if err != nil {
			t.Fatal(err)
		}
		for step := range 4 { // W grows, with the first row the other way round in between
			at := m.Clone()
			for k := range at.W {
				at.W[k] *= float64(step+1) / 4
				if step == 1 && k < len(at.Row(0)) {
					at.W[k] *= -1
				}
			}
			if err := pop.follow(context.Background(), at, 50); err != nil {
				t.Fatalf("%v: %v", p, err)
			}
			s, err := evaluate.New(at, nil, nil, true)
			if err != nil {
				t.Fatalf("%v: %v", p, err)
			}
			got, spread := pop.logZ()
			if !(math.Abs(got-*s.LogZ) < 6*spread+1e-6) || spread > 0.5 {
				t.Errorf("%v, step %d: log Z = %.4f ± %.4f, exactly %.4f", p, step, got, spread, *s.LogZ)
			}
		}
	}
}

// The classifier does not tell draws of a model from others of it, and tells them from draws of independent sites with
// the same means.
func TestContrast(t *testing.T) {
	m, err := rbm.CurieWeiss(12, 1.4)
	if err != nil {
		t.Fatal(err)
	}
	all := drawsOf(t, m, 800)
	c := newContrast(all.Slice(0, 400), nil)
	area, spread, err := c.separation(m, all.Slice(400, 800))
	if err != nil || math.Abs(area-0.5) > 4*spread || spread > 0.03 {
		t.Errorf("the same law: separation %.3f ± %.3f, error %v", area, spread, err)
	}
	sites, err := evaluate.Sites(all, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	chains := sampler.NewChains(m, 400, 1)
	chains.DrawIndependent(sites, 0)
	if area, spread, err = c.separation(m, chains.V); err != nil || area < 0.9 {
		t.Errorf("independent sites: separation %.3f ± %.3f, error %v", area, spread, err)
	}
	// Weights count: data of one well are told from both.
	weights := make([]float64, 400)
	for k := range weights {
		if all.Value(k, 0)+all.Value(k, 1)+all.Value(k, 2) > 0 {
			weights[k] = 1
		}
	}
	c = newContrast(all.Slice(0, 400), weights)
	if area, spread, err = c.separation(m, all.Slice(400, 800)); err != nil || area < 0.7 {
		t.Errorf("one well against both: separation %.3f ± %.3f, error %v", area, spread, err)
	}
}

// At its own law nothing is left to gain. A model with smaller weights misses correlations of the data; as far as the
// chains reach, a part of them is found.
func TestRemaining(t *testing.T) {
	m, err := rbm.CurieWeiss(12, 1.2)
	if err != nil {
		t.Fatal(err)
	}
	all := drawsOf(t, m, 1600)
	data, chains := all.Slice(0, 800), all.Slice(800, 1600)
	left, err := remaining(m, data, nil, chains)
	if err != nil || left > 0.02 { // noise: 1/(2·400) and the error of 800 data
		t.Errorf("%.4f nats to gain at the law of the data, error %v", left, err)
	}
	weak, err := rbm.CurieWeiss(12, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	better, err := evaluate.New(m, data, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	worse, err := evaluate.New(weak, data, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	missing := *better.LogLikelihood - *worse.LogLikelihood
	left, err = remaining(weak, data, nil, drawsOf(t, weak, 800))
	if err != nil || left < missing/10 || left > missing {
		t.Errorf("%.3f nats to gain along the gradient, error %v; %.3f are missing", left, err, missing)
	}
}

// watched trains with checks every ten updates and returns them with the outcome; at update stop it goes on from a
// checkpoint with another trainer.
func watched(t *testing.T, c Config, data Data, stop int) ([]Check, *Outcome) {
	t.Helper()
	hidden := unit.Spec{Type: unit.ReLU, N: 4}
	begin := func() (*Trainer, *Watch) {
		tr, err := c.New(hidden, data, 1)
		if err != nil {
			t.Fatal(err)
		}
		w, err := NewWatch(tr, WatchOptions{Estimate: true, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		return tr, w
	}
	tr, w := begin()
	ctx := context.Background()
	var best *rbm.RBM
	for tr.Updates() < tr.Total() {
		if err := tr.Update(ctx); err != nil {
			t.Fatal(err)
		}
		if tr.Updates()%10 == 0 {
			_, isBest, err := w.Check(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if isBest {
				best = tr.Model().Clone()
			}
		}
		if tr.Updates() == stop {
			var b bytes.Buffer
			if err := tr.Checkpoint(&b, 0); err != nil {
				t.Fatal(err)
			}
			checks := w.History()
			tr, w = begin()
			if _, err := tr.Restore(bytes.NewReader(b.Bytes()), int64(b.Len())); err != nil {
				t.Fatal(err)
			}
			w.Resume(checks)
		}
	}
	o, err := w.Conclude(ctx, func() (*rbm.RBM, error) { return best, nil })
	if err != nil {
		t.Fatal(err)
	}
	return w.History(), o
}

// A training that goes on from a checkpoint is judged by the same numbers.
func TestWatchResumes(t *testing.T) {
	c := Default()
	c.Epochs, c.Batch, c.Chains = 60, 14, 20
	data := Data{States: barsOf(t, 3, unit.Spin)}
	checks, o := watched(t, c, data, 0)
	again, p := watched(t, c, data, 34)
	if len(checks) != 6 || !reflect.DeepEqual(checks, again) || !reflect.DeepEqual(o, p) {
		t.Errorf("checks %+v and outcome %+v, resumed %+v and %+v", checks, o, again, p)
	}
}

// A watch changes nothing of the training.
func TestWatchDoesNotTouch(t *testing.T) {
	c := Default()
	c.Epochs, c.Batch, c.Chains = 20, 14, 20
	data := Data{States: barsOf(t, 3, unit.Spin)}
	var prints [2]string
	for k := range prints {
		tr, err := c.New(unit.Spec{Type: unit.Spin, N: 4}, data, 1)
		if err != nil {
			t.Fatal(err)
		}
		for tr.Updates() < tr.Total() {
			if err := tr.Update(context.Background()); err != nil {
				t.Fatal(err)
			}
			if k == 0 {
				continue
			}
			w, err := NewWatch(tr, WatchOptions{Estimate: tr.Updates()%2 == 0, Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			if _, _, err := w.Check(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		if prints[k], err = tr.Model().Fingerprint(); err != nil {
			t.Fatal(err)
		}
	}
	if prints[0] != prints[1] {
		t.Error("the watch changed the model")
	}
}

// Verdicts from made-up checks: independent sites have −10.
func TestJudge(t *testing.T) {
	at := func(update int, l, spread, bound, area float64) Check {
		c := Check{Updates: update, Rate: 1, Bound: &bound, Separation: &area, SeparationError: new(float64)}
		left := area - 0.5
		c.Remaining = &left
		if !math.IsNaN(l) {
			c.LogLikelihood, c.Error = &l, &spread
		}
		return c
	}
	unknown := math.NaN()
	for name, c := range map[string]struct {
		checks []Check
		doubt  string
		want   Verdict
		since  int
	}{
		"learnt": {[]Check{at(10, -5, 0, -3, 0.5), at(20, -4, 0, -3, 0.5), at(30, -3.9, 0, -3, 0.5)}, "", Good, 0},
		"grows":  {[]Check{at(10, -8, 0, -3, 0.5), at(20, -6, 0, -3, 0.5), at(30, -4, 0, -3, 0.5)}, "", NotLearnt, 0},
		"looks different": {[]Check{at(10, -5, 0, -3, 0.5), at(20, -4, 0, -3, 0.5), at(30, -4, 0, -3, 0.9)}, "",
			NotLearnt, 0},
		"nothing to learn": {[]Check{at(20, -10, 0, -3, 0.5), at(30, -10, 0, -3, 0.5)}, "", Good, 0},
		"learnt nothing":   {[]Check{at(20, -10, 0, -3, 0.6), at(30, -10, 0, -3, 0.6)}, "", NotLearnt, 0},
		"fell": {[]Check{at(10, -5, 0, -3, 0.5), at(20, -4, 0, -3, 0.5), at(30, -5, 0, -3, 0.5)}, "",
			Drifted, 20},
		"fell within its error": {[]Check{at(10, -5, 0, -3, 0.5), at(20, -4, 0.3, -3, 0.5), at(30, -4.6, 0.3, -3, 0.5)},
			"", Good, 0},
		"below its bound only": {[]Check{at(10, -5, 0, -3, 0.5), at(20, unknown, 0, -20, 0.5)}, "", Drifted, 10},
		"below sites":          {[]Check{at(20, unknown, 0, -20, 0.5)}, "", Drifted, 0},
		"unknown":              {[]Check{at(10, -5, 0, -3, 0.5), at(20, unknown, 0, -3, 0.5)}, "", NotKnown, 0},
		"doubted": {[]Check{at(10, -4, 0, -3, 0.5), at(20, -4, 0, -3, 0.5)}, "two sides differ",
			NotKnown, 0},
	} {
		var o Outcome
		o.judge(c.checks, -10, c.doubt)
		if o.Verdict != c.want || o.Since != c.since || o.Reason == "" {
			t.Errorf("%s: %s since %d (%s), want %s since %d", name, o.Verdict, o.Since, o.Reason, c.want, c.since)
		}
	}
}

// A few trainings of the suite, judged without exact likelihoods.
func TestVerdicts(t *testing.T) {
	if testing.Short() {
		t.Skip("trains six models")
	}
	for _, c := range []struct {
		data, hidden, setting string
		epochs                int
		want                  Verdict
	}{
		{"bars 3×3", "spin:9", "small rate", 400, NotLearnt},
		{"bars 3×3", "spin:9", "rate of almost", 100, NotLearnt},
		{"bars 3×3", "gaussian:6", "large rate", 400, Drifted},
		{"independent", "gaussian:2", "as chosen", 200, Good},
		{"two wells", "spin:3", "as chosen", 1200, Good},
		{"two clouds", "spin:5", "few updates", 400, NotLearnt},
	} {
		x := &trial{data: c.data, hidden: c.hidden, setting: c.setting, seed: 1, epochs: c.epochs}
		x.do(t, suiteData[c.data](t))
		if o := x.outcome; o.Verdict != c.want {
			t.Errorf("%s, %s, %s: %s since %d (%s), want %s; exactly %.3f, at best %.3f, independent sites %.3f",
				c.data, c.hidden, c.setting, o.Verdict, o.Since, o.Reason, c.want, x.final, x.best, x.floor)
		}
	}
}

// What is given stays, and the rest follows from the data.
func TestResolve(t *testing.T) {
	hidden := unit.Spec{Type: unit.Spin, N: 16}
	bars := Data{States: barsOf(t, 4, unit.Spin)}
	c, err := Auto().Resolve(hidden, bars)
	if err != nil {
		t.Fatal(err)
	}
	if c.Batch != 30 || c.Chains < 100 || c.Sweeps < 1 || c.Epochs < 100 || c.Optimizer.Rate != 0.0045 {
		t.Errorf("settings %+v", c)
	}
	if again, err := c.Resolve(hidden, bars); err != nil || again != c {
		t.Errorf("resolved twice: %+v, error %v", again, err)
	}
	given := Default()
	if c, err = given.Resolve(hidden, bars); err != nil || c != given {
		t.Errorf("settings %+v, want those given; error %v", c, err)
	}
	zeros := Data{States: barsOf(t, 4, unit.Bernoulli)}
	if c, err = Auto().Resolve(hidden, zeros); err != nil || c.Optimizer.Rate != 0.009 {
		t.Errorf("0/1: a learning rate of %g, error %v", c.Optimizer.Rate, err)
	}
	plain := Auto()
	plain.Sampler = "gibbs"
	if c, err = plain.Resolve(hidden, bars); err != nil || c.Optimizer.Rate != 0.0015 || c.Sweeps != 10 {
		t.Errorf("without jumps: %+v, error %v", c, err)
	}
	some := Auto()
	some.Sweeps, some.Batch, some.Method = 3, 7, "cd"
	if c, err = some.Resolve(hidden, bars); err != nil || c.Sweeps != 3 || c.Batch != 7 || c.Chains != 0 ||
		c.Epochs < 100 {
		t.Errorf("settings %+v, error %v", c, err)
	}
	if err := Auto().CheckOpen(hidden); err != nil {
		t.Error(err)
	}
	if err := Auto().Check(hidden); err == nil {
		t.Error("settings that are open are accepted for a training")
	}
}
