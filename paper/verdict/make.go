package verdict

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"instanton/dataset"
	"instanton/unit"
)

// Options say where and how figures are made.
type Options struct {
	Settings
	Dir   string
	Force bool // make finished figures again

	// Command is the command that makes a figure, or all, again, for reports; none if nil.
	Command  func(figure string, s Settings) string
	Registry []Figure // all figures that the folder may hold; those to make if nil
}

// Make runs figures that are not finished yet, several at a time, and writes the report on all
// that are in the folder. An error of one figure does not keep the others from being finished; when the
// context ends, those under way are given up and a later call makes them, and the report is on those
// that are finished. The summary is nil only if nothing could be begun or the report not be written.
func Make(ctx context.Context, figures []Figure, o Options) (*Summary, error) {
	if err := o.checkMNIST(); err != nil {
		return nil, err
	}
	lock, err := open(o)
	if err != nil {
		return nil, err
	}
	defer lock.Close()
	o.Settings = o.In(o.Dir)
	if o.Registry == nil {
		o.Registry = figures
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
	s, err := summarise(o)
	return s, errors.Join(errors.Join(failures...), err, ctx.Err())
}

// checkMNIST refuses a folder that was named and lacks MNIST's files, before there is work to lose.
func (s Settings) checkMNIST() error {
	if s.MNIST == "" {
		return nil
	}
	for _, test := range []bool{true, false} {
		if _, err := dataset.MNIST(s.MNIST, dataset.MNISTOptions{Test: test, Digits: []int{0}, Type: unit.Spin,
			Threshold: 0.5}); err != nil {
			return &MNISTError{Dir: s.MNIST, Err: err}
		}
	}
	return nil
}

// MNISTError says that a folder that was named lacks MNIST's files.
type MNISTError struct {
	Dir string
	Err error
}

func (e *MNISTError) Error() string { return fmt.Sprintf("no MNIST in %s: %v", e.Dir, e.Err) }

// Unwrap is what is wrong with the files.
func (e *MNISTError) Unwrap() error { return e.Err }

// makeOne runs a figure into its folder, unless it is there. That the context ended is no error of the figure.
func makeOne(ctx context.Context, f Figure, o Options) error {
	s := o.Settings
	s.Say = func(format string, args ...any) { o.Progress(f.Name+": "+format, args...) }
	s.models = new(models)
	before, err := load(o.Dir, f.Name)
	switch {
	case errors.Is(err, errDamaged):
		s.Progress("made again, as %v", err)
	case err != nil:
		return err
	case before != nil && !o.Force && before.FigureVersion == f.Version && before.Missing == "":
		s.Progress("finished before")
		return nil
	}
	s.Progress("begun")
	start := time.Now()
	r, err := f.run(ctx, s)
	if err != nil {
		if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
			return nil
		}
		s.Progress("failed: %v", err)
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	r.Models = s.models.list()
	done, err := store(o, f, r, time.Since(start).Seconds())
	if err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	s.Progress("done in %.1f s; %s", done.Seconds, Count(done.Claims))
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
