package rates

import (
	"errors"

	"instanton/internal/rng"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

const (
	lanes   = 64    // shots run side by side
	waiting = 256   // pairs collected before shots are run
	longest = 10000 // sweeps after which a shot is given up
)

// pairs holds steps x → y across a dividing surface, and the outcomes of shots from both ends.
type pairs struct {
	u        *group
	surfaces *surfaces

	start []int           // chains near the top
	steps *sampler.Chains // copies of the chains that take one free step
	shots shooter

	ends    *unit.States // x and y of pair j in rows 2j and 2j+1
	outcome []float64    // of each shot: 1 at b, 0 at a
	open    []crossing   // whose shots are still to be run

	tried   []float64 // steps taken from each bin
	crossed []crossing

	arrived [2]sample // where some of the shots ended, in the first state and in the second
}

// crossing is a step from bin x to bin y across a surface, the lower edge of its bin, and the difference of the
// outcomes, upper end minus lower end.
type crossing struct {
	x, y, surface int
	gain          float64
}

func newPairs(u *group, m *rbm.RBM, n int, seed uint64, first uint32) *pairs {
	return &pairs{
		u: u, start: make([]int, 0, n), steps: newChains(m, n, seed, first),
		shots: shooter{u: u, chains: newChains(m, lanes, seed, first+uint32(n))},
		ends:  unit.NewStates(u.c.spec, 2*waiting), outcome: make([]float64, 2*waiting),
		tried: make([]float64, u.c.bins), arrived: [2]sample{newSample(u.c.spec), newSample(u.c.spec)},
	}
}

// step takes one free step from each chain of the group that is near the top, draws a dividing surface for each step,
// and keeps the pairs whose ends lie on either side of it.
func (p *pairs) step() error {
	u := p.u
	start := p.start[:0]
	for k, q := range u.q {
		if p.surfaces.near(u.c.bin(q)) {
			start = append(start, k)
		}
	}
	if len(start) == 0 {
		return nil
	}
	for k := range u.q {
		p.steps.V.CopyRow(k, u.chains.V, start[k%len(start)])
	}
	now := p.steps.Sweep
	u.sweep(p.steps)
	for k := range u.q {
		from := start[k%len(start)]
		x, y := u.c.bin(u.q[from]), u.c.bin(u.c.of(p.steps.V, k))
		p.tried[x]++
		s := p.surfaces.draw(rng.Uniform(rng.New(p.steps.Seed, rng.Resample, p.steps.First+uint32(k), now).Block(0)[0]))
		if (x >= s) == (y >= s) {
			continue
		}
		j := len(p.open)
		p.ends.CopyRow(2*j, u.chains.V, from)
		p.ends.CopyRow(2*j+1, p.steps.V, k)
		if p.open = append(p.open, crossing{x: x, y: y, surface: s}); len(p.open) == waiting {
			if err := p.shoot(); err != nil {
				return err
			}
		}
	}
	return nil
}

// ErrThirdState means that chains stay between the two states. The rate of leaving the first for any other state
// ([Options.Leave]) is still defined.
var ErrThirdState = errors.New("there seems to be a third state between them")

// shoot runs free chains from both ends of all pairs until each is in one of the states.
func (p *pairs) shoot() error {
	var kept [2]int
	err := p.shots.shoot(p.ends, 2*len(p.open), 1, func(shot, row int, second bool) {
		side := 0
		if p.outcome[shot] = 0; second {
			p.outcome[shot], side = 1, 1
		}
		if kept[side] < 2 {
			kept[side]++
			p.arrived[side].keep(p.shots.chains.V, row)
		}
	})
	if err != nil {
		return err
	}
	for j, c := range p.open {
		if c.gain = p.outcome[2*j+1] - p.outcome[2*j]; c.y < c.x {
			c.gain = -c.gain
		}
		p.crossed = append(p.crossed, c)
	}
	p.open = p.open[:0]
	return nil
}
