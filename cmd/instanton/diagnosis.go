package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"

	"instanton/mixing"
)

// printDiagnosis prints the verdict, the tables behind it, and the advice.
func printDiagnosis(out io.Writer, d *mixing.Diagnosis) error {
	fmt.Fprintf(out, "%s: %s\n\n", d.Verdict, d.Reason)
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "quantity\tmean\t± MCSE\tR-hat\tbulk ESS\ttail ESS\tτ\t")
	for _, q := range d.Quantities {
		if !strings.HasPrefix(q.Name, "mode ") {
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t\n", q.Name, digits(q.Mean, 4), digits(q.MCSE, 2),
				digits(q.RHat, 4), digits(q.BulkESS, 3), digits(q.TailESS, 3), digits(q.Tau, 3))
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(out)
	fmt.Fprintln(t, "mode\toccupancy\t± error\tR-hat\tbulk ESS\tτ\tresidence\tESS per run\t")
	for _, m := range d.Modes {
		q := mixing.Quantity{RHat: mixing.Number(math.NaN()), BulkESS: mixing.Number(math.NaN()),
			Tau: mixing.Number(math.NaN())}
		for _, other := range d.Quantities {
			if other.Name == "mode "+m.Name {
				q = other
			}
		}
		if math.IsInf(float64(m.Residence), 1) {
			m.Residence = mixing.Number(math.NaN()) // never left: longer than the run
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t\n", m.Name, digits(m.Occupancy, 3), digits(m.Error, 2),
			digits(q.RHat, 4), digits(q.BulkESS, 3), digits(q.Tau, 3), digits(m.Residence, 3), digits(m.RunESS, 3))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(out, "\nchains: %d; draws per chain: %d; changes of mode: %d\n", d.Chains, d.Draws, d.Transitions)
	if d.Clusters != nil {
		fmt.Fprintf(out, "clusters of correlated hidden units: %d; units that have to move together: %d\n",
			len(d.Clusters), d.Block)
	}
	if a := adviceOf(d.Advice); a.Sampler != "" {
		fmt.Fprintf(out, "advice: --sampler %s", a.Sampler)
		if a.Flags != "" {
			fmt.Fprintf(out, " %s", a.Flags)
		}
		fmt.Fprintf(out, ": %s\n", a.Reason)
	} else {
		fmt.Fprintf(out, "advice: %s\n", a.Reason)
	}
	printNotes(out, d)
	for _, n := range d.Notes {
		fmt.Fprintf(out, "note: %s\n", n)
	}
	return nil
}

// printNotes prints each note once, with the quantities it applies to.
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

// digits formats a number, or a dash if it is unknown.
func digits(x mixing.Number, n int) string {
	if math.IsNaN(float64(x)) {
		return "–"
	}
	return strconv.FormatFloat(float64(x), 'g', n, 64)
}
