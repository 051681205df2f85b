package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"instanton/internal/progress"
	rundir "instanton/run" // run is the program itself
)

// trainFlags are what the command line says beside the settings of a run.
type trainFlags struct {
	config  string
	set     []string
	out     string
	maxTime time.Duration
	workers int
}

func newTrain() *cobra.Command {
	var f trainFlags
	var asJSON bool
	defaults := rundir.Default()
	c := &cobra.Command{
		Use:   "train DATA --hidden TYPE:M --out DIR",
		Short: "Fit a model to data by maximum likelihood",
		Long: `Train an RBM by persistent (or plain) contrastive divergence into a run directory:

  config.toml     the settings, all of them
  run.json        version, seed, inputs with their SHA-256, state, result
  metrics.jsonl   reports on the way
  checkpoints/    everything the next update depends on
  trajectory/     models on the way, with --keep-every
  figures/        curves
  model.npz       the model, when finished
  report.html     how the training went and what it came to, when finished

The same command resumes, also after Ctrl-C, SIGTERM and --max-time (status 75) or a
kill, and ends with the same bits. Settings come from the defaults, then --config, then
--set, then flags; the keys are those of config.toml.`,
		Example: `  instanton data bas --size 4 -o bas.npz
  instanton train bas.npz --hidden spin:16 --epochs 1000 --k 10 --chains 500 --lr 0.002 --out bas
  instanton train msa.npz --hidden drelu:50 --l1b 0.025 --k 5 --epochs 100 --valid 0.1 --out rbm --max-time 50m
  instanton train bas.npz --config recipe.toml --set train.optimizer.rate=0.001 --out other`,
		Args: arguments(0, 1, "one file of data, or none with --config"),
		RunE: func(c *cobra.Command, args []string) error {
			cfg, err := f.resolve(c, args)
			if err != nil {
				return usage(err)
			}
			result, err := f.train(c, cfg)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(c, result)
			}
			return printResult(c, result)
		},
	}
	settings(c, &defaults)
	c.Flags().StringVar(&f.config, "config", "", "settings in a TOML file")
	c.Flags().StringArrayVar(&f.set, "set", nil, "a setting by its key in config.toml: KEY=VALUE")
	c.Flags().StringVar(&f.out, "out", "", "run directory")
	c.Flags().DurationVar(&f.maxTime, "max-time", 0, "stop and checkpoint after a time such as 50m; 0 for never")
	c.Flags().IntVar(&f.workers, "workers", 0, "goroutines; 0 for one per processor")
	jsonFlag(c, &asJSON)
	return c
}

// settingKeys are the keys in config.toml of the flags that are settings.
var settingKeys = map[string]string{
	"visible": "model.visible", "hidden": "model.hidden", "weights": "data.weights", "valid": "data.valid",
	"epochs": "train.epochs", "batch": "train.batch", "chains": "train.chains", "k": "train.k",
	"method":  "train.method",
	"sampler": "train.sampler", "seed": "train.seed", "gradient": "train.gradient", "clip": "train.clip",
	"tie":       "train.tie",
	"optimizer": "train.optimizer.name", "lr": "train.optimizer.rate", "momentum": "train.optimizer.momentum",
	"schedule": "train.schedule.name",
	"l1":       "train.regularize.l1", "l1b": "train.regularize.l1b", "l2": "train.regularize.l2",
	"field-l2": "train.regularize.field_l2", "penalty": "train.regularize.penalty",
	"report-every": "keep.report", "checkpoint-every": "keep.checkpoint", "keep-every": "keep.trajectory",
}

