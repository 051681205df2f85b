package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"instanton/dataset"
	"instanton/interpret"
	"instanton/lattice"
	"instanton/plot"
	"instanton/rbm"
	"instanton/sampler"
)

type couplingsFlags struct {
	raw, gaps                  bool
	separation, first, top     int
	contacts, pdb, chain, fold string
	cutoff                     float64
	chains, sweeps             int
	seed                       uint64
	out                        outputs
	truth                      interpret.Contacts // nil if no structure is given
	scores                     [][]float64
	ranked                     []interpret.Scored
	ppv                        []float64
}

func newCouplings() *cobra.Command {
	var f couplingsFlags
	c := &cobra.Command{
		Use:   "couplings MODEL.npz [DATA]",
		Short: "Rank pairs of visible units by their effective coupling",
		Long: `Compute the effective couplings J_ij(a,b) = ⟨−∂²E_eff/∂v_ia ∂v_jb⟩ between visible units, exactly and
for every type of hidden units, averaged over DATA (weighted, if it has weights); without DATA, over
chains of the model that start at random. Couplings of Potts units are taken in the zero-sum gauge. The
score of a pair is the Frobenius norm of J_ij without the gap, with the average-product correction (APC)
unless --raw is given.

The pairs are listed with the highest score first. Compare them with a structure by --contacts (a table
of pairs of positions, and perhaps distances), --pdb (heavy atoms closer than --cutoff) or, for lattice
proteins, --structure: PPV is the share of contacts among the best pairs, at the true number of contacts.
Only pairs at least --separation apart count: by default 1, or 4 (3 on the lattice) with a structure.

A figure (-o FILE.png) has the map of scores, with known contacts below the diagonal, and the PPV as a
function of the number of pairs. JSON has one object per line: "i" and "j" (from 1), "score", and
"contact" if a structure is given.`,
		Example: `  instanton couplings model.npz family.npz -o pairs.csv -o map.png
  instanton couplings model.npz family.npz --pdb 1e0m.pdb --chain A --first 6
  instanton couplings lattice.npz A.npz --structure A`,
		Args: arguments(1, 2, "a model file, and optionally a data file"),
		RunE: func(c *cobra.Command, args []string) error {
			inputs := args
			given := 0
			for _, path := range []string{f.contacts, f.pdb} {
				if path != "" {
					given++
					inputs = append(inputs, path)
				}
			}
			if f.fold != "" {
				given++
			}
			switch {
			case given > 1:
				return usage(errors.New("--contacts, --pdb and --structure each give a structure: " +
					"expected one of them"))
			case f.separation < 0 || f.top < 1 || f.chains < 1 || f.sweeps < 1 || !(f.cutoff > 0):
				return usage(errors.New("--separation must be ≥ 0; --top, --chains and --sweeps ≥ 1; --cutoff > 0"))
			}
			if err := f.out.check(inputs...); err != nil {
				return err
			}
			return f.run(c, args)
		},
	}
	c.Flags().BoolVar(&f.raw, "raw", false, "leave out the average-product correction")
	c.Flags().BoolVar(&f.gaps, "gaps", false, "count couplings of the gap like those of other letters")
	c.Flags().IntVar(&f.separation, "separation", 0, "smallest distance along the chain; 0 for the default")
	c.Flags().IntVar(&f.top, "top", 30, "number of pairs to print")
	c.Flags().StringVar(&f.contacts, "contacts", "",
		"table of contacts: two positions on a line, and perhaps a distance")
	c.Flags().StringVar(&f.pdb, "pdb", "", "structure in the PDB or mmCIF format")
	c.Flags().StringVar(&f.chain, "chain", "", "chain of --pdb; by default the first")
	c.Flags().StringVar(&f.fold, "structure", "", "structure of a lattice protein: a letter or an index")
	c.Flags().IntVar(&f.first, "first", 1, "number that the first position has in --contacts or --pdb")
	c.Flags().Float64Var(&f.cutoff, "cutoff", 8, "largest distance of a contact, in Å")
	c.Flags().IntVar(&f.chains, "chains", 1000, "number of chains, without DATA")
	c.Flags().IntVar(&f.sweeps, "sweeps", 500, "sweeps of these chains")
	seedFlag(c, &f.seed)
	f.out.flags(c, ".csv", ".png", ".svg", ".pdf")
	return c
}

// data are the configurations to average over.
func (f *couplingsFlags) data(c *cobra.Command, m *rbm.RBM, args []string) (*dataset.Dataset, error) {
	if len(args) == 2 {
		return dataset.ReadUnits(args[1], m.Visible.Spec(), m.Info["alphabet"])
	}
	k, err := sampler.NewGibbs(m, 1)
	if err != nil {
		return nil, err
	}
	say(c, "averages are over %d chains after %d sweeps from random configurations: DATA would be better", f.chains,
		f.sweeps)
	chains := sampler.NewChains(m, f.chains, f.seed)
	err = sampler.NewPool(k, 0).Run(c.Context(), chains, f.sweeps)
	return &dataset.Dataset{States: chains.V, Alphabet: m.Info["alphabet"]}, err
}

