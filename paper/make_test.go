package paper

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"instanton/plot"
)

// toy is a figure that counts its runs.
func toy(name string, version int, runs *atomic.Int32) Figure {
	return Figure{Name: name, Title: "The figure " + name, Shows: "A line.", Version: version,
		Run: func(context.Context, Settings) (*Result, error) {
			runs.Add(1)
			var r Result
			r.Draw("", "A line.", plot.Figure{Panels: []plot.Panel{{Series: []plot.Series{plot.Line{X: []float64{0, 1}, Y: []float64{0, 1}}}}}})
			t := r.Table("numbers", "Numbers.", "x", "y")
			t.Add(1, 1.0/3)
			t.Shown = true
			r.Values = map[string]int{"answer": 42}
			r.Claim(Claim{Name: "one", Where: "nowhere", Statement: "One is one of " + name + ".", Criterion: "it is", Measured: []Measured{{Name: "one", Value: 1}}, Verdict: Holds})
			r.Claim(Claim{Name: "two", Where: "nowhere", Statement: "One is two.", Criterion: "it is", Measured: []Measured{{Name: "one", Value: 1, Error: 0.1}}, Verdict: Fails})
			return &r, nil
		}}
}

func TestMakeWritesAFolderAFigure(t *testing.T) {
	var runs atomic.Int32
	figures := []Figure{toy("fig-a", 1, &runs), toy("fig-b", 1, &runs)}
	o := Options{Dir: filepath.Join(t.TempDir(), "out"), registry: figures}
	o.Quick, o.Seed = true, 7
	s, err := Make(t.Context(), figures[:1], o)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Claims) != 2 || s.Verdicts[Holds] != 1 || s.Verdicts[Fails] != 1 || s.Claims[0].Figure != "fig-a" || s.Claims[0].Regenerate != "instanton paper fig-a --quick --seed 7 --out DIR" {
		t.Errorf("summary %+v", s)
	}
	for _, name := range []string{"fig-a.png", "fig-a.pdf", "fig-a.svg", "numbers.csv", "data.json", "figure.json"} {
		if info, err := os.Stat(filepath.Join(o.Dir, "fig-a", name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	text, _ := os.ReadFile(filepath.Join(o.Dir, "fig-a", "numbers.csv"))
	if string(text) != "x,y\n1,0.3333333333333333\n" {
		t.Errorf("table %q", text)
	}
	// Another figure joins; the report has both, though the first was not run again.
	if _, err := Make(t.Context(), figures, o); err != nil {
		t.Fatal(err)
	}
	if runs.Load() != 2 {
		t.Errorf("%d runs, want 2", runs.Load())
	}
	page, _ := os.ReadFile(filepath.Join(o.Dir, "report.html"))
	for _, want := range []string{"The figure fig-a", "The figure fig-b", "One is one of fig-a.", "4 claims: 2 hold, 0 with a correction, 2 fail", "<svg ", "instanton paper fig-b --quick --seed 7 --out DIR", "0.333333"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the report lacks %q", want)
		}
	}
	var summary Summary
	text, _ = os.ReadFile(filepath.Join(o.Dir, "paper.json"))
	if err := json.Unmarshal(text, &summary); err != nil || len(summary.Claims) != 4 || !summary.Settings.Quick {
		t.Errorf("paper.json: %v, %+v", err, summary)
	}
	text, _ = os.ReadFile(filepath.Join(o.Dir, "claims.md"))
	if want := "| `fig-b` | One is two. | one 1.00 ± 0.10 | fails |\n"; !strings.HasSuffix(string(text), want) || strings.Count(string(text), "\n") != 6 {
		t.Errorf("claims.md %q, want the end %q", text, want)
	}
	if left, _ := filepath.Glob(filepath.Join(o.Dir, ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	// A new version of a figure is run, and a finished one when forced.
	figures[0].Version = 2
	if _, err := Make(t.Context(), figures, o); err != nil || runs.Load() != 3 {
		t.Errorf("%v, %d runs, want 3", err, runs.Load())
	}
	o.Force = true
	if _, err := Make(t.Context(), figures, o); err != nil || runs.Load() != 5 {
		t.Errorf("%v, %d runs, want 5", err, runs.Load())
	}
	// Other settings are not mixed in.
	o.Seed = 8
	if _, err := Make(t.Context(), figures, o); err == nil || !strings.Contains(err.Error(), "made with --quick --seed 7") {
		t.Errorf("error %v", err)
	}
}

func TestMakeRefusesForeignFolders(t *testing.T) {
	var runs atomic.Int32
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Make(t.Context(), []Figure{toy("fig-a", 1, &runs)}, Options{Dir: dir}); err == nil || !strings.Contains(err.Error(), "holds notes.txt") {
		t.Errorf("error %v", err)
	}
	if runs.Load() != 0 {
		t.Error("the figure was run")
	}
}

// A figure whose data could not be had says so, and is made again when they may be there.
func TestMakeTriesAgainWhatLackedData(t *testing.T) {
	var runs atomic.Int32
	there := false
	figure := Figure{Name: "fig-a", Title: "A figure", Shows: "Data.", Version: 1, Run: func(context.Context, Settings) (*Result, error) {
		runs.Add(1)
		if !there {
			return &Result{Missing: "the data are left out"}, nil
		}
		return &Result{}, nil
	}}
	o := Options{Dir: filepath.Join(t.TempDir(), "out"), registry: []Figure{figure}}
	for want := int32(1); want <= 3; want++ {
		if _, err := Make(t.Context(), []Figure{figure}, o); err != nil || runs.Load() != min(want, 2) {
			t.Errorf("%v, %d runs, want %d", err, runs.Load(), min(want, 2))
		}
		page, _ := os.ReadFile(filepath.Join(o.Dir, "report.html"))
		if got := strings.Contains(string(page), "the data are left out"); got == there {
			t.Errorf("data there %v; the report speaks of missing ones: %v", there, got)
		}
		there = true
	}
}

// One figure that fails, or panics, or says something it must not, keeps no other from being made.
func TestMakeGoesOnAfterAFailure(t *testing.T) {
	var runs atomic.Int32
	bad := func(name string, run func(context.Context, Settings) (*Result, error)) Figure {
		return Figure{Name: name, Title: name, Version: 1, Run: run}
	}
	figures := []Figure{
		bad("fig-broken", func(context.Context, Settings) (*Result, error) { return nil, errors.New("it broke") }),
		bad("fig-panic", func(context.Context, Settings) (*Result, error) { panic("help") }),
		bad("fig-mute", func(context.Context, Settings) (*Result, error) {
			return &Result{Claims: []Claim{{Name: "x", Where: "y", Statement: "z", Criterion: "c", Verdict: Holds}}}, nil
		}),
		toy("fig-a", 1, &runs),
	}
	s, err := Make(t.Context(), figures, Options{Dir: t.TempDir(), registry: figures})
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{"fig-broken: it broke", "fig-panic: help", `fig-mute: claim "x" rests on no number`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error lacks %q: %v", want, err)
		}
	}
	if s == nil || len(s.Figures) != 1 || s.Figures[0].Name != "fig-a" {
		t.Errorf("summary %+v", s)
	}
}

func TestMakeStopsWhenTold(t *testing.T) {
	var runs atomic.Int32
	ctx, cancel := context.WithCancel(t.Context())
	figures := []Figure{
		toy("fig-a", 1, &runs),
		{Name: "fig-long", Title: "long", Version: 1, Run: func(ctx context.Context, _ Settings) (*Result, error) {
			cancel()
			<-ctx.Done()
			return nil, ctx.Err()
		}},
		toy("fig-b", 1, &runs),
	}
	o := Options{Dir: t.TempDir(), registry: figures}
	o.Workers = 1
	if _, err := Make(ctx, figures, o); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if done, err := load(o.Dir, "fig-a"); err != nil || done == nil || runs.Load() != 1 {
		t.Errorf("%v, %v, %d runs: the first figure should be finished and the last not begun", done, err, runs.Load())
	}
}

// Figures that need the same thing make it once; each has a folder that stays.
func TestOnceAndFolder(t *testing.T) {
	var made atomic.Int32
	s := Settings{dir: t.TempDir(), shared: new(sync.Map)}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if err := s.Once("model", func() error { made.Add(1); return errors.New("no") }); err == nil {
				t.Error("the error was lost")
			}
		})
	}
	all.Wait()
	if made.Load() != 1 {
		t.Errorf("made %d times", made.Load())
	}
	dir, err := s.Folder("model")
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		t.Errorf("%s: %v", dir, err)
	}
}

func TestFind(t *testing.T) {
	found, err := Find([]string{"fig-mh", "fig-algo"})
	if err != nil || len(found) != 2 || found[0].Name != "fig-algo" {
		t.Errorf("%v, %v", found, err)
	}
	if _, err := Find([]string{"fig-algo", "fig-none"}); err == nil || !strings.Contains(err.Error(), `unknown figure "fig-none": expected all, or some of fig-algo`) {
		t.Errorf("error %v", err)
	}
}

// Names are file names and the words of the command line; each is there once.
func TestRegistry(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range All() {
		if seen[f.Name] || f.Name == "" || strings.ContainsAny(f.Name, " /_.") || f.Name == "all" || f.Name == "list" {
			t.Errorf("the name %q", f.Name)
		}
		if f.Title == "" || f.Shows == "" || f.Version < 1 || f.Run == nil {
			t.Errorf("%s is not whole", f.Name)
		}
		seen[f.Name] = true
	}
}
