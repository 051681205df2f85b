package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"instanton/dataset"
	"instanton/internal/progress"
	"instanton/mixing"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/samples"
	"instanton/unit"
)

// diagnoseFlags are the settings of a diagnosis and, for a model, of its chains.
type diagnoseFlags struct {
	modes  string
	model  string
	strict bool
	asJSON bool
	run    sampleFlags
}

func newDiagnose() *cobra.Command {
	var f diagnoseFlags
	c := &cobra.Command{
		Use:   "diagnose MODEL.npz | SAMPLES.npz",
		Short: "Judge whether a sampler mixes, find the modes, and say which sampler to use",
		Long: `Judge a sampler by its chains and print a verdict (mixes, stuck, one mode seen or too short) with
its reason, tables of the measured quantities and of the modes, and advice on which sampler to use.

Given a model, the command runs chains itself, from different starts: those of --init; or the
patterns stored in the model and their opposites; or, if there are none, noise and the states that
single hidden units favour, in turns. Given samples, it reads them. Energies and hidden units then
need --model, and --init gives the starts of the chains: if all chains agree on one mode, only
different starts can show that it is the only one.

--modes says how configurations are assigned to modes: patterns (the nearest pattern or opposite),
labels:FILE (the class of the nearest example), cluster:K (clusters of the samples) or pca (signs of
their principal components). The default is patterns if the model stores any, otherwise pca.

"instanton sample --help" describes the samplers and what they need; --sampler auto chooses one.`,
		Example: `  instanton diagnose hopfield.npz
  instanton diagnose hopfield.npz --sampler latent --block 2 --strict
  instanton diagnose samples.npz --model rbm.npz --modes labels:data.npz --json`,
		Args: arguments(1, 1, "one model or sample file"),
		RunE: func(c *cobra.Command, args []string) error {
			find, err := f.parseModes()
			if err != nil {
				return err
			}
			samples, err := f.samples(c, args[0])
			if err != nil {
				return err
			}
			modes, err := find(samples)
			if err != nil {
				return err
			}
			d, err := mixing.Diagnose(samples, modes)
			if err != nil {
				return err
			}
			if d.Verdict == mixing.OneMode && samples.Start == nil && !samples.Noise {
				d.Notes = append(d.Notes, "give the starts of the chains with --init")
			}
			if f.asJSON {
				value := jsonOf(d)
				value.Sampler = samples.Sampler
				if f.run.choice != nil {
					value.Sampler, value.Why = f.run.chosen()
				}
				err = printJSON(c, value)
			} else {
				err = printDiagnosis(c.OutOrStdout(), d)
			}
			if err == nil && f.strict && d.Verdict != mixing.Mixes {
				return fmt.Errorf("%w: verdict %q, expected %q", errCheck, d.Verdict, mixing.Mixes)
			}
			return err
		},
	}
	c.Flags().StringVar(&f.modes, "modes", "",
		"patterns, labels:FILE, cluster:K or pca; by default patterns if there are any, otherwise pca")
	c.Flags().StringVar(&f.model, "model", "", "the model from which the samples were drawn")
	c.Flags().BoolVar(&f.strict, "strict", false, "exit with status 3 unless the verdict is \"mixes\"")
	c.Flags().StringVar(&f.run.sampler, "sampler", "gibbs", samplerHelp)
	c.Flags().IntVar(&f.run.chains, "chains", 24, "number of chains")
	c.Flags().IntVar(&f.run.sweeps, "sweeps", 1000, "sweeps of each chain, after --burn")
	c.Flags().IntVar(&f.run.burn, "burn", 0,
		"sweeps before the first draw; if not given, a tenth of --sweeps for chains "+
			"that start from noise")
	c.Flags().IntVar(&f.run.every, "every", 1, "sweeps from one draw to the next")
	c.Flags().Float64Var(&f.run.beta, "beta", 1, "inverse temperature")
	c.Flags().StringVar(&f.run.init, "init", "",
		"file with the starts of the chains, in different modes; for samples, the starts they had")
	c.Flags().IntVar(&f.run.workers, "workers", 0, "number of goroutines; 0 for one per processor")
	deviceFlag(c, &f.run.device)
	f.run.latent.flags(c)
	f.run.ladder.flags(c)
	f.run.jump.flags(c)
	f.run.design.flags(c)
	seedFlag(c, &f.run.seed)
	jsonFlag(c, &f.asJSON)
	return c
}

// samples reads samples, or runs chains of a model.
func (f *diagnoseFlags) samples(c *cobra.Command, path string) (mixing.Samples, error) {
	if samples.IsFile(path) {
		for _, flag := range append([]string{"sampler", "chains", "sweeps", "burn", "every", "beta", "workers",
			"device", "data", "trajectory", "stack", "rungs", "proposal",
			"clamp", "bias"}, latentNames...) {
			if c.Flags().Changed(flag) {
				return mixing.Samples{},
					usage(fmt.Errorf("--%s is for running chains, but %s already holds samples", flag, path))
			}
		}
		return f.read(path)
	}
	m, err := rbm.Load(path)
	if err != nil {
		return mixing.Samples{}, err
	}
	if f.model != "" {
		return mixing.Samples{}, usage(fmt.Errorf("--model is for samples, but %s is a model itself", path))
	}
	return f.sample(c, m)
}

