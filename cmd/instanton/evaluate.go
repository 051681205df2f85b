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
	"instanton/internal/progress"
	"instanton/rbm"
	"instanton/sampler"
)

// evaluateFlags say what is computed.
type evaluateFlags struct {
	exact, ais, moments bool
	chains, steps       int
	sweeps              int
	seed                uint64
	workers             int
}

func newEvaluate() *cobra.Command {
	var f evaluateFlags
	var asJSON bool
	c := &cobra.Command{
		Use:   "evaluate MODEL.npz [DATA]",
		Short: "Partition function, likelihood, pseudo-likelihood, moments",
		Long: `Compute log Z of a model and, with DATA, the mean log-likelihood, effective energy and
pseudo-log-likelihood (summed over sites) of its configurations. log Z is exact, by
enumeration of the layer with fewer states, wherever that layer has at most about a
million of them (with --exact, 2^26).

--ais estimates log Z by annealed importance sampling from both sides: chains that go from
independent sites to the model give an estimate that is low on average, chains that go
back one that is high. log_z_lower and log_z_upper are three standard errors further out.
Both can be wrong alike when no chain finds a mode of the model.

Where DATA has weights of samples, all means over it are by them.

--moments compares ⟨v⟩, ⟨vv⟩, ⟨h⟩ and ⟨vh⟩ of DATA with those of the model, exact or by chains.`,
		Example: "  instanton evaluate cw.npz --exact --json\n  instanton evaluate model.npz test.npz --ais --moments",
		Args:    arguments(1, 2, "a model file and perhaps data"),
		RunE: func(c *cobra.Command, args []string) error {
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
			s, err := f.score(c, m, data)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(c, s)
			}
			out := bufio.NewWriter(c.OutOrStdout()) // keeps the first error
			printScore(out, s)
			return out.Flush()
		},
	}
	c.Flags().BoolVar(&f.exact, "exact", false, "enumerate even large layers, and fail where none can be")
	c.Flags().BoolVar(&f.ais, "ais", false, "estimate log Z by annealed importance sampling, from both sides")
	c.Flags().IntVar(&f.chains, "ais-chains", 200, "chains in each direction")
	c.Flags().IntVar(&f.steps, "ais-steps", 0, "steps of the ladder; 0 for as many as a pilot run finds necessary")
	c.Flags().BoolVar(&f.moments, "moments", false, "compare moments of DATA with those of the model")
	c.Flags().IntVar(&f.sweeps, "sweeps", 1000, "sweeps of the chains for moments that cannot be enumerated")
	c.Flags().IntVar(&f.workers, "workers", 0, "goroutines; 0 for one per processor")
	seedFlag(c, &f.seed)
	jsonFlag(c, &asJSON)
	return c
}

// score computes what the flags ask for.
func (f *evaluateFlags) score(c *cobra.Command, m *rbm.RBM, d *dataset.Dataset) (*evaluate.Score, error) {
	data := d.States
	switch {
	case f.moments && data == nil:
		return nil, usage(errors.New("--moments compares with data: name a file of configurations"))
	case f.chains < 2 || f.steps < 0 || f.sweeps < 1:
		return nil, usage(fmt.Errorf("--ais-chains %d, --ais-steps %d, --sweeps %d: expected at least 2, 0 and 1",
			f.chains, f.steps, f.sweeps))
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
	if f.moments {
		if s.Moments, err = f.compare(c.Context(), m, d, s.Method == evaluate.ByEnumeration); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// anneal starts from sites fitted to the data, if there are any.
func (f *evaluateFlags) anneal(c *cobra.Command, m *rbm.RBM, d *dataset.Dataset) (*evaluate.AIS, error) {
	o := evaluate.AISOptions{Chains: f.chains, Steps: f.steps, Seed: f.seed, Workers: f.workers, Data: d.States}
	if d.States != nil {
		var err error
		if o.Reference, err = evaluate.Sites(d.States, d.Weights, nil); err != nil {
			return nil, err
		}
	}
	var line *progress.Line
	of := 0
	o.Progress = func(done, total int) {
		if total != of { // a longer ladder
			if line != nil {
				line.Close()
			}
			line, of = progress.New(talk(c), "annealing steps", 0, total), total
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
		say(c, "annealing is not to be trusted: %s; try more --ais-steps than %d, or DATA from every mode", why, a.Steps)
	}
	return a, nil
}

// compare takes the model's moments from a sum, or from chains that start at the data.
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
		fmt.Fprintf(out, "log Z             %.10g (exact, by the %s units)\n", *s.LogZ, s.Enumerated)
	case evaluate.ByQuadrature:
		fmt.Fprintf(out, "log Z             %.10g (exact, by quadrature over the real units)\n", *s.LogZ)
	case evaluate.ByNone:
		fmt.Fprintln(out, "log Z             unknown: both layers are too large to enumerate; --ais estimates it")
	}
	if a := s.AIS; a != nil {
		fmt.Fprintf(out, "log Z, annealed   %.6f ± %.2g, from above %.6f ± %.2g (%d chains, %d steps)\n", a.LogZ,
			a.Error, a.Reverse, a.ReverseError, a.Chains, a.Steps)
		if a.Verdict == evaluate.Good {
			fmt.Fprintf(out, "log Z, bounds     %.6f to %.6f\n", a.Lower, a.Upper)
		}
		fmt.Fprintf(out, "verdict           %s: %s\n", a.Verdict, a.Reason)
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
		}{{"⟨v⟩", r.V}, {"⟨vv⟩", r.VV}, {"⟨h⟩", r.H}, {"⟨vh⟩", r.VH}} {
			how := fmt.Sprintf("correlation %.4f, slope %.4f", m.a.Correlation, m.a.Slope)
			if m.a.Constant {
				how = "constant, nothing to correlate"
			}
			fmt.Fprintf(out, "%-4s model (%s) against data: %s, distance %.4f\n", m.name, r.Method, how, m.a.RMS)
		}
	}
}
