package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrExists is wrapped by the error that refuses to replace an existing file.
var ErrExists = errors.New("exists already")

// Check tells whether [Write] would accept path, so that commands can fail
// before hours of work rather than after. It refuses an existing file (unless
// force is set), a folder, a device or a pipe, and a parent folder that is missing
// or cannot be written to.
func Check(path string, force bool) error {
	if err := check(path, force); err != nil {
		return err
	}
	probe, err := os.CreateTemp(filepath.Dir(path), ".probe-*") // the only sure way to know
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", path, err)
	}
	probe.Close()
	return os.Remove(probe.Name())
}

// check is Check without writing a probe.
func check(path string, force bool) error {
	if path == "" {
		return errors.New("the output has no file name")
	}
	if err := checkParent(path); err != nil {
		return err
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return checkDanglingLink(path, force)
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%s is a folder, where a file name was expected", path)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file and cannot be replaced: choose another name", path)
	case !force:
		return existsError(path)
	}
	return nil
}

// checkDanglingLink refuses the one thing that exists although Stat finds nothing.
func checkDanglingLink(path string, force bool) error {
	if _, err := os.Lstat(path); err == nil && !force {
		return existsError(path)
	}
	return nil
}

func checkParent(path string) error {
	folder := filepath.Dir(path)
	info, err := os.Stat(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s cannot be written: the folder %s does not exist; make it first", path, folder)
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s cannot be written: %s is a file, where a folder was expected", path, folder)
	}
	return nil
}

func existsError(path string) error {
	return fmt.Errorf("%s %w", path, ErrExists)
}
