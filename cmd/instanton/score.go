package main

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/spf13/cobra"

	"instanton/batch"
	"instanton/dataset"
	"instanton/evaluate"
	"instanton/internal/atomicfile"
	"instanton/internal/npy"
	"instanton/internal/progress"
	"instanton/rbm"
)

// scoreFlags say what is computed for each configuration.
type scoreFlags struct {
	evaluateFlags // how log Z is found
	logZ          float64
	given         bool // log Z is
	pseudo, site  bool
	results       outputs
}

func newScore() *cobra.Command {
	var f scoreFlags
	c := &cobra.Command{
		Use:   "score MODEL.npz DATA",
		Short: "Compute the energy and log-likelihood of each configuration",
		Long: `Print for each configuration of DATA its effective energy E_eff(v), with the hidden units summed out,
and its log-likelihood log P(v) = −E_eff(v) − log Z. Configurations keep the names that they have in
DATA (FASTA headers); others are numbered from 1. Rows stream through: an alignment in FASTA may be of
any length.

log Z is exact if a layer is small (see 'instanton evaluate'), estimated by --ais, or given by
--log-z. Where it is not known, log_likelihood is left empty (null in JSON); differences of energies
are differences of log-likelihoods all the same. If it was estimated, log_likelihood_lower and
log_likelihood_upper follow from its bounds, three standard errors further out.

--pseudo adds the pseudo-log-likelihood Σ_i log P(v_i | all others), --site each of its terms; both
take a time proportional to the number of sites.

The results are printed as CSV, or with --json as one object per line with "id", "energy" and
"log_likelihood"; -o writes them to a file (.csv or .npz) instead.`,
		Example: `  instanton score model.npz family.fasta -o scores.csv
  instanton score model.npz designs.fasta --log-z 918.4 --json
  instanton score model.npz family.fasta --ais --pseudo -o scores.npz`,
		Args: arguments(2, 2, "a model file and a data file"),
		RunE: func(c *cobra.Command, args []string) error {
			f.given = c.Flags().Changed("log-z")
			if f.given && (math.IsNaN(f.logZ) || math.IsInf(f.logZ, 0)) {
				return usage(fmt.Errorf("--log-z %g: expected a finite number", f.logZ))
			}
			if f.given && (f.ais || f.exact) {
				return usage(errors.New("--log-z gives what --ais and --exact compute: expected one of them"))
			}
			if err := f.results.check(args...); err != nil {
				return err
			}
			m, err := rbm.Load(args[0])
			if err != nil {
				return err
			}
			if (f.pseudo || f.site) && !m.Visible.Spec().Type.Discrete() {
				return usage(fmt.Errorf("--pseudo and --site need discrete visible units: those of the model are %s",
					m.Visible.Spec().Type))
			}
			return f.run(c, m, args[1])
		},
	}
	c.Flags().BoolVar(&f.exact, "exact", false, "enumerate even large layers for log Z, and fail if that is impossible")
	c.Flags().Float64Var(&f.logZ, "log-z", 0, "log Z, if it is known")
	c.Flags().BoolVar(&f.ais, "ais", false, "estimate log Z by annealed importance sampling; reads all of DATA first")
	c.Flags().IntVar(&f.chains, "ais-chains", 200, "number of chains in each direction, for --ais")
	c.Flags().IntVar(&f.steps, "ais-steps", 0,
		"number of annealing steps; 0 for as many as a pilot run finds necessary")
	c.Flags().BoolVar(&f.pseudo, "pseudo", false, "add the pseudo-log-likelihood")
	c.Flags().BoolVar(&f.site, "site", false, "add the log-probability of each site given all others")
	c.Flags().IntVar(&f.workers, "workers", 0, "number of goroutines; 0 for one per processor")
	seedFlag(c, &f.seed)
	f.results.flags(c, ".csv", ".npz")
	return c
}

// scoreRow is what is said of one configuration.
type scoreRow struct {
	ID            string    `json:"id"`
	Energy        float64   `json:"energy"`
	LogLikelihood *float64  `json:"log_likelihood"`
	Lower         *float64  `json:"log_likelihood_lower,omitempty"`
	Upper         *float64  `json:"log_likelihood_upper,omitempty"`
	Pseudo        *float64  `json:"pseudo_log_likelihood,omitempty"`
	Sites         []float64 `json:"site_log_probabilities,omitempty"`
}

