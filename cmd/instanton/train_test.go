//go:build unix

package main

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// trainBars is a command that trains for some epochs.
func trainBars(dir, out string, epochs int, more ...string) *exec.Cmd {
	return command(dir, append([]string{"--quiet", "train", "bas.npz", "--hidden", "drelu:6", "--epochs",
		strconv.Itoa(epochs),
		"--batch", "10", "--chains", "0", "--k", "1", "--lr", "0.005", "--valid", "0.1",
		"--checkpoint-every", "20ms", "--keep-every",
		strconv.Itoa(epochs / 4), "--out", out}, more...)...)
}

// A run killed at ten random moments, and resumed each time, ends with the bits of one that was not; no kill leaves a
// directory that cannot be resumed.
func TestKilledTenTimes(t *testing.T) {
	if testing.Short() {
		t.Skip("starts and kills ten runs")
	}
	dir := t.TempDir()
	if out, err := command(dir, "data", "bas", "--size", "4", "-o", "bas.npz").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for epochs := 500; ; epochs *= 2 { // until a run is long enough to be killed ten times
		cut, whole := "cut"+strconv.Itoa(epochs), "whole"+strconv.Itoa(epochs)
		began := time.Now()
		if text, err := trainBars(dir, whole, epochs).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", whole, err, text)
		}
		twentieth := time.Since(began) / 20
		kills := 0
		for kills < 10 {
			run := trainBars(dir, cut, epochs)
			if err := run.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(20*time.Millisecond + time.Duration(r.Int64N(int64(3*twentieth))))
			_ = run.Process.Kill()
			if err := run.Wait(); err == nil {
				break // it was too fast
			}
			kills++
		}
		if kills < 10 && epochs < 1e6 {
			continue
		}
		if text, err := trainBars(dir, cut, epochs).CombinedOutput(); err != nil {
			t.Fatalf("%s after %d kills: %v: %s", cut, kills, err, text)
		}
		for _, name := range []string{"model.npz", "best.npz"} {
			a, errA := os.ReadFile(filepath.Join(dir, cut, name))
			b, errB := os.ReadFile(filepath.Join(dir, whole, name))
			if errA != nil || errB != nil || !bytes.Equal(a, b) {
				t.Errorf("%s of the run killed %d times differs from that of the uninterrupted one (%v, %v)", name,
					kills, errA, errB)
			}
		}
		for _, d := range []string{"", "checkpoints", "figures", "trajectory"} {
			if left, _ := filepath.Glob(filepath.Join(dir, cut, d, ".instanton-*")); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		}
		return
	}
}

// Ctrl-C, SIGTERM and --max-time checkpoint and exit with status 75.
func TestStoppedTraining(t *testing.T) {
	dir := t.TempDir()
	if out, err := command(dir, "data", "bas", "--size", "4", "-o", "bas.npz").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	const forever = 100000000
	for name, stop := range map[string]func(c *exec.Cmd){
		"interrupt": func(c *exec.Cmd) { time.Sleep(300 * time.Millisecond); _ = c.Process.Signal(syscall.SIGINT) },
		"terminate": func(c *exec.Cmd) { time.Sleep(300 * time.Millisecond); _ = c.Process.Signal(syscall.SIGTERM) },
		"max-time":  func(*exec.Cmd) {},
	} {
		var more []string
		if name == "max-time" {
			more = []string{"--max-time", "200ms"}
		}
		c := trainBars(dir, name, forever, more...)
		var text bytes.Buffer
		c.Stderr = &text
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		stop(c)
		var exit *exec.ExitError
		if err := c.Wait(); !errors.As(err, &exit) || exit.ExitCode() != exitResumable ||
			!strings.Contains(text.String(), "run the same command again to continue") {
			t.Errorf("%s: ended with %v and %q, want status %d", name, err, text.String(), exitResumable)
		}
		manifest, err := os.ReadFile(filepath.Join(dir, name, "run.json"))
		if err != nil || !strings.Contains(string(manifest), `"state": "stopped"`) {
			t.Errorf("%s: manifest %s, error %v", name, manifest, err)
		}
	}
}
