package theory

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"instanton/internal/vec"
)

// CriticalSet is the outcome of a search for the critical points of the free energy.
type CriticalSet struct {
	// Points are the critical points, lowest free energy first, one for each orbit of the symmetries of the model.
	Points []CriticalPoint
	// Seeds is the number of starts of Newton's method, Converged the number of those that reached a critical point.
	Seeds, Converged int
	// Morse is Σ (−1)^index over all critical points, copies included. It is 1 for a complete list, because e(h) grows
	// in all directions; any other value says that points are missing (or that one is degenerate).
	Morse int

	all      [][][]float64 // hidden values of all copies of each point
	symmetry []signedPermutation
}

// Complete reports whether the list passes the test of Morse.
func (s *CriticalSet) Complete() bool { return s.Morse == 1 }

// Search says in a sentence what was searched.
func (s *CriticalSet) Search() string {
	verdict := "the indices add up as they must for a complete list"
	if !s.Complete() {
		verdict = fmt.Sprintf("the indices add up to %d and not to 1, so some are missing or degenerate", s.Morse)
	}
	return fmt.Sprintf("%d critical points up to symmetry from %d of %d starts of Newton's method; %s", len(s.Points),
		s.Converged, s.Seeds, verdict)
}

// maxSearchUnits bounds the search, whose starts grow like 3^M.
const maxSearchUnits = 8

// CriticalPoints searches for all critical points of the free energy by Newton's method from many starts: the signs and
// zeros {−, 0, +}^M of the hidden units on three scales and in all combinations of the pieces of their potentials, then
// points spread over the box that holds all critical points, until the test of Morse is passed or the starts run out.
// Symmetric copies are counted, not listed. The result is computed once for each Landscape.
func (l *Landscape) CriticalPoints() (*CriticalSet, error) {
	l.criticalOnce.Do(func() {
		if l.aligned != nil {
			l.critical, l.criticalErr = l.turnedCritical()
		} else {
			l.critical, l.criticalErr = l.searchCritical()
		}
	})
	return l.critical, l.criticalErr
}

// turnedCritical takes the critical points from the aligned model.
func (l *Landscape) turnedCritical() (*CriticalSet, error) {
	set, err := l.aligned.CriticalPoints()
	if err != nil {
		return nil, err
	}
	turned := *set
	turned.Points, turned.all = slices.Clone(set.Points), nil
	for i, p := range set.Points {
		turned.Points[i].H = turn(l.rotation, p.H)
		var copies [][]float64
		for _, h := range set.all[i] {
			copies = append(copies, turn(l.rotation, h))
		}
		turned.all = append(turned.all, copies)
	}
	return &turned, nil
}

// Settle follows the relaxation from the state m to the minimum of the free energy where it ends: the state that the
// sampler falls into when it starts from m.
func (l *Landscape) Settle(m []float64) (CriticalPoint, error) {
	h, err := l.Field(m)
	if err != nil {
		return CriticalPoint{}, err
	}
	for range 100000 {
		next := l.relaxField(h)
		moved := vec.Distance(next, h)
		h = next
		if moved < 1e-9 {
			break
		}
	}
	if l.smooth() {
		h, _ = l.newtonCritical(h)
	}
	if r := vec.MaxAbs(l.residual(h)); r > 1e-9 {
		return CriticalPoint{}, fmt.Errorf("relaxation from %v does not settle: it still moves by %.1g", m, r)
	}
	return l.describeCritical(h), nil
}

