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
)

// Case is a standard piece of work.
type Case struct {
	Name            string
	Visible, Hidden string // layers, as unit.ParseSpec reads them
	Chains          int
	Scale           float64 // of the random weights
	Kind            kind
	K               int // sweeps of an update, or hidden units of a latent block
}

// kind says what is counted: sweeps of alternating Gibbs sampling, sweeps with latent
// moves, updates of PCD training, or one matrix product.
type kind int

const (
	gibbs kind = iota
	latentMoves
	pcd
	gemm
)

// Cases lists the standard cases.
func Cases() []Case {
	cases := []Case{
		{Name: "gemm-500x784x500", Visible: "gaussian:784", Hidden: "gaussian:500", Chains: 500, Kind: gemm},
		{Name: "bernoulli-784-500", Visible: "bernoulli:784", Hidden: "bernoulli:500", Chains: 500, Scale: 1},
		{Name: "spin-784-500", Visible: "spin:784", Hidden: "spin:500", Chains: 500, Scale: 1},
		{Name: "spin-784-500-cold", Visible: "spin:784", Hidden: "spin:500", Chains: 500, Scale: 8},
		{Name: "bernoulli-784-200", Visible: "bernoulli:784", Hidden: "bernoulli:200", Chains: 100, Scale: 1},
		{Name: "bernoulli-784-1000", Visible: "bernoulli:784", Hidden: "bernoulli:1000", Chains: 2000, Scale: 1},
		{Name: "spin-gaussian-784-500", Visible: "spin:784", Hidden: "gaussian:500", Chains: 500, Scale: 1},
	}
	for _, hidden := range []string{"bernoulli", "gaussian", "drelu"} {
		cases = append(cases,
			Case{Name: "potts-27x20-200-" + hidden, Visible: "potts:27x20", Hidden: hidden + ":200", Chains: 500, Scale: 1},
			Case{Name: "potts-300x21-400-" + hidden, Visible: "potts:300x21", Hidden: hidden + ":400", Chains: 500, Scale: 1})
	}
	for d := 1; d <= 2; d++ {
		cases = append(cases, Case{
			Name: fmt.Sprintf("latent-hopfield-128-6-d%d", d), Visible: "spin:128", Hidden: "gaussian:6",
			Chains: 100, Kind: latentMoves, K: d,
		})
	}
	for _, k := range []int{1, 10} {
		cases = append(cases, Case{Name: fmt.Sprintf("pcd%d-bernoulli-784-500", k), Visible: "bernoulli:784", Hidden: "bernoulli:500", Chains: 500, Kind: pcd, K: k})
	}
	return cases
}

// Row is one line of the table: our rate, or that of a peer with the ratio of ours to it.
type Row struct {
	Case           string  `json:"case"`
	Threads        int     `json:"threads"`
	Chains         int     `json:"chains"`
	SweepsPerSec   float64 `json:"sweeps_per_second,omitempty"`
	UpdatesPerSec  float64 `json:"updates_per_second,omitempty"`
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
		found := false
		var known []string
		for _, c := range Cases() {
			known = append(known, c.Name)
			if strings.HasPrefix(c.Name, name) {
				found = true
				if !slices.Contains(picked, c) {
					picked = append(picked, c)
				}
			}
		}
		if !found {
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

// run measures one case: our work, and that of each peer taken in turns with ours.
func (o Options) run(ctx context.Context, c Case, peak float64, emit func(Row)) error {
	if c.Kind == gemm { // one product is one thread's work
		peak /= float64(o.Threads)
		o.Threads = 1
	}
	ours, flops, err := o.prepare(ctx, c)
	if err != nil {
		return err
	}
	perSecond := rate(o.Time, ours)
	row := c.row(o.Threads, perSecond)
	if peak > 0 {
		row.FractionOfPeak = perSecond * flops / peak
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
		theirs, ratio, err := duel(o.Time, ours, p.work)
		p.stop()
		if err != nil {
			return fmt.Errorf("peer %s: %w", name, err)
		}
		row := c.row(o.Threads, theirs)
		row.Peer, row.Ratio = name, ratio
		emit(row)
	}
	return ctx.Err()
}

// row is a line with a rate in the unit of the case.
func (c Case) row(threads int, perSecond float64) Row {
	r := Row{Case: c.Name, Threads: threads, Chains: c.Chains}
	if c.Kind == pcd {
		r.UpdatesPerSec = perSecond
	} else {
		r.SweepsPerSec = perSecond
	}
	return r
}

// PerSecond is the rate of a row, whatever it counts.
func (r Row) PerSecond() float64 { return r.SweepsPerSec + r.UpdatesPerSec }
