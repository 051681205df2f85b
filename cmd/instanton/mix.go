package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"instanton/contest"
	"instanton/dataset"
	"instanton/internal/atomicfile"
	"instanton/internal/kernels"
	"instanton/internal/progress"
	"instanton/mixing"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// mixFlags are the settings of a contest.
type mixFlags struct {
	samplers []string
	modes    string
	runs     int
	budget   float64
	sweeps   int
	dir      string
	force    bool
	asJSON   bool
	seed     uint64
}

func newMix() *cobra.Command {
	var f mixFlags
	c := &cobra.Command{
		Use:   "mix MODEL.npz [DATA]",
		Short: "Compare samplers: which of them mixes, and how fast",
		Long: `Run several samplers on a model, each from every mode and for the same processor time on one core, and
compare what their chains are worth.

The measure is the effective sample size (ESS) of the mode that a chain is in: how many independent
draws would know the weights of the modes as well. It is given per second, and per 10⁵ steps of
alternating Gibbs sampling (AGS) that cost as much; a ladder of K replicas counts K. Where the chains
disagree (R-hat above 1.05) a sampler has not mixed, and has no ESS. Setup is the time to fit what a
sampler needs, and is not part of the budget.

Modes are given by --modes: patterns (stored in the model, and their opposites), labels (the classes
of DATA) or cluster:K (clusters of DATA). The default is patterns if there are any, then labels, then
cluster:2. Chains start in turn from configurations of DATA, or from patterns, in each of the modes.

The folder given by -o receives mix.json, the table mix.md and chains.png, a picture of which run is
in which mode in the course of time.`,
		Example: `  instanton new hopfield --n 128 --m 3 --w 1.5 -o hopfield.npz
  instanton mix hopfield.npz --budget 2
  instanton mix digits/model.npz mnist01.npz --samplers gibbs,jump --runs 100 -o contest`,
		Args: arguments(1, 2, "a model and, if you have them, data"),
		RunE: func(c *cobra.Command, args []string) error {
			m, err := rbm.Load(args[0])
			if err != nil {
				return err
			}
			var d *dataset.Dataset
			if len(args) == 2 {
				if d, err = dataset.ReadUnits(args[1], m.Visible.Spec(), m.Info["alphabet"]); err != nil {
					return err
				}
			}
			if f.dir != "" {
				if err := f.prepareFolder(); err != nil {
					return err
				}
			}
			result, err := f.compete(c, m, d)
			if err != nil {
				return err
			}
			if f.dir != "" {
				if err := f.write(result); err != nil {
					return err
				}
			}
			if f.asJSON {
				return printJSON(c, result)
			}
			return result.WriteTable(c.OutOrStdout())
		},
	}
	c.Flags().StringSliceVar(&f.samplers, "samplers", nil,
		"names of samplers, separated by commas; by default all that the model and the data allow")
	c.Flags().StringVar(&f.modes, "modes", "", "patterns, labels or cluster:K")
	c.Flags().IntVar(&f.runs, "runs", 100, "runs of each sampler, at least 20; each is one chain")
	c.Flags().Float64Var(&f.budget, "budget", 10, "processor time of each sampler in seconds, without its setup")
	c.Flags().IntVar(&f.sweeps, "sweeps", 0, "sweeps of each sampler instead of --budget")
	c.Flags().StringVarP(&f.dir, "output", "o", "", "folder for the table, the numbers and the figure")
	c.Flags().BoolVar(&f.force, "force", false, "replace the files of an earlier contest in the folder")
	seedFlag(c, &f.seed)
	jsonFlag(c, &f.asJSON)
	return c
}

// compete runs all samplers.
func (f *mixFlags) compete(c *cobra.Command, m *rbm.RBM, d *dataset.Dataset) (*contest.Contest, error) {
	modes, places, err := f.places(m, d)
	if err != nil {
		return nil, err
	}
	o := contest.Options{Model: m, Modes: modes, Runs: f.runs, Seed: f.seed, Sweeps: f.sweeps, Seconds: f.budget}
	result := &contest.Contest{Modes: modes.Names(), Runs: f.runs}
	for a, v := range places {
		if v.Len > 0 {
			o.Starts, result.Starts = append(o.Starts, v), append(result.Starts, modes.Names()[a])
		}
	}
	if err := o.Check(); err != nil {
		return nil, usage(err)
	}
	names := f.samplers
	if names == nil {
		names = kernels.Names()
	}
	for _, name := range names {
		if !slices.Contains(kernels.Names(), name) {
			return nil, usage(fmt.Errorf("--samplers: unknown sampler %q: expected some of %s", name,
				strings.Join(kernels.Names(), ", ")))
		}
	}
	for _, name := range names {
		row, err := f.one(c, name, o, d)
		if err != nil {
			return nil, err
		}
		result.Rows = append(result.Rows, row)
	}
	contest.Cost(result.Rows)
	return result, nil
}

