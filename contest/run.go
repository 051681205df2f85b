package contest

import (
	"context"
	"errors"
	"fmt"
	"math"

	"instanton/internal/parallel"
	"instanton/mixing"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/tempering"
	"instanton/unit"
)

// Sampler takes part in a contest.
type Sampler struct {
	Name string
	// Make prepares the kernel, with everything that has to be fitted or tried first, and says in a few words what
	// came of it. Its processor time is the sampler's setup.
	Make func(ctx context.Context) (k sampler.Kernel, about string, err error)
}

// Options are the same for all samplers of a contest.
type Options struct {
	Model *rbm.RBM
	Modes mixing.Modes
	// Starts are the configurations from which runs start, those of one place together: run r starts from
	// configuration r/len(Starts) of Starts[r%len(Starts)], counted round.
	Starts []*unit.States
	Runs   int // chains, at least MinRuns
	Seed   uint64

	// A sampler runs for Sweeps sweeps or, if that is zero, for Seconds of processor time. The first tenth of its
	// sweeps is not counted.
	Sweeps  int
	Seconds float64

	Progress func(done float64) // if non-nil, told the fraction of a sampler's work that is done
}

// MinRuns is the number of runs from which the variance between them is known to a third.
const MinRuns = 20

// maxVisits bounds the memory for the modes of all draws.
const maxVisits = 1 << 26

// Check rejects options with which nothing can be measured.
func (o *Options) Check() error {
	names := len(o.Modes.Names())
	switch {
	case o.Runs < MinRuns:
		return fmt.Errorf("%d runs: expected at least %d, whose spread is the measure", o.Runs, MinRuns)
	case names < 2:
		return errors.New("there is only one mode: expected at least two, between which chains can move")
	case names > math.MaxUint8:
		return fmt.Errorf("%d modes: expected at most %d", names, math.MaxUint8)
	case len(o.Starts) < 2:
		return fmt.Errorf("there are configurations of %d of the %d modes to start from: expected at least two modes, "+
			"since chains from one cannot disagree", len(o.Starts), names)
	case o.Sweeps < 0 || o.Sweeps == 0 && !(o.Seconds > 0):
		return errors.New("expected a positive number of sweeps or of seconds")
	}
	for k, s := range o.Starts {
		if s.Len == 0 {
			return fmt.Errorf("place %d has no configurations to start from", k+1)
		}
	}
	return nil
}

// begin makes the chains and sets them to their starts.
func (o *Options) begin() (*sampler.Chains, error) {
	c := sampler.NewChains(o.Model, o.Runs, o.Seed)
	for r := range o.Runs {
		from := o.Starts[r%len(o.Starts)]
		if from.Spec != c.V.Spec {
			return nil, fmt.Errorf("starts are %s: the model has %s", from.Spec, c.V.Spec)
		}
		c.V.CopyRow(r, from, r/len(o.Starts)%from.Len)
	}
	return c, nil
}

// visits are the modes that chains were in: one byte per chain, draw by draw; none before a chain is in any.
type visits struct {
	runs  int
	every int // sweeps between draws
	mode  []uint8
}

const none = math.MaxUint8

// Run lets one sampler compete.
func Run(ctx context.Context, s Sampler, o Options) (*Row, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	row := &Row{Sampler: s.Name}
	before := processorSeconds()
	k, about, err := s.Make(ctx)
	if err != nil {
		return nil, err
	}
	row.SetupSeconds, row.About = processorSeconds()-before, about
	row.work = sampler.Work(k)
	c, err := o.begin()
	if err != nil {
		return nil, err
	}
	seen, energies, err := follow(ctx, k, c, &o, row)
	if err != nil {
		return nil, err
	}
	row.Acceptance = mixing.Number(c.Acceptance())
	if ladder, ok := k.(*tempering.Kernel); ok {
		r, err := ladder.Report(c)
		if err != nil {
			return nil, err
		}
		row.RoundTrips = &r.RoundTrips
	}
	row.judge(seen, energies, &o)
	return row, nil
}

// follow runs the chains on one core and notes where they are. Only the time of the chains counts, not that of the
// looking.
func follow(ctx context.Context, k sampler.Kernel, c *sampler.Chains, o *Options, row *Row) (*visits, *energies,
	error) {
	pool := sampler.NewPool(k, 1)
	energies, err := newEnergies(o)
	if err != nil {
		return nil, nil, err
	}
	now := make([]uint8, o.Runs)
	for r := range now {
		now[r] = none
	}
	var sweep, looking float64
	for range 2 { // the first sweep makes what later ones reuse
		clock := processorSeconds()
		if err := pool.Run(ctx, c, 1); err != nil {
			return nil, nil, err
		}
		sweep = processorSeconds() - clock
		clock = processorSeconds()
		look(now, c.V, o.Modes)
		looking = processorSeconds() - clock
	}
	seen := &visits{runs: o.Runs, every: 1}
	if sweep > 0 { // looks take at most twice as long as sweeps
		seen.every = max(1, int(looking/(2*sweep)))
	}
	if o.Sweeps > 0 {
		seen.every = min(seen.every, max(1, o.Sweeps/1000))
	}
	const first = 2
	done := first
	for {
		if len(seen.mode)+o.Runs > maxVisits {
			break
		}
		clock := processorSeconds()
		if err := pool.Run(ctx, c, seen.every); err != nil {
			return nil, nil, err
		}
		row.Seconds += processorSeconds() - clock
		done += seen.every
		look(now, c.V, o.Modes)
		seen.mode = append(seen.mode, now...)
		energies.take(c.V)
		part := row.Seconds / o.Seconds
		if o.Sweeps > 0 {
			part = float64(done) / float64(o.Sweeps)
		}
		if o.Progress != nil {
			o.Progress(min(1, part))
		}
		if part >= 1 {
			break
		}
	}
	row.Sweeps = done - first
	return seen, energies, nil
}

// look updates the modes that chains are in: those in which they were last deep.
func look(now []uint8, v *unit.States, modes mixing.Modes) {
	const share = 8 // chains per task
	parallel.For(0, (len(now)+share-1)/share, func(_, i int) {
		for r := i * share; r < min((i+1)*share, len(now)); r++ {
			if mode, deep := modes.Of(v, r); deep {
				now[r] = uint8(mode)
			}
		}
	})
}