func (f *diagnoseFlags) read(path string) (mixing.Samples, error) {
	s, err := samples.Read(path)
	if err != nil {
		return mixing.Samples{}, err
	}
	out := mixing.Samples{V: s.V, Chains: s.Chains, Draws: s.Draws}
	if s.About != nil {
		out.Sampler, out.Noise = s.About.Sampler, s.About.Init == "random"
	}
	if f.model != "" {
		if out.Model, err = rbm.Load(f.model); err != nil {
			return out, err
		}
		if err := f.match(s, out.Model, path); err != nil {
			return out, err
		}
		if spec := out.Model.Visible.Spec(); spec != s.V.Spec {
			if out.V, err = dataset.ReadAs(path, spec); err != nil {
				return out, err
			}
		}
	}
	if f.run.init == "" {
		return out, nil
	}
	if out.Start, err = dataset.ReadStart(f.run.init, out.V.Spec); err != nil {
		return out, err
	}
	if s.About != nil && s.About.Init != out.Start.Fingerprint() {
		return out, fmt.Errorf("--init %s: the chains of %s did not start from these configurations", f.run.init, path)
	}
	return out, nil
}

// match refuses a model other than the one from which the samples say they were drawn.
func (f *diagnoseFlags) match(s *samples.Set, m *rbm.RBM, path string) error {
	if s.About == nil || s.About.Model == "" {
		return nil
	}
	own, err := m.Fingerprint()
	if err == nil && own != s.About.Model {
		err = fmt.Errorf("--model %s: the samples of %s were drawn from another model", f.model, path)
	}
	return err
}

// sample runs the chains.
func (f *diagnoseFlags) sample(c *cobra.Command, m *rbm.RBM) (mixing.Samples, error) {
	none := mixing.Samples{}
	if err := f.run.check(); err != nil {
		return none, usage(err)
	}
	if f.modes == "patterns" && m.Patterns == nil {
		return none, usage(fmt.Errorf("--modes patterns: %w: expected labels:FILE, cluster:K or pca",
			mixing.ErrNoPatterns))
	}
	if f.run.init == "" && m.Patterns == nil && !c.Flags().Changed("burn") {
		f.run.burn = f.run.sweeps / 10
	}
	plan := sampler.Plan{Burn: f.run.burn, Every: f.run.every, Draws: f.run.sweeps / f.run.every}
	if err := plan.Check(f.run.chains, m.Visible.Spec()); err != nil {
		return none, usage(err)
	}
	if all := float64(f.run.chains) * float64(plan.Draws); all > mixing.MaxDraws {
		return none, usage(fmt.Errorf("%d chains of %d draws are %.3g draws: expected at most %d; keep fewer with "+
			"--every", f.run.chains, plan.Draws, all, mixing.MaxDraws))
	}
	m, err := f.run.design.design(m)
	if err != nil {
		return none, err
	}
	start, err := f.start(m)
	if err != nil {
		return none, err
	}
	k, _, _, err := f.run.kernel(c, m, "", func() (*unit.States, error) {
		if f.run.init == "" && m.Patterns == nil {
			f.run.init = "random"
			return f.run.typical(c, m)
		}
		return start, nil
	})
	if err != nil {
		return none, err
	}
	chains := sampler.NewChains(m, f.run.chains, f.run.seed)
	if err := chains.Begin(start); err != nil {
		return none, err
	}
	r := sampler.NewRecord(k, chains, plan, false)
	line := progress.New(messages(c), "sweeps", 0, r.Sweeps())
	err = sampler.NewPool(k, f.run.workers).Record(c.Context(), chains, r, line.Set)
	line.Close()
	name, _ := f.run.chosen()
	if w := messages(c); w != nil && err == nil {
		report, err := ladderReport(k, chains)
		if err != nil {
			return none, err
		}
		printLadder(w, report)
	}
	return mixing.Samples{V: r.V, Chains: f.run.chains, Draws: r.Draws, Model: m, Sampler: name,
		Start: start}, err
}

// start returns different configurations for the chains to start from.
func (f *diagnoseFlags) start(m *rbm.RBM) (*unit.States, error) {
	if f.run.init != "" {
		return dataset.ReadStart(f.run.init, m.Visible.Spec(), m.Info["alphabet"])
	}
	return mixing.Starts(m, f.run.chains, f.run.seed), nil
}

// parseModes reads --modes and returns the function that finds the modes of samples.
func (f *diagnoseFlags) parseModes() (func(mixing.Samples) (mixing.Modes, error), error) {
	patterns := func(s mixing.Samples) (mixing.Modes, error) {
		if s.Model == nil {
			return nil, usage(fmt.Errorf("--modes patterns needs the model: give it with --model"))
		}
		modes, err := mixing.Patterns(s.Model)
		if errors.Is(err, mixing.ErrNoPatterns) {
			err = fmt.Errorf("--modes patterns: %w: expected labels:FILE, cluster:K or pca", err)
		}
		return modes, usage(err)
	}
	components := func(s mixing.Samples) (mixing.Modes, error) { return mixing.PCA(s.V) }
	kind, rest, _ := strings.Cut(f.modes, ":")
	switch {
	case f.modes == "":
		return func(s mixing.Samples) (mixing.Modes, error) {
			if s.Model != nil && s.Model.Patterns != nil {
				return patterns(s)
			}
			return components(s)
		}, nil
	case f.modes == "patterns":
		return patterns, nil
	case f.modes == "pca":
		return components, nil
	case kind == "labels" && rest != "":
		d, err := dataset.Read(rest)
		return func(s mixing.Samples) (mixing.Modes, error) { return mixing.Labels(d, s.V.Spec) }, err
	case kind == "cluster":
		k, err := strconv.Atoi(rest)
		if err != nil || k < 2 || k > mixing.MaxClusters {
			return nil, usage(fmt.Errorf("--modes %s: expected cluster:K with K from 2 to %d", f.modes,
				mixing.MaxClusters))
		}
		return func(s mixing.Samples) (mixing.Modes, error) { return mixing.Clusters(s.V, k, f.run.seed) }, nil
	}
	return nil, usage(fmt.Errorf("--modes %s: expected patterns, labels:FILE, cluster:K or pca", f.modes))
}
