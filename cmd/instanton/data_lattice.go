package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"instanton/dataset"
	"instanton/internal/progress"
	"instanton/lattice"
)

// familyFlags are the settings of a design.
type familyFlags struct {
	structures  []string
	competitors string
	sampler     string
	beta, low   float64
	replicas    int
	chains      int
	seed        uint64
	workers     int
	options     lattice.FamilyOptions
}

func dataLattice() *cobra.Command {
	var f familyFlags
	return maker("lattice", "Design sequences of lattice proteins",
		`Design different sequences of 27 residues that fold into a structure: --count of them with P_nat of
at least --min-pnat, by Markov chains of P_nat^β. With several structures, as in A,B, there are
--count sequences of each, in this order; the label of a sequence is its structure.

P_nat depends on the competing structures. With more than 20,000 competitors (there are 103,346 in
all) a single chain is slow to find other basins; by default nine replicas at inverse temperatures
from --beta-low to --beta then exchange sequences. With fewer, each chain runs on its own. The
alignments of the literature were made with competitors such as random:10000:1 or a list of indices.`,
		`  instanton data lattice --structure A --count 1000 --competitors random:10000:1 -o A.npz
  instanton data lattice --structure A,B --competitors random:10000:1 -o families.fasta`,
		f.flags,
		func(c *cobra.Command) (*dataset.Dataset, error) { return f.design(c) })
}

func (f *familyFlags) flags(c *cobra.Command) {
	c.Flags().StringSliceVar(&f.structures, "structure", []string{"A"},
		"structures, separated by commas: A, B, C, D, G or indices")
	c.Flags().IntVar(&f.options.Count, "count", 10000, "number of sequences for each structure")
	c.Flags().Float64Var(&f.options.MinPnat, "min-pnat", 0.99, "lowest P_nat of the sequences to keep")
	competitorsFlag(c, &f.competitors)
	c.Flags().StringVar(&f.sampler, "sampler", lattice.HeatBath{}.String(), "Markov chain: heat-bath or metropolis")
	c.Flags().Float64Var(&f.beta, "beta", lattice.DefaultBeta, "inverse temperature: sample P_nat^β")
	c.Flags().IntVar(&f.replicas, "replicas", 0,
		"number of inverse temperatures that exchange sequences; 0 to choose automatically")
	c.Flags().Float64Var(&f.low, "beta-low", lattice.DefaultLowBeta, "lowest inverse temperature of the replicas")
	c.Flags().IntVar(&f.chains, "chains", 0, "number of chains, or of ladders of replicas; 0 to choose automatically")
	c.Flags().IntVar(&f.options.Burn, "burn", lattice.DefaultBurn,
		"sweeps before the first draw; the chains are cooled during the first half of them")
	c.Flags().IntVar(&f.options.Every, "every", 0, "sweeps from one draw to the next; 0 to choose automatically")
	c.Flags().IntVar(&f.workers, "workers", 0, "number of goroutines; 0 for one per processor")
	seedFlag(c, &f.seed)
}

// design designs the families and joins them.
func (f *familyFlags) design(c *cobra.Command) (*dataset.Dataset, error) {
	natives, err := f.natives()
	if err != nil {
		return nil, usage(err)
	}
	kernel, err := lattice.ParseKernel(f.sampler)
	if err != nil {
		return nil, usage(err)
	}
	choice, err := lattice.ParseChoice(f.competitors)
	if err != nil {
		return nil, usage(err)
	}
	if f.chains < 0 || f.replicas < 0 || f.workers < 0 {
		return nil, usage(fmt.Errorf("--chains %d, --replicas %d, --workers %d: expected none below 0",
			f.chains, f.replicas, f.workers))
	}
	if f.replicas > lattice.MaxReplicas {
		return nil, usage(fmt.Errorf("--replicas %d: expected at most %d", f.replicas, lattice.MaxReplicas))
	}
	for _, families := range []int{1, len(natives)} { // one family first: the product may overflow
		if err := lattice.Spec.CheckCount(max(1, f.options.Count) * families); err != nil {
			return nil, usage(err)
		}
	}
	set, err := choice.Of(lattice.Enumerate())
	if err != nil {
		return nil, err
	}
	d := lattice.Design{Competitors: set, Kernel: kernel, Chains: f.chains, Seed: f.seed, Workers: f.workers}
	o := f.options
	replicas := f.replicas
	if replicas == 0 {
		replicas = lattice.DefaultReplicas(set.Len())
	}
	if d.Chains == 0 {
		d.Chains = lattice.DefaultChains(o.Count, replicas)
	}
	if o.Every == 0 {
		o.Every = lattice.DefaultEvery(replicas)
	}
	d.Ladder = lattice.Rungs(f.low, f.beta, replicas)

	var families []*lattice.Family
	for _, native := range natives {
		d.Native = native
		if err := d.Check(o); err != nil {
			return nil, usage(err)
		}
		family, err := designFamily(c, &d, o)
		if err != nil {
			return nil, err
		}
		families = append(families, family)
	}
	return f.dataset(choice, &d, o, families)
}