// settings adds the flags of settingKeys, with their defaults.
func settings(c *cobra.Command, d *rundir.Config) {
	f := c.Flags()
	f.StringVar(&d.Model.Visible, "visible", "", "visible units: TYPE or TYPE:N, potts:NxQ; as the data say by default")
	f.StringVar(&d.Model.Hidden, "hidden", "", "hidden units: TYPE:M of spin, bernoulli, potts (potts:MxQ), "+
		"gaussian, relu, drelu")
	f.StringVar(&d.Data.Weights, "weights", "", "weights of the samples (.npy, or array weights of a .npz)")
	f.Float64Var(&d.Data.Valid, "valid", d.Data.Valid, "share of the samples to hold out")
	t := &d.Train
	f.IntVar(&t.Epochs, "epochs", t.Epochs, "times that every sample is seen")
	f.IntVar(&t.Batch, "batch", t.Batch, "samples of a minibatch")
	f.IntVar(&t.Chains, "chains", t.Chains, "Markov chains; 0 for as many as samples in a minibatch")
	f.IntVar(&t.Sweeps, "k", t.Sweeps, "sweeps of the chains in an update")
	f.StringVar(&t.Method, "method", t.Method, "pcd: chains go on; cd: they start at the minibatch")
	f.StringVar(&t.Sampler, "sampler", t.Sampler, "what moves the chains, as in 'instanton sample'")
	f.StringVar(&t.Gradient, "gradient", t.Gradient, "centred, standardised or plain")
	f.Float64Var(&t.Clip, "clip", t.Clip, "largest entry of a gradient; 0 for no limit")
	f.StringVar(&t.Tie, "tie", t.Tie, "none, or transpose: the same law for an image and its transpose")
	f.StringVar(&t.Optimizer.Name, "optimizer", t.Optimizer.Name, "rmsprop, sgd or adam")
	f.Float64Var(&t.Optimizer.Rate, "lr", t.Optimizer.Rate, "learning rate")
	f.Float64Var(&t.Optimizer.Momentum, "momentum", t.Optimizer.Momentum, "momentum of sgd")
	f.StringVar(&t.Schedule.Name, "schedule", t.Schedule.Name,
		"constant, geometric (half of the run constant, then to train.schedule.final) or cosine")
	f.Float64Var(&t.Regularize.L1, "l1", 0, "λ of λ Σ|W|")
	f.Float64Var(&t.Regularize.L1b, "l1b", 0, "λ of λ/2 Σ_μ (Σ_i|W_iμ|)², which for Potts units is divided by their "+
		"channels")
	f.Float64Var(&t.Regularize.L2, "l2", 0, "λ of λ/2 ΣW²")
	f.Float64Var(&t.Regularize.FieldL2, "field-l2", 0, "λ of λ/2 Σg² over visible fields")
	f.Float64Var(&t.Regularize.Penalty, "penalty", 0,
		"λ of λ⟨Σ_{μ≠ν}|f_μ f_ν|⟩, f = ⟨h|v⟩: turns hidden units towards patterns")
	f.Uint64Var(&t.Seed, "seed", t.Seed, "seed of all random numbers")
	f.IntVar(&d.Keep.Report, "report-every", 0, "updates from one report to the next; 0 for about a hundred reports")
	f.DurationVar((*time.Duration)(&d.Keep.Checkpoint), "checkpoint-every", time.Duration(d.Keep.Checkpoint),
		"time from one checkpoint to the next")
	f.IntVar(&d.Keep.Trajectory, "keep-every", 0, "epochs from one kept model to the next; 0 to keep none")
}

// resolve puts the settings together.
func (f *trainFlags) resolve(c *cobra.Command, args []string) (rundir.Config, error) {
	cfg := rundir.Default()
	if f.config != "" {
		if err := cfg.Read(f.config); err != nil {
			return cfg, err
		}
	}
	for _, s := range f.set {
		if err := cfg.Set(s); err != nil {
			return cfg, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(settingKeys)) {
		if g := c.Flags().Lookup(name); g.Changed {
			value := g.Value.String()
			if value == "NaN" || value == "+Inf" || value == "-Inf" {
				value = strings.ToLower(value) // as TOML has them
			}
			if err := cfg.Set(settingKeys[name] + "=" + value); err != nil {
				return cfg, fmt.Errorf("--%s %s: %w", name, g.Value, err)
			}
		}
	}
	if len(args) == 1 {
		cfg.Data.Path = args[0]
	}
	if f.out == "" {
		return cfg, fmt.Errorf("no run directory: name one with --out DIR")
	}
	return cfg, cfg.Check()
}

// train runs, or goes on.
func (f *trainFlags) train(c *cobra.Command, cfg rundir.Config) (*rundir.Result, error) {
	ctx := c.Context()
	if f.maxTime < 0 || f.workers < 0 {
		return nil, usage(fmt.Errorf("--max-time %s and --workers %d: expected neither below zero", f.maxTime,
			f.workers))
	}
	if f.maxTime > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.maxTime)
		defer cancel()
	}
	r, err := rundir.Open(f.out, cfg, f.workers)
	if err != nil {
		return nil, err
	}
	switch done := r.Updates(); {
	case done == r.Total():
		say(c, "%s: all %d updates are done", f.out, done)
	case done > 0:
		say(c, "%s: going on from update %d of %d", f.out, done, r.Total())
	}
	line := progress.New(talk(c), "sweeps", r.Updates()*r.Sweeps(), r.Total()*r.Sweeps())
	result, err := r.Train(ctx, func(updates int) { line.Set(updates * r.Sweeps()) })
	line.Close()
	if errors.Is(err, rundir.ErrStopped) {
		return nil, fmt.Errorf("%w after %d of %d updates; the same command goes on", errStopped, r.Updates(),
			r.Total())
	}
	return result, err
}

func printResult(c *cobra.Command, r *rundir.Result) error {
	out := c.OutOrStdout()
	line := func(name string, value *float64, what string) {
		if value != nil {
			fmt.Fprintf(out, "%-22s %.6g %s\n", name, *value, what)
		}
	}
	fmt.Fprintf(out, "%-22s %d in %d epochs, %.3g s\n", "updates", r.Updates, r.Epochs, r.Seconds)
	line("log-likelihood", r.LL, "per sample, exact")
	line("  held out", r.ValidLL, "per sample, exact")
	line("pseudo-log-likelihood", r.PseudoLL, "per sample, sum over sites")
	line("  held out", r.ValidPseudoLL, "per sample")
	line("free-energy gap", r.FreeEnergyGap, "held out less learnt from")
	_, err := fmt.Fprintf(out, "%-22s %s\n", "model", r.Model)
	return err
}
