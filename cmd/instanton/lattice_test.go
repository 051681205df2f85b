//go:build unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Ctrl-C ends a design with a message and leaves nothing behind.
func TestInterruptDesign(t *testing.T) {
	dir := t.TempDir()
	run := command(dir, "data", "lattice", "--count", "1000000", "--competitors", "random:100:1", "-o", "a.npz")
	var stderr strings.Builder
	run.Stderr = &stderr
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(600 * time.Millisecond)
	if err := run.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	err := run.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != exitFailed ||
		!strings.Contains(stderr.String(), "nothing was written") {
		t.Errorf("the interrupted design ended with %v: %s", err, stderr.String())
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
