package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"instanton/dataset"
	"instanton/evaluate"
	"instanton/internal/kernels"
	"instanton/internal/progress"
	"instanton/plot"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/tempering"
)

// evaluateFlags say what is computed.
type evaluateFlags struct {
	exact, ais, moments bool
	tempering           bool
	chains, steps       int
	sweeps              int
	seed                uint64
	workers             int
	device              string
	betas               string // of a scan
	out                 figureOutput
}

func newEvaluate() *cobra.Command {
	var f evaluateFlags
	c := &cobra.Command{
		Use:   "evaluate MODEL.npz [DATA]",
		Short: "Compute the partition function, likelihoods and moments, or scan over β",
		Long: `Compute and print log Z of a model and, with DATA, the mean log-likelihood, effective energy and
pseudo-log-likelihood (summed over sites) of its configurations. If DATA has weights, all means over
it are weighted.

log Z is exact, by enumeration of the layer with fewer states, if these are at most about a million,
or 2^26 with --exact; or by quadrature, if one layer has at most three real units and the other any
number of discrete ones.

--ais estimates log Z by annealed importance sampling from both sides: chains from independent sites
to the model give an estimate that is too low on average, chains in the other direction one that is
too high. The latter start at the ends of the former, at DATA, at minima of the energy and at random,
so that a mode missed by annealing shows. The verdict is "good" if all estimates agree; the bounds
(log_z_lower and log_z_upper in JSON) then lie three standard errors further out. Otherwise it is
"not known", "reason" says why, log_z, the bounds and log_likelihood are null, and what was
estimated stands under "ais".

--tempering estimates log Z by replica exchange: on a ladder from a mixture fitted to DATA to the model,
on which all classes of DATA (its labels, or the components of the mixture) are kept alive, or without
DATA on a ladder of temperatures. The draws on all rungs together give log Z and the weights of the
classes. Half of the chains start with all replicas at random, half at minima of the energy and at DATA;
the verdict is "good" if both agree and replicas went up and down often enough.

--beta scans the laws P(v)^β: log Z = log Σ exp(−βE_eff(v)), the mean of E_eff and the specific heat
β² Var(E_eff)/N. The numbers are exact for up to 2^20 visible configurations or up to three Gaussian
hidden units. Otherwise chains go up a ladder of temperatures, others come down it from minima of the
energy and from DATA, and numbers on which the two directions disagree are not known.

--moments compares ⟨v⟩, ⟨vv⟩, ⟨h⟩, ⟨vh⟩ and connected correlations of DATA with those of the model, which
are exact if log Z is found by enumeration, and otherwise estimated by chains that start at the data;
-o draws them.`,
		Example: `  instanton evaluate cw.npz --exact --json
  instanton evaluate model.npz test.npz --ais --moments
  instanton evaluate model.npz train.npz --tempering
  instanton evaluate cw.npz --beta 0.2:2:37 -o scan.pdf`,
		Args: arguments(1, 2, "a model file, and optionally a data file"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.out.check(); err != nil {
				return err
			}
			if f.betas == "" && f.out.path != "" && !f.moments {
				return usage(errors.New("only a scan and moments are drawn: expected --beta or --moments with -o"))
			}
			m, err := rbm.Load(args[0])
			if err != nil {
				return err
			}
			data := &dataset.Dataset{} // none
			if len(args) == 2 {
				if data, err = dataset.ReadUnits(args[1], m.Visible.Spec(), m.Info["alphabet"]); err != nil {
					return err
				}
			}
			if f.betas != "" {
				return f.scan(c, m, data)
			}
			s, err := f.score(c, m, data)
			if err != nil {
				return err
			}
			if f.out.path != "" { // only with moments
				return f.out.show(c, s, func() (plot.Figure, error) { return momentFigure(s.Moments), nil }, nil)
			}
			if f.out.asJSON {
				return printJSON(c, s)
			}
			out := bufio.NewWriter(c.OutOrStdout()) // keeps the first error
			printScore(out, s)
			return out.Flush()
		},
	}
	c.Flags().BoolVar(&f.exact, "exact", false, "enumerate even large layers, and fail if neither can be enumerated")
	c.Flags().BoolVar(&f.ais, "ais", false, "estimate log Z by annealed importance sampling, from both sides")
	c.Flags().BoolVar(&f.tempering, "tempering", false, "estimate log Z and the weights of classes by replica exchange")
	c.Flags().IntVar(&f.chains, "ais-chains", 200, "number of chains in each direction, for --ais")
	c.Flags().IntVar(&f.steps, "ais-steps", 0,
		"number of annealing steps; 0 for as many as a pilot run finds necessary")
	c.Flags().BoolVar(&f.moments, "moments", false, "compare the moments of DATA with those of the model")
	c.Flags().IntVar(&f.sweeps, "sweeps", 1000, "sweeps of the chains for moments that cannot be computed exactly")
	c.Flags().IntVar(&f.workers, "workers", 0, "number of goroutines; 0 for one per processor")
	deviceFlag(c, &f.device)
	c.Flags().StringVar(&f.betas, "beta", "", "inverse temperatures to scan: LO:HI:COUNT, or a list with commas")
	seedFlag(c, &f.seed)
	f.out.flags(c)
	return c
}