// one lets one sampler compete; if it cannot be made for this model and these data, its row says why.
func (f *mixFlags) one(c *cobra.Command, name string, o contest.Options, d *dataset.Dataset) (*contest.Row, error) {
	line := progress.New(messages(c), name, 0, 1000)
	defer line.Close()
	o.Progress = func(done float64) { line.Set(int(1000 * done)) }
	var unfit error
	row, err := contest.Run(c.Context(), contest.Sampler{Name: name,
		Make: func(ctx context.Context) (k sampler.Kernel, about string, err error) {
			options := kernels.Options{Seed: f.seed, Workers: 1, Context: ctx}
			if d != nil {
				options.Data, options.Labels = d.States, d.Labels
			}
			k, unfit = kernels.New(name, o.Model, 1, options)
			return k, "", unfit
		}}, o)
	if unfit != nil && c.Context().Err() == nil {
		return &contest.Row{Sampler: name, Error: unfit.Error()}, nil
	}
	return row, err
}

// places returns the modes, and the configurations in each from which runs can start.
func (f *mixFlags) places(m *rbm.RBM, d *dataset.Dataset) (mixing.Modes, []*unit.States, error) {
	modes, from, err := f.findModes(m, d)
	if err != nil {
		return nil, nil, err
	}
	in := make([][]int, len(modes.Names()))
	for k := range from.Len {
		if mode, deep := modes.Of(from, k); deep {
			in[mode] = append(in[mode], k)
		}
	}
	places := make([]*unit.States, len(in))
	for a, rows := range in {
		if len(rows) > f.runs {
			rows = rows[:f.runs]
		}
		places[a] = unit.NewStates(from.Spec, len(rows))
		for k, row := range rows {
			places[a].CopyRow(k, from, row)
		}
	}
	return modes, places, nil
}

// findModes reads --modes; the configurations are those in which the modes are known.
func (f *mixFlags) findModes(m *rbm.RBM, d *dataset.Dataset) (mixing.Modes, *unit.States, error) {
	kind := f.modes
	switch {
	case kind != "":
	case m.Patterns != nil:
		kind = "patterns"
	case d != nil && d.Labels != nil:
		kind = "labels"
	default:
		kind = "cluster:2"
	}
	if kind == "patterns" {
		modes, err := mixing.Patterns(m)
		if err != nil {
			return nil, nil, usage(fmt.Errorf("--modes patterns: %w", err))
		}
		return modes, m.PatternsAndOpposites(), nil
	}
	if d == nil {
		return nil, nil, usage(fmt.Errorf("the model stores no patterns to start from: give DATA with " +
			"configurations in its modes"))
	}
	if kind == "labels" {
		modes, err := mixing.Labels(d, m.Visible.Spec())
		return modes, d.States, usage(err)
	}
	if text, ok := strings.CutPrefix(kind, "cluster:"); ok {
		if k, err := strconv.Atoi(text); err == nil && k >= 2 && k <= mixing.MaxClusters {
			modes, err := mixing.Clusters(d.States, k, f.seed)
			return modes, d.States, err
		}
	}
	return nil, nil, usage(fmt.Errorf("--modes %s: expected patterns, labels or cluster:K with K from 2 to %d", f.modes,
		mixing.MaxClusters))
}

// prepareFolder makes the folder, or refuses one whose files would be overwritten.
func (f *mixFlags) prepareFolder() error {
	if err := os.MkdirAll(f.dir, 0o755); err != nil {
		return err
	}
	for _, name := range []string{"mix.json", "mix.md", "chains.png"} {
		if err := atomicfile.Check(filepath.Join(f.dir, name), f.force); err != nil {
			return err
		}
	}
	return nil
}

func (f *mixFlags) write(r *contest.Contest) error {
	save := func(name string, fill func(io.Writer) error) error {
		return atomicfile.Write(filepath.Join(f.dir, name), f.force, fill)
	}
	err := save("mix.json", func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(r)
	})
	if err == nil {
		err = save("mix.md", r.WriteTable)
	}
	if err == nil {
		err = save("chains.png", func(w io.Writer) error { return mixFigure(r).Encode(w, "png") })
	}
	return err
}
