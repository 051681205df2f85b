package paper

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"instanton/internal/meta"
	"instanton/plot"
)

// Finished is figure.json: what a figure's folder holds.
type Finished struct {
	meta.Header
	Program       string        `json:"program"`
	Name          string        `json:"name"`
	Title         string        `json:"title"`
	Shows         string        `json:"shows"`
	FigureVersion int           `json:"figure_version"`
	Settings      Settings      `json:"settings"`
	Seconds       float64       `json:"seconds"`
	Claims        []Claim       `json:"claims"`
	Drawings      []StoredFile  `json:"drawings"`
	Tables        []StoredFile  `json:"tables"`
	Shown         []StoredTable `json:"shown_tables,omitempty"`
	Notes         []string      `json:"notes,omitempty"`
	Missing       string        `json:"missing,omitempty"` // data that could not be had
	dir           string
}

// StoredFile is a drawing (PNG, PDF and SVG of that name) or a table (CSV).
type StoredFile struct {
	Name    string `json:"name"`
	Caption string `json:"caption"`
}

// StoredTable is a table as the report shows it.
type StoredTable struct {
	Caption string     `json:"caption"`
	Header  []string   `json:"header"`
	Rows    [][]string `json:"rows"`
}

var finishedHeader = meta.Header{Format: "instanton-figure", Version: 1}

// load reads a figure's folder. It returns nil where there is none.
func load(dir, name string) (*Finished, error) {
	path := filepath.Join(dir, name, "figure.json")
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	f := Finished{dir: filepath.Join(dir, name)}
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if f.Header != finishedHeader {
		return nil, fmt.Errorf("%s is %q version %d: expected %q version %d", path, f.Format, f.Version, finishedHeader.Format, finishedHeader.Version)
	}
	return &f, nil
}

// store writes a figure's folder aside and puts it in place, in the stead of an older one.
func store(dir string, f Figure, s Settings, r *Result, seconds float64) (*Finished, error) {
	out := &Finished{
		Header: finishedHeader, Program: meta.Program(), Name: f.Name, Title: f.Title, Shows: f.Shows,
		FigureVersion: f.Version, Settings: s, Seconds: seconds, Claims: r.Claims, Notes: r.Notes, Missing: r.Missing,
		dir: filepath.Join(dir, f.Name),
	}
	for k := range out.Claims {
		c := &out.Claims[k]
		c.Figure, c.Regenerate = f.Name, regenerate(f.Name, s)
		if err := c.check(); err != nil {
			return nil, err
		}
	}
	aside, err := os.MkdirTemp(dir, "."+f.Name+"-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(aside) // nothing is there once it is in place
	if err := os.Chmod(aside, 0o755); err != nil {
		return nil, err
	}
	if err := out.fill(aside, r); err != nil {
		return nil, err
	}
	return out, replace(out.dir, aside)
}

// fill writes pictures, tables and numbers into the folder, and figure.json last.
func (f *Finished) fill(dir string, r *Result) error {
	for _, d := range r.Drawings {
		if d.Name == "" {
			d.Name = f.Name
		}
		for _, format := range plot.Formats() {
			if err := d.Plot.Save(filepath.Join(dir, d.Name+"."+format)); err != nil {
				return fmt.Errorf("drawing %s: %w", d.Name, err)
			}
		}
		f.Drawings = append(f.Drawings, StoredFile{d.Name, d.Caption})
	}
	for _, t := range r.Tables {
		if err := t.check(); err != nil {
			return err
		}
		if err := write(filepath.Join(dir, t.Name+".csv"), t.write); err != nil {
			return err
		}
		f.Tables = append(f.Tables, StoredFile{t.Name, t.Caption})
		if t.Shown {
			f.Shown = append(f.Shown, StoredTable{t.Caption, t.Header, t.short()})
		}
	}
	if r.Values != nil {
		if err := write(filepath.Join(dir, "data.json"), asJSON(r.Values)); err != nil {
			return fmt.Errorf("data.json: %w", err)
		}
	}
	return write(filepath.Join(dir, "figure.json"), asJSON(f))
}

// replace renames the folder from to to; an older one goes once the new one is in place.
func replace(to, from string) error {
	old := filepath.Join(filepath.Dir(to), "."+filepath.Base(to)+".old")
	if err := os.RemoveAll(old); err != nil {
		return err
	}
	if err := os.Rename(to, old); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := os.Rename(from, to); err != nil {
		return err
	}
	return os.RemoveAll(old)
}

// write makes a file in a folder that nobody reads yet.
func write(path string, fill func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := fill(f); err != nil {
		f.Close()
		return err
	}
	if err := f.Sync(); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// asJSON writes a value with indents.
func asJSON(value any) func(io.Writer) error {
	return func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		return e.Encode(value)
	}
}

// regenerate is the command that makes a figure again.
func regenerate(name string, s Settings) string {
	quick := ""
	if s.Quick {
		quick = " --quick"
	}
	return fmt.Sprintf("instanton paper %s%s --seed %d --out DIR", name, quick, s.Seed)
}
