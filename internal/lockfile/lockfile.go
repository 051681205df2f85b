// Package lockfile keeps two processes from working in one folder.
package lockfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// Name is the file of a folder that the process working there has locked. The system
// lets go of it when the process ends, however it ends; the file stays.
const Name = ".lock"

// errBusy says that another process has the lock.
var errBusy = errors.New("it is locked")

// patience is how long to wait for a lock: a killed process may take a moment to be gone.
const patience = 2 * time.Second

// Lock makes a folder this process's own until the file is closed, and waits a little where another
// process has it.
func Lock(dir string) (*os.File, error) {
	for began := time.Now(); ; time.Sleep(patience / 40) {
		f, err := tryLock(filepath.Join(dir, Name))
		if !errors.Is(err, errBusy) {
			return f, err
		}
		if time.Since(began) >= patience {
			return nil, fmt.Errorf("another process works in %s: wait for it, or give another directory", dir)
		}
	}
}