func (f *scoreFlags) run(c *cobra.Command, m *rbm.RBM, path string) error {
	z, err := f.findLogZ(c, m, path)
	if err != nil {
		return err
	}
	if len(f.results.paths) == 0 {
		w, flush := standardOutput(c)
		if err := f.stream(c, m, path, z, w, f.results.asJSON); err != nil {
			return err
		}
		return flush()
	}
	for _, out := range f.results.paths {
		err := atomicfile.Write(out, f.results.force, func(w io.Writer) error {
			if ending(out) == ".npz" {
				return f.archive(c, m, path, z, w)
			}
			return f.stream(c, m, path, z, w, false)
		})
		if err != nil {
			return err
		}
		say(c, "%s written", out)
	}
	return nil
}

// standardOutput is buffered; flush returns the first error.
func standardOutput(c *cobra.Command) (w io.Writer, flush func() error) {
	out := bufio.NewWriterSize(c.OutOrStdout(), 1<<16)
	return out, out.Flush
}

// findLogZ finds log Z in the way that the flags ask for, and says how well it is known.
func (f *scoreFlags) findLogZ(c *cobra.Command, m *rbm.RBM, path string) (*evaluate.Score, error) {
	if f.given {
		return &evaluate.Score{LogZ: &f.logZ, LogZLower: &f.logZ, LogZUpper: &f.logZ}, nil
	}
	s, err := evaluate.New(m, nil, nil, f.exact)
	if err != nil {
		return nil, err
	}
	if f.ais && s.LogZ == nil {
		d, err := dataset.ReadUnits(path, m.Visible.Spec(), m.Info["alphabet"])
		if err != nil {
			return nil, err
		}
		a, err := f.anneal(c, m, d)
		if err != nil {
			return nil, err
		}
		s.SetAIS(a)
	}
	switch {
	case s.LogZ == nil && f.ais:
		say(c, "log Z is not known, so log_likelihood is left empty: %s", s.Reason)
	case s.LogZ == nil:
		say(c, "log Z is not known, so log_likelihood is left empty: %s; --ais estimates it, --log-z gives it",
			s.Reason)
	case *s.LogZLower == *s.LogZUpper:
		say(c, "log Z = %.6f (%s)", *s.LogZ, s.Method)
	default:
		say(c, "log Z = %.4f, between %.4f and %.4f (%s)", *s.LogZ, *s.LogZLower, *s.LogZUpper, s.Method)
	}
	return s, nil
}

// scoreBlock is the number of configurations that are in memory at once.
const scoreBlock = 1 << 14

// each calls do for every configuration in order. The row is valid until do returns.
func (f *scoreFlags) each(c *cobra.Command, m *rbm.RBM, path string, z *evaluate.Score,
	do func(row *scoreRow) error) error {
	engine, err := batch.New(m, f.workers)
	if err != nil {
		return err
	}
	line := progress.New(messages(c), "configurations", 0, 0)
	defer line.Close()
	rows := scoreBlock
	if f.pseudo || f.site {
		rows = 256 // so that progress shows
	}
	energies, done := make([]float64, rows), 0
	return dataset.EachBlock(path, m.Visible.Spec(), m.Info["alphabet"], rows, func(d *dataset.Dataset) error {
		if err := c.Context().Err(); err != nil {
			return err
		}
		energies := energies[:d.States.Len]
		engine.EffectiveEnergies(energies, batch.Visible, d.States)
		var sites []float64
		if f.pseudo || f.site {
			if sites, err = evaluate.SiteLogProbabilities(c.Context(), m, d.States, f.workers); err != nil {
				return err
			}
		}
		var likelihood, lower, upper, pseudo float64
		for k, e := range energies {
			row := scoreRow{ID: rowName(d, k, done), Energy: e}
			if z.LogZ != nil {
				likelihood = -e - *z.LogZ
				row.LogLikelihood = &likelihood
				if *z.LogZLower < *z.LogZUpper {
					lower, upper = -e-*z.LogZUpper, -e-*z.LogZLower
					row.Lower, row.Upper = &lower, &upper
				}
			}
			if sites != nil {
				own := sites[k*d.States.N : (k+1)*d.States.N]
				if f.pseudo {
					pseudo = 0
					for _, x := range own {
						pseudo += x
					}
					row.Pseudo = &pseudo
				}
				if f.site {
					row.Sites = own
				}
			}
			if err := do(&row); err != nil {
				return err
			}
		}
		done += d.States.Len
		line.Set(done)
		return nil
	})
}

