package run_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"instanton/dataset"
	"instanton/rbm"
	"instanton/run"
	"instanton/train"
	"instanton/unit"
)

// bars writes the data of a small run and its settings.
func bars(t *testing.T, dir string) run.Config {
	t.Helper()
	data, err := dataset.BarsAndStripes(3, unit.Spin)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "bas.npz")
	if err := data.Save(path, true); err != nil {
		t.Fatal(err)
	}
	cfg := run.Default()
	cfg.Data.Path, cfg.Data.Valid = path, 0.2
	cfg.Model.Hidden = "gaussian:4"
	cfg.Train = train.Default()
	cfg.Train.Epochs, cfg.Train.Batch = 100, 5
	return cfg
}

func open(t *testing.T, dir string, cfg run.Config) *run.Run {
	t.Helper()
	r, err := run.Open(dir, cfg, 1)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// trainUntil trains, and stops after the given number of updates.
func trainUntil(t *testing.T, r *run.Run, stop int) (*run.Result, error) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	return r.Train(ctx, func(updates int) {
		if updates == stop {
			cancel()
		}
	})
}

// A run stopped several times ends with the same model, trajectory and, except for times, reports as one that was not.
// Run again, it returns its result.
func TestStoppedRunsEndTheSame(t *testing.T) {
	dir := t.TempDir()
	cfg := bars(t, dir)
	cfg.Keep.Trajectory, cfg.Keep.Report = 30, 7
	whole, cut := filepath.Join(dir, "whole"), filepath.Join(dir, "cut")
	want, err := trainUntil(t, open(t, whole, cfg), -1)
	if err != nil {
		t.Fatal(err)
	}
	if want.LL == nil || want.ValidLL == nil || want.PseudoLL == nil || want.FreeEnergyGap == nil ||
		want.SweepsPerSecond <= 0 {
		t.Errorf("result %+v", want)
	}
	for _, stop := range []int{1, 50, 64, 211} {
		_, err := trainUntil(t, open(t, cut, cfg), stop)
		if !errors.Is(err, run.ErrStopped) {
			t.Fatalf("stopped after %d updates: error %v", stop, err)
		}
		m, err := run.ReadManifest(cut)
		if err != nil || m.State != run.Stopped || m.Updates != stop {
			t.Fatalf("manifest %+v, error %v", m, err)
		}
	}
	if _, err := trainUntil(t, open(t, cut, cfg), -1); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"model.npz", "best.npz", "trajectory/update-000000000.npz",
		"trajectory/update-000000180.npz"} {
		a, errA := os.ReadFile(filepath.Join(whole, name))
		b, errB := os.ReadFile(filepath.Join(cut, name))
		if errA != nil || errB != nil || !bytes.Equal(a, b) {
			t.Errorf("%s differs: %v, %v", name, errA, errB)
		}
	}
	sameReports(t, whole, cut)
	if _, err := os.Stat(filepath.Join(cut, "figures", "curves.png")); err != nil {
		t.Error(err)
	}
	again, err := trainUntil(t, open(t, cut, cfg), -1)
	if want.Verdict == "" || want.Reason == "" || want.BestLL == nil || want.IndependentLL == nil {
		t.Errorf("result %+v", want)
	}
	if err != nil || again.SHA256 != want.SHA256 || again.Reason != want.Reason || *again.BestLL != *want.BestLL {
		t.Errorf("given again: %+v, error %v", again, err)
	}
	if m, err := rbm.Load(filepath.Join(whole, "model.npz")); err != nil || m.Info["made by"] == "" {
		t.Errorf("the model: %v, error %v", m, err)
	}
}

