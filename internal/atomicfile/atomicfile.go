// Package atomicfile writes result files whole or not at all: a reader, a crash
// or a full disk never meets half a file, and no result is lost to another
// without the user's word.
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

// Write puts what fill writes into the file path. The bytes go aside into a dot
// file in the same folder, are synced to disk, and only then take the name path,
// in one step. Whenever Write fails or fill panics, path is as it was before and
// nothing is left aside.
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

	aside, err := createAside(filepath.Dir(target), mode)
	if err != nil {
		return notWritten(path, err)
	}
	placed := false
	defer func() { // also when fill panics
		if !placed {
			aside.Close()
			os.Remove(aside.Name())
		}
	}()

	if err := fillAndSync(aside, fill); err != nil {
		return notWritten(path, err)
	}
	if replacing {
		// The umask has already shaped a new file's mode; an old one's is kept exactly.
		if err := os.Chmod(aside.Name(), mode); err != nil {
			return notWritten(path, err)
		}
	}
	if force {
		err = os.Rename(aside.Name(), target)
	} else {
		err = placeNew(aside.Name(), target, os.Link)
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

// createAside makes an empty file with a fresh name. It is made with its final
// mode at once, so that replacing a private file never shows the new content to
// others.
func createAside(folder string, mode fs.FileMode) (*os.File, error) {
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

// placeNew gives the file aside the name target unless that is taken. A hard
// link fails on a taken name atomically on every system; where the file system
// knows no links, looking first and renaming is the best there is.
func placeNew(aside, target string, link func(oldname, newname string) error) error {
	err := link(aside, target)
	switch {
	case err == nil:
		os.Remove(aside) // a second name of a complete file; harmless if it stays
		return nil
	case errors.Is(err, fs.ErrExist):
		return err
	}
	if _, err := os.Lstat(target); err == nil {
		return fs.ErrExist
	}
	return os.Rename(aside, target)
}

// syncFolder makes the new name itself survive a power cut. Not every system
// can sync a folder, so this is an effort and not a promise.
func syncFolder(folder string) {
	if f, err := os.Open(folder); err == nil {
		f.Sync()
		f.Close()
	}
}

func notWritten(path string, err error) error {
	return fmt.Errorf("%s was not written: %w", path, err)
}
