package tempering

import (
	"context"
	"fmt"
	"math"

	"instanton/sampler"
	"instanton/unit"
)

// Options are the settings of the pilot that prepares a ladder. The zero value is fine.
type Options struct {
	Rungs   int          // number of rungs; 0: as the pilot finds best
	Data    *unit.States // where replicas of the pilot start; nil: at draws of the mixture, or else at random
	Classes *Mixture     // classes that every rung is to hold; nil for none
	Seed    uint64
	Workers int

	Context  context.Context       // ends the pilot; nil: it runs to its end
	Progress func(done, total int) // hears how far the pilot is, in sweeps; may be nil
}

// Pilot says how a ladder was found.
type Pilot struct {
	Sweeps int     `json:"sweeps"` // of each of its chains
	Chains int     `json:"chains"`
	Lambda float64 `json:"lambda"` // sum of the rejection rates on the final ladder
	Least  float64 `json:"least"`  // lowest rate of exchange between neighbours
	Steps  float64 `json:"steps"`  // steps of replicas in all
}

// Pilot says how the ladder was found.
func (k *Kernel) Pilot() Pilot { return k.pilot }

// Sizes of the pilot.
const (
	pilotChains = 64
	pilotFirst  = 1 << 30 // number of its first chain, apart from those of runs
	firstRungs  = 10
	mostRungs   = 48
	drawEvery   = 4 // sweeps between draws for the weights of classes
)

// pilotSweeps are the sweeps of the rounds of the pilot.
var pilotSweeps = []int{40, 60, 80, 120, 200}

// context returns the context, never nil.
func (o *Options) context() context.Context {
	if o.Context == nil {
		return context.Background()
	}
	return o.Context
}

// place finds the rungs of a ladder over a parameter from 0 to 1: each round places them so that the rates of rejection
// measured in the round before are the same between all neighbours (Syed et al. 2022), with 2Λ + 1 rungs unless their
// number is given: then about half of the exchanges are accepted, where round trips per unit of work are most
// frequent. The weights of classes are estimated on the way; the last round keeps the rungs and only measures.
func (o *Options) place(k *Kernel, build func(points []float64) (ladder, error)) error {
	if o.Rungs < 0 || o.Rungs == 1 || o.Rungs > maxRungs {
		return fmt.Errorf("a ladder of %d rungs: expected 2 to %d, or 0 for as many as a pilot finds best", o.Rungs,
			maxRungs)
	}
	points := evenly(firstRungs)
	if o.Rungs > 0 {
		points = evenly(o.Rungs)
	}
	p := &pilot{Options: o, kernel: k}
	for _, sweeps := range pilotSweeps {
		p.total += sweeps
	}
	for round, sweeps := range pilotSweeps {
		l, err := build(points)
		if err != nil {
			return err
		}
		if err := p.begin(l, points); err != nil {
			return err
		}
		rejection, err := p.run(sweeps)
		if err != nil {
			return err
		}
		if round < len(pilotSweeps)-2 {
			points = o.next(points, rejection)
		}
	}
	p.finish()
	return nil
}

// maxRungs bounds the memory that a mistyped number can ask for.
const maxRungs = 1000

// evenly returns n points from 0 to 1.
func evenly(n int) []float64 {
	x := make([]float64, n)
	for r := range x {
		x[r] = float64(r) / float64(n-1)
	}
	return x
}

// next places rungs evenly in the cumulative rejection.
func (o *Options) next(points, rejection []float64) []float64 {
	sum := make([]float64, len(points))
	var lambda float64
	for r, x := range rejection {
		lambda += x
		sum[r+1] = sum[r] + x + leastRejection
	}
	n := o.Rungs
	if n == 0 {
		n = min(max(int(math.Ceil(2*lambda))+1, 3), mostRungs)
	}
	next := make([]float64, n)
	next[n-1] = 1
	at := 1
	for r := 1; r < n-1; r++ {
		want := sum[len(sum)-1] * float64(r) / float64(n-1)
		for sum[at] < want {
			at++
		}
		share := (want - sum[at-1]) / (sum[at] - sum[at-1])
		next[r] = points[at-1] + share*(points[at]-points[at-1])
	}
	return next
}

// leastRejection keeps intervals that reject nothing from losing all their rungs.
const leastRejection = 0.02

// pilot is a pilot run.
type pilot struct {
	*Options
	kernel *Kernel
	points []float64
	chains *sampler.Chains
	done   Pilot
	total  int // sweeps that it will make
}

