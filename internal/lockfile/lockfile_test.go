package lockfile_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"instanton/internal/lockfile"
)

// Locks belong to open files, so that a second one in the same process is refused as that of another.
func TestLock(t *testing.T) {
	dir := t.TempDir()
	first, err := lockfile.Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lockfile.Lock(dir); err == nil || !strings.Contains(err.Error(), "another process works in "+dir) {
		t.Errorf("error %v", err)
	}
	first.Close()
	again, err := lockfile.Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	again.Close()
	// What is no matter of other processes is said as it is.
	if _, err := lockfile.Lock(filepath.Join(dir, "none")); !os.IsNotExist(err) {
		t.Errorf("error %v", err)
	}
}
