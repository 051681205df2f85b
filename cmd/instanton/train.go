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

	"instanton/batch"
	"instanton/internal/progress"
	rundir "instanton/run" // run is the program itself
	"instanton/train"
	"instanton/unit"
)

// trainFlags are the flags other than the settings of a run.
type trainFlags struct {
	config  string
	set     []string
	out     string
	maxTime time.Duration
	workers int
	device  string
}

func newTrain() *cobra.Command {
	var f trainFlags
	var asJSON, strict bool
	defaults := rundir.Default()
	c := &cobra.Command{
		Use:   "train DATA --hidden TYPE:M --out DIR",
		Short: "Fit a model to data by maximum likelihood",
		Long: `Train an RBM by persistent (or plain) contrastive divergence. The result is printed, and the run
directory given by --out holds

  config.toml     all settings
  run.json        version, seed, inputs with their SHA-256, state, result
  metrics.jsonl   reports during the training
  checkpoints/    everything the next update depends on
  trajectory/     models during the training, with --keep-every
  figures/        training curves
  model.npz       the model, when finished
  best.npz        the model with the highest log-likelihood so far
  report.html     how the training went and how good the model is, when finished

The numbers of epochs, samples per minibatch, chains and sweeps, and the learning rate, follow from the
data and the hidden units unless they are given; config.toml has what was chosen.

Chains that stick to their modes ruin a training. By default (--sampler auto) they therefore jump as
well: between the samples if there are at most 256 distinct ones, otherwise, once they no longer forget
where they were, by a network that is refitted as the model moves. Every jump is tested against the
present model. The line "sampler" of the result says what was done and how many jumps were accepted.

The likelihood is followed through the training, exactly or by weighted chains, and the last line says
what to make of the model:

  good              its log-likelihood is known, no longer grows and has not fallen from its best, and a
                    classifier cannot tell the chains from the data
  drifted           since update N it has become worse: use best.npz, and smaller steps or more sweeps
  not learnt yet    it still improves, or its chains do not look like the data: train longer, or with
                    more or other hidden units
  not known         no estimate of the likelihood can be relied on

--strict exits with status 3 unless it is good.

After Ctrl-C, SIGTERM, --max-time (status 75 in all three cases) or a kill, the same command resumes
the run and ends with the same bits. Settings are taken from the defaults, then from --config, then
from --set, then from the other flags, each replacing the ones before; --config and --set use the
keys of config.toml.`,
		Example: `  instanton data bas --size 4 -o bas.npz
  instanton train bas.npz --hidden spin:16 --out bas
  instanton train msa.npz --hidden drelu:50 --l1b 0.025 --k 5 --epochs 100 --valid 0.1 --out rbm --max-time 50m
  instanton train bas.npz --hidden spin:16 --sampler gibbs --out without-jumps
  instanton train bas.npz --config recipe.toml --set train.optimizer.rate=0.001 --out other`,
		Args: arguments(0, 1, "a data file, or none if --config names one"),
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
				err = printJSON(c, result)
			} else {
				err = printResult(c, result)
			}
			if err == nil && strict && result.Verdict != train.Good {
				return fmt.Errorf("%w: verdict %q, expected %q", errCheck, result.Verdict, train.Good)
			}
			return err
		},
	}
	settings(c, &defaults)
	c.Flags().BoolVar(&strict, "strict", false, "exit with status 3 unless the verdict is \"good\"")
	c.Flags().StringVar(&f.config, "config", "", "TOML file with settings")
	c.Flags().StringArrayVar(&f.set, "set", nil, "a setting as KEY=VALUE, with its key in config.toml; may be repeated")
	c.Flags().StringVar(&f.out, "out", "", "run directory to write or resume")
	c.Flags().DurationVar(&f.maxTime, "max-time", 0, "stop with a checkpoint after a time such as 50m; 0 for no limit")
	c.Flags().IntVar(&f.workers, "workers", 0, "number of goroutines; 0 for one per processor")
	deviceFlag(c, &f.device)
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
	f.StringVar(&d.Model.Visible, "visible", "",
		"visible units: TYPE, TYPE:N or potts:NxQ; the default is found from the data")
	f.StringVar(&d.Model.Hidden, "hidden", "", "hidden units: TYPE:M with TYPE spin, bernoulli, gaussian, "+
		"relu or drelu, or potts:MxQ")
	f.StringVar(&d.Data.Weights, "weights", "",
		"weights of the samples: a .npy file, or a .npz file with an array named weights")
	f.Float64Var(&d.Data.Valid, "valid", d.Data.Valid, "fraction of the samples to hold out for validation")
	t := &d.Train
	f.IntVar(&t.Epochs, "epochs", t.Epochs, "number of times that each sample is used; 0 to choose")
	f.IntVar(&t.Batch, "batch", t.Batch, "samples per minibatch; 0 to choose")
	f.IntVar(&t.Chains, "chains", t.Chains,
		"number of Markov chains; 0 for one per sample of a minibatch, -1 to choose")
	f.IntVar(&t.Sweeps, "k", t.Sweeps, "sweeps of the chains per update; 0 to choose")
	f.StringVar(&t.Method, "method", t.Method,
		"pcd: chains continue from update to update; cd: they restart at the minibatch")
	f.StringVar(&t.Sampler, "sampler", t.Sampler, "auto: Gibbs sampling, and jumps between modes if chains get "+
		"stuck; jump: always with jumps; gibbs, or another sampler of 'instanton sample'")
	f.StringVar(&t.Gradient, "gradient", t.Gradient, "form of the gradient: centred, standardised or plain")
	f.Float64Var(&t.Clip, "clip", t.Clip, "largest absolute value of an entry of the gradient; 0 for no limit")
	f.StringVar(&t.Tie, "tie", t.Tie, "none, or transpose: give an image and its transpose the same probability")
	f.StringVar(&t.Optimizer.Name, "optimizer", t.Optimizer.Name, "rmsprop, sgd or adam")
	f.Float64Var(&t.Optimizer.Rate, "lr", t.Optimizer.Rate, "learning rate; 0 to choose")
	f.Float64Var(&t.Optimizer.Momentum, "momentum", t.Optimizer.Momentum, "momentum of sgd")
	f.StringVar(&t.Schedule.Name, "schedule", t.Schedule.Name,
		"schedule of the learning rate: constant, geometric (constant for half of the run, then falling to "+
			"train.schedule.final) or cosine")
	f.Float64Var(&t.Regularize.L1, "l1", 0, "λ in the penalty λ Σ|W|")
	f.Float64Var(&t.Regularize.L1b, "l1b", 0,
		"λ in the penalty λ/2 Σ_μ (Σ_i|W_iμ|)², which is divided by N·q for N Potts visible units of q states")
	f.Float64Var(&t.Regularize.L2, "l2", 0, "λ in the penalty λ/2 ΣW²")
	f.Float64Var(&t.Regularize.FieldL2, "field-l2", 0, "λ in the penalty λ/2 Σg² on the visible fields")
	f.Float64Var(&t.Regularize.Penalty, "penalty", 0,
		"λ in the penalty λ⟨Σ_{μ≠ν}|f_μ f_ν|⟩, f = ⟨h|v⟩, which aligns hidden units with patterns")
	f.Uint64Var(&t.Seed, "seed", t.Seed, "seed of the random numbers")
	f.IntVar(&d.Keep.Report, "report-every", 0, "updates between reports; 0 for about a hundred reports in all")
	f.DurationVar((*time.Duration)(&d.Keep.Checkpoint), "checkpoint-every", time.Duration(d.Keep.Checkpoint),
		"time between checkpoints")
	f.IntVar(&d.Keep.Trajectory, "keep-every", 0, "epochs between the models kept in trajectory/; 0 to keep none")
}

