package lattice

import (
	"context"
	"fmt"
	"math"
)

// FamilyOptions say how many sequences of a family to collect, and how.
type FamilyOptions struct {
	Count   int
	MinPnat float64 // smallest P_nat of a sequence that is kept
	Burn    int     // sweeps before the first draw; the first half of them cools
	Every   int     // sweeps between draws

	Burning func(sweeps int)    // called with the number of sweeps of the burn-in done; may be nil
	Found   func(sequences int) // called with the number of sequences found; may be nil
}

// Family is a set of different sequences that fold into the same structure.
type Family struct {
	Native    int
	Sequences []Sequence
	Pnat      []float64
	Draws     int    // number examined
	Passed    int    // number with sufficient P_nat
	Swaps     []Rate // between neighbouring rungs, after the burn-in
}

// hottest is the fraction of β at which the burn-in starts.
const hottest = 1e-3

// Numbers of draws after which a design gives up if almost none of them is useful.
const (
	patience = 1000
	least    = 0.01
)

// Family collects different sequences from the chains at the highest β.
func (d *Design) Family(ctx context.Context, o FamilyOptions) (*Family, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	p, err := d.Start()
	if err != nil {
		return nil, err
	}
	if err := p.burn(ctx, o); err != nil {
		return nil, err
	}
	f := &Family{Native: d.Native}
	seen := map[Sequence]bool{}
	for len(f.Sequences) < o.Count {
		for range o.Every {
			if err := p.Run(ctx, 1); err != nil {
				return nil, err
			}
		}
		f.draw(p, o, seen)
		if o.Found != nil {
			o.Found(len(f.Sequences))
		}
		if f.Draws >= patience && float64(len(f.Sequences)) < least*float64(f.Draws) {
			advice := "a higher β, a lower minimum of P_nat or fewer competitors help"
			if 2*f.Passed > f.Draws {
				advice = "a smaller β, more sweeps between draws or more chains help"
			}
			return nil, fmt.Errorf("of %d draws at β = %g only %d had P_nat of at least %g and %d of them were new: "+
				"expected more; %s",
				f.Draws, d.Ladder[len(d.Ladder)-1], f.Passed, o.MinPnat, len(f.Sequences), advice)
		}
	}
	f.Swaps = p.Swaps
	return f, nil
}

func (o *FamilyOptions) check() error {
	switch {
	case o.Count < 1:
		return fmt.Errorf("%d sequences: expected at least one", o.Count)
	case !(o.MinPnat >= 0 && o.MinPnat < 1):
		return fmt.Errorf("a minimum P_nat of %g: expected a probability below 1", o.MinPnat)
	case o.Burn < 0 || o.Every < 1:
		return fmt.Errorf("a burn-in of %d sweeps and a draw every %d sweeps: burn-in must be ≥ 0; sweeps between "+
			"draws must be ≥ 1", o.Burn, o.Every)
	}
	return nil
}

// burn cools the population from random sequences: β rises geometrically during the first half.
func (p *Population) burn(ctx context.Context, o FamilyOptions) error {
	for k := range o.Burn {
		share := math.Pow(hottest, max(0, 1-2*float64(k+1)/float64(o.Burn)))
		if err := p.Run(ctx, share); err != nil {
			return err
		}
		if o.Burning != nil {
			o.Burning(k + 1)
		}
	}
	clear(p.Swaps)
	return nil
}

// draw examines the top of every ladder and keeps sequences that are good and new.
func (f *Family) draw(p *Population, o FamilyOptions, seen map[Sequence]bool) {
	rungs := len(p.design.Ladder)
	for r := rungs - 1; r < len(p.Replicas) && len(f.Sequences) < o.Count; r += rungs {
		f.Draws++
		v, pnat := p.Replicas[r].V, math.Exp(p.Replicas[r].LogPnat)
		if pnat < o.MinPnat {
			continue
		}
		f.Passed++
		if !seen[v] {
			seen[v] = true
			f.Sequences = append(f.Sequences, v)
			f.Pnat = append(f.Pnat, pnat)
		}
	}
}
