package run

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"instanton/internal/atomicfile"
	"instanton/train"
)

// spare is the number of checkpoints that are kept: the newest, and one more should a disk
// damage it.
const spare = 2

func checkpointName(updates int) string { return fmt.Sprintf("update-%09d.npz", updates) }

// saveCheckpoint writes the state of the trainer and removes old ones.
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
	for _, old := range all[:max(0, len(all)-spare)] {
		if err := os.Remove(old); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// checkpoints lists the files, oldest first.
func checkpoints(dir string) ([]string, error) {
	all, err := filepath.Glob(filepath.Join(dir, "update-*.npz"))
	slices.Sort(all)
	return all, err
}

// restore takes up the newest checkpoint that can be read; without any, the trainer stays
// at its start.
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
		return 0, fmt.Errorf("no checkpoint can be taken up: %w; without %s the run begins again", firstErr, dir)
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

// sweepAside removes what a killed process was writing when it died.
func sweepAside(dirs ...string) {
	for _, d := range dirs {
		left, _ := filepath.Glob(filepath.Join(d, ".instanton-*.tmp"))
		for _, path := range left {
			_ = os.Remove(path)
		}
	}
}
