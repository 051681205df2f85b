package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"instanton/contest"
	"instanton/dataset"
	"instanton/internal/atomicfile"
	"instanton/internal/kernels"
	"instanton/internal/progress"
	"instanton/internal/variants"
	"instanton/jump"
	"instanton/pilot"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// mixFlags are the settings of a contest.
type mixFlags struct {
	samplers []string
	modes    string
	ladder   ladderFlags
	proposal string
	beta     float64
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
disagree (R-hat above 1.05) a sampler has not mixed, and has no ESS. Setup is the processor time to fit
what a sampler needs, and is not part of the budget.

Modes are given by --modes: patterns (stored in the model, and their opposites), labels (the classes
of DATA) or cluster:K (clusters of DATA). The default is patterns if there are any, then labels, then
cluster:2. Chains start in turn from configurations of DATA, or from patterns, in each of the modes.

--samplers takes the names that 'sample --sampler' takes, auto included. Settings follow a colon:

` + variants.Help + `

mixture is fitted to DATA, and so is jump if there are any; trajectory and stacked need --trajectory and
--stack. By default gibbs, latent, latent:2, jump, tempering and those for which there is what they need
take part.

The folder given by -o receives report.html, the numbers in mix.json, the table mix.md and chains.png, a
picture of which run is in which mode in the course of time.`,
		Example: `  instanton new hopfield --n 128 --m 3 --w 1.5 --rotate -o hopfield.npz
  instanton mix hopfield.npz --budget 2
  instanton mix hopfield.npz --samplers latent:2,latent:2:gauge,latent:swaps:gauge --budget 2
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
				if f.dir != "" {
					_ = os.Remove(f.dir) // only if it is empty
				}
				return err
			}
			if f.dir != "" {
				if err := f.write(result, args); err != nil {
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
		"samplers, separated by commas; by default those that the model and the data allow")
	c.Flags().StringVar(&f.modes, "modes", "", "patterns, labels or cluster:K")
	c.Flags().StringVar(&f.ladder.trajectory, "trajectory", "", "folder of models from the training, for trajectory")
	c.Flags().StringVar(&f.ladder.stack, "stack", "", "files of further models, separated by commas, for stacked")
	c.Flags().StringVar(&f.proposal, "proposal", "", "file with the proposal of jump, from 'instanton jump-fit'; by "+
		"default one is fitted")
	c.Flags().Float64Var(&f.beta, "beta", 1, "inverse temperature: sample P(v)^β")
	c.Flags().IntVar(&f.runs, "runs", 100, "runs of each sampler, at least 20; each is one chain")
	c.Flags().Float64Var(&f.budget, "budget", 10, "processor time of each sampler in seconds, without its setup")
	c.Flags().IntVar(&f.sweeps, "sweeps", 0, "sweeps of each sampler instead of --budget")
	c.Flags().StringVarP(&f.dir, "output", "o", "", "folder for the report, the table, the numbers and the figure")
	c.Flags().BoolVar(&f.force, "force", false, "replace the files of an earlier contest in the folder")
	seedFlag(c, &f.seed)
	jsonFlag(c, &f.asJSON)
	return c
}

// names are those of the samplers that take part.
func (f *mixFlags) names(c *cobra.Command, m *rbm.RBM, d *dataset.Dataset) ([]string, error) {
	if !c.Flags().Changed("samplers") {
		names := []string{"gibbs", "latent", "latent:2", jumpName, "tempering"}
		if m.Hidden.Spec().Type == unit.Gaussian && m.Hidden.Spec().N > 1 {
			names = slices.Insert(names, 3, "latent:swaps:gauge")
		}
		if d != nil {
			names = append(names, "mixture")
		}
		if f.ladder.trajectory != "" {
			names = append(names, "trajectory")
		}
		if f.ladder.stack != "" {
			names = append(names, "stacked")
		}
		return names, nil
	}
	if len(f.samplers) == 0 {
		return nil, fmt.Errorf("--samplers is empty: expected some of %s", strings.Join(kernels.Names(), ", "))
	}
	for k, name := range f.samplers {
		if err := variants.Check(name); err != nil && name != autoSampler {
			return nil, fmt.Errorf("--samplers: %w", err)
		}
		if slices.Contains(f.samplers[:k], name) {
			return nil, fmt.Errorf("--samplers: %s is named twice", name)
		}
	}
	if f.proposal != "" && !slices.Contains(f.samplers, jumpName) {
		return nil, fmt.Errorf("--proposal is for the sampler jump, which does not take part")
	}
	for name, flag := range map[string]struct{ name, value string }{"trajectory": {"trajectory DIR",
		f.ladder.trajectory}, "stacked": {"stack FILE,FILE", f.ladder.stack}} {
		if slices.Contains(f.samplers, name) != (flag.value != "") {
			return nil, fmt.Errorf("the sampler %s and --%s go together: expected both or neither", name, flag.name)
		}
	}
	return f.samplers, nil
}