// score computes what the flags ask for.
func (f *evaluateFlags) score(c *cobra.Command, m *rbm.RBM, d *dataset.Dataset) (*evaluate.Score, error) {
	data := d.States
	switch {
	case f.moments && data == nil:
		return nil, usage(errors.New("--moments needs data: give a file of configurations after the model"))
	case f.chains < 2:
		return nil, usage(fmt.Errorf("--ais-chains %d: expected at least 2", f.chains))
	case f.steps < 0:
		return nil, usage(fmt.Errorf("--ais-steps %d: expected at least 0", f.steps))
	case !f.ais && c.Flags().Changed("device"):
		return nil, usage(errors.New("--device is for the chains of --ais: expected both"))
	case f.sweeps < 1:
		return nil, usage(fmt.Errorf("--sweeps %d: expected at least 1", f.sweeps))
	}
	s, err := evaluate.New(m, data, d.Weights, f.exact)
	if err != nil {
		return nil, err
	}
	if data != nil {
		if err := s.SetPseudo(c.Context(), m, data, d.Weights, f.workers); err != nil {
			return nil, err
		}
	}
	if f.ais {
		a, err := f.anneal(c, m, d)
		if err != nil {
			return nil, err
		}
		s.SetAIS(a)
	}
	if f.tempering {
		if err := f.temper(c, m, d, s); err != nil {
			return nil, err
		}
	}
	if f.moments {
		if s.Moments, err = f.compare(c.Context(), m, d, s.Method == evaluate.ByEnumeration); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// anneal estimates log Z, starting from independent sites fitted to the data if there are any.
func (f *evaluateFlags) anneal(c *cobra.Command, m *rbm.RBM, d *dataset.Dataset) (*evaluate.AIS, error) {
	device, err := openDevice(c, f.device, m.Visible.Spec(), m.Hidden.Spec(), "")
	if err != nil {
		return nil, err
	}
	o := evaluate.AISOptions{Chains: f.chains, Steps: f.steps, Seed: f.seed, Workers: f.workers, Device: device,
		Data: d.States}
	if d.States != nil {
		if o.Reference, err = evaluate.Sites(d.States, d.Weights, nil); err != nil {
			return nil, err
		}
	}
	var line *progress.Line
	of := 0
	o.Progress = func(done, total int) {
		if total != of || done == 1 { // another ladder
			if line != nil {
				line.Close()
			}
			line, of = progress.New(messages(c), "annealing steps", 0, total), total
		}
		line.Set(done)
	}
	a, err := evaluate.NewAIS(c.Context(), m, o)
	if line != nil {
		line.Close()
	}
	if err != nil {
		return nil, err
	}
	if why := a.Doubt(); why != "" {
		say(c, "do not trust the annealing: %s; try more --ais-steps than %d, or DATA from every mode", why, a.Steps)
	}
	return a, nil
}

// temper estimates log Z by replica exchange, from a mixture fitted to the data if there are any.
func (f *evaluateFlags) temper(c *cobra.Command, m *rbm.RBM, d *dataset.Dataset, s *evaluate.Score) error {
	var line *progress.Line
	report := func(what string) func(done, total int) {
		return func(done, total int) {
			if line == nil {
				line = progress.New(messages(c), what, 0, total)
			}
			line.Set(done)
			if done == total {
				line.Close()
				line = nil
			}
		}
	}
	name := "tempering"
	if d.States != nil && m.Visible.Spec().Type.Discrete() {
		name = "mixture"
	}
	k, err := kernels.New(name, m, 1, kernels.Options{Data: d.States, Labels: d.Labels, Seed: f.seed,
		Workers: f.workers, Context: c.Context(), Progress: report("pilot")})
	if err != nil {
		return err
	}
	t, err := evaluate.NewTempering(c.Context(), k.(*tempering.Kernel), evaluate.TemperingOptions{Seed: f.seed,
		Data: d.States, Workers: f.workers, Progress: report("sweeps")})
	if err != nil {
		return err
	}
	if why := t.Doubt(); why != "" {
		say(c, "do not trust the ladder: %s", why)
	}
	return s.SetTempering(t)
}

// compare computes the moments of the model exactly, or with chains that start at the data.
func (f *evaluateFlags) compare(ctx context.Context, m *rbm.RBM, d *dataset.Dataset,
	exact bool) (*evaluate.MomentReport, error) {
	data := d.States
	if exact {
		return evaluate.CompareMoments(m, data, d.Weights, nil)
	}
	k, err := sampler.NewGibbs(m, 1)
	if err != nil {
		return nil, err
	}
	chains := sampler.NewChains(m, min(max(data.Len, 100), 10000), f.seed)
	if err := chains.Begin(data); err != nil {
		return nil, err
	}
	if err := sampler.NewPool(k, f.workers).Run(ctx, chains, f.sweeps); err != nil {
		return nil, err
	}
	return evaluate.CompareMoments(m, data, d.Weights, chains.V)
}

func printScore(out io.Writer, s *evaluate.Score) {
	switch s.Method {
	case evaluate.ByEnumeration:
		fmt.Fprintf(out, "log Z             %.10g (exact, by enumeration of the %s units)\n", *s.LogZ, s.Enumerated)
	case evaluate.ByQuadrature:
		fmt.Fprintf(out, "log Z             %.10g (exact, by quadrature over the real units)\n", *s.LogZ)
	case evaluate.ByNone:
		fmt.Fprintln(out, "log Z             unknown: both layers are too large to enumerate; use --ais or "+
			"--tempering to estimate it")
	}
	if a := s.AIS; a != nil {
		fmt.Fprintf(out, "log Z, annealed   %.6f ± %.2g from below, %.6f ± %.2g from above (%d chains, %d steps)\n",
			a.LogZ,
			a.Error, a.Reverse, a.ReverseError, a.Chains, a.Steps)
		if a.Verdict == evaluate.Good {
			fmt.Fprintf(out, "log Z, bounds     %.6f to %.6f\n", a.Lower, a.Upper)
		}
		if p := a.Transition; p != nil {
			fmt.Fprintf(out, "transition        at β = %.3g on the way, where the energy fluctuates most\n", p.Beta)
		}
		fmt.Fprintf(out, "verdict           %s: %s\n", a.Verdict, a.Reason)
	}
	if t := s.Tempering; t != nil {
		fmt.Fprintf(out, "log Z, %-10s %.6f ± %.2g (%.4f ± %.2g from noise, %.4f ± %.2g from minima and data)\n",
			t.Sampler, t.LogZ, t.Error, t.Hot, t.HotError, t.Cold, t.ColdError)
		printLadder(out, t.Ladder)
		for _, w := range t.Classes {
			fmt.Fprintf(out, "weight of class %s %.4f ± %.2g\n", w.Name, w.Share, w.Error)
		}
		fmt.Fprintf(out, "verdict           %s: %s\n", t.Verdict, t.Reason)
	}
	if s.EffectiveEnergy != nil {
		fmt.Fprintf(out, "effective energy  %.10g (mean of %d)\n", *s.EffectiveEnergy, s.Samples)
	}
	if s.LogLikelihood != nil {
		fmt.Fprintf(out, "log-likelihood    %.10g per sample\n", *s.LogLikelihood)
	}
	if s.PseudoLogLikelihood != nil {
		fmt.Fprintf(out, "pseudo-likelihood %.10g per sample (logarithm, sum over sites, mean of %d)\n",
			*s.PseudoLogLikelihood, s.PseudoSamples)
	}
	if r := s.Moments; r != nil {
		for _, m := range []struct {
			name string
			a    evaluate.Agreement
		}{{"⟨v⟩", r.V}, {"⟨vv⟩", r.VV}, {"⟨h⟩", r.H}, {"⟨vh⟩", r.VH}, {"⟨vv⟩−⟨v⟩⟨v⟩", r.ConnectedVV},
			{"⟨vh⟩−⟨v⟩⟨h⟩", r.ConnectedVH}} {
			how := fmt.Sprintf("correlation %.4f, slope %.4f", m.a.Correlation, m.a.Slope)
			if m.a.Constant {
				how = "constant, so there is no correlation"
			}
			fmt.Fprintf(out, "%-4s model (%s) against data: %s, RMS difference %.4f\n", m.name, r.Method, how, m.a.RMS)
		}
	}
}
