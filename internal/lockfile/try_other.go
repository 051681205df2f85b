//go:build !unix

package lockfile

import "os"

// tryLock holds a file open; where other processes may open it, too, nothing keeps them
// out.
func tryLock(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
}
