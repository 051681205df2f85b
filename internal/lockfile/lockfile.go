// Package lockfile keeps two processes from working in one folder.
package lockfile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

// Name is the file of a folder that the process working there has locked. The system
// lets go of it when the process ends, however it ends; the file stays.
const Name = ".lock"

// patience is how long to wait for a lock: a killed process may take a moment to be gone.
const patience = 2 * time.Second

// Lock makes a folder this process's own until the lock is closed, and waits a little where another process has it. A
// file system that knows no locks, as on some clusters, keeps nobody out.
func Lock(dir string) (io.Closer, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	lock := flock.New(filepath.Join(dir, Name), flock.SetPermissions(0o644))
	switch _, err := lock.TryLockContext(ctx, patience/40); {
	case err == nil || errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.ENOLCK):
		return lock, nil
	case ctx.Err() != nil:
		return nil, fmt.Errorf("another process works in %s: wait for it, or give another directory", dir)
	default:
		return nil, err
	}
}
