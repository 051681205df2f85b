package mixing_test

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"instanton/latent"
	"instanton/mixing"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// hopfield is the paper's model: N = 128, M = 6, w = 1.5.
func hopfield(t *testing.T, rotate bool) *rbm.RBM {
	t.Helper()
	m := must(rbm.Hopfield(must(rbm.OrthogonalPatterns(128, 6)), 1.5))
	if rotate {
		if err := m.Rotate(rbm.RandomRotation(6, 4)); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// run records chains from the given configurations.
func run(t *testing.T, k sampler.Kernel, start *unit.States, chains, draws int) mixing.Samples {
	t.Helper()
	c := sampler.NewChains(k.Model(), chains, 5)
	if err := c.Begin(start); err != nil {
		t.Fatal(err)
	}
	r := sampler.NewRecord(k, c, sampler.Plan{Every: 1, Draws: draws}, false)
	if err := sampler.NewPool(k, 0).Record(context.Background(), c, r, nil); err != nil {
		t.Fatal(err)
	}
	return mixing.Samples{V: r.V, Chains: chains, Draws: draws, Model: k.Model(), Sampler: sampler.Name(k),
		Start: start}
}

// opposites are all patterns and their opposites.
func opposites(m *rbm.RBM) *unit.States { return mixing.Starts(m, 24, 1) }

func TestVerdicts(t *testing.T) {
	if testing.Short() {
		t.Skip("long runs of many models")
	}
	aligned, rotated := hopfield(t, false), hopfield(t, true)
	gibbs := must(sampler.NewGibbs(aligned, 1))
	single := must(latent.New(aligned, 1, latent.Options{Block: 1}))
	pairs := must(latent.New(aligned, 1, latent.Options{Block: 2}))
	turned := must(latent.New(rotated, 1, latent.Options{Block: 1}))
	prototypes := mixing.Prototypes(rotated, opposites(rotated), 12, 1)
	along := must(latent.New(rotated, 1, latent.Options{Directions: latent.Differences(prototypes)}))
	one := aligned.Patterns.Slice(0, 1)
	for _, c := range []struct {
		name   string
		kernel sampler.Kernel
		start  *unit.States
		draws  int
		want   mixing.Verdict
		block  int
		advice mixing.Advice // except its reason
	}{
		{"alternating Gibbs", gibbs, opposites(aligned), 300, mixing.Stuck, 2,
			mixing.Advice{Sampler: "latent", Block: 2}},
		{"alternating Gibbs from one mode", gibbs, one, 300, mixing.OneMode, 1,
			mixing.Advice{Sampler: "latent", Block: 1, NeedsStarts: true}},
		{"single units", single, opposites(aligned), 150, mixing.Stuck, 2, mixing.Advice{Sampler: "latent", Block: 2}},
		{"pairs", pairs, opposites(aligned), 130, mixing.Mixes, 2, mixing.Advice{Sampler: "latent"}},
		{"pairs, a few draws", pairs, opposites(aligned), 10, mixing.TooShort, 2,
			mixing.Advice{Sampler: "latent", Longer: true}},
		{"single units, rotated", turned, opposites(rotated), 150, mixing.Stuck, 4, mixing.Advice{Sampler: "jump"}},
		{"directions, rotated", along, opposites(rotated), 400, mixing.Mixes, 4, mixing.Advice{Sampler: "latent"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := run(t, c.kernel, c.start, 24, c.draws)
			d := must(mixing.Diagnose(s, must(mixing.Patterns(s.Model))))
			if d.Verdict != c.want {
				t.Errorf("verdict %q (%s), want %q", d.Verdict, d.Reason, c.want)
			}
			advice := d.Advice
			advice.Reason = ""
			if d.Block != c.block || d.Advice.Reason == "" || advice != c.advice {
				t.Errorf("block %d and advice %+v, want %d and %+v", d.Block, d.Advice, c.block, c.advice)
			}
			if _, err := json.Marshal(d); err != nil {
				t.Error(err)
			}
		})
	}
}

// Curie–Weiss: alternating Gibbs sampling is stuck, a latent move per sweep mixes, and a single start shows nothing,
// whether the modes are given or searched for.
func TestCurieWeissVerdicts(t *testing.T) {
	if testing.Short() {
		t.Skip("long runs")
	}
	m := must(rbm.CurieWeiss(128, 1.5))
	both := unit.NewStates(m.Visible.Spec(), 2)
	for i := range both.N {
		both.Set(1, i, 1)
	}
	m.Patterns = both.Slice(1, 2)
	gibbs, single := must(sampler.NewGibbs(m, 1)), must(latent.New(m, 1, latent.Options{}))
	for _, c := range []struct {
		kernel sampler.Kernel
		start  *unit.States
		want   mixing.Verdict
	}{
		{gibbs, both, mixing.Stuck}, {gibbs, both.Slice(0, 1), mixing.OneMode}, {single, both, mixing.Mixes},
	} {
		s := run(t, c.kernel, c.start, 20, 250)
		for name, modes := range map[string]mixing.Modes{
			"patterns": must(mixing.Patterns(m)), "clusters": must(mixing.Clusters(s.V, 2, 1)),
			"PCA": must(mixing.PCA(s.V)),
		} {
			d := must(mixing.Diagnose(s, modes))
			if d.Verdict != c.want {
				t.Errorf("%s from %d starts, modes by %s: verdict %q (%s), want %q", sampler.Name(c.kernel),
					c.start.Len, name, d.Verdict, d.Reason, c.want)
			}
		}
	}
}

// Chains that never move are stuck, and no number pretends otherwise.
func TestConstantChains(t *testing.T) {
	spec := must(unit.ParseSpec("spin:8"))
	v := unit.NewStates(spec, 4*100)
	for k := 200; k < 400; k++ {
		for i := range 8 {
			v.Set(k, i, 1)
		}
	}
	for _, c := range []struct {
		chains, draws int
		v             *unit.States
	}{{4, 100, v}, {2, 100, v.Slice(0, 200)}} {
		d := must(mixing.Diagnose(mixing.Samples{V: c.v, Chains: c.chains, Draws: c.draws},
			must(mixing.Clusters(c.v, 2, 1))))
		if d.Verdict != mixing.Stuck || !strings.Contains(d.Reason, "no chain ever moved") {
			t.Errorf("%d chains: verdict %q (%s)", c.chains, d.Verdict, d.Reason)
		}
		for _, q := range d.Quantities {
			if !math.IsNaN(float64(q.RHat)) && !math.IsInf(float64(q.RHat), 1) || q.Note == "" {
				t.Errorf("%s: R-hat %g with note %q", q.Name, q.RHat, q.Note)
			}
		}
	}
}
