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

// Name is the file in a folder that is locked by the process working there. The system releases the lock when the
// process ends, however it ends; the file stays.
const Name = ".lock"

// patience is how long to wait for a lock: a killed process may take a moment to disappear.
const patience = 2 * time.Second

// Lock reserves a folder for this process until the lock is closed, and waits a little if another process has it. On a
// file system without locks, as on some clusters, it keeps nobody out.
func Lock(dir string) (io.Closer, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	lock := flock.New(filepath.Join(dir, Name), flock.SetPermissions(0o644))
	switch _, err := lock.TryLockContext(ctx, patience/40); {
	case err == nil || errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.ENOLCK):
		return lock, nil
	case ctx.Err() != nil:
		return nil, fmt.Errorf("another process works in %s: wait until it has finished, or use another directory", dir)
	default:
		return nil, err
	}
}