// natives are the structures of the families.
func (f *familyFlags) natives() (natives []int, err error) {
	for _, text := range f.structures {
		native, err := lattice.ParseIndex(text)
		if err != nil {
			return nil, err
		}
		if slices.Contains(natives, native) {
			return nil, fmt.Errorf("--structure %s names structure %s twice: expected different ones",
				strings.Join(f.structures, ","), lattice.Name(native))
		}
		natives = append(natives, native)
	}
	if len(natives) == 0 {
		return nil, fmt.Errorf("--structure names no structure: expected A, B, C, D, G or an index")
	}
	return natives, nil
}

// designFamily designs the sequences of one structure and reports its progress.
func designFamily(c *cobra.Command, d *lattice.Design, o lattice.FamilyOptions) (*lattice.Family, error) {
	name := lattice.Name(d.Native)
	line := progress.New(messages(c), name+": sweeps before the first draw", 0, o.Burn)
	o.Burning = func(sweeps int) {
		if line.Set(sweeps); sweeps == o.Burn {
			line = progress.New(messages(c), name+": sequences", 0, o.Count)
		}
	}
	o.Found = func(sequences int) { line.Set(sequences) }
	family, err := d.Family(c.Context(), o)
	line.Close()
	if err != nil {
		return nil, fmt.Errorf("structure %s: %w", name, err)
	}
	var mean float64
	for _, p := range family.Pnat {
		mean += p / float64(len(family.Pnat))
	}
	say(c, "structure %s: %d sequences from %d draws, of which %.1f %% passed; mean P_nat %.4f%s", name,
		len(family.Sequences), family.Draws, 100*float64(family.Passed)/float64(family.Draws), mean,
		swapRates(family.Swaps))
	return family, nil
}

// swapRates writes the rates of exchange between rungs.
func swapRates(rates []lattice.Rate) string {
	if len(rates) == 0 {
		return ""
	}
	var words []string
	for _, r := range rates {
		words = append(words, fmt.Sprintf("%.2f", r.Value()))
	}
	return "; swap rates " + strings.Join(words, " ")
}

// dataset joins families; the class of a sequence is its structure.
func (f *familyFlags) dataset(choice lattice.Choice, design *lattice.Design, o lattice.FamilyOptions,
	families []*lattice.Family) (*dataset.Dataset, error) {
	d := &dataset.Dataset{Alphabet: lattice.Alphabet}
	var sequences []lattice.Sequence
	for label, family := range families {
		name := lattice.Name(family.Native)
		d.LabelNames = append(d.LabelNames, name)
		for k, v := range family.Sequences {
			sequences = append(sequences, v)
			d.Labels = append(d.Labels, label)
			d.Names = append(d.Names, fmt.Sprintf("%s-%d pnat=%.6f", name, k+1, family.Pnat[k]))
		}
	}
	d.Name = "lattice-" + strings.Join(d.LabelNames, "-")
	d.States = lattice.States(sequences)
	d.Info = map[string]string{
		"structures": strings.Join(d.LabelNames, ","), "competitors": choice.String(),
		"competing": fmt.Sprint(design.Competitors.Len()),
		"energies":  "Miyazawa-Jernigan 1996", "sampler": f.sampler, "betas": fmt.Sprint(design.Ladder),
		"min_pnat": fmt.Sprint(o.MinPnat),
		"chains":   fmt.Sprint(design.Chains), "burn": fmt.Sprint(o.Burn), "every": fmt.Sprint(o.Every),
		"seed": fmt.Sprint(f.seed),
	}
	if choice.File != "" {
		if err := d.AddSource(choice.File); err != nil {
			return nil, err
		}
	}
	return d, nil
}
