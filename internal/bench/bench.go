package bench

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"instanton/batch"
	"instanton/internal/kernel"
	"instanton/unit"
)

// Row is one line of the table: our rate, or that of a peer, with the ratio of ours to theirs.
type Row struct {
	Case           string  `json:"case"`
	Device         string  `json:"device,omitempty"` // if not the processor
	Threads        int     `json:"threads"`
	Chains         int     `json:"chains"`
	SweepsPerSec   float64 `json:"sweeps_per_second,omitempty"`
	UpdatesPerSec  float64 `json:"updates_per_second,omitempty"`
	FractionOfPeak float64 `json:"fraction_of_peak,omitempty"`
	Peer           string  `json:"peer,omitempty"`
	Ratio          float64 `json:"ratio,omitempty"`

	// CPU time with all draws kept, divided by that with one draw kept
	CPURatio float64 `json:"cpu_ratio,omitempty"`
	Micros   float64 `json:"microseconds_per_draw,omitempty"`   // time of one latent move
	Speedup  float64 `json:"speedup_over_one_thread,omitempty"` // of all Threads
}

// Options say what to measure.
type Options struct {
	Cases   []string     // names of cases, or their beginnings; all if empty
	Threads int          // 0 for one per processor
	Device  batch.Device // nil: the processor
	Name    string       // of the device
	Peers   bool
	Time    time.Duration // of each measurement; 0 for the default
	Say     func(format string, args ...any)
}

// Run measures the cases and passes each row to emit as soon as it is measured.
func Run(ctx context.Context, o Options, emit func(Row)) error {
	cases, err := Select(o.Cases, o.Device != nil)
	if err != nil {
		return err
	}
	if o.Threads < 1 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	if o.Time == 0 {
		o.Time = time.Second
	}
	peak := 0.0
	if o.Device == nil {
		peak = kernel.PeakFLOPS()
	}
	for _, c := range cases {
		if err := o.run(ctx, c, peak, emit); err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
	}
	return nil
}

// run measures one case: our work, and that of each peer taken in turns with ours.
func (o Options) run(ctx context.Context, c Case, peak float64, emit func(Row)) error {
	if c.Kind.single() {
		o.Threads = 1
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // so that the garbage collector's work counts
	}
	w, err := o.prepare(ctx, c)
	if err != nil {
		return err
	}
	perSecond := rate(o.Time, w.run)
	row := o.row(c, perSecond)
	if peak > 0 {
		row.FractionOfPeak = perSecond * w.flops / (peak * float64(o.Threads))
	}
	if w.reference != nil {
		_, ratio, err := compare(o.Time, w.run, func(n int) (float64, error) { return seconds(w.reference, n), nil })
		if err != nil {
			return err
		}
		if c.Kind == scaling {
			row.Speedup = ratio
		} else {
			row.CPURatio = 1 / ratio
		}
	}
	emit(row)
	if !o.Peers {
		return ctx.Err()
	}
	return o.comparePeers(ctx, c, w.run, emit)
}

// comparePeers measures the peers of a case, each in turns with our work.
func (o Options) comparePeers(ctx context.Context, c Case, ours func(n int), emit func(Row)) error {
	peers := peersOf(c)
	if o.Device != nil {
		peers = devicePeersOf(c)
	}
	for _, name := range peers {
		p, err := startPeer(ctx, name, c, o.Threads)
		if err != nil {
			if o.Say != nil {
				o.Say("%s: leaving out peer %s: %v", c.Name, name, err)
			}
			continue
		}
		theirs, ratio, err := compare(o.Time, ours, p.work)
		p.stop()
		if err != nil {
			return fmt.Errorf("peer %s: %w", name, err)
		}
		row := o.row(c, theirs)
		row.Peer, row.Ratio = name, ratio
		emit(row)
	}
	return ctx.Err()
}

// row is a line with a rate in the unit of the case.
func (o Options) row(c Case, perSecond float64) Row {
	r := Row{Case: c.Name, Device: o.Name, Threads: o.Threads, Chains: c.Chains}
	switch c.Kind {
	case pcd:
		r.UpdatesPerSec = perSecond
	case keep, keepHidden:
		r.SweepsPerSec = perSecond * float64(c.K)
	case draws:
		r.SweepsPerSec = perSecond
		hidden, _ := unit.ParseSpec(c.Hidden) // prepare has checked it
		r.Micros = 1e6 * float64(c.K) / (perSecond * float64(c.Chains*hidden.N))
	default:
		r.SweepsPerSec = perSecond
	}
	return r
}

// PerSecond is the rate of a row, whatever it counts.
func (r Row) PerSecond() float64 { return r.SweepsPerSec + r.UpdatesPerSec }
