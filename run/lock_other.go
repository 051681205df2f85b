//go:build !unix

package run

import "os"

// lockDirectory holds a file open; where other processes may open it, too, nothing keeps
// them out.
func lockDirectory(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
}
