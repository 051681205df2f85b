package run_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"instanton/run"
)

// A finished run has a page with its likelihood, curves, weights and how to make it again.
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
	for _, want := range []string{"A model of bas.npz", "log-likelihood of a sample is", res.SHA256, "spin:9", cfg.Model.Hidden, "Reports on the way", "Weights of the", "--config config.toml"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(string(page), dir) {
		t.Error("the page names the folder that it was made in")
	}
}
