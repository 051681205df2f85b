package samples_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"instanton/internal/kernels"
	"instanton/internal/npy"
	"instanton/internal/problem"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/samples"
	"instanton/unit"
)

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

var plan = sampler.Plan{Burn: 3, Every: 4, Draws: 5}

// record runs the plan on 37 chains.
func record(t *testing.T, k sampler.Kernel, workers int) (*sampler.Record, *sampler.Chains) {
	t.Helper()
	c := sampler.NewChains(k.Model(), 37, 5)
	r := sampler.NewRecord(k, c, plan, true)
	if err := sampler.NewPool(k, workers).Record(context.Background(), c, r, nil); err != nil {
		t.Fatal(err)
	}
	return r, c
}

// forKernels runs f for every kernel, at two temperatures.
func forKernels(t *testing.T, f func(t *testing.T, k sampler.Kernel)) {
	for n, m := range problem.Stored() {
		names := kernels.Names()
		if n > 0 {
			names = kernels.Simple() // the pilots of the others take time
		}
		half, err := m.Scaled(0.5)
		if err != nil {
			t.Fatal(err)
		}
		next, err := rbm.Random(m.Hidden.Spec(), unit.Spec{Type: unit.Spin, N: 3}, 0.4, 5)
		if err != nil {
			t.Fatal(err)
		}
		for _, beta := range []float64{1, 1.8} {
			for _, name := range names {
				if name == "jump" {
					continue // fitted for long; its own room tests that runs continue
				}
				k, err := kernels.New(name, m, beta, kernels.Options{Data: sampler.NewChains(m, 50, 1).V,
					Trajectory: []*rbm.RBM{half}, Stack: []*rbm.RBM{next}, Rungs: 3})
				if err != nil {
					continue // some need discrete visible units, or β = 1
				}
				t.Run(fmt.Sprintf("%s-%s/%s", m.Visible.Spec(), m.Hidden.Spec(), name), func(t *testing.T) { f(t, k) })
			}
		}
	}
}

func about(k sampler.Kernel) samples.Recipe {
	return samples.Recipe{Sampler: sampler.Name(k), Beta: k.Beta(), Seed: 5, Init: "random", Model: "abc",
		Chains: 37, Burn: plan.Burn, Every: plan.Every, Draws: plan.Draws, Hidden: true}
}

// A run saved half-way and resumed from the file ends in exactly the file that an uninterrupted run writes.
func TestResumeFromFile(t *testing.T) {
	forKernels(t, func(t *testing.T, k sampler.Kernel) {
		dir := t.TempDir()
		whole, half := filepath.Join(dir, "whole.npz"), filepath.Join(dir, "half.npz")
		r, c := record(t, k, 2)
		if err := (&samples.File{Chains: c, Record: r, About: about(k)}).Save(whole, false); err != nil {
			t.Fatal(err)
		}
		for _, cut := range []int{1, 12} { // during burn-in, and between two draws
			c = sampler.NewChains(k.Model(), 37, 5)
			r = sampler.NewRecord(k, c, plan, true)
			ctx, cancel := context.WithCancel(context.Background())
			_ = sampler.NewPool(k, 2).Record(ctx, c, r, func(sweeps int) {
				if sweeps >= cut {
					cancel()
				}
			})
			f := &samples.File{Chains: c, Record: r, About: about(k)}
			if f.Complete() {
				continue // too short to be interrupted
			}
			if err := f.Save(half, true); err != nil {
				t.Fatal(err)
			}
			f, err := samples.Resume(half, k, about(k))
			if err != nil {
				t.Fatal(err)
			}
			if err := sampler.NewPool(k, 1).Record(context.Background(), f.Chains, f.Record, nil); err != nil {
				t.Fatal(err)
			}
			if err := f.Save(half, true); err != nil {
				t.Fatal(err)
			}
			a, _ := os.ReadFile(whole)
			b, _ := os.ReadFile(half)
			if !bytes.Equal(a, b) {
				t.Errorf("cut at %d: the files differ", cut)
			}
		}
	})
}

func TestResumeRefuses(t *testing.T) {
	k := must(sampler.NewGibbs(problem.Stored()[0], 1))
	path := filepath.Join(t.TempDir(), "run.npz")
	r, c := record(t, k, 1)
	f := &samples.File{Chains: c, Record: r, About: about(k)}
	if err := f.Save(path, false); err != nil {
		t.Fatal(err)
	}
	if _, err := samples.Resume(path, k, about(k)); err == nil || !strings.Contains(err.Error(), "finished") {
		t.Errorf("finished run: error %v", err)
	}
	c.Sweep = 10
	if err := f.Save(path, true); err != nil {
		t.Fatal(err)
	}
	other := about(k)
	other.Seed = 6
	_, err := samples.Resume(path, k, other)
	if err == nil || !strings.Contains(err.Error(), "another seed (5, not 6)") {
		t.Errorf("other seed: error %v", err)
	}
	if _, err := samples.Resume(path, k, about(k)); err != nil {
		t.Errorf("the run itself: %v", err)
	}
	if _, err := samples.Resume(filepath.Join(t.TempDir(), "none.npz"), k, about(k)); err == nil {
		t.Error("missing file accepted")
	}
}

// FuzzResume reads damaged files: any meta.json and any state.
func FuzzResume(f *testing.F) {
	k := must(sampler.NewGibbs(problem.Stored()[1], 1))
	run := about(k)
	run.Chains, run.Draws, run.Hidden = 2, 2, false
	good := `{"format":"instanton-samples","version":1,"visible":{"type":"bernoulli","n":5},` +
		`"run":{"sampler":"gibbs","beta":1,"seed":5,"init":"random","model_sha256":"abc","chains":2,"burn":3,` +
		`"every":4,"draws":2,"hidden":false},"sweep":8,"complete":false}`
	f.Add(good, []byte{1, 0, 1, 0, 1, 0, 0, 1, 1, 0})
	f.Add(strings.Replace(good, `"sweep":8`, `"sweep":99999999999`, 1), []byte{1})
	f.Fuzz(func(t *testing.T, meta string, state []byte) {
		path := filepath.Join(t.TempDir(), "x.npz")
		w, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		v := state[:len(state)/5*5]
		err = npy.WriteArchive(w, npy.FileMember("meta.json", []byte(meta)),
			npy.ArrayMember("v", npy.New(v, len(v)/5, 1, 5)), npy.ArrayMember("state.v", npy.New(v, len(v)/5, 5)),
			npy.ArrayMember("state.proposed", npy.New(make([]uint64, len(v)/5))),
			npy.ArrayMember("state.accepted", npy.New(make([]uint64, len(v)/5))))
		w.Close()
		if err != nil {
			t.Fatal(err)
		}
		if s, err := samples.Resume(path, k, run); err == nil && s.Complete() {
			t.Error("a run at its end was taken up")
		}
	})
}
