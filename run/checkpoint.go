package run

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"instanton/internal/atomicfile"
	"instanton/train"
)

// keptCheckpoints is the number of checkpoints that are kept: the newest, and one more in case it is damaged.
const keptCheckpoints = 2

func checkpointName(updates int) string { return fmt.Sprintf("update-%09d.npz", updates) }

// saveCheckpoint writes the state of the trainer and removes old checkpoints.
func saveCheckpoint(dir string, t *train.Trainer, seconds float64) error {
	path := filepath.Join(dir, checkpointName(t.Updates()))
	err := atomicfile.Write(path, true, func(w io.Writer) error { return t.Checkpoint(w, seconds) })
	if err != nil {
		return err
	}
	all, err := checkpoints(dir)
	if err != nil {
		return err
	}
	for _, old := range all[:max(0, len(all)-keptCheckpoints)] {
		if err := os.Remove(old); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// checkpoints lists the files, oldest first.
func checkpoints(dir string) ([]string, error) { return named(dir, "update-", ".npz") }

// named lists the files of a folder whose names begin and end as given, in order. The folder's own name is no pattern,
// whatever characters it holds; one that does not exist has no files.
func named(dir, prefix, suffix string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	var paths []string
	for _, e := range entries { // ReadDir sorts them
		if name := e.Name(); strings.HasPrefix(name, prefix) && strings.HasSuffix(name, suffix) {
			paths = append(paths, filepath.Join(dir, name))
		}
	}
	return paths, err
}

// restore restores the newest checkpoint that can be read. If there are no checkpoints, the trainer stays at its
// start.
func restore(dir string, t *train.Trainer) (seconds float64, err error) {
	all, err := checkpoints(dir)
	if err != nil {
		return 0, err
	}
	var firstErr error
	for _, path := range slices.Backward(all) {
		seconds, err := restoreFile(path, t)
		if err == nil {
			return seconds, nil
		}
		if firstErr == nil {
			firstErr = fmt.Errorf("%s: %w", filepath.Base(path), err)
		}
	}
	if firstErr != nil {
		return 0, fmt.Errorf("no checkpoint can be restored: %w; remove %s to begin the run again", firstErr, dir)
	}
	return 0, nil
}

func restoreFile(path string, t *train.Trainer) (seconds float64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return t.Restore(f, info.Size())
}

// removeTemporary removes the unfinished files of a killed process.
func removeTemporary(dirs ...string) {
	for _, d := range dirs {
		left, _ := named(d, ".instanton-", ".tmp")
		for _, path := range left {
			_ = os.Remove(path)
		}
	}
}
