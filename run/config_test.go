package run_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"instanton/run"
)

func TestConfigFileAndSet(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.toml")
	text := "[train]\nk = 7\n[train.optimizer]\nrate = 0.25\n[keep]\ncheckpoint = \"2m\"\n"
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	c := run.Default()
	if err := c.Read(path); err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"model.hidden=gaussian:8", "train.regularize.l1 = 1e-3", `data.path="a \"b\".npz"`,
		"train.seed=18446744073709551", "keep.checkpoint=90s", "data.weights=12"} {
		if err := c.Set(s); err != nil {
			t.Errorf("%s: %v", s, err)
		}
	}
	if c.Train.Sweeps != 7 || c.Train.Optimizer.Rate != 0.25 || c.Train.Optimizer.Beta2 != 0.99 ||
		c.Model.Hidden != "gaussian:8" ||
		c.Train.Regularize.L1 != 1e-3 || c.Data.Path != `a "b".npz` || c.Train.Seed != 18446744073709551 ||
		time.Duration(c.Keep.Checkpoint) != 90*time.Second || c.Data.Weights != "12" {
		t.Errorf("settings %+v", c)
	}
	again := run.Default()
	written, err := c.TOML()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, written, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := again.Read(path); err != nil || again != c {
		t.Errorf("written and read: %+v, error %v", again, err)
	}
}

// Misspelt keys, wrong types and broken files are errors, and change nothing.
func TestConfigRefuses(t *testing.T) {
	c := run.Default()
	for setting, want := range map[string]string{
		"train.sweeps=3":       "unknown key train.sweeps: expected one of data.path",
		"train.k=many":         "train.k",
		"train.k":              "expected KEY=VALUE",
		"keep.checkpoint=soon": "expected a duration such as 30s",
		"=3":                   "expected KEY=VALUE",
		"train=3":              "train",
	} {
		if err := c.Set(setting); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", setting, err, want)
		}
	}
	path := filepath.Join(t.TempDir(), "c.toml")
	for text, want := range map[string]string{"[train]\nlr = 1\n": "unknown key train.lr", "[train\n": "c.toml",
		"k = [": "c.toml"} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := c.Read(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
	if c != run.Default() {
		t.Errorf("settings that were refused changed something: %+v", c)
	}
}

// Any text is either read or refused without changing anything.
func FuzzConfig(f *testing.F) {
	text, _ := run.Default().TOML()
	f.Add(string(text))
	f.Add("train.k = 3")
	f.Add("[keep]\ncheckpoint = \"1h\"")
	f.Fuzz(func(t *testing.T, text string) {
		c := run.Default()
		if c.Set(text) != nil && c != run.Default() {
			t.Errorf("%q was refused and changed the settings", text)
		}
	})
}