// resolve combines the sources of settings.
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
	switch {
	case cfg.Data.Path == "":
		return cfg, fmt.Errorf("no data: give a data file, or a TOML file that names one with --config")
	case cfg.Model.Hidden == "":
		return cfg, fmt.Errorf("no hidden units: give them with --hidden TYPE:M, such as --hidden spin:16")
	case f.out == "":
		return cfg, fmt.Errorf("no run directory: give one with --out DIR")
	}
	if cfg.Train.Sampler == autoSampler && strings.HasPrefix(f.device, "cuda") {
		say(c, "chains move by --sampler gibbs, the only one that runs on a GPU")
		cfg.Train.Sampler = "gibbs"
	}
	return cfg, cfg.Check()
}

// train starts a run or resumes it.
func (f *trainFlags) train(c *cobra.Command, cfg rundir.Config) (*rundir.Result, error) {
	ctx := c.Context()
	if f.maxTime < 0 {
		return nil, usage(fmt.Errorf("--max-time %s: expected a time that is not negative", f.maxTime))
	}
	if f.workers < 0 {
		return nil, usage(fmt.Errorf("--workers %d: expected at least 0", f.workers))
	}
	if f.maxTime > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.maxTime)
		defer cancel()
	}
	r, err := rundir.OpenOn(func(visible, hidden unit.Spec) (batch.Device, error) {
		why := ""
		if cfg.Train.Sampler != "gibbs" {
			why = fmt.Sprintf("a GPU moves chains by --sampler gibbs only, not by --sampler %s", cfg.Train.Sampler)
		}
		return openDevice(c, f.device, visible, hidden, why)
	}, f.out, cfg, f.workers)
	if err != nil {
		return nil, err
	}
	switch done := r.Updates(); {
	case done == r.Total():
		say(c, "%s: all %d updates are done", f.out, done)
	case done > 0:
		say(c, "%s: continuing after update %d of %d", f.out, done, r.Total())
	}
	line := progress.New(messages(c), "sweeps", r.Updates()*r.Sweeps(), r.Total()*r.Sweeps())
	result, err := r.Train(ctx, func(updates int) { line.Set(updates * r.Sweeps()) })
	line.Close()
	if errors.Is(err, rundir.ErrStopped) {
		return nil, fmt.Errorf("%w after %d of %d updates; run the same command again to continue", errStopped,
			r.Updates(),
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
	if r.LL != nil && *r.LLError > 0 {
		fmt.Fprintf(out, "%-22s %.6g ± %.2g per sample, estimated\n", "log-likelihood", *r.LL, *r.LLError)
	} else {
		line("log-likelihood", r.LL, "per sample, exact")
	}
	line("  held out", r.ValidLL, "per sample, exact")
	line("  independent sites", r.IndependentLL, "per sample")
	line("pseudo-log-likelihood", r.PseudoLL, "per sample, sum over sites")
	line("  held out", r.ValidPseudoLL, "per sample")
	line("free-energy gap", r.FreeEnergyGap, "in mean effective energy, held out minus training")
	fmt.Fprintf(out, "%-22s %s\n", "sampler", r.SamplerText())
	fmt.Fprintf(out, "%-22s %s\n", "model", r.Model)
	if r.BestModel != nil {
		fmt.Fprintf(out, "%-22s %s, of update %d, log-likelihood %.6g\n", "best model", *r.BestModel, *r.BestUpdate,
			*r.BestLL)
	}
	_, err := fmt.Fprintln(out, r.Judgement())
	return err
}
