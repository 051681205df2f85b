package verdict

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"instanton/internal/lockfile"
	"instanton/plot"
)

// toy is a figure that counts its runs.
func toy(name string, version int, runs *atomic.Int32) Figure {
	return Figure{Name: name, Title: "The figure " + name, Shows: "A line.", Version: version,
		Run: func(context.Context, Settings) (*Result, error) {
			runs.Add(1)
			var r Result
			r.Draw("", "A line.",
				plot.Figure{Panels: []plot.Panel{{Series: []plot.Series{plot.Line{X: []float64{0, 1},
					Y: []float64{0, 1}}}}}})
			t := r.Table("numbers", "Numbers.", "x", "y")
			t.Add(1, 1.0/3)
			t.Shown = true
			r.Values = map[string]int{"answer": 42}
			r.Claim(Claim{Name: "one", Where: "nowhere", Statement: "One is one of " + name + ".", Criterion: "it is",
				Measured: []Measured{{Name: "one", Value: 1}}, Verdict: Holds})
			r.Claim(Claim{Name: "two", Where: "nowhere", Statement: "One is two.", Criterion: "it is",
				Measured: []Measured{{Name: "one", Value: 1, Error: 0.1}}, Verdict: Fails})
			return &r, nil
		}}
}

func TestMakeWritesAFolderAFigure(t *testing.T) {
	var runs atomic.Int32
	figures := []Figure{toy("fig-a", 1, &runs), toy("fig-b", 1, &runs)}
	o := Options{Dir: filepath.Join(t.TempDir(), "out"), Registry: figures}
	o.Quick, o.Seed = true, 7
	o.Command = func(figure string, s Settings) string { return fmt.Sprintf("make %s with %v", figure, s) }
	s, err := Make(t.Context(), figures[:1], o)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Claims) != 2 || s.Verdicts[Holds] != 1 || s.Verdicts[Fails] != 1 || s.Claims[0].Figure != "fig-a" ||
		s.Claims[0].Regenerate != "make fig-a with seed 7, quick" {
		t.Errorf("summary %+v", s)
	}
	for _, name := range []string{"fig-a.png", "fig-a.pdf", "fig-a.svg", "fig-a.json", "numbers.csv", "data.json",
		"figure.json"} {
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
	for _, want := range []string{"The figure fig-a", "The figure fig-b", "One is one of fig-a.",
		"4 claims: 2 hold, 0 with a correction, 2 fail", "<svg ", "make fig-b with seed 7, quick", "0.33333<"} {
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
	if want := "| `fig-b` | One is two. | one 1.00 ± 0.10 | fails |\n"; !strings.HasSuffix(string(text), want) ||
		strings.Count(string(text), "\n") != 6 {
		t.Errorf("claims.md %q, want the end %q", text, want)
	}
	if left, _ := filepath.Glob(filepath.Join(o.Dir, ".fig*")); len(left) > 0 {
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
	if _, err := Make(t.Context(), figures, o); err == nil || !strings.Contains(err.Error(),
		"made with seed 7, quick") {
		t.Errorf("error %v", err)
	}
}

func TestMakeRefusesForeignFolders(t *testing.T) {
	var runs atomic.Int32
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Make(t.Context(), []Figure{toy("fig-a", 1, &runs)}, Options{Dir: dir}); err == nil ||
		!strings.Contains(err.Error(), "holds notes.txt") {
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
	figure := Figure{Name: "fig-a", Title: "A figure", Shows: "Data.", Version: 1,
		Run: func(context.Context, Settings) (*Result, error) {
			runs.Add(1)
			if !there {
				return &Result{Missing: "the data are left out"}, nil
			}
			return &Result{}, nil
		}}
	o := Options{Dir: filepath.Join(t.TempDir(), "out"), Registry: []Figure{figure}}
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

// A folder that was named and lacks the files is a mistake, not missing data.
func TestMakeRefusesFoldersWithoutMNIST(t *testing.T) {
	var runs atomic.Int32
	o := Options{Dir: filepath.Join(t.TempDir(), "out")}
	for _, o.MNIST = range []string{t.TempDir(), filepath.Join(t.TempDir(), "none")} {
		if _, err := Make(t.Context(), []Figure{toy("fig-a", 1, &runs)}, o); !isMNISTError(err, o.MNIST) {
			t.Errorf("error %v", err)
		}
	}
	if _, err := os.Stat(o.Dir); err == nil || runs.Load() > 0 {
		t.Error("work was begun")
	}
}

func isMNISTError(err error, dir string) bool {
	var wrong *MNISTError
	return errors.As(err, &wrong) && wrong.Dir == dir
}

// A figure of which something is gone or damaged is made again, and said to be.
func TestMakeRepairs(t *testing.T) {
	var runs atomic.Int32
	figures := []Figure{toy("fig-a", 1, &runs), toy("fig-b", 1, &runs)}
	var said []string
	var lock sync.Mutex
	o := Options{Dir: t.TempDir(), Registry: figures}
	o.Say = func(format string, args ...any) {
		lock.Lock()
		defer lock.Unlock()
		said = append(said, fmt.Sprintf(format, args...))
	}
	if _, err := Make(t.Context(), figures, o); err != nil {
		t.Fatal(err)
	}
	want := runs.Load()
	for _, damage := range []struct{ file, text string }{
		{"figure.json", ""}, {"figure.json", `{"format": "other"}`}, {"figure.json", `{"for`}, {"fig-a.svg", "gone"},
		{"fig-a.pdf", ""}, {"numbers.csv", "gone"}, {"data.json", "gone"},
	} {
		path := filepath.Join(o.Dir, "fig-a", damage.file)
		if damage.text == "gone" {
			_ = os.Remove(path)
		} else if err := os.WriteFile(path, []byte(damage.text), 0o644); err != nil {
			t.Fatal(err)
		}
		said = nil
		// Another figure is none the worse for it.
		s, err := Make(t.Context(), figures[1:], o)
		if err != nil || len(s.Figures) != 1 || !strings.Contains(strings.Join(said, "\n"),
			"fig-a: left out of the report, as the folder is damaged: ") {
			t.Errorf("%s %q: %v, %+v, %q", damage.file, damage.text, err, s, said)
		}
		said, want = nil, want+1
		s, err = Make(t.Context(), figures[:1], o)
		if err != nil || runs.Load() != want || len(s.Figures) != 2 ||
			!strings.Contains(strings.Join(said, "\n"), "fig-a: made again, as the folder is damaged: "+path) {
			t.Errorf("%s %q: %v, %d runs, want %d, %q", damage.file, damage.text, err, runs.Load(), want, said)
		}
	}
	// Results of a newer program are not thrown away.
	path := filepath.Join(o.Dir, "fig-a", "figure.json")
	if err := os.WriteFile(path, []byte(`{"format": "instanton-figure", "version": 2}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Make(t.Context(), figures, o); err == nil || !strings.Contains(err.Error(), "has version 2") ||
		runs.Load() != want {
		t.Errorf("error %v, %d runs, want %d", err, runs.Load(), want)
	}
}

// Without its paper.json a folder goes by what its figures say.
func TestMakeFindsTheSettingsAgain(t *testing.T) {
	var runs atomic.Int32
	figures := []Figure{toy("fig-a", 1, &runs), toy("fig-b", 1, &runs)}
	o := Options{Dir: t.TempDir(), Registry: figures}
	o.Seed = 7
	if _, err := Make(t.Context(), figures[:1], o); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(o.Dir, "paper.json")
	for _, spoil := range []func() error{func() error { return os.Remove(path) },
		func() error { return os.WriteFile(path, nil, 0o644) }} {
		if err := spoil(); err != nil {
			t.Fatal(err)
		}
		other := o
		other.Seed = 8
		if _, err := Make(t.Context(), figures, other); err == nil || !strings.Contains(err.Error(),
			"made with seed 7:") {
			t.Errorf("error %v", err)
		}
		if s, err := Make(t.Context(), figures, o); err != nil || len(s.Figures) != 2 || runs.Load() != 2 {
			t.Errorf("%v, %+v, %d runs", err, s, runs.Load())
		}
	}
}

// An error of a figure is not lost where the report cannot be written, either.
func TestMakeTellsAllErrors(t *testing.T) {
	figure := Figure{Name: "fig-a", Title: "A", Shows: "Nothing.", Version: 1,
		Run: func(context.Context, Settings) (*Result, error) { return nil, errors.New("it broke") }}
	dir := t.TempDir()
	o := Options{Dir: dir, Registry: []Figure{figure}}
	if _, err := Make(t.Context(), nil, o); err != nil {
		t.Fatal(err)
	}
	page := filepath.Join(dir, "report.html")
	_ = os.Remove(page)
	if err := os.MkdirAll(filepath.Join(page, "in the way"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := Make(t.Context(), o.Registry, o); err == nil || !strings.Contains(err.Error(), "fig-a: it broke") ||
		!strings.Contains(err.Error(), "report.html") {
		t.Errorf("error %v", err)
	}
}

// Two processes do not write into one folder.
func TestMakeLocksTheFolder(t *testing.T) {
	var runs atomic.Int32
	o := Options{Dir: t.TempDir()}
	lock, err := lockfile.Lock(o.Dir)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if _, err := Make(t.Context(), []Figure{toy("fig-a", 1, &runs)}, o); err == nil || !strings.Contains(err.Error(),
		"another process works in "+o.Dir) || runs.Load() > 0 {
		t.Errorf("error %v, %d runs", err, runs.Load())
	}
}

// A figure says which models it used, and where and when it was made.
func TestMakeNamesModelsAndMachine(t *testing.T) {
	figure := Figure{Name: "fig-a", Title: "A", Shows: "Models.", Version: 1,
		Run: func(_ context.Context, s Settings) (*Result, error) {
			for _, name := range []string{"two", "one", "two"} {
				dir, err := s.Folder(name)
				if err != nil {
					return nil, err
				}
				s.UseModel(filepath.Join(dir, "run"))
			}
			return &Result{}, nil
		}}
	var runs atomic.Int32
	other := toy("fig-b", 1, &runs)
	o := Options{Dir: t.TempDir(), Registry: []Figure{figure, other}}
	s, err := Make(t.Context(), o.Registry, o)
	if err != nil {
		t.Fatal(err)
	}
	f, err := load(o.Dir, "fig-a")
	if err != nil || !slices.Equal(f.Models, []string{"work/one/run", "work/two/run"}) ||
		f.Host.Go != runtime.Version() || f.Host.Processors < 1 || f.Started.IsZero() || f.Program == "" {
		t.Errorf("%v, %+v", err, f)
	}
	if f, err := load(o.Dir, "fig-b"); err != nil || f.Models != nil {
		t.Errorf("%v, models %v", err, f.Models)
	}
	text, _ := os.ReadFile(filepath.Join(o.Dir, "fig-a", "figure.json"))
	for _, want := range []string{`"claims": []`, `"drawings": []`, `"tables": []`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("figure.json lacks %s", want)
		}
	}
	page, _ := os.ReadFile(s.Report)
	for _, want := range []string{"work/one/run, work/two/run", runtime.Version(), runtime.GOOS + "/" +
		runtime.GOARCH} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the report lacks %q", want)
		}
	}
	// The asked figures alone.
	if part := s.Of([]Figure{figure}); len(part.Figures) != 1 || len(part.Claims) != 0 || part.Verdicts[Fails] != 0 ||
		s.Verdicts[Fails] != 1 {
		t.Errorf("part %+v of %+v", part, s)
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
			return &Result{Claims: []Claim{{Name: "x", Where: "y", Statement: "z", Criterion: "c", Verdict: Holds}}},
				nil
		}),
		toy("fig-a", 1, &runs),
	}
	s, err := Make(t.Context(), figures, Options{Dir: t.TempDir(), Registry: figures})
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
	o := Options{Dir: t.TempDir(), Registry: figures}
	o.Workers = 1
	sum, err := Make(ctx, figures, o)
	if !errors.Is(err, context.Canceled) || strings.Contains(err.Error(), "fig-") {
		t.Errorf("error %v", err)
	}
	// What was finished is told.
	if sum == nil || len(sum.Figures) != 1 || sum.Figures[0].Name != "fig-a" {
		t.Errorf("summary %+v", sum)
	}
	for _, name := range []string{"report.html", "claims.md", "paper.json"} {
		if text, err := os.ReadFile(filepath.Join(o.Dir, name)); err != nil || !strings.Contains(string(text),
			"One is one of fig-a.") {
			t.Errorf("%s: %v, or it lacks the finished figure", name, err)
		}
	}
	if done, err := load(o.Dir, "fig-a"); err != nil || done == nil || runs.Load() != 1 {
		t.Errorf("%v, %v, %d runs: the first figure should be finished and the last not begun", done, err, runs.Load())
	}
}

// Figures that need the same thing make it once; each has a folder that stays.
func TestOnceAndFolder(t *testing.T) {
	var made atomic.Int32
	s := Settings{}.In(t.TempDir())
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
