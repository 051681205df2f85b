package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"instanton/dataset"
	"instanton/evaluate"
	"instanton/internal/progress"
	"instanton/jump"
	"instanton/mixing"
	"instanton/rbm"
	"instanton/unit"
)

// jumpFitFlags are the settings of a fit and of the measurement that follows.
type jumpFitFlags struct {
	options     jump.Options
	beta        float64
	modes       string
	chains      int
	sweeps      int
	bridgeSteps int
	layer, kind string
	asJSON      bool
}

// jumpFitReport is what the command prints.
type jumpFitReport struct {
	Fit        *fitReport  `json:"fit"`
	Refits     int         `json:"refits"`
	Trapped    int         `json:"trapped"`
	Modes      []modeRow   `json:"modes"`
	Acceptance [][]float64 `json:"mode_acceptance"` // from row to column; null rows were not visited
	RHat       float64     `json:"rhat"`
}

// modeRow is one mode in the law of the model.
type modeRow struct {
	Name     string   `json:"name"`
	Weight   float64  `json:"weight"`
	Error    float64  `json:"error"`
	Bridge   *float64 `json:"bridge,omitempty"`
	BridgeBy *float64 `json:"bridge_error,omitempty"`
	Data     float64  `json:"share_of_data"`
	Distance float64  `json:"distance_to_data"` // median over draws, to the nearest sample, as a share of the units
}

func newJumpFit() *cobra.Command {
	var f jumpFitFlags
	var out output
	c := &cobra.Command{
		Use:   "jump-fit MODEL.npz DATA -o PROPOSAL.npz",
		Short: "Fit a proposal for jumps between far modes, and weigh the modes",
		Long: `Fit a proposal q to a model, for chains that jump between modes: a whole layer is drawn from q, and
the draw is accepted or rejected so that the law of the model stays exactly invariant.

Chains start from DATA. What they visit is fitted by a mixture of products or, where that is
accepted too rarely, by a neural autoregressive network. Then the chains jump, which gives the modes
their right weights, and what they visit is fitted again, in rounds, until neither the acceptance nor
the divergences between q and the model improve. The proposal is frozen before anything counts.

The command then measures with the frozen proposal: the weight of each mode by jumps and by bridging
(annealing in both directions), the probability of a jump from mode to mode, the share of the data in
each mode and the distance of its configurations to the nearest sample. A chain that accepts no jump
for very long is trapped in a mode that q lacks: its states join the fit, and the measurement begins
again.

--modes is as in 'instanton diagnose'; by default the modes are the classes of DATA, if it has
labels.`,
		Example: `  instanton jump-fit rbm.npz mnist01.npz -o proposal.npz
  instanton sample rbm.npz --sampler jump --proposal proposal.npz -o samples.npz
  instanton jump-fit rbm.npz data.npz --modes cluster:3 -o proposal.npz --json`,
		Args: arguments(2, 2, "a model file and a data file"),
		RunE: func(c *cobra.Command, args []string) error {
			report, err := f.run(c, args[0], args[1], out)
			if err != nil {
				return err
			}
			if f.asJSON {
				return printJSON(c, report)
			}
			return report.print(c.OutOrStdout())
		},
	}
	c.Flags().StringVar(&f.layer, "layer", "auto", "layer that jumps: visible, hidden or auto (the smaller, if it can)")
	c.Flags().StringVar(&f.kind, "kind", "auto", "kind of proposal: products, network or auto (the cheaper that works)")
	c.Flags().IntVar(&f.options.Components, "components", 0, "products: their number; 0 to find it")
	c.Flags().IntVar(&f.options.Network.Hidden, "network-units", 0, "network: hidden units; 0 for three per unit")
	c.Flags().IntVar(&f.options.Network.Steps, "network-steps", 0,
		"network: optimiser steps per round; 0 for the default")
	c.Flags().IntVar(&f.options.Chains, "fit-chains", 0, "chains of the fit; 0 for the default")
	c.Flags().IntVar(&f.options.Rounds, "rounds", 0, "rounds at most; 0 for the default")
	c.Flags().Float64Var(&f.beta, "beta", 1, "inverse temperature; only the visible layer jumps unless it is 1")
	c.Flags().StringVar(&f.modes, "modes", "",
		"labels:FILE, patterns, cluster:K or pca; by default the classes of DATA")
	c.Flags().IntVar(&f.chains, "chains", 40, "chains of the measurement, from different modes; 0 for no measurement")
	c.Flags().IntVar(&f.sweeps, "sweeps", 1000, "sweeps of each of them")
	c.Flags().IntVar(&f.bridgeSteps, "bridge-steps", 500,
		"steps of annealing between a mode and independent units; 0 for no bridging")
	c.Flags().IntVar(&f.options.Workers, "workers", 0, "number of goroutines; 0 for one per processor")
	seedFlag(c, &f.options.Seed)
	out.flags(c, "proposal file")
	jsonFlag(c, &f.asJSON)
	return c
}

