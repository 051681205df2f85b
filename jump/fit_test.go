package jump_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"instanton/batch"
	"instanton/internal/npy"
	"instanton/internal/problem"
	"instanton/jump"
	"instanton/mixing"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// small are settings for quick fits.
func small(o jump.Options) jump.Options {
	o.Chains, o.Burn, o.Rows, o.Rounds, o.Seed = 100, 20, 1000, 2, 1
	o.Network.Steps, o.Network.Batch = 150, 64
	return o
}

// Jumps find the weights of four equal modes between which Gibbs sampling does not move, wherever they start from.
func TestJumpsFindTheWeights(t *testing.T) {
	m := must(rbm.Hopfield(must(rbm.OrthogonalPatterns(64, 2)), 1.6))
	starts := m.PatternsAndOpposites()
	modes := must(mixing.Patterns(m))
	for _, o := range []jump.Options{
		{Side: "visible", Kind: "products"}, {Side: "hidden", Kind: "products"},
		{Side: "visible", Kind: "network"}, {Side: "hidden", Kind: "network"}, {},
	} {
		f := must(jump.Fit(context.Background(), m, 1, starts, small(o)))
		if a := f.Acceptance(); a < 0.1 {
			t.Errorf("%+v: acceptance %g", o, a)
		}
		plan := jump.Plan{Chains: 40, Burn: 50, Every: 2, Draws: 100}
		r := must(f.Measure(context.Background(), starts.Slice(0, 1), plan))
		occupied := mixing.Occupy(r.V, 40, 100, modes)
		for k, share := range occupied.Share {
			if math.Abs(share-0.25) > 5*occupied.Error[k] || occupied.Error[k] > 0.05 {
				t.Errorf("%s in the %s layer: mode %s has weight %.3f ± %.3f, expected 0.25",
					f.Kernel.Proposal().Name(), f.Kernel.Side(), occupied.Names[k], share, occupied.Error[k])
			}
		}
	}
}

// A mode that the fit has not seen traps the chain that starts in it: the guard notices, the mode joins the fit, and
// the measurement that follows is right.
func TestGuardFindsAPlantedMode(t *testing.T) {
	m := must(rbm.Hopfield(must(rbm.OrthogonalPatterns(64, 2)), 1.9))
	all := m.PatternsAndOpposites()
	modes := must(mixing.Patterns(m))
	f := must(jump.Fit(context.Background(), m, 1, all.Slice(0, 2), small(jump.Options{Kind: "products"})))
	plan := jump.Plan{Chains: 40, Every: 5, Draws: 60}
	r := must(f.Measure(context.Background(), all, plan))
	if len(r.Trapped) == 0 {
		t.Fatal("no chain is trapped, though half of them start where q has nothing")
	}
	for _, k := range r.Trapped {
		if mode, _ := modes.Of(r.Chains.V, k); mode < 2 {
			t.Errorf("chain %d in mode %d is trapped, which q knows", k, mode)
		}
	}
	plan.Refits = 3
	plan.Burn = 100
	r = must(f.Measure(context.Background(), all, plan))
	if r.Refits == 0 || len(r.Trapped) > 0 {
		t.Fatalf("%d refits, chains %v still trapped", r.Refits, r.Trapped)
	}
	occupied := mixing.Occupy(r.V, plan.Chains, plan.Draws, modes)
	for k, share := range occupied.Share {
		if math.Abs(share-0.25) > 5*occupied.Error[k] || occupied.Error[k] > 0.05 {
			t.Errorf("mode %s has weight %.3f ± %.3f, expected 0.25", occupied.Names[k], share, occupied.Error[k])
		}
	}
}

// A fit does not depend on the number of workers, and a proposal that is saved and loaded moves chains to the same
// bits.
func TestFitAndFile(t *testing.T) {
	for _, m := range problem.Stored() {
		for _, kind := range jump.Kinds {
			o := small(jump.Options{Kind: kind, Rounds: 2, Side: "visible"})
			o.Network.Steps, o.Chains, o.Rows = 10, 30, 300
			start := sampler.NewChains(m, 50, 1).V
			o.Workers = 1
			f := must(jump.Fit(context.Background(), m, 1, start, o))
			o.Workers = 3
			g := must(jump.Fit(context.Background(), m, 1, start, o))
			path := filepath.Join(t.TempDir(), "q.npz")
			if err := f.Save(path, false); err != nil {
				t.Fatal(err)
			}
			kernels := []*jump.Kernel{f.Kernel, g.Kernel, must(jump.Load(path, m))}
			var ends []*unit.States
			for _, k := range kernels {
				c := sampler.NewChains(m, 20, 9)
				if err := sampler.NewPool(k, 1).Run(context.Background(), c, 5); err != nil {
					t.Fatal(err)
				}
				ends = append(ends, c.V)
			}
			if !ends[0].Equal(ends[1]) {
				t.Errorf("%s of %s: the fit depends on the workers", kind, m.Visible.Spec())
			}
			if !ends[0].Equal(ends[2]) {
				t.Errorf("%s of %s: the file moves chains elsewhere", kind, m.Visible.Spec())
			}
			if _, err := jump.Load(path, problem.Tiny(unit.Spin, unit.Spin)); err == nil ||
				!strings.Contains(err.Error(), "another model") {
				t.Errorf("a proposal for another model: error %v", err)
			}
		}
	}
}