// compete runs all samplers.
func (f *mixFlags) compete(c *cobra.Command, m *rbm.RBM, d *dataset.Dataset) (*contest.Contest, error) {
	names, err := f.names(c, m, d)
	if err != nil {
		return nil, usage(err)
	}
	if f.sweeps > 0 && c.Flags().Changed("budget") {
		return nil, usage(fmt.Errorf("--sweeps and --budget: expected one of them"))
	}
	if _, err := sampler.NewGibbs(m, f.beta); err != nil { // what is wrong with β is wrong for all
		return nil, usage(err)
	}
	modes, places, err := f.places(m, d)
	if err != nil {
		return nil, err
	}
	o := contest.Options{Model: m, Modes: modes, Runs: f.runs, Seed: f.seed, Sweeps: f.sweeps, Seconds: f.budget}
	result := &contest.Contest{Modes: modes.Names(), Runs: f.runs, Beta: f.beta}
	for a, v := range places {
		if v.Len > 0 {
			o.Starts, result.Starts = append(o.Starts, v), append(result.Starts, modes.Names()[a])
		}
	}
	if err := o.Check(); err != nil {
		return nil, usage(err)
	}
	options := kernels.Options{Seed: f.seed, Workers: 1}
	if d != nil {
		options.Data, options.Labels = d.States, d.Labels
	}
	if err := f.ladder.readModels(&options); err != nil {
		return nil, err
	}
	for _, name := range names {
		row, err := f.one(c, name, o, options)
		if err != nil {
			return nil, err
		}
		result.Rows = append(result.Rows, row)
	}
	result.Conclude()
	return result, contest.Cost(c.Context(), result.Rows, f.beta, o)
}

// one lets one sampler compete; if it cannot be made for this model and these data, its row says why.
func (f *mixFlags) one(c *cobra.Command, name string, o contest.Options, options kernels.Options) (*contest.Row,
	error) {
	var line *progress.Line // begins after the setup, whose time says nothing of the rest
	defer func() {
		if line != nil {
			line.Close()
		}
	}()
	o.Progress = func(done float64) {
		if line == nil {
			line = progress.New(messages(c), name, 0, 1000)
		}
		line.Set(int(1000 * done))
	}
	var unfit error
	row, err := contest.Run(c.Context(), contest.Sampler{Name: name,
		Make: func(ctx context.Context) (k sampler.Kernel, about string, err error) {
			options.Context = ctx
			switch {
			case name == autoSampler:
				k, about, unfit = f.choose(ctx, o, options)
			case name == jumpName && f.proposal != "":
				k, about, unfit = f.load(o.Model)
			default:
				k, about, unfit = variants.New(name, o.Model, f.beta, options)
			}
			return k, about, unfit
		}}, o)
	if unfit != nil && c.Context().Err() == nil {
		return &contest.Row{Sampler: name, Error: unfit.Error()}, nil
	}
	return row, err
}

// choose lets a pilot choose, as --sampler auto does.
func (f *mixFlags) choose(ctx context.Context, o contest.Options, options kernels.Options) (sampler.Kernel, string,
	error) {
	choice, err := pilot.Choose(ctx, o.Model, f.beta, pilot.Options{Data: options.Data, Labels: options.Labels,
		Modes: o.Modes, Seed: f.seed, Workers: 1})
	if err != nil {
		return nil, "", err
	}
	return choice.Kernel, fmt.Sprintf("chosen: %s; %s", choice.Sampler, choice.Why), nil
}

// load reads a proposal that was fitted before.
func (f *mixFlags) load(m *rbm.RBM) (sampler.Kernel, string, error) {
	k, err := jump.Load(f.proposal, m)
	if err != nil {
		return nil, "", err
	}
	if k.Beta() != f.beta {
		return nil, "", fmt.Errorf("%s was fitted at β = %g: expected β = %g", f.proposal, k.Beta(), f.beta)
	}
	return k, fmt.Sprintf("%s in the %s layer, from %s", k.Proposal().Name(), k.Side(), f.proposal), nil
}

// mixFiles are the files of a contest.
var mixFiles = []string{"mix.json", "mix.md", "chains.png", "report.html"}

// prepareFolder makes the folder, or refuses one whose files would be overwritten.
func (f *mixFlags) prepareFolder() error {
	if err := os.MkdirAll(f.dir, 0o755); err != nil {
		return err
	}
	for _, name := range mixFiles {
		if err := atomicfile.Check(filepath.Join(f.dir, name), f.force); err != nil {
			return err
		}
	}
	return nil
}

func (f *mixFlags) write(r *contest.Contest, args []string) error {
	numbers := func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(r)
	}
	picture := func(w io.Writer) error { return mixFigure(r).Encode(w, "png") }
	if len(mixFigure(r).Panels) == 0 {
		picture = nil
	}
	for k, fill := range []func(io.Writer) error{numbers, r.WriteTable, picture, f.report(r, args).Write} {
		if fill == nil {
			continue
		}
		if err := atomicfile.Write(filepath.Join(f.dir, mixFiles[k]), f.force, fill); err != nil {
			return err
		}
	}
	return nil
}
