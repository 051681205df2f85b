//go:build unix

package run

import (
	"os"

	"golang.org/x/sys/unix"
)

// lockDirectory locks a file, or fails if another process has.
func lockDirectory(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
