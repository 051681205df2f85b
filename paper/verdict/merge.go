package verdict

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"instanton/internal/atomicfile"
)

// MakeSeeds makes figures with several seeds, each in a folder of its own below o.Dir, and writes the report on all of
// them there: the pictures are those of the first seed, the claims those of [Merge]. o.Seed is not used.
func MakeSeeds(ctx context.Context, figures []Figure, o Options, seeds []uint64) (*Summary, error) {
	if len(seeds) < 2 {
		return nil, fmt.Errorf("%d seeds were given: expected at least two", len(seeds))
	}
	if before, err := readSummary(filepath.Join(o.Dir, "paper.json")); err != nil {
		return nil, err
	} else if before != nil {
		return nil, fmt.Errorf("%s holds the figures of one seed: give another folder for several", o.Dir)
	}
	var all []*Summary
	var failures []error
	for _, seed := range seeds {
		own := o
		own.Seed, own.Dir = seed, filepath.Join(o.Dir, fmt.Sprintf("seed-%d", seed))
		own.Say = func(format string, args ...any) { o.Progress("seed %d: "+format, append([]any{seed}, args...)...) }
		s, err := Make(ctx, figures, own)
		if s == nil {
			return nil, err
		}
		all, failures = append(all, s), append(failures, err)
		if ctx.Err() != nil {
			break
		}
	}
	merged := Merge(all)
	merged.Report = filepath.Join(o.Dir, "report.html")
	for k := range merged.Claims {
		merged.Claims[k].Regenerate = o.command(merged.Claims[k].Figure, merged.Settings)
	}
	return merged, errors.Join(append(failures, merged.writeSeeds(o))...)
}

// writeSeeds writes the merged report, claims.md and seeds.json.
func (s *Summary) writeSeeds(o Options) error {
	page, err := s.page(o.command)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return err
	}
	return errors.Join(
		atomicfile.Write(s.Report, true, page.Write),
		atomicfile.Write(filepath.Join(o.Dir, "claims.md"), true, s.markdown),
		atomicfile.Write(filepath.Join(o.Dir, "seeds.json"), true, AsJSON(s)))
}

// Merge judges claims by the runs of several seeds. A verdict that changes with the seed, or that a seed does not have,
// is open. Numbers are means over the seeds, with their standard errors where they differ.
func Merge(runs []*Summary) *Summary {
	first := runs[0]
	m := newSummary(first.Settings, first.Report)
	for _, r := range runs {
		m.Settings.Seeds = append(m.Settings.Seeds, r.Settings.Seed)
	}
	for _, f := range first.finished {
		one := *f
		one.Claims, one.Settings = nil, m.Settings
		for _, c := range f.Claims {
			one.Claims = append(one.Claims, mergeClaim(c, runs))
		}
		for _, r := range runs[1:] {
			if other := r.figure(f.Name); other != nil {
				one.Seconds += other.Seconds
				if one.Missing == "" {
					one.Missing = other.Missing
				}
			}
		}
		m.add(&one)
	}
	return m
}

// figure is a finished figure, nil where it is none of them.
func (s *Summary) figure(name string) *Finished {
	if k := slices.IndexFunc(s.finished, func(f *Finished) bool { return f.Name == name }); k >= 0 {
		return s.finished[k]
	}
	return nil
}

// mergeClaim is a claim of the first run, judged by all.
func mergeClaim(c Claim, runs []*Summary) Claim {
	seedsBy := map[Verdict][]string{}
	var same []Claim
	for _, r := range runs {
		k := slices.IndexFunc(r.Claims, func(x Claim) bool { return x.Figure == c.Figure && x.Name == c.Name })
		if k < 0 {
			seedsBy["none"] = append(seedsBy["none"], fmt.Sprint(r.Settings.Seed))
			continue
		}
		same = append(same, r.Claims[k])
		seedsBy[r.Claims[k].Verdict] = append(seedsBy[r.Claims[k].Verdict], fmt.Sprint(r.Settings.Seed))
	}
	c.Measured = mergeNumbers(same)
	if len(seedsBy) == 1 {
		return c
	}
	var votes []string
	for _, v := range append(slices.Clone(verdicts), "none") {
		if seeds := seedsBy[v]; len(seeds) > 0 {
			votes = append(votes, fmt.Sprintf("%s with seed %s", v, strings.Join(seeds, ", ")))
		}
		for _, x := range same { // what a seed found instead, or what it lacked, is still of use
			if x.Verdict != v {
				continue
			}
			if c.Correction == "" {
				c.Correction = x.Correction
			}
			if c.Needs == "" {
				c.Needs = x.Needs
			}
		}
	}
	needs := fmt.Sprintf("the verdict depends on the seed (%s)", strings.Join(votes, "; "))
	if c.Needs == "" {
		c.Needs = "longer chains, or more models trained from other seeds, until it does not."
		if runs[0].Settings.Quick {
			c.Needs = "longer chains and more training, as in the full form, or more seeds, until it does not."
		}
	}
	c.Verdict, c.Needs = Open, needs+": "+c.Needs
	return c
}

// mergeNumbers are the means of the numbers that all runs have, in the order of the first; a name may occur twice.
func mergeNumbers(same []Claim) (all []Measured) {
	for k, m := range same[0].Measured {
		var x, e []float64
		for _, c := range same {
			if k < len(c.Measured) && c.Measured[k].Name == m.Name {
				x, e = append(x, c.Measured[k].Value), append(e, c.Measured[k].Error)
			}
		}
		if len(x) < len(same) {
			all = append(all, m)
			continue
		}
		n := float64(len(x))
		mean, deviation := stat.MeanStdDev(x, nil)
		spread := stat.StdErr(deviation, n)
		own := 0.0 // of the mean, by the runs' own errors
		for _, y := range e {
			own += y * y / (n * n)
		}
		if slices.Max(x) == slices.Min(x) {
			mean, spread = x[0], 0
		}
		m.Value, m.Error = mean, max(spread, math.Sqrt(own))
		all = append(all, m)
	}
	return all
}
