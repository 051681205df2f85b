package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"instanton/dataset"
	"instanton/internal/atomicfile"
	"instanton/internal/progress"
	"instanton/internal/vec"
	"instanton/pilot"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/samples"
	"instanton/tempering"
	"instanton/unit"
)

// sampleFlags are the settings of the chains.
type sampleFlags struct {
	sampler             string
	chains              int
	sweeps, burn, every int
	beta                float64
	init                string
	hidden              bool
	seed                uint64
	workers             int
	device              string
	latent              latentFlags
	ladder              ladderFlags
	choice              *pilot.Choice // of --sampler auto
	before              string        // what a pilot chose when an interrupted run began
	jump                jumpFlags
	design              designFlags
	fasta               string
}

// sampleReport is what the command prints.
type sampleReport struct {
	Sampler             string  `json:"sampler"`
	Why                 string  `json:"why,omitempty"` // it was chosen
	Chains              int     `json:"chains"`
	Draws               int     `json:"draws"`
	Sweeps              int     `json:"sweeps"`
	Seconds             float64 `json:"seconds"`
	SweepsPerSecond     float64 `json:"sweeps_per_second"`
	MeanEffectiveEnergy float64 `json:"mean_effective_energy"`
	Acceptance          float64 `json:"acceptance"`
	// Tempering says how the replicas of a ladder moved.
	Tempering *tempering.Report `json:"tempering,omitempty"`

	Fit *fitReport `json:"fit,omitempty"` // of a proposal that had to be fitted first
}

func newSample() *cobra.Command {
	var f sampleFlags
	var out output
	var asJSON bool
	c := &cobra.Command{
		Use:   "sample MODEL.npz -o OUT.npz",
		Short: "Draw configurations with Markov chains",
		Long: `Run Markov chains that sample P(v)^β, and keep one configuration every --every sweeps: the array v of
OUT.npz, with dimensions chain, draw and unit. Print the mean effective energy, the acceptance and
the speed.

A sweep is one step of alternating Gibbs sampling (gibbs), or N attempts at single visible units
(metropolis, glauber). With --sampler latent it is a Gibbs step in which, between its two halves, all
hidden units move block by block with the visible units summed out; flags marked "latent" choose
these moves. Where Gaussian hidden units have been mixed by a rotation, such moves lead nowhere until
--axes gauge undoes it, which leaves P(v) unchanged.

With --sampler jump a sweep is a jump of a whole layer, drawn from a proposal, with Gibbs steps around
it; the proposal is that of --proposal (see 'instanton jump-fit'), or it is fitted first, to chains that
start from --init, and kept beside OUT.npz.

` + ladderHelp + `

` + autoHelp + `

` + designHelp + `

If the command is interrupted, it writes the draws it has and exits with status 75; run again, it
continues to the same result. Neither an interruption nor --workers changes a bit of it.`,
		Example: `  instanton sample cw.npz --chains 100 --sweeps 10000 --every 10 -o samples.npz
  instanton sample rbm.npz --sampler metropolis --beta 2 --init data.npz -o cold.npz --json
  instanton sample hopfield.npz --sampler latent --block 2 -o all.npz
  instanton sample rotated.npz --sampler latent --block 2 --axes gauge -o all.npz
  instanton sample rbm.npz --sampler mixture --data train.npz -o digits.npz
  instanton sample rbm.npz --sampler jump --init data.npz -o jumps.npz`,
		Args: arguments(1, 1, "one model file"),
		RunE: func(c *cobra.Command, args []string) error {
			m, err := rbm.Load(args[0])
			if err != nil {
				return err
			}
			if err := f.checkOutputs(out, args[0]); err != nil {
				return err
			}
			report, err := sample(c, m, f, out)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(c, report)
			}
			printLadder(c.OutOrStdout(), report.Tempering)
			_, err = fmt.Fprintf(c.OutOrStdout(), "%d chains, %d draws each in %d sweeps: mean effective energy "+
				"%.6g, acceptance %.4g, %.4g sweeps per second\n",
				report.Chains, report.Draws, report.Sweeps, report.MeanEffectiveEnergy, report.Acceptance,
				report.SweepsPerSecond)
			return err
		},
	}
	c.Flags().StringVar(&f.sampler, "sampler", "gibbs", samplerHelp)
	c.Flags().IntVar(&f.chains, "chains", 100, "number of chains")
	c.Flags().IntVar(&f.sweeps, "sweeps", 1000, "sweeps of each chain, after --burn")
	c.Flags().IntVar(&f.burn, "burn", 0, "sweeps to discard first")
	c.Flags().IntVar(&f.every, "every", 1, "sweeps from one draw to the next")
	c.Flags().Float64Var(&f.beta, "beta", 1, "inverse temperature: sample P(v)^β")
	c.Flags().StringVar(&f.init, "init", "random", "starts of the chains: random, or a file of configurations")
	c.Flags().BoolVar(&f.hidden, "hidden", false, "also keep hidden units, drawn from P(h|v): the array h")
	c.Flags().IntVar(&f.workers, "workers", 0, "number of goroutines; 0 for one per processor")
	c.Flags().StringVar(&f.fasta, "fasta", "",
		"also write the draws to this file as an alignment, if the model is one of sequences")
	deviceFlag(c, &f.device)
	f.latent.flags(c)
	f.ladder.flags(c)
	f.jump.flags(c)
	f.design.flags(c)
	seedFlag(c, &f.seed)
	out.flags(c, "sample file")
	jsonFlag(c, &asJSON)
	return c
}