func (f *jumpFitFlags) run(c *cobra.Command, model, data string, out output) (*jumpFitReport, error) {
	if f.chains < 0 || f.chains == 1 || f.sweeps < 10 || f.bridgeSteps < 0 {
		return nil, usage(fmt.Errorf("--chains %d, --sweeps %d, --bridge-steps %d: expected no chain or at least two, "+
			"at least 10 sweeps and no negative number", f.chains, f.sweeps, f.bridgeSteps))
	}
	if err := out.notAnInput(model, data); err != nil {
		return nil, err
	}
	if err := out.check(); err != nil {
		return nil, err
	}
	m, err := rbm.Load(model)
	if err != nil {
		return nil, err
	}
	starts, err := startsOf(data, m)
	if err != nil {
		return nil, err
	}
	if f.layer != "auto" {
		f.options.Side = f.layer
	}
	if f.kind != "auto" {
		f.options.Kind = f.kind
	}
	find, err := f.finder(m, data)
	if err != nil {
		return nil, err
	}
	f.options.Report = func(r jump.Round) { sayRound(c, r) }
	fitted, err := jump.Fit(c.Context(), m, f.beta, starts, f.options)
	if err != nil {
		return nil, usage(err)
	}
	report := &jumpFitReport{RHat: math.NaN()}
	if f.chains > 0 {
		if err := f.measure(c, report, m, fitted, starts, find); err != nil {
			return nil, err
		}
	}
	report.Fit = reportOf(fitted)
	return report, fitted.Save(out.path, out.force)
}

// finder returns the function that finds the modes, by default the classes of the data.
func (f *jumpFitFlags) finder(m *rbm.RBM, data string) (func(mixing.Samples) (mixing.Modes, error), error) {
	if f.modes == "" {
		if d, err := dataset.Read(data); err == nil && d.Labels != nil && d.States.Spec == m.Visible.Spec() {
			return func(s mixing.Samples) (mixing.Modes, error) { return mixing.Labels(d, s.V.Spec) }, nil
		}
	}
	d := diagnoseFlags{modes: f.modes}
	d.run.seed = f.options.Seed
	return d.parseModes()
}

// measure weighs the modes with the frozen proposal.
func (f *jumpFitFlags) measure(c *cobra.Command, report *jumpFitReport, m *rbm.RBM, fitted *jump.Fitted,
	starts *unit.States, find func(mixing.Samples) (mixing.Modes, error)) error {
	every := max(1, f.sweeps/500)
	plan := jump.Plan{Chains: f.chains, Burn: f.sweeps / 10, Every: every, Draws: f.sweeps / every,
		Seed: f.options.Seed + 1, Refits: 3}
	from := unit.NewStates(starts.Spec, f.chains)
	for k := range f.chains {
		from.CopyRow(k, starts, k*starts.Len/f.chains)
	}
	line := progress.New(messages(c), "measurement", 0, 1)
	r, err := fitted.Measure(c.Context(), from, plan)
	line.Close()
	if err != nil {
		return err
	}
	report.Refits, report.Trapped = r.Refits, len(r.Trapped)
	if len(r.Trapped) > 0 {
		say(c, "%d chains are still trapped in a mode that the proposal lacks: the modes cannot be weighed",
			len(r.Trapped))
		return nil
	}
	modes, err := find(mixing.Samples{V: r.V, Chains: f.chains, Draws: plan.Draws, Model: m, Start: from})
	if err != nil {
		return err
	}
	o := mixing.Occupy(r.V, f.chains, plan.Draws, modes)
	if o.Merged > 0 {
		say(c, "the modes are pieces of one: too many configurations lie between them")
		return nil
	}
	report.RHat = 0
	of, ofData := modesOf(r.V, modes), modesOf(starts, modes)
	for a, name := range o.Names {
		row := modeRow{Name: name, Weight: o.Share[a], Error: o.Error[a]}
		row.Data = float64(len(ofData[a])) / float64(starts.Len)
		row.Distance = distance(r.V, of[a], starts)
		report.Modes = append(report.Modes, row)
		if h := mixing.RHat(o.Indicator(a)); h > report.RHat {
			report.RHat = h
		}
	}
	report.Acceptance = fitted.Kernel.ModeAcceptance(r.V, modes, f.options.Seed)
	if f.bridgeSteps > 0 && f.beta == 1 {
		return f.bridge(c, report, m, r.V, of, modes)
	}
	return nil
}