// known reads the structure, if one is given.
func (f *couplingsFlags) known(m *rbm.RBM) error {
	n, read := m.Visible.Spec().N, func(path string, parse func(r io.Reader) (interpret.Contacts, error)) error {
		in, err := os.Open(path)
		if err != nil {
			return err
		}
		defer in.Close()
		if f.truth, err = parse(in); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return nil
	}
	var err error
	least := 4
	switch {
	case f.fold != "":
		index, err := lattice.ParseIndex(f.fold)
		if err != nil {
			return usage(err)
		}
		if n != lattice.Length {
			return usage(fmt.Errorf("--structure %s: the model has %d sites: expected %d", f.fold, n, lattice.Length))
		}
		f.truth, least = interpret.Contacts{}, 3
		for _, p := range lattice.Enumerate().At(index).Contacts() {
			f.truth.Add(p.I, p.J)
		}
	case f.contacts != "":
		err = read(f.contacts, func(r io.Reader) (interpret.Contacts, error) {
			return interpret.ReadContacts(r, f.first, f.cutoff)
		})
	case f.pdb != "":
		err = read(f.pdb, func(r io.Reader) (interpret.Contacts, error) {
			return interpret.ReadStructure(r, f.chain, f.first, f.cutoff)
		})
	default:
		least = 1
	}
	if err != nil {
		return err
	}
	if f.separation == 0 {
		f.separation = least
	}
	if f.truth == nil {
		return nil
	}
	if f.truth = f.truth.Within(n, f.separation); len(f.truth) == 0 {
		return fmt.Errorf("the structure has no contacts among positions %d to %d at least %d apart: is --first right?",
			f.first, f.first+n-1, f.separation)
	}
	return nil
}

// pairRow is a pair in JSON.
type pairRow struct {
	I       int     `json:"i"`
	J       int     `json:"j"`
	Score   float64 `json:"score"`
	Contact *bool   `json:"contact,omitempty"`
}

func (f *couplingsFlags) run(c *cobra.Command, args []string) error {
	m, err := rbm.Load(args[0])
	if err != nil {
		return err
	}
	if err := f.known(m); err != nil {
		return err
	}
	d, err := f.data(c, m, args)
	if err != nil {
		return err
	}
	couplings, err := interpret.NewCouplings(m, d.States, d.Weights)
	if err != nil {
		return err
	}
	skip := strings.IndexByte(d.Alphabet, '-')
	if f.gaps {
		skip = -1
	}
	f.scores = couplings.Scores(skip)
	if !f.raw {
		f.scores = interpret.APC(f.scores)
	}
	f.ranked = interpret.Ranked(f.scores, f.separation)
	if f.truth != nil {
		f.ppv = interpret.Precision(f.ranked, f.truth)
	}
	rows := make([]pairRow, len(f.ranked))
	for k, p := range f.ranked {
		rows[k] = pairRow{I: p.I + 1, J: p.J + 1, Score: p.Score}
		if f.truth != nil {
			has := f.truth.Has(p.I, p.J)
			rows[k].Contact = &has
		}
	}
	switch {
	case len(f.out.paths) > 0:
		err = f.out.write(c, func() (plot.Figure, error) { return f.figure(), nil },
			map[string]func(io.Writer) error{".csv": f.table(rows)})
	case f.out.asJSON:
		err = jsonLines(c, rows)
	default:
		return f.print(c, rows)
	}
	if f.truth != nil {
		say(c, "%s", f.verdict())
	}
	return err
}

// verdict says how many of the best pairs are contacts.
func (f *couplingsFlags) verdict() string {
	n := min(len(f.truth), len(f.ppv))
	return fmt.Sprintf("PPV %.3f at the true number of contacts, %d", f.ppv[n-1], len(f.truth))
}

func (f *couplingsFlags) table(rows []pairRow) func(io.Writer) error {
	header := []string{"i", "j", "score"}
	if f.truth != nil {
		header = append(header, "contact")
	}
	return csvTable(header, func(yield func([]string) bool) {
		for _, r := range rows {
			cells := []string{strconv.Itoa(r.I), strconv.Itoa(r.J), exactly(r.Score)}
			if r.Contact != nil {
				cells = append(cells, strconv.FormatBool(*r.Contact))
			}
			if !yield(cells) {
				return
			}
		}
	})
}

func (f *couplingsFlags) print(c *cobra.Command, rows []pairRow) error {
	t := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "i\tj\tscore\t")
	if f.truth != nil {
		fmt.Fprint(t, "contact\tPPV\t")
	}
	fmt.Fprintln(t)
	for k, r := range rows[:min(f.top, len(rows))] {
		fmt.Fprintf(t, "%d\t%d\t%.4f\t", r.I, r.J, r.Score)
		if r.Contact != nil {
			mark := ""
			if *r.Contact {
				mark = "yes"
			}
			fmt.Fprintf(t, "%s\t%.3f\t", mark, f.ppv[k])
		}
		fmt.Fprintln(t)
	}
	if f.truth != nil {
		fmt.Fprintln(t)
	}
	if err := t.Flush(); err != nil || f.truth == nil {
		return err
	}
	_, err := fmt.Fprintln(c.OutOrStdout(), f.verdict())
	return err
}
