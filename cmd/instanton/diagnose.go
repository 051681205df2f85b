package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"instanton/dataset"
	"instanton/internal/progress"
	"instanton/mixing"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// diagnoseFlags are the settings of a diagnosis, and of the run where there is one.
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
		Short: "Does it mix, what are the modes, which sampler to use",
		Long: `Judge a sampler by its chains: mixes, stuck, one mode seen, or too short.

Given a model, the command runs chains itself, from different modes: from the patterns that
the model stores and their opposites, or from --init. Given samples, it reads them; energies
and hidden units need --model, too.

Modes are told by --modes: patterns (and their opposites), labels:FILE (the class of the
nearest example), cluster:K (clusters of the samples) or pca (signs of their principal
components). The default is patterns where the model stores some, else pca. With --strict the
command exits with status 3 unless the verdict is "mixes".`,
		Example: `  instanton diagnose hopfield.npz
  instanton diagnose hopfield.npz --sampler latent --block 2 --strict
  instanton diagnose samples.npz --model rbm.npz --modes labels:data.npz --json`,
		Args: arguments(1, 1, "one model or sample file"),
		RunE: func(c *cobra.Command, args []string) error {
			samples, err := f.samples(c, args[0])
			if err != nil {
				return err
			}
			modes, err := f.parseModes(samples)
			if err != nil {
				return err
			}
			d, err := mixing.Diagnose(samples, modes)
			if err != nil {
				return err
			}
			if f.asJSON {
				err = printJSON(c, d)
			} else {
				err = printDiagnosis(c.OutOrStdout(), d)
			}
			if err == nil && f.strict && d.Verdict != mixing.Mixes {
				return fmt.Errorf("%w: verdict %q, expected %q", errCheck, d.Verdict, mixing.Mixes)
			}
			return err
		},
	}
	c.Flags().StringVar(&f.modes, "modes", "", "patterns, labels:FILE, cluster:K or pca")
	c.Flags().StringVar(&f.model, "model", "", "the model that samples were drawn from")
	c.Flags().BoolVar(&f.strict, "strict", false, "exit with status 3 unless it mixes")
	c.Flags().StringVar(&f.run.sampler, "sampler", "gibbs", "gibbs, metropolis, glauber or latent")
	c.Flags().IntVar(&f.run.chains, "chains", 24, "number of chains to run")
	c.Flags().IntVar(&f.run.sweeps, "sweeps", 1000, "sweeps of each")
	c.Flags().IntVar(&f.run.every, "every", 1, "sweeps from one draw to the next")
	c.Flags().Float64Var(&f.run.beta, "beta", 1, "inverse temperature")
	c.Flags().StringVar(&f.run.init, "init", "", "a file of configurations in different modes to start from")
	c.Flags().IntVar(&f.run.workers, "workers", 0, "goroutines; 0 for one a processor")
	f.run.latent.flags(c)
	seedFlag(c, &f.run.seed)
	jsonFlag(c, &f.asJSON)
	return c
}

// samples reads them, or runs the chains of a model.
func (f *diagnoseFlags) samples(c *cobra.Command, path string) (mixing.Samples, error) {
	if sampler.IsSamples(path) {
		return f.read(path)
	}
	m, err := rbm.Load(path)
	if err != nil {
		return mixing.Samples{}, err
	}
	if f.model != "" {
		return mixing.Samples{}, usage(fmt.Errorf("--model goes with samples: %s is a model", path))
	}
	return f.sample(c, m)
}

func (f *diagnoseFlags) read(path string) (mixing.Samples, error) {
	s, err := sampler.ReadSamples(path)
	if err != nil {
		return mixing.Samples{}, err
	}
	out := mixing.Samples{V: s.V, Chains: s.Chains, Draws: s.Draws}
	if s.About != nil {
		out.Sampler = s.About.Sampler
	}
	if f.model == "" {
		return out, nil
	}
	if out.Model, err = rbm.Load(f.model); err != nil {
		return out, err
	}
	if spec := out.Model.Visible.Spec(); spec != s.V.Spec {
		if out.V, err = dataset.ReadAs(path, spec); err != nil {
			return out, err
		}
	}
	return out, nil
}

// sample runs the chains.
func (f *diagnoseFlags) sample(c *cobra.Command, m *rbm.RBM) (mixing.Samples, error) {
	none := mixing.Samples{}
	if err := f.run.check(); err != nil {
		return none, usage(err)
	}
	plan := sampler.Plan{Every: f.run.every, Draws: f.run.sweeps / f.run.every}
	if err := plan.Check(f.run.chains, m.Visible.Spec()); err != nil {
		return none, usage(err)
	}
	start, err := f.start(c, m)
	if err != nil {
		return none, err
	}
	k, _, err := f.run.latent.kernel(c, f.run.sampler, m, f.run.beta, f.run.seed, func() (*unit.States, error) {
		if start == nil {
			f.run.init = "random"
			return f.run.typical(c, m)
		}
		return start, nil
	})
	if err != nil {
		return none, err
	}
	chains := sampler.NewChains(m, f.run.chains, f.run.seed)
	if start != nil {
		if err := chains.Begin(start); err != nil {
			return none, err
		}
	}
	r := sampler.NewRecord(k, chains, plan, false)
	line := progress.New(talk(c), "sweeps", 0, r.Sweeps())
	err = sampler.NewPool(k, f.run.workers).Record(c.Context(), chains, r, line.Set)
	line.Close()
	return mixing.Samples{V: r.V, Chains: f.run.chains, Draws: r.Draws, Model: m, Sampler: f.run.sampler}, err
}

