package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"instanton/dataset"
	"instanton/explain"
	"instanton/internal/atomicfile"
	"instanton/internal/meta"
	"instanton/interpret"
	"instanton/rbm"
	"instanton/report"
)

type explainFlags struct {
	dir     string
	force   bool
	cards   int
	sampled couplingsFlags // chains that stand for data
}

func newExplain() *cobra.Command {
	var f explainFlags
	c := &cobra.Command{
		Use:   "explain MODEL.npz [DATA] -o DIR",
		Short: "Report what each hidden unit has learnt",
		Long: `Write a page of cards, DIR/report.html, one per hidden unit, the most important first: its weights as a
logo of letters (Potts units, in the zero-sum gauge), as an image or as a list; the histogram of its
inputs over DATA, by class, and its conditional mean; the configurations that drive it up and down; the
effective number of sites, the share of its variance that the data determine, its skewness, and how well
it tells each class (AUC). An overview lists all units, silent ones and duplicates, and the correlations
between them. DIR/units.csv has the numbers.

Without DATA, chains of the model that start at random stand for data.`,
		Example: `  instanton explain run/model.npz family.npz -o cards
  instanton explain run/model.npz -o cards --cards 10`,
		Args: arguments(1, 2, "a model file, and optionally a data file"),
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case f.dir == "":
				return usage(errors.New("no output: name a folder with -o DIR"))
			case f.cards < 1 || f.sampled.chains < 2 || f.sampled.sweeps < 1:
				return usage(errors.New("--cards and --sweeps must be ≥ 1, --chains ≥ 2"))
			}
			if err := os.MkdirAll(f.dir, 0o777); err != nil {
				return err
			}
			for _, name := range []string{"report.html", "units.csv"} {
				if err := atomicfile.Check(filepath.Join(f.dir, name), f.force); err != nil {
					return err
				}
			}
			return f.run(c, args)
		},
	}
	c.Flags().StringVarP(&f.dir, "output", "o", "", "folder to write")
	c.Flags().BoolVar(&f.force, "force", false, "replace files that exist")
	c.Flags().IntVar(&f.cards, "cards", 50, "largest number of units that get a card")
	c.Flags().IntVar(&f.sampled.chains, "chains", 1000, "number of chains, without DATA")
	c.Flags().IntVar(&f.sampled.sweeps, "sweeps", 500, "sweeps of these chains")
	seedFlag(c, &f.sampled.seed)
	return c
}

func (f *explainFlags) run(c *cobra.Command, args []string) error {
	m, err := rbm.Load(args[0])
	if err != nil {
		return err
	}
	d, err := f.sampled.data(c, m, args)
	if err != nil {
		return err
	}
	units, err := interpret.NewUnits(m, d)
	if err != nil {
		return err
	}
	page := explain.Page{Model: m, Data: d, Units: units, Cards: f.cards}
	r := page.Report("What the hidden units of " + filepath.Base(args[0]) + " have learnt")
	sha, err := m.Fingerprint()
	if err != nil {
		return err
	}
	r.Facts = []report.Fact{{Name: "model", Value: filepath.Base(args[0]) + ", SHA-256 " + sha},
		{Name: "data", Value: f.source(args)}, {Name: "made by", Value: meta.Program()}}
	how := "instanton explain " + filepath.Base(args[0])
	if len(args) == 2 {
		how += " " + filepath.Base(args[1])
	}
	r.How = []string{how + " -o cards"}
	path := filepath.Join(f.dir, "report.html")
	if err := atomicfile.Write(path, f.force, r.Write); err != nil {
		return err
	}
	if err := atomicfile.Write(filepath.Join(f.dir, "units.csv"), f.force, unitsTable(units, d)); err != nil {
		return err
	}
	say(c, "%s written: %d units, %d configurations", path, len(units.Units), len(units.Rows))
	return nil
}

func (f *explainFlags) source(args []string) string {
	if len(args) == 2 {
		return filepath.Base(args[1])
	}
	return fmt.Sprintf("%d chains after %d sweeps", f.sampled.chains, f.sampled.sweeps)
}

// unitsTable has the numbers of all units.
func unitsTable(units *interpret.Units, d *dataset.Dataset) func(io.Writer) error {
	header := []string{"unit", "state", "importance", "sites", "determined", "silent", "input_mean", "input_sd",
		"skewness", "upper_share", "duplicate_of", "cosine"}
	for _, class := range d.Classes() {
		header = append(header, "auc_"+d.LabelName(class.Label))
	}
	return csvTable(header, func(yield func([]string) bool) {
		for _, u := range units.Units {
			state, twin := "", ""
			if u.State >= 0 {
				state = strconv.Itoa(u.State)
			}
			if u.Duplicate >= 0 {
				twin = strconv.Itoa(units.Units[u.Duplicate].Index)
			}
			row := []string{strconv.Itoa(u.Index), state, exactly(u.Importance), exactly(u.Sites),
				exactly(u.Determined), strconv.FormatBool(u.Silent), exactly(u.InputMean), exactly(u.InputSD),
				exactly(u.Skewness), exactly(u.Upper), twin, exactly(u.Cosine)}
			for c := range d.Classes() {
				auc := ""
				if u.AUC != nil {
					auc = exactly(u.AUC[c])
				}
				row = append(row, auc)
			}
			if !yield(row) {
				return
			}
		}
	})
}