// checkOutputs refuses an output that is one of the inputs or the other output.
func (f *sampleFlags) checkOutputs(out output, model string) error {
	inputs := append([]string{model, f.init, f.ladder.data, f.jump.proposal, f.design.clamp},
		strings.Split(f.ladder.stack, ",")...)
	for _, o := range []output{out, {path: f.fasta}} {
		if err := o.notAnInput(inputs...); err != nil {
			return err
		}
	}
	if f.fasta != "" && filepath.Clean(f.fasta) == filepath.Clean(out.path) {
		return usage(fmt.Errorf("--fasta %s is the sample file: expected another file", f.fasta))
	}
	return nil
}

// check refuses settings that make no sense.
func (f *sampleFlags) check() error {
	for _, v := range []struct {
		name  string
		value int
		least int
	}{{"chains", f.chains, 1}, {"sweeps", f.sweeps, 1}, {"burn", f.burn, 0}, {"every", f.every, 1},
		{"workers", f.workers, 0}} {
		if v.value < v.least {
			return fmt.Errorf("--%s %d: expected at least %d", v.name, v.value, v.least)
		}
	}
	if f.sweeps < f.every {
		return fmt.Errorf("--sweeps %d with --every %d keeps nothing: expected --sweeps of at least --every", f.sweeps,
			f.every)
	}
	return nil
}

// sample runs the chains and writes the file.
func sample(c *cobra.Command, m *rbm.RBM, f sampleFlags, out output) (*sampleReport, error) {
	if err := f.check(); err != nil {
		return nil, usage(err)
	}
	if err := f.checkFASTA(m, out); err != nil {
		return nil, err
	}
	m, err := f.design.design(m)
	if err != nil {
		return nil, err
	}
	if f.sampler == autoSampler {
		f.before = chosenBefore(out.path, m, f.seed)
	}
	kernel, moves, fit, err := f.kernel(c, m, proposalBeside(out.path),
		func() (*unit.States, error) { return f.typical(c, m) })
	if err != nil {
		return nil, err
	}
	layers := []unit.Spec{m.Visible.Spec()}
	if f.hidden {
		layers = append(layers, m.Hidden.Spec())
	}
	if err := (sampler.Plan{Burn: f.burn, Every: f.every, Draws: f.sweeps / f.every}).Check(f.chains,
		layers...); err != nil {
		return nil, usage(err)
	}
	run, resumed, err := f.prepare(kernel, moves, out)
	if err != nil {
		return nil, err
	}
	run.Describe(m.Info)
	if resumed {
		say(c, "%s: continuing after sweep %d of %d", out.path, run.Chains.Sweep, run.Record.Sweeps())
		out.force = true // the file is this run's own
	}
	if rest := f.sweeps % f.every; rest != 0 {
		say(c, "leaving out the last %d of %d sweeps, from which no draw would be kept", rest, f.sweeps)
	}

	run.Record.KeepEnergies()
	before, start := run.Chains.Sweep, time.Now()
	line := progress.New(messages(c), "sweeps", int(before), run.Record.Sweeps())
	err = sampler.NewPool(kernel, f.workers).Record(c.Context(), run.Chains, run.Record, line.Set)
	line.Close()
	seconds := time.Since(start).Seconds()
	if err != nil && c.Context().Err() == nil {
		return nil, err
	}
	if saveErr := run.Save(out.path, out.force); saveErr != nil {
		return nil, saveErr
	}
	if err != nil {
		return nil, fmt.Errorf("%w after %d of %d sweeps; run the same command again to continue", errStopped,
			run.Chains.Sweep,
			run.Record.Sweeps())
	}

	warnTrapped(c, kernel, run.Chains)
	if err := f.writeFASTA(m, run.Record, out.force); err != nil {
		return nil, err
	}
	ladder, err := ladderReport(kernel, run.Chains)
	if err != nil {
		return nil, err
	}
	report := &sampleReport{
		Tempering: ladder,
		Chains:    f.chains, Draws: run.Record.Draws, Sweeps: run.Record.Sweeps(), Seconds: seconds,
		SweepsPerSecond:     float64(run.Chains.Sweep-before) / seconds,
		MeanEffectiveEnergy: vec.WeightedMean(run.Record.E, nil), Acceptance: run.Chains.Acceptance(), Fit: fit,
	}
	report.Sampler, report.Why = f.chosen()
	return report, nil
}