// modesOf lists the configurations of each mode.
func modesOf(v *unit.States, modes mixing.Modes) [][]int {
	of := make([][]int, len(modes.Names()))
	for k := range v.Len {
		a, _ := modes.Of(v, k)
		of[a] = append(of[a], k)
	}
	return of
}

// distance is the median distance of some configurations to the nearest sample, as a share of the units.
func distance(v *unit.States, rows []int, data *unit.States) float64 {
	if len(rows) == 0 {
		return math.NaN()
	}
	const draws, samples = 200, 4000
	var all []float64
	for j := range min(draws, len(rows)) {
		k := rows[j*len(rows)/min(draws, len(rows))]
		best := math.Inf(1)
		for i := range min(samples, data.Len) {
			best = min(best, v.SquaredDistance(k, data, i*data.Len/min(samples, data.Len)))
		}
		all = append(all, best/float64(v.N))
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// bridge weighs the modes by annealing, with draws of the measurement as their examples.
func (f *jumpFitFlags) bridge(c *cobra.Command, report *jumpFitReport, m *rbm.RBM, v *unit.States, of [][]int,
	modes mixing.Modes) error {
	d := &dataset.Dataset{Name: "draws"}
	var rows, at []int
	for a, name := range modes.Names() {
		if len(of[a]) == 0 {
			continue
		}
		at = append(at, a)
		for j := range min(2000, len(of[a])) {
			rows = append(rows, of[a][j*len(of[a])/min(2000, len(of[a]))])
			d.Labels = append(d.Labels, len(d.LabelNames))
		}
		d.LabelNames = append(d.LabelNames, name)
	}
	if len(at) < 2 {
		return nil
	}
	d.States = unit.NewStates(v.Spec, len(rows))
	for j, k := range rows {
		d.States.CopyRow(j, v, k)
	}
	place := make([]int, len(modes.Names()))
	for k, a := range at {
		place[a] = k
	}
	classify := func(x *unit.States) ([][]float64, error) {
		p := make([][]float64, x.Len)
		for k := range p {
			p[k] = make([]float64, len(at))
			a, _ := modes.Of(x, k)
			p[k][place[a]] = 1
		}
		return p, nil
	}
	weights, err := evaluate.Bridge(c.Context(), m, d, classify, evaluate.BridgeOptions{Chains: 100,
		Steps: f.bridgeSteps, Burn: 20, Seed: f.options.Seed, Workers: f.options.Workers})
	if err != nil {
		say(c, "no weights by bridging: %v", err)
		return nil
	}
	for k, w := range weights {
		report.Modes[at[k]].Bridge, report.Modes[at[k]].BridgeBy = &w.Share, &w.Error
	}
	return nil
}

// print writes the report as text.
func (r *jumpFitReport) print(w io.Writer) error {
	fmt.Fprintf(w, "%s in the %s layer, fitted in %.1f s: acceptance %.3g\n", r.Fit.Proposal, r.Fit.Layer,
		r.Fit.Seconds, r.Fit.Acceptance)
	if r.Refits > 0 {
		fmt.Fprintf(w, "fitted again %d times, on a mode that trapped chains showed\n", r.Refits)
	}
	if len(r.Modes) == 0 {
		return nil
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "\nmode\tweight\tby bridging\tshare of the data\tdistance to the data")
	for _, m := range r.Modes {
		bridge := "-"
		if m.Bridge != nil {
			bridge = fmt.Sprintf("%.4f ± %.4f", *m.Bridge, *m.BridgeBy)
		}
		fmt.Fprintf(t, "%s\t%.4f ± %.4f\t%s\t%.4f\t%.3f\n", m.Name, m.Weight, m.Error, bridge, m.Data, m.Distance)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, m := range r.Modes {
		if m.Weight > 0.01 && m.Data < m.Weight/100 {
			fmt.Fprintf(w, "%.0f %% of the weight is in mode %s, which is not in the data\n", 100*m.Weight, m.Name)
		}
	}
	if len(r.Modes) <= 12 {
		fmt.Fprintln(t, "\nprobability of a jump\tto")
		header := "from"
		for _, m := range r.Modes {
			header += "\t" + m.Name
		}
		fmt.Fprintln(t, header)
		for k, m := range r.Modes {
			line := m.Name
			for _, p := range r.Acceptance[k] {
				line += fmt.Sprintf("\t%.2g", p)
			}
			fmt.Fprintln(t, line)
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\nR-hat of the modes %.3f\n", r.RHat)
	return err
}
