//go:build unix

package dataset_test

import (
	"path/filepath"
	"syscall"
	"testing"

	"instanton/dataset"
)

// A pipe is neither read again, which would block for ever, nor recorded with the checksum of nothing.
func TestAddSourceOfAPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	var d dataset.Dataset
	if err := d.AddSource(path); err != nil || d.Sources != nil {
		t.Errorf("a pipe: error %v, sources %v", err, d.Sources)
	}
}