// chosen is the sampler that was used and, if a pilot chose it, why.
func (f *sampleFlags) chosen() (name, why string) {
	if f.choice != nil {
		return f.choice.Sampler, f.choice.Why
	}
	return f.sampler, ""
}

// checkFASTA refuses an alignment that could not be written at the end.
func (f *sampleFlags) checkFASTA(m *rbm.RBM, out output) error {
	if f.fasta == "" {
		return nil
	}
	if letters := m.Info["alphabet"]; letters == "" {
		return usage(fmt.Errorf("--fasta %s: the model does not say which letters its states stand for: "+
			"expected a model that was trained on sequences", f.fasta))
	}
	if err := dataset.CheckName(f.fasta); err != nil {
		return usage(err)
	}
	if _, err := os.Stat(f.fasta); err == nil && !out.force {
		return fmt.Errorf("%s %w", f.fasta, atomicfile.ErrExists)
	}
	return nil
}

// writeFASTA writes the draws as sequences, named after their chain and draw.
func (f *sampleFlags) writeFASTA(m *rbm.RBM, r *sampler.Record, force bool) error {
	if f.fasta == "" {
		return nil
	}
	d := &dataset.Dataset{States: r.V, Alphabet: m.Info["alphabet"]}
	for k := range r.V.Len {
		d.Names = append(d.Names, fmt.Sprintf("chain%d/draw%d", k/r.Draws, k%r.Draws))
	}
	return d.Save(f.fasta, force)
}

// typical returns configurations for clustering hidden units: those of --init, or what a hundred sweeps of
// alternating Gibbs sampling reach.
func (f *sampleFlags) typical(c *cobra.Command, m *rbm.RBM) (*unit.States, error) {
	if f.init != "random" {
		return dataset.ReadAs(f.init, m.Visible.Spec(), m.Info["alphabet"])
	}
	k, err := sampler.NewGibbs(m, f.beta)
	if err != nil {
		return nil, usage(err)
	}
	chains := sampler.NewChains(m, 500, f.seed)
	err = sampler.NewPool(k, f.workers).Run(c.Context(), chains, 100)
	return chains.V, err
}

// prepare starts a run, or resumes the interrupted one in the output file if it has the same settings.
func (f *sampleFlags) prepare(k sampler.Kernel, moves string, out output) (run *samples.File, resumed bool, err error) {
	about := samples.Recipe{
		Sampler: f.sampler, Moves: moves, Beta: f.beta, Seed: f.seed, Init: f.init, Chains: f.chains,
		Burn: f.burn, Every: f.every, Draws: f.sweeps / f.every, Hidden: f.hidden,
	}
	if about.Model, err = k.Model().Fingerprint(); err != nil {
		return nil, false, err
	}
	chains := sampler.NewChains(k.Model(), f.chains, f.seed)
	if f.init != "random" {
		start, err := dataset.ReadStart(f.init, k.Model().Visible.Spec(), k.Model().Info["alphabet"])
		if err != nil {
			return nil, false, err
		}
		if err := chains.Begin(start); err != nil {
			return nil, false, err
		}
		about.Init = start.Fingerprint()
	}
	err = out.check()
	if err != nil && !errors.Is(err, atomicfile.ErrExists) {
		return nil, false, err
	}
	if _, missing := os.Stat(out.path); missing == nil {
		run, why := samples.Resume(out.path, k, about)
		if why == nil {
			return run, true, nil
		}
		if err != nil { // no --force
			return nil, false, fmt.Errorf("%w (it cannot be resumed: %v)", err, why)
		}
	}
	plan := sampler.Plan{Burn: f.burn, Every: f.every, Draws: f.sweeps / f.every}
	return &samples.File{Chains: chains, Record: sampler.NewRecord(k, chains, plan, f.hidden), About: about}, false, nil
}
