package verdict

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"instanton/plot"
)

// Figure is a figure of the paper, or a claim of its text, and how to make it again.
type Figure struct {
	Name  string // as on the command line, after the paper's label
	Title string
	Shows string // what is drawn, in a sentence or two
	// Version of the computation. Results of another version are made again.
	Version int
	Run     func(ctx context.Context, s Settings) (*Result, error)
}

// Settings say how figures are made. Results depend on Quick and Seed.
type Settings struct {
	Quick bool   `json:"quick"` // shorter chains and training
	Seed  uint64 `json:"seed"`
	// Seeds are those of a merged summary, of which Seed is the first; nil for results of one.
	Seeds []uint64 `json:"seeds,omitempty"`

	MNIST   string                           `json:"-"` // folder with MNIST's files; empty for the user's cache
	Workers int                              `json:"-"` // goroutines of one figure
	Tiny    bool                             `json:"-"` // for tests: less than quick
	Say     func(format string, args ...any) `json:"-"` // hears of progress, one line at a time; may be nil

	dir    string // the folder of results
	shared *sync.Map
	models *models // those that this figure used; may be nil
}

// String names what results depend on.
func (s Settings) String() string {
	text := fmt.Sprintf("seed %d", s.Seed)
	if len(s.Seeds) > 0 {
		text = "seeds " + strings.Trim(strings.ReplaceAll(fmt.Sprint(s.Seeds), " ", ", "), "[]")
	}
	if s.Quick {
		text += ", quick"
	}
	return text
}

// In are the settings with a folder to keep results in, which all figures share that are made with them.
func (s Settings) In(dir string) Settings {
	s.dir, s.shared = dir, new(sync.Map)
	return s
}

// Progress reports progress.
func (s Settings) Progress(format string, args ...any) {
	if s.Say != nil {
		s.Say(format, args...)
	}
}

// Folder is a folder that outlives an interruption and that figures share, for trained models and the like. It is made
// if need be.
func (s Settings) Folder(name string) (string, error) {
	dir := filepath.Join(s.dir, "work", name)
	if s.dir == "" {
		return "", fmt.Errorf("the figure was given no folder to keep %s in", name)
	}
	return dir, os.MkdirAll(dir, 0o755)
}

// Once runs a function that several figures need to have been run, such as the training of a model
// they share: the first to come runs it, the others wait and get the same error.
func (s Settings) Once(name string, run func() error) error {
	if s.shared == nil {
		return run()
	}
	once, _ := s.shared.LoadOrStore(name, sync.OnceValue(run))
	return once.(func() error)()
}

// models are the trained models that a figure used, as folders below that of the results.
type models struct {
	lock sync.Mutex
	dirs []string
}

// UseModel notes that the figure uses the trained model in a folder.
func (s Settings) UseModel(dir string) {
	if s.models == nil {
		return
	}
	if below, err := filepath.Rel(s.dir, dir); err == nil {
		dir = filepath.ToSlash(below)
	}
	s.models.lock.Lock()
	defer s.models.lock.Unlock()
	s.models.dirs = append(s.models.dirs, dir)
}

// list names the models once each, in order.
func (m *models) list() []string {
	m.lock.Lock()
	defer m.lock.Unlock()
	return slices.Compact(slices.Sorted(slices.Values(m.dirs)))
}

// Result is what running a figure gives.
type Result struct {
	Drawings []Drawing
	Tables   []*Table
	Values   any // numbers for data.json, nil for none
	Claims   []Claim
	Notes    []string // paragraphs for the report
	// Missing says which data could not be had, empty for none. What was made without them is kept until the figure is
	// asked for again.
	Missing string
	// Models are the run directories of the trained models that were used, filled in by Make.
	Models []string
}

// Drawing is a picture with its caption.
type Drawing struct {
	Name    string // of its files; empty for the name of the figure
	Caption string
	Plot    plot.Figure
}

// Draw adds a picture.
func (r *Result) Draw(name, caption string, figure plot.Figure) {
	r.Drawings = append(r.Drawings, Drawing{name, caption, figure})
}

// Table adds an empty table with the given columns.
func (r *Result) Table(name, caption string, header ...string) *Table {
	t := &Table{Name: name, Caption: caption, Header: header}
	r.Tables = append(r.Tables, t)
	return t
}

// Claim adds a claim. One that holds as it is printed needs no correction, and one that is decided nothing more.
func (r *Result) Claim(c Claim) {
	if c.Verdict == Holds || c.Verdict == Open {
		c.Correction = ""
	}
	if c.Verdict != Open {
		c.Needs = ""
	}
	r.Claims = append(r.Claims, c)
}

// Note adds a paragraph to the report.
func (r *Result) Note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}
