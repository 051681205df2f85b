package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"instanton/batch"
	"instanton/internal/atomicfile"
	"instanton/internal/lockfile"
	"instanton/internal/meta"
	"instanton/rbm"
	"instanton/train"
	"instanton/unit"
)

// States of a run.
const (
	Running  = "running"
	Stopped  = "stopped" // on request; it can be resumed
	Finished = "finished"
	Diverged = "diverged"
)

// Manifest is the content of run.json: what is known about a run.
type Manifest struct {
	Format  string  `json:"format"`  // "instanton-run"
	Version int     `json:"version"` // of the format
	Program string  `json:"program"` // with its version
	Seed    uint64  `json:"seed"`
	Host    Host    `json:"host"`
	Inputs  []Input `json:"inputs"`
	State   string  `json:"state"`             // Running, Stopped, Finished or Diverged
	Message string  `json:"message,omitempty"` // why the training diverged
	Updates int     `json:"updates"`           // done so far
	Total   int     `json:"total"`             // of the whole run
	Result  *Result `json:"result,omitempty"`  // of a finished run
}

// Host describes the machine of a run.
type Host struct {
	OS         string `json:"os"`
	Arch       string `json:"arch"`
	Go         string `json:"go"`
	Processors int    `json:"processors"`
}

// What this program writes into, and expects of, run.json.
const (
	manifestFormat  = "instanton-run"
	manifestVersion = 1
)

// Run is a training run in a directory.
type Run struct {
	Dir string

	cfg      Config
	in       *inputs
	trainer  *train.Trainer
	manifest Manifest
	monitor  *monitor
	watch    *train.Watch
	metrics  *metrics
	seconds  float64 // of work before this process
	workers  int
	lock     io.Closer // held while the run is open
}

// Open starts a run in a directory, or resumes the one that is there. The settings that influence the model, and the
// content of the data, must be those with which it was begun. The run uses the given number of goroutines, or one per
// processor if workers is 0; that number does not influence the model.
func Open(dir string, cfg Config, workers int) (*Run, error) { return OpenOn(nil, dir, cfg, workers) }

// OpenOn is Open on the device that a function chooses for the layers of the model; without one, on the processor. The
// device does not influence the model either: a run may be resumed on another.
func OpenOn(choose func(visible, hidden unit.Spec) (batch.Device, error), dir string, cfg Config, workers int) (
	*Run, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	in, err := readInputs(cfg)
	if err != nil {
		return nil, err
	}
	cfg.Model.Visible = in.train.States.Spec.String()
	if cfg.Train, err = cfg.Train.Resolve(in.hidden, in.train); err != nil {
		return nil, err
	}
	r := &Run{Dir: dir, cfg: cfg, in: in, workers: workers}
	var device batch.Device
	if choose != nil {
		if device, err = choose(in.train.States.Spec, in.hidden); err != nil {
			return nil, err
		}
	}
	if r.trainer, err = cfg.Train.NewOn(device, in.hidden, in.train, workers); err != nil {
		return nil, err
	}
	if err := r.resume(); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// resume locks the directory and restores the last checkpoint.
func (r *Run) resume() (err error) {
	if err := r.prepare(); err != nil {
		return err
	}
	r.monitor = newMonitor(r.trainer.Model(), r.in, r.workers)
	if r.watch, err = train.NewWatch(r.trainer, train.WatchOptions{Workers: r.workers}); err != nil {
		return err
	}
	if r.seconds, err = restore(r.path("checkpoints"), r.trainer); err != nil {
		return err
	}
	if r.metrics, err = openMetrics(r.path("metrics.jsonl"), r.trainer.Updates()); err != nil {
		return err
	}
	r.watch.Resume(checksOf(r.metrics.reports))
	return nil
}

// Close releases the directory; Train does so at its end.
func (r *Run) Close() {
	if r.metrics != nil {
		r.metrics.file.Close()
	}
	if r.lock != nil {
		r.lock.Close()
	}
}

func (r *Run) path(parts ...string) string {
	return filepath.Join(append([]string{r.Dir}, parts...)...)
}

// prepare creates the directory with its settings, or checks those that are there.
func (r *Run) prepare() error {
	if err := r.compare(); err != nil { // before anything is touched
		return err
	}
	if err := os.MkdirAll(r.Dir, 0o755); err != nil {
		return err
	}
	var err error
	if r.lock, err = lockfile.Lock(r.Dir); err != nil {
		return err
	}
	if err := r.compare(); err != nil { // another process may have begun a run in the meantime
		return err
	}
	for _, d := range []string{"", "checkpoints", "figures", "trajectory"} {
		if err := os.MkdirAll(r.path(d), 0o755); err != nil {
			return err
		}
		removeTemporary(r.path(d))
	}
	if err := r.readManifest(); err != nil {
		return err
	}
	text, err := r.cfg.TOML()
	if err == nil {
		err = writeFile(r.path("config.toml"), text)
	}
	return err
}

// compare refuses a directory that holds a run with other settings, or other files.
func (r *Run) compare() error {
	_, err := os.Stat(r.path("config.toml"))
	if errors.Is(err, os.ErrNotExist) {
		return vacant(r.Dir)
	}
	if err != nil {
		return err
	}
	var before Config
	if err := before.Read(r.path("config.toml")); err != nil {
		return err
	}
	if d := r.cfg.differences(before); len(d) > 0 {
		return fmt.Errorf("%s holds a run with other settings: %s; use the same settings or another directory", r.Dir,
			strings.Join(d, "; "))
	}
	return nil
}

// vacant refuses a directory that holds anything but the beginnings of a run.
func vacant(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		switch {
		case e.IsDir() && (e.Name() == "checkpoints" || e.Name() == "figures" || e.Name() == "trajectory"):
		case strings.HasPrefix(e.Name(), ".instanton-") || e.Name() == lockfile.Name:
		default:
			return fmt.Errorf("%s holds %s and no run: expected an empty or new directory", dir, e.Name())
		}
	}
	return nil
}