// sameReports compares metrics.jsonl except for the times.
func sameReports(t *testing.T, a, b string) {
	t.Helper()
	read := func(dir string) []run.Report {
		r, err := run.ReadMetrics(filepath.Join(dir, "metrics.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	x, y := read(a), read(b)
	if len(x) != len(y) || len(x) < 2 {
		t.Fatalf("%d and %d reports", len(x), len(y))
	}
	for k := range x {
		if x[k].Updates != y[k].Updates || *x[k].PseudoLikelihood != *y[k].PseudoLikelihood ||
			*x[k].FreeEnergyGap != *y[k].FreeEnergyGap ||
			x[k].GradientNorm != y[k].GradientNorm || x[k].WeightNorm != y[k].WeightNorm ||
			x[k].LearningRate != y[k].LearningRate || x[k].Checked != y[k].Checked ||
			!reflect.DeepEqual(x[k].LogLikelihood, y[k].LogLikelihood) {
			t.Errorf("report %d: %+v and %+v", k, x[k], y[k])
		}
	}
}

// The name of a run's folder is no pattern: a run resumes its own checkpoints and leaves its neighbours' alone.
func TestFoldersWithOddNames(t *testing.T) {
	dir := t.TempDir()
	cfg := bars(t, dir)
	cfg.Train.Epochs = 3
	neighbour := filepath.Join(dir, "rz")
	if _, err := trainUntil(t, open(t, neighbour, cfg), 5); !errors.Is(err, run.ErrStopped) {
		t.Fatal(err)
	}
	kept, err := os.ReadDir(filepath.Join(neighbour, "checkpoints"))
	if err != nil {
		t.Fatal(err)
	}
	cfg.Train.Seed++
	for _, name := range []string{"run[1]", "r?", "r*", "100%", "~", "two\nlines", "\xff\xfe", `back\slash`,
		strings.Repeat("x", 200)} {
		folder := filepath.Join(dir, name)
		if err := os.Mkdir(folder, 0o755); err != nil {
			continue // not a name on this system
		}
		for _, stop := range []int{2, 4} {
			if _, err := trainUntil(t, open(t, folder, cfg), stop); !errors.Is(err, run.ErrStopped) {
				t.Fatalf("%q: %v", name, err)
			}
			r := open(t, folder, cfg)
			if r.Updates() != stop {
				t.Errorf("%q: resumed at update %d, want %d", name, r.Updates(), stop)
			}
			r.Close()
		}
	}
	if now, err := os.ReadDir(filepath.Join(neighbour, "checkpoints")); err != nil || len(now) != len(kept) {
		t.Errorf("the neighbour has %d checkpoints, had %d (error %v)", len(now), len(kept), err)
	}
}

// A kill may leave reports after the checkpoint, a line cut short, temporary files and a damaged newest checkpoint;
// the run continues nevertheless.
func TestWhatAKillLeavesBehind(t *testing.T) {
	dir := t.TempDir()
	cfg := bars(t, dir)
	cfg.Train.Epochs, cfg.Keep.Report, cfg.Keep.Checkpoint = 20, 5, 0 // a checkpoint after every update
	out := filepath.Join(dir, "run")
	if _, err := trainUntil(t, open(t, out, cfg), 42); !errors.Is(err, run.ErrStopped) {
		t.Fatal(err)
	}
	newest := filepath.Join(out, "checkpoints", "update-000000042.npz")
	text, err := os.ReadFile(newest)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(newest, text[:len(text)/2], 0o644); err != nil {
		t.Fatal(err)
	}
	metrics := filepath.Join(out, "metrics.jsonl")
	f, err := os.OpenFile(metrics, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("{\"updates\":45}\n{\"updates\":50,\"pseu"); err != nil {
		t.Fatal(err)
	}
	f.Close()
	aside := filepath.Join(out, "checkpoints", ".instanton-X.tmp")
	if err := os.WriteFile(aside, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	r := open(t, out, cfg)
	if r.Updates() != 41 {
		t.Errorf("continuing after update %d, want 41: the checkpoint before the damaged one", r.Updates())
	}
	if _, err := os.Stat(aside); err == nil {
		t.Error("a temporary file is still there")
	}
	if _, err := trainUntil(t, r, -1); err != nil {
		t.Fatal(err)
	}
	whole := filepath.Join(dir, "whole")
	if _, err := trainUntil(t, open(t, whole, cfg), -1); err != nil {
		t.Fatal(err)
	}
	sameReports(t, whole, out)
	if left, _ := filepath.Glob(filepath.Join(out, "checkpoints", "*")); len(left) != 2 {
		t.Errorf("%d checkpoints are left, want 2: %v", len(left), left)
	}
}

// A directory with other files is not touched, and other settings or data are refused; how often files are written
// may change.
func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	cfg := bars(t, dir)
	if _, err := run.Open(dir, cfg, 1); err == nil || !strings.Contains(err.Error(), "holds bas.npz and no run") {
		t.Errorf("a directory with other files: error %v", err)
	}
	out := filepath.Join(dir, "run")
	if _, err := trainUntil(t, open(t, out, cfg), 3); !errors.Is(err, run.ErrStopped) {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*run.Config){
		"train.k was 1 and is now 2":                    func(c *run.Config) { c.Train.Sweeps = 2 },
		"model.hidden was gaussian:4 and is now spin:4": func(c *run.Config) { c.Model.Hidden = "spin:4" },
		"train.regularize.l1 was 0 and is now 0.5":      func(c *run.Config) { c.Train.Regularize.L1 = 0.5 },
		"data.valid was 0.2 and is now 0":               func(c *run.Config) { c.Data.Valid = 0 },
		"hidden units \"spin\"":                         func(c *run.Config) { c.Model.Hidden = "spin" },
		"nowhere.npz":                                   func(c *run.Config) { c.Data.Path = "nowhere.npz" },
		"expected neither number below 0":               func(c *run.Config) { c.Keep.Report = -1 },
		"bas.npz has no array \"weights\": expected one with the weights " +
			"of the samples": func(c *run.Config) { c.Data.Weights = c.Data.Path },
		"does not fit a model with visible units bernoulli:9": func(c *run.Config) { c.Model.Visible = "bernoulli" },
	} {
		c := cfg
		change(&c)
		if _, err := run.Open(out, c, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	more := cfg
	more.Keep.Report = 3
	r := open(t, out, more)
	if r.Updates() != 3 {
		t.Errorf("continuing after update %d, want 3", r.Updates())
	}
	r.Close()
	data, _ := dataset.RandomBarsAndStripes(3, 20, unit.Spin, 1)
	if err := data.Save(cfg.Data.Path, true); err != nil {
		t.Fatal(err)
	}
	if _, err := run.Open(out, cfg, 1); err == nil || !strings.Contains(err.Error(), "other data") {
		t.Errorf("other data: error %v", err)
	}
}

func TestDivergedRun(t *testing.T) {
	dir := t.TempDir()
	cfg := bars(t, dir)
	cfg.Train.Optimizer.Rate = 1e9
	out := filepath.Join(dir, "run")
	_, err := trainUntil(t, open(t, out, cfg), -1)
	var d *train.Divergence
	if !errors.As(err, &d) {
		t.Fatalf("error %v, want a divergence", err)
	}
	m, err := run.ReadManifest(out)
	if err != nil || m.State != run.Diverged || !strings.Contains(m.Message, "try a smaller learning rate") {
		t.Errorf("manifest %+v, error %v", m, err)
	}
}

// Two processes cannot work in one directory: the second gets an error, and the first continues.
func TestOneProcessARun(t *testing.T) {
	dir := t.TempDir()
	cfg := bars(t, dir)
	r := open(t, filepath.Join(dir, "run"), cfg)
	if _, err := run.Open(filepath.Join(dir, "run"), cfg, 1); err == nil ||
		!strings.Contains(err.Error(), "another process works in") {
		t.Errorf("a second process got the error %v", err)
	}
	if _, err := trainUntil(t, r, -1); err != nil {
		t.Fatal(err)
	}
	if _, err := trainUntil(t, open(t, filepath.Join(dir, "run"), cfg), -1); err != nil {
		t.Errorf("after the first has ended: %v", err)
	}
}

// Only the ratios of weights count, also in reports: sums of huge ones do not overflow.
func TestHugeWeights(t *testing.T) {
	dir := t.TempDir()
	cfg := bars(t, dir)
	data, err := dataset.Read(cfg.Data.Path)
	if err != nil {
		t.Fatal(err)
	}
	result := func(weight float64) *run.Result {
		data.Weights = make([]float64, data.States.Len)
		for k := range data.Weights {
			data.Weights[k] = weight
		}
		if err := data.Save(cfg.Data.Path, true); err != nil {
			t.Fatal(err)
		}
		res, err := trainUntil(t, open(t, t.TempDir(), cfg), -1)
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	one, huge := result(1), result(1e307)
	if *one.LL != *huge.LL || *one.PseudoLL != *huge.PseudoLL || *one.FreeEnergyGap != *huge.FreeEnergyGap {
		t.Errorf("results %g, %g, %g with huge weights, want %g, %g, %g", *huge.LL, *huge.PseudoLL, *huge.FreeEnergyGap,
			*one.LL, *one.PseudoLL, *one.FreeEnergyGap)
	}
}

// The error about a directory that cannot be written does not blame another process.
func TestLockThatCannotBeMade(t *testing.T) {
	dir := t.TempDir()
	cfg := bars(t, dir)
	out := filepath.Join(dir, "run")
	if err := os.MkdirAll(filepath.Join(out, ".lock"), 0o755); err != nil { // no file can take its place
		t.Fatal(err)
	}
	if _, err := run.Open(out, cfg, 1); err == nil || strings.Contains(err.Error(), "another process") ||
		!strings.Contains(err.Error(), ".lock") {
		t.Errorf("error %v, want one about the file", err)
	}
}
