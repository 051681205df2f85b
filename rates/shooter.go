package rates

import (
	"fmt"

	"instanton/sampler"
	"instanton/unit"
)

// shooter follows free chains until they are in a state.
type shooter struct {
	u      *group
	a, b   float64 // the states are q ≤ a and q ≥ b
	chains *sampler.Chains
	lane   [lanes]struct{ shot, age int }
}

// shoot makes n shots, repeat of them in turn from each configuration, and tells where each ends: in the second state
// or the first, and in which row of the chains it stands.
func (s *shooter) shoot(from *unit.States, n, repeat int, done func(shot, row int, second bool)) error {
	next, under := 0, 0
	for l := range s.lane {
		s.lane[l].shot = -1
	}
	arrive := func(l int) {
		q := s.u.c.of(s.chains.V, l)
		if q > s.a && q < s.b {
			return
		}
		done(s.lane[l].shot, l, q >= s.b)
		s.lane[l].shot = -1
		under--
	}
	for {
		for l := range s.lane {
			for s.lane[l].shot < 0 && next < n {
				s.chains.V.CopyRow(l, from, next/repeat)
				s.lane[l].shot, s.lane[l].age = next, 0
				next, under = next+1, under+1
				arrive(l)
			}
		}
		if under == 0 {
			return nil
		}
		s.u.sweep(s.chains)
		for l := range s.lane {
			if s.lane[l].shot < 0 {
				continue
			}
			arrive(l)
			if s.lane[l].age++; s.lane[l].age > longest {
				return fmt.Errorf("a shot from the top of the barrier is at q = %g after %d sweeps, "+
					"in neither state (q ≤ %g, q ≥ %g): %w", s.u.c.of(s.chains.V, l), longest, s.a, s.b, ErrThirdState)
			}
		}
	}
}
