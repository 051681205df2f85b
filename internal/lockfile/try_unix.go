//go:build unix

package lockfile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// tryLock locks a file, or fails with errBusy if another process has. A file system that
// knows no locks, as some of clusters, keeps nobody out.
func tryLock(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	switch {
	case err == nil || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EOPNOTSUPP) || errors.Is(err, unix.ENOLCK):
		return f, nil
	case errors.Is(err, unix.EWOULDBLOCK):
		err = errBusy
	}
	f.Close()
	return nil, err
}
