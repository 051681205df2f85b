package verdict

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"instanton/internal/meta"
	"instanton/plot"
	"instanton/run"
)

// Finished is figure.json: what a figure's folder holds.
type Finished struct {
	Format        string        `json:"format"`
	Version       int           `json:"version"`
	Program       string        `json:"program"`
	Host          run.Host      `json:"host"`
	Started       time.Time     `json:"started"`
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
	Models        []string      `json:"models,omitempty"`  // run directories of trained models
	Data          string        `json:"data,omitempty"`    // the file of other numbers
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

// errDamaged is the error of a folder that does not hold the whole figure, and can be made again.
var errDamaged = errors.New("the folder is damaged")

// load reads a figure's folder and checks that its files are there. It returns nil where there is none.
func load(dir, name string) (*Finished, error) {
	f, err := read(dir, name)
	if err != nil || f == nil {
		return nil, err
	}
	for _, file := range f.files() {
		if info, err := os.Stat(filepath.Join(f.dir, file)); err != nil || info.Size() == 0 {
			return nil, fmt.Errorf("%w: %s is gone or empty", errDamaged, filepath.Join(f.dir, file))
		}
	}
	return f, nil
}

// read reads figure.json.
func read(dir, name string) (*Finished, error) {
	path := filepath.Join(dir, name, "figure.json")
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	f := Finished{dir: filepath.Join(dir, name)}
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", errDamaged, path, err)
	}
	if f.Format != finishedHeader.Format {
		return nil, fmt.Errorf("%w: %s is %q and not %q", errDamaged, path, f.Format, finishedHeader.Format)
	}
	if f.Version != finishedHeader.Version {
		return nil, fmt.Errorf("%s has version %d of format %q: this program knows version %d; give another folder",
			path, f.Version, f.Format, finishedHeader.Version)
	}
	return &f, nil
}

// files are the names of what belongs to the figure, but for figure.json itself.
func (f *Finished) files() (names []string) {
	for _, d := range f.Drawings {
		for _, format := range plot.Formats() {
			names = append(names, d.Name+"."+format)
		}
	}
	for _, t := range f.Tables {
		names = append(names, t.Name+".csv")
	}
	if f.Data != "" {
		names = append(names, f.Data)
	}
	return names
}

// store writes the folder of a figure that took so long and has just ended aside, and puts it in place, in the
// stead of an older one.
func store(o Options, f Figure, r *Result, seconds float64) (*Finished, error) {
	started := time.Now().Add(-time.Duration(seconds * float64(time.Second)))
	out := &Finished{
		Format: finishedHeader.Format, Version: finishedHeader.Version, Program: meta.Program(), Name: f.Name,
		Title: f.Title, Shows: f.Shows,
		Host:    run.Host{OS: runtime.GOOS, Arch: runtime.GOARCH, Go: runtime.Version(), Processors: runtime.NumCPU()},
		Started: started.UTC().Round(time.Millisecond), Seconds: seconds,
		FigureVersion: f.Version, Settings: o.Settings, Claims: r.Claims, Notes: r.Notes, Missing: r.Missing,
		Models:   r.Models,
		Drawings: []StoredFile{}, Tables: []StoredFile{},
		dir: filepath.Join(o.Dir, f.Name),
	}
	if out.Claims == nil {
		out.Claims = []Claim{} // a list in JSON, too
	}
	for k := range out.Claims {
		c := &out.Claims[k]
		c.Figure, c.Regenerate = f.Name, o.command(f.Name, o.Settings)
		if err := c.Check(); err != nil {
			return nil, err
		}
	}
	aside, err := os.MkdirTemp(o.Dir, "."+f.Name+"-")
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
		if err := write(filepath.Join(dir, d.Name+".json"), d.Plot.WriteData); err != nil {
			return fmt.Errorf("numbers of drawing %s: %w", d.Name, err)
		}
		f.Drawings = append(f.Drawings, StoredFile{d.Name, d.Caption})
	}
	for _, t := range r.Tables {
		if err := t.Check(); err != nil {
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
		f.Data = "data.json"
		if err := write(filepath.Join(dir, f.Data), AsJSON(r.Values)); err != nil {
			return fmt.Errorf("%s: %w", f.Data, err)
		}
	}
	return write(filepath.Join(dir, "figure.json"), AsJSON(f))
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

// AsJSON is a function that writes a value as indented JSON.
func AsJSON(value any) func(io.Writer) error {
	return func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		return e.Encode(value)
	}
}

// command makes a figure again; empty if it is not known.
func (o Options) command(figure string, s Settings) string {
	if o.Command == nil {
		return ""
	}
	return o.Command(figure, s)
}
