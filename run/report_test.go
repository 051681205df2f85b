package run_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"instanton/run"
)

// The page of a finished run has its likelihood, curves, weights and the command that repeats it.
func TestReport(t *testing.T) {
	dir := t.TempDir()
	cfg := bars(t, dir)
	cfg.Train.Epochs = 20
	r, err := run.Open(filepath.Join(dir, "run"), cfg, 1)
	if err != nil {
		t.Fatal(err)
	}
	res, err := r.Train(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(dir, "run", "report.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"A model of bas.npz", "log-likelihood per sample is", res.SHA256, "spin:9",
		cfg.Model.Hidden, "Reports during the training", "Weights of the", "Unit 0", "mean of the unit given its input",
		"instanton train ../bas.npz --config config.toml " +
			"--out ../run-again"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(string(page), dir) {
		t.Error("the page names the folder in which it was made")
	}
}

// The command on the page works in the folder of the page, even if names need quotes.
func TestReportCommandWorks(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "o'clock $HOME")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	cfg := bars(t, dir)
	cfg.Train.Epochs = 2
	r, err := run.Open(filepath.Join(dir, "my run"), cfg, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Train(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(dir, "my run", "report.html"))
	if err != nil {
		t.Fatal(err)
	}
	want := "instanton train ../bas.npz --config config.toml --out &#39;../my run-again&#39;"
	if !strings.Contains(string(page), want) {
		t.Errorf("the page lacks %s", want)
	}
	// What it says: the settings of the folder, the data from there.
	t.Chdir(filepath.Join(dir, "my run"))
	again := run.Default()
	if err := again.Read("config.toml"); err != nil {
		t.Fatal(err)
	}
	again.Data.Path = "../bas.npz"
	second, err := run.Open("../my run-again", again, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := second.Train(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	one, err := os.ReadFile("model.npz")
	if err != nil {
		t.Fatal(err)
	}
	if two, err := os.ReadFile("../my run-again/model.npz"); err != nil || string(one) != string(two) {
		t.Errorf("%v, or another model", err)
	}
}
