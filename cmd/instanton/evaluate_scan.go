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
	"instanton/evaluate"
	"instanton/internal/progress"
	"instanton/plot"
	"instanton/rbm"
)

// maxScan bounds the points of a scan that a mistyped number can ask for.
const maxScan = 10000

// parseBetas reads LO:HI:COUNT or a list with commas.
func parseBetas(text string) ([]float64, error) {
	wrong := func() error {
		return fmt.Errorf("--beta %q: expected LO:HI:COUNT or a list such as 0.5,1,2, of numbers that are not negative",
			text)
	}
	number := func(word string) (float64, error) {
		x, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
		if err != nil || !(x >= 0) || math.IsInf(x, 0) {
			return 0, wrong()
		}
		return x, nil
	}
	var betas []float64
	if lo, rest, ok := strings.Cut(text, ":"); ok {
		hi, count, ok := strings.Cut(rest, ":")
		if !ok {
			return nil, wrong()
		}
		from, err := number(lo)
		if err != nil {
			return nil, err
		}
		to, err := number(hi)
		if err != nil {
			return nil, err
		}
		n, err := strconv.Atoi(count)
		if err != nil || n < 2 || n > maxScan || to <= from {
			return nil, fmt.Errorf("--beta %q: expected LO below HI and a COUNT from 2 to %d", text, maxScan)
		}
		for k := range n {
			betas = append(betas, from+(to-from)*float64(k)/float64(n-1))
		}
		return betas, nil
	}
	for _, word := range strings.Split(text, ",") {
		beta, err := number(word)
		if err != nil {
			return nil, err
		}
		betas = append(betas, beta)
	}
	return betas, nil
}

// scan does evaluate --beta.
func (f *evaluateFlags) scan(c *cobra.Command, m *rbm.RBM, d *dataset.Dataset) error {
	betas, err := parseBetas(f.betas)
	if err != nil {
		return usage(err)
	}
	if f.ais || f.tempering || f.moments {
		return usage(fmt.Errorf("--beta is a scan of its own: expected neither --ais, --tempering nor --moments " +
			"with it"))
	}
	o := evaluate.ScanOptions{Betas: betas, Seed: f.seed, Data: d.States, Workers: f.workers}
	var line *progress.Line
	o.Progress = func(done, total int) {
		if line == nil {
			line = progress.New(messages(c), "ladder", 0, total)
		}
		line.Set(done)
	}
	s, err := evaluate.NewScan(c.Context(), m, o)
	if line != nil {
		line.Close()
	}
	if err != nil {
		return err
	}
	if why := s.Doubt(); why != "" {
		say(c, "not all is known: %s", why)
	}
	return f.out.show(c, s, func() (plot.Figure, error) { return scanFigure(s) }, func(w io.Writer) { printScan(w, s) })
}

func printScan(out io.Writer, s *evaluate.Scan) {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "β\tlog Z\tenergy\tspecific heat\t")
	cell := func(x *float64, e float64) string {
		switch {
		case x == nil:
			return "not known"
		case e == 0:
			return fmt.Sprintf("%.10g", *x)
		}
		return fmt.Sprintf("%.6g ± %.2g", *x, e)
	}
	for _, p := range s.Points {
		fmt.Fprintf(t, "%.6g\t%s\t%s\t%s\t\n", p.Beta, cell(p.LogZ, p.LogZError), cell(p.Energy, p.EnergyError),
			cell(p.SpecificHeat, p.HeatError))
	}
	t.Flush() //nolint:errcheck // out keeps the first error
	fmt.Fprintf(out, "verdict: %s: %s\n", s.Verdict, s.Reason)
}

// scanFigure draws what is known, with three standard errors where there are any.
func scanFigure(s *evaluate.Scan) (plot.Figure, error) {
	panel := func(label string, value func(p evaluate.ScanPoint) (*float64, float64)) (plot.Panel, bool) {
		var x, y, low, high []float64
		wide := false
		for _, p := range s.Points {
			if v, e := value(p); v != nil {
				x, y, low, high = append(x, p.Beta), append(y, *v), append(low, *v-3*e), append(high, *v+3*e)
				wide = wide || e > 0
			}
		}
		panel := plot.Panel{X: plot.Axis{Label: "inverse temperature $β$"}, Y: plot.Axis{Label: label},
			Legend: plot.LegendNone}
		if wide {
			panel.Series = append(panel.Series, plot.Band{X: x, Lo: low, Hi: high})
		}
		panel.Series = append(panel.Series, plot.Line{X: x, Y: y})
		return panel, len(x) > 0
	}
	var f plot.Figure
	for _, q := range []struct {
		label string
		value func(p evaluate.ScanPoint) (*float64, float64)
	}{
		{"$log Z$", func(p evaluate.ScanPoint) (*float64, float64) { return p.LogZ, p.LogZError }},
		{"energy", func(p evaluate.ScanPoint) (*float64, float64) { return p.Energy, p.EnergyError }},
		{"specific heat", func(p evaluate.ScanPoint) (*float64, float64) { return p.SpecificHeat, p.HeatError }},
	} {
		if p, some := panel(q.label, q.value); some {
			f.Panels = append(f.Panels, p)
		}
	}
	if f.Panels == nil {
		return f, fmt.Errorf("nothing to draw: %s", s.Reason)
	}
	f.Columns = len(f.Panels)
	return f, nil
}