// start are configurations in different modes, nil where none are known.
func (f *diagnoseFlags) start(c *cobra.Command, m *rbm.RBM) (*unit.States, error) {
	if f.run.init != "" {
		return dataset.ReadStart(f.run.init, m.Visible.Spec())
	}
	if m.Patterns != nil {
		return mixing.Starts(m)
	}
	say(c, "the model stores no patterns: chains start at random, which may miss modes; name configurations with --init")
	return nil, nil
}

// parseModes reads --modes.
func (f *diagnoseFlags) parseModes(s mixing.Samples) (mixing.Modes, error) {
	text := f.modes
	if text == "" {
		text = "pca"
		if s.Model != nil && s.Model.Patterns != nil {
			text = "patterns"
		}
	}
	kind, rest, _ := strings.Cut(text, ":")
	switch {
	case text == "patterns":
		if s.Model == nil {
			return nil, usage(fmt.Errorf("--modes patterns needs the model: name it with --model"))
		}
		modes, err := mixing.Patterns(s.Model)
		return modes, usage(err)
	case kind == "labels" && rest != "":
		d, err := dataset.Read(rest)
		if err != nil {
			return nil, err
		}
		return mixing.Labels(d, s.V.Spec)
	case kind == "cluster":
		k, err := strconv.Atoi(rest)
		if err != nil || k < 2 {
			return nil, usage(fmt.Errorf("--modes %s: expected cluster:K with K at least 2", text))
		}
		return mixing.Clusters(s.V, k, f.run.seed), nil
	case text == "pca":
		return mixing.PCA(s.V), nil
	}
	return nil, usage(fmt.Errorf("--modes %s: expected patterns, labels:FILE, cluster:K or pca", text))
}

func printDiagnosis(out io.Writer, d *mixing.Diagnosis) error {
	fmt.Fprintf(out, "%s: %s\n\n", d.Verdict, d.Reason)
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "quantity\tmean\t± MCSE\tR-hat\tbulk ESS\ttail ESS\tτ\t")
	for _, q := range d.Quantities {
		if !strings.HasPrefix(q.Name, "mode ") {
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t\n", q.Name, digits(q.Mean, 4), digits(q.MCSE, 2), digits(q.RHat, 4), digits(q.BulkESS, 3), digits(q.TailESS, 3), digits(q.Tau, 3))
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(out)
	fmt.Fprintln(t, "mode\toccupancy\t± error\tR-hat\tbulk ESS\tτ\tresidence\tESS a run\t")
	for _, m := range d.Modes {
		q := mixing.Quantity{RHat: mixing.Number(math.NaN()), BulkESS: mixing.Number(math.NaN()), Tau: mixing.Number(math.NaN())}
		for _, other := range d.Quantities {
			if other.Name == "mode "+m.Name {
				q = other
			}
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t\n", m.Name, digits(m.Occupancy, 3), digits(m.Error, 2), digits(q.RHat, 4), digits(q.BulkESS, 3), digits(q.Tau, 3), digits(m.Residence, 3), digits(m.RunESS, 3))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(out, "\n%d chains of %d draws, %d changes of mode\n", d.Chains, d.Draws, d.Transitions)
	if d.Clusters != nil {
		fmt.Fprintf(out, "clusters of correlated hidden units: %d; units that have to move together: %d\n", len(d.Clusters), d.Block)
	}
	if d.Advice.Sampler != "" {
		fmt.Fprintf(out, "advice: --sampler %s", d.Advice.Sampler)
		if d.Advice.Flags != "" {
			fmt.Fprintf(out, " %s", d.Advice.Flags)
		}
		fmt.Fprintf(out, ": %s\n", d.Advice.Reason)
	} else {
		fmt.Fprintf(out, "advice: %s\n", d.Advice.Reason)
	}
	printNotes(out, d)
	for _, n := range d.Notes {
		fmt.Fprintf(out, "note: %s\n", n)
	}
	return nil
}

// printNotes says once what holds for several quantities.
func printNotes(out io.Writer, d *mixing.Diagnosis) {
	names := map[string][]string{}
	var order []string
	for _, q := range d.Quantities {
		if q.Note == "" {
			continue
		}
		if names[q.Note] == nil {
			order = append(order, q.Note)
		}
		names[q.Note] = append(names[q.Note], q.Name)
	}
	for _, note := range order {
		fmt.Fprintf(out, "note: %s: %s\n", strings.Join(names[note], ", "), note)
	}
}

// digits writes a number, or a dash where it is unknown.
func digits(x mixing.Number, n int) string {
	if math.IsNaN(float64(x)) {
		return "–"
	}
	return strconv.FormatFloat(float64(x), 'g', n, 64)
}