// Wrong settings get a sentence.
func TestRefusals(t *testing.T) {
	m := problem.Tiny(unit.Spin, unit.Spin)
	q := rough(t, m.Hidden, "products")
	for want, err := range map[string]error{
		"need β = 1":              second(jump.New(m, 2, batch.Hidden, q, 0)),
		"the visible layer":       second(jump.New(problem.Tiny(unit.Potts, unit.Spin), 1, batch.Visible, q, 1)),
		"at least 1":              second(jump.New(m, 1, batch.Visible, rough(t, m.Visible, "products"), 0)),
		"one Potts unit":          second(jump.NewProducts(m)),
		"expected visible or":     second(jump.Fit(t.Context(), m, 1, rowsOf(m), jump.Options{Side: "left"})),
		"expected products or":    second(jump.Fit(t.Context(), m, 1, rowsOf(m), jump.Options{Kind: "magic"})),
		"at least 2 chains":       second(jump.Fit(t.Context(), m, 1, rowsOf(m), jump.Options{Chains: 1})),
		"no starting":             second(jump.Fit(t.Context(), m, 1, rowsOf(m).Slice(0, 0), jump.Options{})),
		"parameters: expected at": second(jump.NewNetwork(unit.Spec{Type: unit.Spin, N: 1 << 20}, 1<<20, 1)),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, expected one with %q", err, want)
		}
	}
}

func second[T any](_ T, err error) error { return err }

func rowsOf(m *rbm.RBM) *unit.States { return sampler.NewChains(m, 5, 1).V }

// FuzzLoad reads damaged files: any description and any parameters.
func FuzzLoad(f *testing.F) {
	m := problem.Tiny(unit.Spin, unit.Spin)
	digest := must(m.Fingerprint())
	good := `{"format":"instanton-proposal","version":2,"kind":"network","layer":"hidden",` +
		`"units":{"type":"spin","n":3},"network_units":16,"gibbs_steps_around":0,"beta":1,` +
		`"model_sha256":"` + digest + `"}`
	f.Add(good, []byte{1, 2, 3, 4, 5, 6, 7, 8, 9})
	f.Add(strings.Replace(good, `"network_units":16`, `"network_units":99999999`, 1), []byte{0})
	f.Add(strings.Replace(good, "network", "products", 1), []byte("PK"))
	f.Fuzz(func(t *testing.T, meta string, data []byte) {
		path := filepath.Join(t.TempDir(), "q.npz")
		w := must(os.Create(path))
		x := make([]float32, 48)
		for i := range min(len(data), len(x)) {
			x[i] = float32(data[i]) / 16
		}
		err := npy.WriteArchive(w, npy.FileMember("meta.json", []byte(meta)), npy.FileMember("mixture.npz", data),
			npy.ArrayMember("first", npy.New(x, 3, 16)), npy.ArrayMember("bias", npy.New(x[:16])),
			npy.ArrayMember("second", npy.New(x, 3, 16)), npy.ArrayMember("output", npy.New(x[:3])),
			npy.ArrayMember("direct", npy.New(slices.Repeat(x[:3], 3), 3, 3)))
		w.Close()
		if err != nil {
			t.Fatal(err)
		}
		k, err := jump.Load(path, m)
		if err != nil {
			return
		}
		c := sampler.NewChains(m, 3, 1)
		if k.Beta() > 10 {
			return // copies of the hidden units
		}
		if err := sampler.NewPool(k, 1).Run(context.Background(), c, 2); err != nil {
			t.Fatal(err)
		}
	})
}

// Files of version 1 hold networks of another structure with arrays of the same sizes.
func TestOldNetworksAreRefused(t *testing.T) {
	m := problem.Tiny(unit.Spin, unit.Spin)
	path := filepath.Join(t.TempDir(), "q.npz")
	w := must(os.Create(path))
	err := npy.WriteArchive(w, npy.FileMember("meta.json", []byte(`{"format":"instanton-proposal","version":1,`+
		`"kind":"network","layer":"hidden","units":{"type":"spin","n":3},"network_units":16,"beta":1,"model_sha256":"`+
		must(m.Fingerprint())+`"}`)))
	w.Close()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := jump.Load(path, m); err == nil || !strings.Contains(err.Error(), "version 2") {
		t.Errorf("error %v, expected one with version 2", err)
	}
}