// readManifest checks that the data have not changed, and that the run was not made by a newer program.
func (r *Run) readManifest() error {
	r.manifest = Manifest{
		Format: manifestFormat, Version: manifestVersion, Program: meta.Program(),
		Seed: r.cfg.Train.Seed, Inputs: r.in.files,
		Host:  Host{runtime.GOOS, runtime.GOARCH, runtime.Version(), runtime.NumCPU()},
		State: Running, Total: r.trainer.Total(),
	}
	before, err := ReadManifest(r.Dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if len(before.Inputs) < len(r.in.files) {
		return fmt.Errorf("%s was begun with %d input files, not %d: use the same files or another directory", r.Dir,
			len(before.Inputs), len(r.in.files))
	}
	for k, in := range before.Inputs {
		if k >= len(r.in.files) || in.SHA256 != r.in.files[k].SHA256 {
			return fmt.Errorf("%s was begun with other data: %s has changed or has been replaced; use the "+
				"same data or another directory", r.Dir, in.Path)
		}
	}
	if before.State == Finished {
		r.manifest.State, r.manifest.Result = before.State, before.Result
	}
	return nil
}

// ReadManifest reads the run.json of a run directory.
func ReadManifest(dir string) (*Manifest, error) {
	path := filepath.Join(dir, "run.json")
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var m Manifest
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if m.Format != manifestFormat || m.Version != manifestVersion {
		return nil, fmt.Errorf("%s is %q version %d: expected %q version %d", path, m.Format, m.Version,
			manifestFormat, manifestVersion)
	}
	return &m, nil
}

// writeManifest writes the state of the run.
func (r *Run) writeManifest(state, message string) error {
	r.manifest.State, r.manifest.Message, r.manifest.Updates = state, message, r.trainer.Updates()
	text, err := json.MarshalIndent(r.manifest, "", "  ")
	if err != nil {
		return err
	}
	return writeFile(r.path("run.json"), append(text, '\n'))
}

// writeFile replaces a file of the run as a whole.
func writeFile(path string, text []byte) error {
	return atomicfile.Write(path, true, func(w io.Writer) error { _, err := w.Write(text); return err })
}

// Updates is the number of updates done so far.
func (r *Run) Updates() int { return r.trainer.Updates() }

// Total is the number of updates of the whole run.
func (r *Run) Total() int { return r.trainer.Total() }

// Model is the model after the updates done so far.
func (r *Run) Model() *rbm.RBM { return r.trainer.Model() }

// Sweeps is the number of sweeps of every chain in an update.
func (r *Run) Sweeps() int { return r.cfg.Train.Sweeps }
