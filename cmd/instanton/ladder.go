package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"instanton/dataset"
	"instanton/internal/kernels"
	"instanton/internal/progress"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/tempering"
)

// ladderFlags are what samplers with a ladder of replicas need beyond the model.
type ladderFlags struct {
	data       string
	trajectory string
	stack      string
	rungs      int
}

// ladderNames are the flags and the samplers that have them.
var ladderNames = map[string][]string{
	"data":       {autoSampler, "tempering", "mixture", "trajectory"},
	"trajectory": {"trajectory"},
	"stack":      {"stacked"},
	"rungs":      {"tempering", "mixture", "trajectory"},
}

// ladderHelp describes the samplers with replicas, for the help of commands.
const ladderHelp = `tempering, mixture, trajectory and stacked move replicas of every chain along a ladder, from
a law that is easy to sample to the model, and exchange neighbours; a sweep is one step of every
replica. tempering has rungs P(v)^β; mixture leads from a mixture of independent sites, fitted to --data,
to the model, and weights the classes of the data (its labels, or the components of the mixture) so
that every rung holds all of them; trajectory uses the models that "train --keep-every" left in
--trajectory DIR; stacked uses models of the hidden units, --stack A.npz,B.npz, each trained on hidden
units of the one before (data convert --hidden makes them). A pilot run chooses the rungs, unless --rungs
gives their number, and their starts.`

func (f *ladderFlags) flags(c *cobra.Command) {
	c.Flags().StringVar(&f.data, "data", "", "mixture: data to fit the mixture to; tempering, trajectory: where "+
		"the pilot starts")
	c.Flags().StringVar(&f.trajectory, "trajectory", "", "trajectory: folder of models from the training")
	c.Flags().StringVar(&f.stack, "stack", "", "stacked: files of the further models, separated by commas")
	c.Flags().IntVar(&f.rungs, "rungs", 0, "tempering, mixture, trajectory: number of rungs; 0 for what a pilot "+
		"finds best")
}

// options reads what the named sampler needs.
func (f *ladderFlags) options(c *cobra.Command, name string, m *rbm.RBM, seed uint64, workers int) (
	kernels.Options, error) {
	o := kernels.Options{Rungs: f.rungs, Seed: seed, Workers: workers, Context: c.Context()}
	for flag, samplers := range ladderNames {
		if c.Flags().Changed(flag) && !slices.Contains(samplers, name) {
			return o, usage(fmt.Errorf("--%s is for --sampler %s, not for --sampler %s", flag,
				strings.Join(samplers, ", "), name))
		}
	}
	needs := map[string]struct{ flag, value string }{
		"mixture":    {"data FILE", f.data},
		"trajectory": {"trajectory DIR", f.trajectory},
		"stacked":    {"stack FILE,FILE", f.stack},
	}
	if n, ok := needs[name]; ok && n.value == "" {
		return o, usage(fmt.Errorf("--sampler %s needs --%s", name, n.flag))
	}
	if f.data != "" {
		d, err := dataset.ReadUnits(f.data, m.Visible.Spec(), m.Info["alphabet"])
		if err != nil {
			return o, err
		}
		o.Data, o.Labels = d.States, d.Labels
	}
	return o, f.readModels(&o)
}

// readModels reads the models of a training and of a stack.
func (f *ladderFlags) readModels(o *kernels.Options) (err error) {
	if f.trajectory != "" {
		if o.Trajectory, err = readTrajectory(f.trajectory); err != nil {
			return err
		}
	}
	if f.stack != "" {
		for _, path := range strings.Split(f.stack, ",") {
			next, err := rbm.Load(strings.TrimSpace(path))
			if err != nil {
				return err
			}
			o.Stack = append(o.Stack, next)
		}
	}
	return nil
}

// readTrajectory reads the models of a folder in the order of their names, or of the folder trajectory in it.
func readTrajectory(dir string) ([]*rbm.RBM, error) {
	var models []*rbm.RBM
	for _, at := range []string{filepath.Join(dir, "trajectory"), dir} {
		entries, err := os.ReadDir(at) // sorted
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, e := range entries {
			if filepath.Ext(e.Name()) != ".npz" {
				continue
			}
			m, err := rbm.Load(filepath.Join(at, e.Name()))
			if err != nil {
				return nil, err
			}
			models = append(models, m)
		}
		if len(models) > 0 {
			return models, nil
		}
	}
	return nil, fmt.Errorf("--trajectory %s: no models (.npz) in it: expected the folder of a run of train with "+
		"--keep-every", dir)
}

// kernel makes a kernel by its name, and describes its moves if the name does not.
func (f *ladderFlags) kernel(c *cobra.Command, name string, m *rbm.RBM, beta float64, o kernels.Options) (
	sampler.Kernel, string, error) {
	var line *progress.Line
	o.Progress = func(done, total int) {
		if line == nil {
			line = progress.New(messages(c), "pilot", 0, total)
		}
		line.Set(done)
	}
	k, err := kernels.New(name, m, beta, o)
	if line != nil {
		line.Close()
	}
	if err != nil {
		if c.Context().Err() != nil {
			return nil, "", err
		}
		return nil, "", usage(err)
	}
	if t, ok := k.(*tempering.Kernel); ok {
		if least := t.Pilot().Least; name == "trajectory" && least < leastExchange {
			say(c, "some neighbours among the models exchange only %.2g of their configurations: expected %g; keep "+
				"models more often (train --keep-every)", least, leastExchange)
		}
		return k, t.String(), nil
	}
	return k, "", nil
}

// leastExchange is the rate of exchange that models of a trajectory should have.
const leastExchange = 0.3

// ladderReport is what replicas did, nil for kernels without.
func ladderReport(k sampler.Kernel, c *sampler.Chains) (*tempering.Report, error) {
	t, ok := k.(*tempering.Kernel)
	if !ok {
		return nil, nil
	}
	return t.Report(c)
}

func printLadder(out io.Writer, r *tempering.Report) {
	if r == nil {
		return
	}
	fmt.Fprintf(out, "ladder: %d rungs, %s\n", r.Rungs, r.Ladder)
	fmt.Fprintf(out, "exchanges accepted %.2f, from the bottom up; Λ = %.3g; round trips %d, %.3g per sweep and "+
		"chain\n", r.Exchange, r.Lambda, r.RoundTrips, r.TripRate)
	if len(r.Classes) == 0 {
		return
	}
	const most = 12
	for class := range min(len(r.Classes[0]), most) {
		var shares []float64
		for _, rung := range r.Classes {
			shares = append(shares, rung[class])
		}
		fmt.Fprintf(out, "class %d on the rungs %.2f\n", class, shares)
	}
	if n := len(r.Classes[0]); n > most {
		fmt.Fprintf(out, "and %d classes more\n", n-most)
	}
}