// rowName is the name of configuration k of a block, by default its number in the file, from 1.
func rowName(d *dataset.Dataset, k, before int) string {
	if d.Names != nil && d.Names[k] != "" {
		return d.Names[k]
	}
	return strconv.Itoa(before + k + 1)
}

// stream writes rows as JSON lines or CSV.
func (f *scoreFlags) stream(c *cobra.Command, m *rbm.RBM, path string, z *evaluate.Score, w io.Writer,
	asJSON bool) error {
	if asJSON {
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		return f.each(c, m, path, z, func(row *scoreRow) error { return e.Encode(row) })
	}
	out := csv.NewWriter(w)
	header := []string{"id", "energy", "log_likelihood"}
	bounded := z.LogZ != nil && *z.LogZLower < *z.LogZUpper
	if bounded {
		header = append(header, "log_likelihood_lower", "log_likelihood_upper")
	}
	if f.pseudo {
		header = append(header, "pseudo_log_likelihood")
	}
	if f.site {
		for i := range m.Visible.Spec().N {
			header = append(header, "site_"+strconv.Itoa(i+1))
		}
	}
	out.Write(header)
	var cells []string
	err := f.each(c, m, path, z, func(row *scoreRow) error {
		cells = append(cells[:0], row.ID, exactly(row.Energy), "")
		if row.LogLikelihood != nil {
			cells[2] = exactly(*row.LogLikelihood)
		}
		if bounded {
			cells = append(cells, exactly(*row.Lower), exactly(*row.Upper))
		}
		if row.Pseudo != nil {
			cells = append(cells, exactly(*row.Pseudo))
		}
		for _, x := range row.Sites {
			cells = append(cells, exactly(x))
		}
		return out.Write(cells)
	})
	if err != nil {
		return err
	}
	out.Flush()
	return out.Error()
}

// archive writes the arrays energy, log_likelihood, pseudo_log_likelihood and site_log_probabilities, log Z with its
// bounds, and the names as lines of names.txt.
func (f *scoreFlags) archive(c *cobra.Command, m *rbm.RBM, path string, z *evaluate.Score, w io.Writer) error {
	var energy, likelihood, pseudo, sites []float64
	var names bytes.Buffer
	err := f.each(c, m, path, z, func(row *scoreRow) error {
		energy = append(energy, row.Energy)
		if row.LogLikelihood != nil {
			likelihood = append(likelihood, *row.LogLikelihood)
		}
		if row.Pseudo != nil {
			pseudo = append(pseudo, *row.Pseudo)
		}
		sites = append(sites, row.Sites...)
		names.WriteString(row.ID + "\n")
		return nil
	})
	if err != nil {
		return err
	}
	members := []npy.Member{npy.ArrayMember("energy", npy.New(energy))}
	if z.LogZ != nil {
		members = append(members, npy.ArrayMember("log_likelihood", npy.New(likelihood)),
			npy.ArrayMember("log_z", npy.Scalar(*z.LogZ)), npy.ArrayMember("log_z_lower", npy.Scalar(*z.LogZLower)),
			npy.ArrayMember("log_z_upper", npy.Scalar(*z.LogZUpper)))
	}
	if f.pseudo {
		members = append(members, npy.ArrayMember("pseudo_log_likelihood", npy.New(pseudo)))
	}
	if f.site {
		n := m.Visible.Spec().N
		members = append(members, npy.ArrayMember("site_log_probabilities", npy.New(sites, len(energy), n)))
	}
	return npy.WriteArchive(w, append(members, npy.FileMember("names.txt", names.Bytes()))...)
}
