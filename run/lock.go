package run

import (
	"errors"
	"fmt"
	"os"
	"time"
)

// lockName is the file that the process working in a run directory has locked. The system
// lets go of it when the process ends, however it ends.
const lockName = ".lock"

// errBusy says that another process has the lock.
var errBusy = errors.New("it is locked")

// patience is how long to wait for a lock: a killed process may take a moment to be gone.
const patience = 2 * time.Second

// lockDirectory locks the file, and waits a little where another process has.
func lockDirectory(dir, path string) (*os.File, error) {
	for began := time.Now(); ; time.Sleep(patience / 40) {
		f, err := tryLock(path)
		if !errors.Is(err, errBusy) {
			return f, err
		}
		if time.Since(began) >= patience {
			return nil, fmt.Errorf("another process works in %s: wait for it, or give another directory", dir)
		}
	}
}