// begin takes over the replicas, and the weights of classes, of the nearest rungs of the round before.
func (p *pilot) begin(l ladder, points []float64) error {
	k := p.kernel
	k.ladder = l
	states := make([]*unit.States, len(points))
	var weight [][]float64
	for r, x := range points {
		if p.chains == nil {
			first, err := p.first(l)
			if err != nil {
				return err
			}
			states[r] = first
			continue
		}
		at := nearest(p.points, x)
		states[r] = p.replicas(at).Clone()
		if k.balance != nil {
			weight = append(weight, append([]float64(nil), k.balance.weight[at]...))
		}
	}
	if p.Classes != nil && p.Classes.Classes() > 1 {
		k.balance = newBalance(p.Classes, len(points))
		if weight != nil {
			copy(k.balance.weight[1:len(points)-1], weight[1:])
		}
	}
	n := len(points) - 1
	c := &sampler.Chains{Seed: p.Seed, First: pilotFirst, V: states[n], Proposed: make([]uint64, pilotChains),
		Accepted: make([]uint64, pilotChains)}
	if p.chains != nil {
		c.Sweep = p.chains.Sweep
	}
	c.Replicas, c.Tally = states[:n], make([]uint64, pilotChains*k.layout().width)
	p.chains, p.points = c, points
	return nil
}

// first is where the replicas of a rung start.
func (p *pilot) first(l ladder) (*unit.States, error) {
	c := sampler.NewChains(p.kernel.model, pilotChains, p.Seed)
	switch {
	case p.Data != nil:
		if p.Data.Spec != c.V.Spec || p.Data.Len == 0 {
			return nil, fmt.Errorf("%d configurations of %s to start from: the model has visible units %s", p.Data.Len,
				p.Data.Spec, c.V.Spec)
		}
		for k := range c.V.Len {
			c.V.CopyRow(k, p.Data, (2*k+1)*p.Data.Len/(2*c.V.Len))
		}
		if p.Classes != nil && p.Classes.broad { // some where the data are not
			p.Classes.drawBroad(c.V, 4, p.Seed)
		}
	case l.name() == "mixture":
		replicas := &sampler.Chains{Seed: p.Seed, First: pilotFirst, V: c.V}
		l.worker().step(0, replicas, 0, c.V.Len, startSweep)
	}
	return c.V, nil
}

// replicas are the configurations of rung r.
func (p *pilot) replicas(r int) *unit.States {
	if r == len(p.chains.Replicas) {
		return p.chains.V
	}
	return p.chains.Replicas[r]
}

func nearest(points []float64, x float64) int {
	at := 0
	for r, y := range points {
		if math.Abs(y-x) < math.Abs(points[at]-x) {
			at = r
		}
	}
	return at
}

// run makes a round. The first third of its sweeps does not count; where there are classes, their weights are then
// estimated in the second third and used in the last.
func (p *pilot) run(sweeps int) (rejection []float64, err error) {
	k, pool := p.kernel, sampler.NewPool(p.kernel, p.Workers)
	left := sweeps
	advance := func(n int) error {
		err := pool.Run(p.context(), p.chains, n)
		left -= n
		p.done.Sweeps += n
		p.done.Steps += float64(n * pilotChains * k.Rungs())
		if p.Progress != nil {
			p.Progress(p.done.Sweeps, p.total)
		}
		return err
	}
	if err := advance(sweeps / 3); err != nil {
		return nil, err
	}
	if k.balance != nil {
		e := newClassEstimate(k)
		for left > sweeps/3 {
			if err := advance(min(drawEvery, left)); err != nil {
				return nil, err
			}
			e.add(p)
		}
		e.set()
	}
	clear(p.chains.Tally)
	if err := advance(left); err != nil {
		return nil, err
	}
	report, err := k.Report(p.chains)
	if err != nil {
		return nil, err
	}
	p.done.Lambda, p.done.Chains = report.Lambda, pilotChains
	p.done.Least = 1
	for _, rate := range report.Exchange {
		p.done.Least = min(p.done.Least, rate)
		rejection = append(rejection, 1-rate)
	}
	return rejection, nil
}

// finish leaves the ends of the replicas to the kernel, as starts for those of runs.
func (p *pilot) finish() { p.kernel.starts, p.kernel.pilot = p.chains.Replicas, p.done }