func (l *Landscape) searchCritical() (*CriticalSet, error) {
	m := l.units
	if m > maxSearchUnits {
		return nil, fmt.Errorf("the search for critical points takes at most %d hidden units: this model has %d",
			maxSearchUnits, m)
	}
	s := &CriticalSet{symmetry: l.symmetries()}
	box := l.box()
	for _, scale := range []float64{0.9, 0.5, 0.2} {
		seed := make([]level, m)
		var fill func(mu int)
		fill = func(mu int) {
			if mu == m {
				if s.first(seed) {
					s.try(l, seed)
				}
				return
			}
			for _, x := range l.hidden[mu].levels(box[mu], scale) {
				seed[mu] = x
				fill(mu + 1)
			}
		}
		fill(0)
	}
	r := rand.New(rand.NewPCG(5, 6))
	for round := range 20 {
		if round >= 2 && s.Morse == 1 {
			break
		}
		for range 100 * m {
			seed := make([]level, m)
			for mu, b := range box {
				choices := l.hidden[mu].levels(b, r.Float64())
				seed[mu] = choices[r.IntN(len(choices))]
				if l.smooth() {
					seed[mu].h = b.lo + (b.hi-b.lo)*r.Float64()
				}
			}
			// symmetric seeds reach the critical points of high symmetry, whose basins are thin
			if mu, nu := r.IntN(m), r.IntN(m); round%2 == 1 {
				seed[mu] = seed[nu]
			}
			s.try(l, seed)
		}
	}
	order := make([]int, len(s.Points))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool { return s.Points[order[i]].F < s.Points[order[j]].F })
	sorted := &CriticalSet{Seeds: s.Seeds, Converged: s.Converged, Morse: s.Morse, symmetry: s.symmetry}
	for _, i := range order {
		sorted.Points = append(sorted.Points, s.Points[i])
		sorted.all = append(sorted.all, s.all[i])
	}
	return sorted, nil
}

// first tells whether no symmetry of the list makes a seed into one that comes before it in the alphabet; of seeds that
// symmetries make out of each other, one at least is first, and Newton's method treats them alike.
func (s *CriticalSet) first(seed []level) bool {
	for _, g := range s.symmetry {
		for mu := range seed {
			image := g.sign[mu] * seed[g.from[mu]].h
			if image > seed[mu].h {
				return false
			}
			if image < seed[mu].h {
				break
			}
		}
	}
	return true
}

// try runs Newton's method from a seed and files what is new.
func (s *CriticalSet) try(l *Landscape, seed []level) {
	s.Seeds++
	h, ok := l.criticalFrom(seed)
	if !ok {
		return
	}
	s.Converged++
	tidy(h)
	e := l.HiddenEnergy(h)
	for i, p := range s.Points {
		if math.Abs(p.F-e) > 1e-9 {
			continue
		}
		for _, copy := range s.all[i] {
			if vec.Distance(copy, h) < 1e-5 {
				return
			}
		}
	}
	var copies [][]float64
	for _, c := range orbit([][]float64{h}, s.symmetry, 100000) {
		copies = append(copies, c[0])
	}
	// the copy that stands for all is the last in the alphabet: positive units first
	slices.SortFunc(copies, func(a, b []float64) int { return slices.Compare(b, a) })
	point := l.describeCritical(copies[0])
	point.Copies = len(copies)
	s.Points, s.all = append(s.Points, point), append(s.all, copies)
	if !point.oneSided { // the lower states around such a point hang together as before
		s.Morse += point.Copies * (1 - 2*(point.Index&1))
	}
}

// tidy removes rounding, so that symmetric copies of a point have the same values in every digit: sizes that agree to
// 1e-10 become equal, and those below 1e-11 zero.
func tidy(h []float64) {
	for mu, x := range h {
		if math.Abs(x) < 1e-11 {
			h[mu] = 0
			continue
		}
		for _, y := range h[:mu] {
			if math.Abs(math.Abs(x)-math.Abs(y)) < 1e-10 {
				h[mu] = math.Copysign(y, x)
				break
			}
		}
	}
}

// interval is the range of one hidden value over all critical points.
type interval struct{ lo, hi float64 }

// box bounds the hidden values of critical points: h = f(I), and no input exceeds that of fully magnetized classes.
func (l *Landscape) box() []interval {
	b := make([]interval, l.units)
	for mu, v := range l.hidden {
		reach := 0.0
		for c, p := range l.share {
			reach += p * math.Abs(l.weight[c*l.units+mu])
		}
		b[mu] = interval{v.Transfer(-reach), v.Transfer(reach)}
	}
	return b
}
