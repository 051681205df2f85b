//go:build unix

package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// command runs this test binary as the instanton program.
func command(dir string, args ...string) *exec.Cmd {
	c := exec.Command(os.Args[0], args...)
	c.Env = append(os.Environ(), asProgram+"=1")
	c.Dir = dir
	return c
}

// Ctrl-C leaves a whole file and status 75; the same command continues, and the result is what an
// uninterrupted run writes, to the byte.
func TestInterruptAndResume(t *testing.T) {
	dir := t.TempDir()
	if out, err := command(dir, "new", "random", "--visible", "potts:20x5", "--hidden", "relu:8", "-o",
		"m.npz").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for sweeps := 2000; ; sweeps *= 4 { // until a run is long enough to be interrupted
		args := func(name string) []string {
			return []string{"--quiet", "sample", "m.npz", "--chains", "6", "--sweeps", strconv.Itoa(sweeps), "--every",
				"7", "--hidden", "-o", name}
		}
		cut := filepath.Join(dir, "cut.npz")
		os.Remove(cut)
		run := command(dir, args("cut.npz")...)
		if err := run.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(300 * time.Millisecond)
		_ = run.Process.Signal(syscall.SIGINT)
		err := run.Wait()
		if err == nil && sweeps < 1e8 {
			continue // it was too fast
		}
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != exitResumable {
			t.Fatalf("interrupted run ended with %v, want status %d", err, exitResumable)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
		if out, err := command(dir, "evaluate", "m.npz", "cut.npz").CombinedOutput(); err != nil {
			t.Errorf("the file of the interrupted run: %v: %s", err, out)
		}
		for _, name := range []string{"cut.npz", "whole.npz"} {
			if out, err := command(dir, args(name)...).CombinedOutput(); err != nil {
				t.Fatalf("%s: %v: %s", name, err, out)
			}
		}
		a, _ := os.ReadFile(cut)
		b, _ := os.ReadFile(filepath.Join(dir, "whole.npz"))
		if len(a) == 0 || !bytes.Equal(a, b) {
			t.Error("the resumed run differs from the uninterrupted one")
		}
		return
	}
}

// Exit codes as scripts see them.
func TestExitCodes(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		args []string
		want int
	}{
		{[]string{"new", "curie-weiss", "-o", "cw.npz"}, 0},
		{[]string{"new", "curie-weiss", "-o", "cw.npz"}, exitFailed}, // exists
		{[]string{"inspect", "nowhere.npz"}, exitFailed},
		{[]string{"inspect"}, exitUsage},
		{[]string{"inspect", "--fast", "cw.npz"}, exitUsage},
		{[]string{"sample", "cw.npz", "--beta", "-1", "-o", "x.npz"}, exitUsage},
		{[]string{"sample", "cw.npz", "--sampler", "magic", "-o", "x.npz"}, exitUsage},
		{[]string{"new", "random", "--visible", "potts:3x1", "-o", "x.npz"}, exitUsage},
		{[]string{"no-such-command"}, exitUsage},
		{[]string{"--help"}, 0},
		{[]string{}, 0},
	} {
		err := command(dir, append([]string{"--quiet"}, c.args...)...).Run()
		code := 0
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			code = exit.ExitCode()
		}
		if code != c.want {
			t.Errorf("%v: status %d, want %d", c.args, code, c.want)
		}
	}
}
