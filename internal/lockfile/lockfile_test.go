package lockfile_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"instanton/internal/lockfile"
)

// Locks belong to open files, so a second lock in the same process is refused like that of another process.
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
	// Other errors are reported as they are.
	if _, err := lockfile.Lock(filepath.Join(dir, "none")); !os.IsNotExist(err) {
		t.Errorf("error %v", err)
	}
}
