package experiment

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"testing"

	"instanton/dataset"
	"instanton/paper/verdict"
	"instanton/rbm"
	"instanton/train"
	"instanton/unit"
)

// small is a training of a fraction of a second.
func small(t *testing.T) Training {
	t.Helper()
	images, err := dataset.BarsAndStripes(3, unit.Spin)
	if err != nil {
		t.Fatal(err)
	}
	cfg := train.Default()
	cfg.Epochs, cfg.Batch = 50, 14
	return Training{Name: "small", Data: images, Hidden: "gaussian:4", Config: cfg}
}

// A model is trained once, and found again by whoever asks for the same.
func TestTrainOnce(t *testing.T) {
	dir := t.TempDir()
	s := verdict.Settings{Seed: 1, Workers: 1}.In(dir)
	first, err := Train(context.Background(), s, small(t))
	if err != nil {
		t.Fatal(err)
	}
	if first.Likelihood.Method != "exact" || !(first.Likelihood.Train < 0) ||
		first.Likelihood.Independent != -9*math.Log(2) {
		t.Errorf("likelihood %+v", first.Likelihood)
	}
	want, _, err := rbm.LogZ(first.Model)
	if err != nil || want != first.Likelihood.LogZ {
		t.Errorf("log Z %g, want %g (%v)", first.Likelihood.LogZ, want, err)
	}
	later := verdict.Settings{Seed: 1, Workers: 1}.In(dir) // another process
	later.Say = func(string, ...any) { t.Error("it was trained again") }
	again, err := Train(context.Background(), later, small(t))
	if err != nil {
		t.Fatal(err)
	}
	if again.Dir != first.Dir || again.Run.SHA256 != first.Run.SHA256 {
		t.Error("another model was found")
	}
	other := small(t)
	other.Config.Seed = 2
	if x, err := Train(context.Background(), s, other); err != nil || x.Dir == first.Dir {
		t.Errorf("another seed gave the same folder (%v)", err)
	}
}

// An interrupted training goes on to the same model.
func TestTrainIsResumed(t *testing.T) {
	whole := verdict.Settings{Seed: 1, Workers: 1}.In(t.TempDir())
	want, err := Train(context.Background(), whole, small(t))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	dir := t.TempDir()
	cut := verdict.Settings{Seed: 1, Workers: 1, Say: func(string, ...any) { cancel() }}.In(dir)
	if _, err := Train(ctx, cut, small(t)); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	got, err := Train(context.Background(), whole.In(dir), small(t))
	if err != nil {
		t.Fatal(err)
	}
	if got.Run.SHA256 != want.Run.SHA256 || filepath.Base(got.Dir) != filepath.Base(want.Dir) {
		t.Error("the model is another one")
	}
}
