package paper

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"instanton/internal/atomicfile"
	"instanton/internal/meta"
)

// Options say where and how figures are made.
type Options struct {
	Settings
	Dir   string
	Force bool // make finished figures again

	registry []Figure // all figures that a folder may hold; All in general
}

// Summary is paper.json: all claims of a folder of results.
type Summary struct {
	meta.Header
	Settings Settings        `json:"settings"`
	Report   string          `json:"report"`
	Verdicts map[Verdict]int `json:"verdicts"`
	Figures  []SummaryFigure `json:"figures"`
	Claims   []Claim         `json:"claims"`

	finished []*Finished
}

// SummaryFigure is a finished figure.
type SummaryFigure struct {
	Name    string  `json:"name"`
	Title   string  `json:"title"`
	Seconds float64 `json:"seconds"`
}

var summaryHeader = meta.Header{Format: "instanton-paper", Version: 1}

// Make runs figures that are not finished yet, several at a time, and writes the report on all
// that are in the folder. An error of one figure does not keep the others from being finished; when the
// context ends, those under way are given up and a later call makes them.
func Make(ctx context.Context, figures []Figure, o Options) (*Summary, error) {
	if err := prepare(o); err != nil {
		return nil, err
	}
	o.dir, o.shared = o.Dir, new(sync.Map)
	if o.registry == nil {
		o.registry = All()
	}
	if o.Workers < 1 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	failures := make([]error, len(figures))
	turns := make(chan struct{}, o.Workers)
	var all sync.WaitGroup
	for k, f := range figures {
		turns <- struct{}{}
		all.Go(func() {
			if ctx.Err() == nil {
				failures[k] = makeOne(ctx, f, o)
			}
			<-turns
		})
	}
	all.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s, err := summarise(o)
	if err != nil {
		return nil, err
	}
	return s, errors.Join(failures...)
}

// prepare makes the folder, or checks that it holds results with the same settings.
func prepare(o Options) error {
	path := filepath.Join(o.Dir, "paper.json")
	text, err := os.ReadFile(path)
	switch {
	case err == nil:
		var before Summary
		if err := json.Unmarshal(text, &before); err != nil || before.Header != summaryHeader {
			return fmt.Errorf("%s is not what this program writes: give another folder", path)
		}
		if was := before.Settings; was.Quick != o.Quick || was.Seed != o.Seed {
			return fmt.Errorf("%s holds figures made with %s: give the same settings, or another folder than for %s", o.Dir, was.flags(), o.flags())
		}
		return nil
	case !errors.Is(err, os.ErrNotExist):
		return err
	}
	entries, err := os.ReadDir(o.Dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if len(entries) > 0 {
		return fmt.Errorf("%s holds %s and no figures of the paper: give another folder", o.Dir, entries[0].Name())
	}
	if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return err
	}
	return atomicfile.Write(path, false, asJSON(Summary{Header: summaryHeader, Settings: o.Settings}))
}

// flags are the settings as they are given on the command line.
func (s Settings) flags() string {
	f := fmt.Sprintf("--seed %d", s.Seed)
	if s.Quick {
		return "--quick " + f
	}
	return f
}

// makeOne runs a figure into its folder, unless it is there.
func makeOne(ctx context.Context, f Figure, o Options) error {
	before, err := load(o.Dir, f.Name)
	if err != nil {
		return err
	}
	if before != nil && !o.Force && before.FigureVersion == f.Version && before.Missing == "" {
		o.say("%s: finished before", f.Name)
		return nil
	}
	s := o.Settings
	s.Say = func(format string, args ...any) { o.say(f.Name+": "+format, args...) }
	s.say("begun")
	start := time.Now()
	r, err := f.run(ctx, s)
	if err != nil {
		if ctx.Err() == nil {
			s.say("failed: %v", err)
		}
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	done, err := store(o.Dir, f, o.Settings, r, time.Since(start).Seconds())
	if err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	s.say("done in %.1f s; %s", done.Seconds, Count(done.Claims))
	return nil
}

// run turns a panic of one figure into an error, so that hours of others are not lost to it.
func (f Figure) run(ctx context.Context, s Settings) (r *Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			stack := make([]byte, 4096)
			err = fmt.Errorf("%v\n%s", p, stack[:runtime.Stack(stack, false)])
		}
	}()
	return f.Run(ctx, s)
}

// summarise gathers all finished figures of the folder and writes paper.json, claims.md and report.html.
func summarise(o Options) (*Summary, error) {
	s := &Summary{
		Header: summaryHeader, Settings: o.Settings, Report: filepath.Join(o.Dir, "report.html"),
		Verdicts: map[Verdict]int{Holds: 0, Corrected: 0, Fails: 0}, Figures: []SummaryFigure{}, Claims: []Claim{},
	}
	for _, f := range o.registry {
		done, err := load(o.Dir, f.Name)
		if err != nil {
			return nil, err
		}
		if done == nil || done.FigureVersion != f.Version {
			continue
		}
		s.finished = append(s.finished, done)
		s.Figures = append(s.Figures, SummaryFigure{done.Name, done.Title, done.Seconds})
		for _, c := range done.Claims {
			s.Verdicts[c.Verdict]++
			s.Claims = append(s.Claims, c)
		}
	}
	page, err := s.page()
	if err != nil {
		return nil, err
	}
	if err := atomicfile.Write(s.Report, true, page.Write); err != nil {
		return nil, err
	}
	if err := atomicfile.Write(filepath.Join(o.Dir, "claims.md"), true, s.markdown); err != nil {
		return nil, err
	}
	return s, atomicfile.Write(filepath.Join(o.Dir, "paper.json"), true, asJSON(s))
}

// Find returns figures by their names, in the order of the paper.
func Find(names []string) ([]Figure, error) {
	var found []Figure
	var known []string
	wanted := map[string]bool{}
	for _, n := range names {
		wanted[n] = true
	}
	for _, f := range All() {
		known = append(known, f.Name)
		if wanted[f.Name] {
			found = append(found, f)
			delete(wanted, f.Name)
		}
	}
	for _, n := range names {
		if wanted[n] {
			return nil, fmt.Errorf("unknown figure %q: expected all, or some of %s", n, strings.Join(known, ", "))
		}
	}
	return found, nil
}
