// Package bench measures how fast the samplers are on this machine, and beside them what
// Python finds on it.
package bench

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"instanton/internal/kernel"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// Case is a standard piece of work.
type Case struct {
	Name            string
	Visible, Hidden string // layers, as unit.ParseSpec reads them
	Chains          int
	Scale           float64 // of the random weights
}

// Cases lists the standard cases.
func Cases() []Case {
	cases := []Case{
		{"bernoulli-784-500", "bernoulli:784", "bernoulli:500", 500, 1},
		{"spin-784-500", "spin:784", "spin:500", 500, 1},
		{"spin-784-500-cold", "spin:784", "spin:500", 500, 8},
		{"bernoulli-784-200", "bernoulli:784", "bernoulli:200", 100, 1},
		{"bernoulli-784-1000", "bernoulli:784", "bernoulli:1000", 2000, 1},
		{"spin-gaussian-784-500", "spin:784", "gaussian:500", 500, 1},
	}
	for _, hidden := range []string{"bernoulli", "gaussian", "drelu"} {
		cases = append(cases,
			Case{"potts-27x20-200-" + hidden, "potts:27x20", hidden + ":200", 500, 1},
			Case{"potts-300x21-400-" + hidden, "potts:300x21", hidden + ":400", 500, 1})
	}
	return cases
}

// Row is one line of the table: our rate, or that of a peer with the ratio of ours to it.
type Row struct {
	Case           string  `json:"case"`
	Threads        int     `json:"threads"`
	Chains         int     `json:"chains"`
	SweepsPerSec   float64 `json:"sweeps_per_second,omitempty"`
	FractionOfPeak float64 `json:"fraction_of_peak,omitempty"`
	Peer           string  `json:"peer,omitempty"`
	Ratio          float64 `json:"ratio,omitempty"`
}

// Options say what to measure.
type Options struct {
	Cases   []string // names, or beginnings of names; all if empty
	Threads int      // zero for one a processor
	Peers   bool
	Time    time.Duration // for each measurement; zero for the default
	Say     func(format string, args ...any)
}

// Select returns the cases that a name, or the beginning of one, picks.
func Select(names []string) ([]Case, error) {
	if len(names) == 0 {
		return Cases(), nil
	}
	var picked []Case
	for _, name := range names {
		before := len(picked)
		for _, c := range Cases() {
			if strings.HasPrefix(c.Name, name) && !slices.Contains(picked, c) {
				picked = append(picked, c)
			}
		}
		if len(picked) == before {
			var known []string
			for _, c := range Cases() {
				known = append(known, c.Name)
			}
			return nil, fmt.Errorf("no case %q: expected one of %s", name, strings.Join(known, ", "))
		}
	}
	return picked, nil
}

// Run measures the cases and hands out rows as they come.
func Run(ctx context.Context, o Options, emit func(Row)) error {
	cases, err := Select(o.Cases)
	if err != nil {
		return err
	}
	if o.Threads < 1 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	if o.Time == 0 {
		o.Time = time.Second
	}
	peak := kernel.PeakFLOPS() * float64(o.Threads)
	for _, c := range cases {
		if err := o.run(ctx, c, peak, emit); err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
	}
	return nil
}

// run measures one case: our sweeps, and those of each peer taken in turns with ours.
func (o Options) run(ctx context.Context, c Case, peak float64, emit func(Row)) error {
	m, ours, err := o.prepare(ctx, c)
	if err != nil {
		return err
	}
	row := Row{Case: c.Name, Threads: o.Threads, Chains: c.Chains}
	row.SweepsPerSec = rate(o.Time, ours)
	if peak > 0 { // of the multiply-adds that a dense sweep has: up and down
		flops := 4 * float64(len(m.W)) * float64(c.Chains)
		row.FractionOfPeak = row.SweepsPerSec * flops / peak
	}
	emit(row)
	if !o.Peers {
		return ctx.Err()
	}
	for _, name := range peersOf(c) {
		p, err := startPeer(ctx, name, c, o.Threads)
		if err != nil {
			if o.Say != nil {
				o.Say("%s: peer %s is left out: %v", c.Name, name, err)
			}
			continue
		}
		theirs, ratio, err := duel(o.Time, ours, p.sweeps)
		p.stop()
		if err != nil {
			return fmt.Errorf("peer %s: %w", name, err)
		}
		emit(Row{Case: c.Name, Threads: o.Threads, Chains: c.Chains, SweepsPerSec: theirs, Peer: name, Ratio: ratio})
	}
	return ctx.Err()
}

// prepare builds the model and a function that makes a number of sweeps.
func (o Options) prepare(ctx context.Context, c Case) (*rbm.RBM, func(n int), error) {
	v, err := unit.ParseSpec(c.Visible)
	if err != nil {
		return nil, nil, err
	}
	h, err := unit.ParseSpec(c.Hidden)
	if err != nil {
		return nil, nil, err
	}
	m, err := rbm.Random(v, h, c.Scale, 1)
	if err != nil {
		return nil, nil, err
	}
	k, err := sampler.NewGibbs(m, 1)
	if err != nil {
		return nil, nil, err
	}
	pool, chains := sampler.NewPool(k, o.Threads), sampler.NewChains(m, c.Chains, 1)
	run := func(n int) { _ = pool.Run(ctx, chains, n) } // fails only when interrupted, which Run reports
	run(20)                                             // warm up, and leave the random start
	return m, run, nil
}
