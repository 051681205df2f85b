// Package atomicfile writes files whole or not at all: no reader, crash or full disk ever leaves half a file, and no
// existing file is replaced unless the user says so.
package atomicfile

import (
	"bufio"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

const (
	bufferBytes = 1 << 18
	newFileMode = 0o644 // before the umask
)

// Write puts what fill writes into the file path. The bytes first go to a
// temporary dot file in the same folder, are synced to disk, and only then take
// the name path, in one step. If Write fails or fill panics, path is as it was
// before and the temporary file is removed.
//
// Without force an existing path is refused with an error that wraps
// [ErrExists], before fill runs and again in the very step that puts the file in
// place, so that of several writers exactly one succeeds. With force an existing
// file is replaced and its permissions are kept; a symbolic link is followed.
func Write(path string, force bool, fill func(io.Writer) error) error {
	if err := check(path, force); err != nil {
		return err
	}
	target, mode, replacing := destination(path)

	temporary, err := createTemporary(filepath.Dir(target), mode)
	if err != nil {
		return notWritten(path, err)
	}
	placed := false
	defer func() { // also when fill panics
		if !placed {
			temporary.Close()
			os.Remove(temporary.Name())
		}
	}()

	if err := fillAndSync(temporary, fill); err != nil {
		return notWritten(path, err)
	}
	if replacing {
		// The umask has already shaped a new file's mode; an old one's is kept exactly.
		if err := os.Chmod(temporary.Name(), mode); err != nil {
			return notWritten(path, err)
		}
	}
	if force {
		err = os.Rename(temporary.Name(), target)
	} else {
		err = placeNew(temporary.Name(), target, os.Link)
	}
	switch {
	case errors.Is(err, fs.ErrExist) && !force:
		return existsError(path)
	case err != nil:
		return notWritten(path, err)
	}
	placed = true
	syncFolder(filepath.Dir(target))
	return nil
}

// destination resolves the name that the file will take and the mode it will
// have. A link is followed, so that a result kept on another disk stays there.
func destination(path string) (target string, mode fs.FileMode, replacing bool) {
	info, err := os.Stat(path)
	if err != nil {
		return path, newFileMode, false
	}
	target = path
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		target = resolved
	}
	return target, info.Mode().Perm(), true
}

// createTemporary makes an empty file with a new name. It has its final
// mode from the start, so that replacing a private file never shows the new content to
// others.
func createTemporary(folder string, mode fs.FileMode) (*os.File, error) {
	name := filepath.Join(folder, ".instanton-"+rand.Text()+".tmp")
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
}

// fillAndSync runs fill and returns once its bytes are on the disk and f is closed.
func fillAndSync(f *os.File, fill func(io.Writer) error) error {
	w := bufio.NewWriterSize(f, bufferBytes)
	if err := fill(w); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return f.Close()
}

// placeNew gives the temporary file the name target unless that is taken. A hard
// link to a taken name fails atomically on every system; on file systems without
// links, looking first and then renaming is the best that can be done.
func placeNew(temporary, target string, link func(oldname, newname string) error) error {
	err := link(temporary, target)
	switch {
	case err == nil:
		os.Remove(temporary) // a second name of a complete file; harmless if it stays
		return nil
	case errors.Is(err, fs.ErrExist):
		return err
	}
	if _, err := os.Lstat(target); err == nil {
		return fs.ErrExist
	}
	return os.Rename(temporary, target)
}

// syncFolder makes the new name survive a power cut. Not every system can sync
// a folder, so its errors are ignored.
func syncFolder(folder string) {
	if f, err := os.Open(folder); err == nil {
		f.Sync()
		f.Close()
	}
}

func notWritten(path string, err error) error {
	return fmt.Errorf("%s was not written: %w", path, err)
}
