package verdict

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"instanton/internal/atomicfile"
	"instanton/internal/lockfile"
)

// open makes the folder, or checks that it holds results with the same settings, and locks it for this process.
func open(o Options) (io.Closer, error) {
	if o.Dir == "" {
		return nil, errors.New("the folder of the figures has no name")
	}
	if err := compare(o); err != nil { // before anything is touched
		return nil, err
	}
	if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return nil, err
	}
	lock, err := lockfile.Lock(o.Dir)
	if err != nil {
		return nil, err
	}
	if err := begin(o); err != nil {
		lock.Close()
		return nil, err
	}
	return lock, nil
}

// begin leaves a paper.json with the settings in a folder that is locked.
func begin(o Options) error {
	if err := compare(o); err != nil { // another process may have begun meanwhile
		return err
	}
	path := filepath.Join(o.Dir, "paper.json")
	if before, err := readSummary(path); err != nil || before != nil {
		return err
	}
	return atomicfile.Write(path, true, AsJSON(newSummary(o.Settings, filepath.Join(o.Dir, "report.html"))))
}

// compare refuses a folder that holds figures with other settings, or something else.
func compare(o Options) error {
	was, err := settingsIn(o.Dir)
	if err == nil && was != nil && (was.Quick != o.Quick || was.Seed != o.Seed) {
		err = &SettingsError{Dir: o.Dir, Was: *was, Asked: o.Settings}
	}
	return err
}

// settingsIn are the settings of the figures in a folder, nil where there is none yet. Where paper.json is gone or
// damaged the figures themselves say them.
func settingsIn(dir string) (*Settings, error) {
	path := filepath.Join(dir, "paper.json")
	before, err := readSummary(path)
	if err != nil {
		return nil, err
	}
	if before != nil {
		return &before.Settings, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	other := ""
	var was *Settings
	for _, e := range entries {
		switch f, err := read(dir, e.Name()); {
		case err == nil && f != nil && was != nil && (was.Quick != f.Settings.Quick || was.Seed != f.Settings.Seed):
			return nil,
				fmt.Errorf("%s holds figures made with %s and with %s, and no %s that says which: give another folder",
					dir, was, f.Settings, path)
		case err == nil && f != nil:
			was = &f.Settings
		case other == "" && !strings.HasPrefix(e.Name(), "."): // locks and what was being written
			other = e.Name()
		}
	}
	if was == nil && other != "" {
		return nil, fmt.Errorf("%s holds %s and no figures of the paper: give an empty or a new folder, "+
			"or remove what is there if it is left of a run whose paper.json is gone", dir, other)
	}
	return was, nil
}

// readSummary reads paper.json. It returns nil for none, and for one that is damaged.
func readSummary(path string) (*Summary, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	var s Summary
	if err := json.Unmarshal(text, &s); err != nil || s.Format != summaryHeader.Format {
		return nil, nil
	}
	if s.Version != summaryHeader.Version {
		return nil, fmt.Errorf("%s has version %d of format %q: this program knows version %d; give another folder",
			path, s.Version, s.Format, summaryHeader.Version)
	}
	return &s, nil
}

// SettingsError says that a folder holds figures made with other settings.
type SettingsError struct {
	Dir        string
	Was, Asked Settings
}

func (e *SettingsError) Error() string {
	return fmt.Sprintf("%s holds figures made with %s: give the same settings, or another folder than for %s",
		e.Dir, e.Was, e.Asked)
}
