package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"instanton/internal/bench"
	"instanton/unit"
)

func newBench() *cobra.Command {
	var o bench.Options
	var asJSON bool
	var seconds float64
	var device string
	c := &cobra.Command{
		Use:   "bench",
		Short: "Measure the speed on this machine, and compare it with other libraries",
		Long: `Measure the sweeps of all chains per second, or the updates of training per second, on standard
cases, and print one line per case. Without --case all cases run.

The column "of peak" compares the multiply-adds that dense matrix products would need with the
measured peak of the processor; a value above 1 means that fewer were done. With --peers PyTorch,
numpy and scikit-learn do the same work, if python3 finds them, in turns with ours; the ratio in
their lines is our speed divided by theirs. The cases "sample-…" compare the CPU time with that of
keeping a single draw, "threads-…" compares the speed with that of one thread, and "latent-draw-…"
has the time per draw.

With --device cuda other cases run on a GPU, and their peers are PyTorch on it: as it is written, with
its kernels recorded (torch-cuda-graph), and in TF32 (torch-cuda-tf32).`,
		Example: "  instanton bench --threads 1\n  instanton bench --case bernoulli-784-500 --peers --json",
		Args:    arguments(0, 0, "none"),
		RunE: func(c *cobra.Command, _ []string) error {
			if o.Threads < 0 || !(seconds > 0 && seconds < 1e6) {
				return usage(fmt.Errorf("--threads %d and --time %g: expected --threads of at least 0 and --time "+
					"above 0", o.Threads, seconds))
			}
			var err error
			bits := unit.Spec{Type: unit.Bernoulli, N: 784}
			if o.Device, err = openDevice(c, device, bits, bits, ""); err != nil {
				return err
			}
			if o.Device != nil {
				o.Name = "cuda"
			}
			if _, err := bench.Select(o.Cases, o.Device != nil); err != nil {
				return usage(err)
			}
			o.Time = time.Duration(seconds * float64(time.Second))
			o.Say = func(format string, args ...any) { say(c, format, args...) }
			if asJSON {
				rows := []bench.Row{}
				if err := bench.Run(c.Context(), o, func(r bench.Row) { rows = append(rows, r) }); err != nil {
					return err
				}
				return printJSON(c, rows)
			}
			out := c.OutOrStdout()
			const line = "%-27s %-14s %7v %6v %10v %8s %s\n" // rows appear as they are measured
			fmt.Fprintf(out, line, "case", "peer", "threads", "chains", "per second", "of peak", "  ratio")
			return bench.Run(c.Context(), o, func(r bench.Row) {
				peak := ""
				if r.FractionOfPeak > 0 {
					peak = fmt.Sprintf("%.2f", r.FractionOfPeak)
				}
				rate := fmt.Sprintf("%.4g", r.PerSecond())
				fmt.Fprintf(out, line, r.Case, r.Peer, r.Threads, r.Chains, rate, peak, comparison(r))
			})
		},
	}
	c.Flags().StringArrayVar(&o.Cases, "case", nil,
		"case to run, or the beginning of its name; may be repeated; all cases if not given")
	c.Flags().IntVar(&o.Threads, "threads", 0,
		"number of goroutines, and of threads of the peers; 0 for one per processor")
	c.Flags().BoolVar(&o.Peers, "peers", false, "also measure PyTorch, numpy and scikit-learn, if installed")
	deviceFlag(c, &device)
	c.Flags().Float64Var(&seconds, "time", 1, "duration of each measurement in seconds")
	jsonFlag(c, &asJSON)
	return c
}

// comparison describes what a row is measured against.
func comparison(r bench.Row) string {
	switch {
	case r.Ratio > 0:
		return fmt.Sprintf("%6.1f×", r.Ratio)
	case r.CPURatio > 0:
		return fmt.Sprintf("%6.2f× the CPU time of keeping one draw", r.CPURatio)
	case r.Speedup > 0:
		return fmt.Sprintf("%6.1f× one thread", r.Speedup)
	case r.Micros > 0:
		return fmt.Sprintf("%6.1f µs per draw", r.Micros)
	}
	return ""
}
