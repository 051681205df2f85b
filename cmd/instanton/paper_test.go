//go:build unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Ctrl-C abandons the figure in progress, with status 75 and without leaving half of it; finished figures stay.
func TestPaperInterrupt(t *testing.T) {
	dir := t.TempDir()
	if out, err := command(dir, "--quiet", "paper", "fig-model", "--out", "o").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	_ = os.Remove(filepath.Join(dir, "o", "report.html"))
	run := command(dir, "--quiet", "paper", "fig-model", "fig-transition-hopfield", "--out", "o") // minutes
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(500 * time.Millisecond)
	_ = run.Process.Signal(syscall.SIGINT)
	err := run.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != exitResumable {
		t.Fatalf("interrupted run ended with %v, want status %d", err, exitResumable)
	}
	if _, err := os.Stat(filepath.Join(dir, "o", "fig-transition-hopfield")); err == nil {
		t.Error("the figure under way was left")
	}
	if _, err := os.Stat(filepath.Join(dir, "o", "fig-model", "figure.json")); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"report.html", "claims.md", "paper.json"} {
		if text, err := os.ReadFile(filepath.Join(dir, "o", name)); err != nil ||
			!strings.Contains(string(text), "fig-model") {
			t.Errorf("%s: %v, or it lacks the finished figure", name, err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "o", ".fig*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
