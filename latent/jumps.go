package latent

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"instanton/batch"
	"instanton/internal/kernel"
	"instanton/internal/rng"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// Jumps proposes distant hidden configurations between the two halves of alternating Gibbs sampling: h from P(h|v);
// then, once or several times, a proposal h', as likely from h as h from h', which is accepted with probability
// min(1, e^{E_eff(h)−E_eff(h')}), the visible units summed out; then v from P(v|h). It leaves P(v)^β invariant and
// satisfies detailed balance. NewSwaps and NewJumps make such kernels.
type Jumps struct {
	model    *rbm.RBM
	gibbs    *sampler.Gibbs
	proposal *rbm.RBM
	leap     leap
	attempts int // in a sweep
	fields   []float64
	columns  [][]float64
}

var _ sampler.Enumerable = (*Jumps)(nil)

// leap proposes hidden configurations.
type leap interface {
	name() string
	// propose sets to to a proposal, chosen by random words, or returns false for none.
	propose(to, h []float64, words [4]uint32) bool
	// outcomes emits every proposal with its probability.
	outcomes(h []float64, emit func(to []float64, p float64))
}

// NewSwaps prepares signed swaps h_a, h_b → ±h_b, ±h_a of two hidden units, chosen at random with their signs, as many
// in a sweep as there are hidden units: a model whose units stand for patterns goes from one pattern to another. It is
// for Gaussian and dReLU units. A rotation gives the axes of Gaussian units, as found by RBM.Axes; nil leaves them.
func NewSwaps(m *rbm.RBM, beta float64, rotation *mat.Dense) (*Jumps, error) {
	spec := m.Hidden.Spec()
	if spec.Type != unit.Gaussian && spec.Type != unit.DReLU || spec.N < 2 {
		return nil, fmt.Errorf("signed swaps of hidden units %s: expected at least two Gaussian or dReLU units", spec)
	}
	turned, err := rotated(m, rotation)
	if err != nil {
		return nil, err
	}
	return newJumps(m, turned, beta, &signedSwap{units: spec.N}, spec.N)
}

// NewJumps prepares jumps between prototypes, hidden configurations of which there are at least two, such as the means
// ⟨h|v⟩ of classes or clusters of data: with r_a the prototype nearest to h and r_b another, chosen at random,
// h' = h + r_b − r_a, provided that r_b is nearest to h'. Spins are multiplied by r_a r_b, with prototypes rounded to
// ±1, and Bernoulli units likewise. There is one proposal in a sweep.
func NewJumps(m *rbm.RBM, beta float64, prototypes [][]float64) (*Jumps, error) {
	spec := m.Hidden.Spec()
	if spec.Type == unit.Potts {
		return nil, fmt.Errorf("jumps between prototypes of hidden units %s: expected spin, Bernoulli or real units",
			spec)
	}
	if len(prototypes) < 2 {
		return nil, fmt.Errorf("%d prototypes: expected at least two to jump between", len(prototypes))
	}
	j := &modeJump{spec: spec}
	for k, p := range prototypes {
		if len(p) != spec.N {
			return nil, fmt.Errorf("prototype %d has %d entries: expected %d, one per hidden unit", k, len(p), spec.N)
		}
		own := make([]float64, spec.N)
		for mu, x := range p {
			own[mu] = x * math.Sqrt(beta) // the scale of Gaussian units at β, see sampler.Gibbs
			if spec.Type.Discrete() {
				own[mu] = spec.StateValue(0)
				if x > (spec.StateValue(0)+spec.StateValue(1))/2 {
					own[mu] = spec.StateValue(1)
				}
			}
		}
		j.prototypes = append(j.prototypes, own)
	}
	return newJumps(m, m, beta, j, 1)
}

func newJumps(m, turned *rbm.RBM, beta float64, l leap, attempts int) (*Jumps, error) {
	if spec := m.Visible.Spec(); !spec.Type.Discrete() {
		return nil, fmt.Errorf("%s sum over the visible units, which takes spin, Bernoulli or Potts units: the model "+
			"has %s, use the gibbs sampler", l.name(), spec)
	}
	if beta != 1 && m.Hidden.Spec().Type != unit.Gaussian {
		return nil, fmt.Errorf("β = %g with %s of %s hidden units: expected β = 1, or Gaussian units", beta, l.name(),
			m.Hidden.Spec().Type)
	}
	g, err := sampler.NewGibbs(turned, beta)
	if err != nil {
		return nil, err
	}
	p, _ := g.Proposal()
	j := &Jumps{model: m, gibbs: g, proposal: p, leap: l, attempts: attempts}
	j.fields, j.columns = responses(p)
	return j, nil
}

// Name, Model and Beta tell what the kernel leaves invariant.
func (j *Jumps) Name() string    { return "latent " + j.leap.name() }
func (j *Jumps) Model() *rbm.RBM { return j.model }
func (j *Jumps) Beta() float64   { return j.gibbs.Beta() }

// signedSwap exchanges two units, each with either sign.
type signedSwap struct{ units int }

func (s *signedSwap) name() string { return "swaps" }

func (s *signedSwap) propose(to, h []float64, words [4]uint32) bool {
	a := rng.Below(words[0], words[1], s.units)
	b := rng.Below(words[1], words[2], s.units-1)
	if b >= a {
		b++
	}
	copy(to, h)
	to[a], to[b] = sign(words[2]&1)*h[b], sign(words[2]&2)*h[a] // the lowest bits, which b does not feel
	return true
}

func sign(bit uint32) float64 {
	if bit != 0 {
		return -1
	}
	return 1
}

func (s *signedSwap) outcomes(h []float64, emit func(to []float64, p float64)) {
	pairs := float64(s.units * (s.units - 1))
	for a := range h {
		for b := range h {
			for signs := uint32(0); a != b && signs < 4; signs++ {
				to := append([]float64(nil), h...)
				to[a], to[b] = sign(signs&1)*h[b], sign(signs&2)*h[a]
				emit(to, 1/(4*pairs))
			}
		}
	}
}

// modeJump jumps from the neighbourhood of one prototype to that of another.
type modeJump struct {
	spec       unit.Spec
	prototypes [][]float64
}

func (s *modeJump) name() string { return "jumps" }

func (s *modeJump) propose(to, h []float64, words [4]uint32) bool {
	a := s.nearest(h)
	b := rng.Below(words[0], words[1], len(s.prototypes)-1)
	if b >= a {
		b++
	}
	return s.jump(to, h, a, b)
}

func (s *modeJump) outcomes(h []float64, emit func(to []float64, p float64)) {
	a := s.nearest(h)
	for b := range s.prototypes {
		to := make([]float64, len(h))
		if b != a && s.jump(to, h, a, b) {
			emit(to, 1/float64(len(s.prototypes)-1))
		}
	}
}

// jump sets to to h moved from prototype a to prototype b, and tells whether b is nearest to it.
func (s *modeJump) jump(to, h []float64, a, b int) bool {
	from, next := s.prototypes[a], s.prototypes[b]
	low, _ := s.spec.Range()
	for mu, x := range h {
		switch {
		case !s.spec.Type.Discrete():
			to[mu] = x + next[mu] - from[mu]
			if to[mu] < low {
				return false
			}
		case from[mu] == next[mu]:
			to[mu] = x
		default: // the other of two values
			to[mu] = s.spec.StateValue(0) + s.spec.StateValue(1) - x
		}
	}
	return s.nearest(to) == b
}

func (s *modeJump) nearest(h []float64) int {
	best, at := math.Inf(1), 0
	for k, r := range s.prototypes {
		var d float64
		for mu, x := range h {
			d += (x - r[mu]) * (x - r[mu])
		}
		if d < best {
			best, at = d, k
		}
	}
	return at
}

// jumpWorker makes jumps for one goroutine.
type jumpWorker struct {
	*Jumps
	rows       batch.Worker
	h          *unit.States
	x, shifted []float64 // fields on the visible channels
	now, to    []float64
	sums       *visibleSum
}

// Worker returns what one goroutine needs.
func (j *Jumps) Worker() sampler.Worker {
	visible, hidden := j.proposal.Visible.Spec(), j.proposal.Hidden.Spec()
	return &jumpWorker{Jumps: j, rows: j.gibbs.Engine().Worker(), h: unit.NewStates(hidden, batch.MaxRows),
		x: make([]float64, visible.Width()), shifted: make([]float64, visible.Width()),
		now: make([]float64, hidden.N), to: make([]float64, hidden.N), sums: newVisibleSum(visible)}
}

func (w *jumpWorker) Sweep(c *sampler.Chains, lo, hi int, first uint64, n int) {
	for ; lo < hi; lo += batch.MaxRows {
		rows := min(batch.MaxRows, hi-lo)
		for t := range uint64(n) {
			s := batch.Stream{Seed: c.Seed, Chain: c.First + uint32(lo), Sweep: first + t}
			w.rows.Draw(batch.Hidden, w.h, 0, c.V, lo, rows, s)
			for k := range rows {
				accepted := w.leaps(k, rng.New(c.Seed, rng.Latent, c.First+uint32(lo+k), first+t))
				c.Proposed[lo+k] += uint64(w.attempts)
				c.Accepted[lo+k] += uint64(accepted)
			}
			w.rows.Draw(batch.Visible, c.V, lo, w.h, 0, rows, s)
		}
	}
}

// leaps makes the proposals of a sweep for one chain.
func (w *jumpWorker) leaps(k int, stream rng.Stream) (accepted int) {
	w.h.Values(w.now, k)
	copy(w.x, w.fields)
	for mu, value := range w.now {
		kernel.AddTimes(w.x, w.x, value, w.columns[mu])
	}
	potential := w.proposal.Hidden.Potential
	energy := potential(w.now) - w.sums.total(w.x)
	for t := range uint32(w.attempts) {
		words := stream.Block(t)
		if !w.leap.propose(w.to, w.now, words) {
			continue
		}
		copy(w.shifted, w.x)
		for mu, value := range w.to {
			if step := value - w.now[mu]; step != 0 {
				kernel.AddTimes(w.shifted, w.shifted, step, w.columns[mu])
			}
		}
		next := potential(w.to) - w.sums.total(w.shifted)
		if rng.Uniform(words[3]) < math.Exp(energy-next) {
			w.now, w.to, w.x, w.shifted, energy = w.to, w.now, w.shifted, w.x, next
			accepted++
		}
	}
	if accepted > 0 {
		w.h.SetValues(k, w.now)
	}
	return accepted
}

// Hidden is the layer whose space Transition needs.
func (j *Jumps) Hidden() rbm.Layer { return j.proposal.Hidden }

// Steps is the number of steps of Transition in one sweep.
func (j *Jumps) Steps() int { return 1 }

// Transition propagates P(h|v) through the proposals and Metropolis' tests of a sweep, then through P(v|h), all from
// energies alone. Several proposals in a sweep must lead from points of the hidden space to points of it: a grid has to
// be symmetric about zero.
func (j *Jumps) Transition(v, h *rbm.Space) (*rbm.Transition, error) {
	up := sampler.Conditional(j.proposal, v, h)
	down := sampler.Conditional(j.proposal.Transpose(), h, v)
	y, x := make([]float64, h.Spec().N), make([]float64, v.Spec().N)
	given := func(to []float64) []float64 { // P(v|h) anywhere
		p := make([]float64, v.Size())
		norm := -j.proposal.HiddenEnergy(to)
		for a := range p {
			v.State(x, a)
			p[a] = math.Exp(-j.proposal.Energy(x, to) - norm)
		}
		return p
	}
	if j.attempts == 1 {
		end := make([][]float64, h.Size()) // the law of v after a proposal from h
		for k := range end {
			h.State(y, k)
			here := j.proposal.HiddenEnergy(y)
			end[k] = make([]float64, v.Size())
			stay := 1.0
			j.leap.outcomes(y, func(to []float64, p float64) {
				p *= min(1, math.Exp(here-j.proposal.HiddenEnergy(to)))
				stay -= p
				for a, q := range given(to) {
					end[k][a] += p * q
				}
			})
			for a, q := range down[k] {
				end[k][a] += stay * q
			}
		}
		return rbm.NewTransition(v.Size(), 1e-9, func(from int, emit func(to int, p float64)) {
			for k, p := range up[from] {
				for a, q := range end[k] {
					emit(a, p*q)
				}
			}
		})
	}
	moves, err := j.points(h)
	if err != nil {
		return nil, err
	}
	law, next := make([]float64, h.Size()), make([]float64, h.Size())
	return rbm.NewTransition(v.Size(), 1e-9, func(from int, emit func(to int, p float64)) {
		copy(law, up[from])
		for range j.attempts {
			clear(next)
			for k, p := range law {
				stay := 1.0
				for _, m := range moves[k] {
					next[m.to] += p * m.p
					stay -= m.p
				}
				next[k] += p * stay
			}
			law, next = next, law
		}
		for k, p := range law {
			for a, q := range down[k] {
				emit(a, p*q)
			}
		}
	})
}

// point is where a proposal leads on the points of a space, and how likely it is made and accepted.
type point struct {
	to int
	p  float64
}

// points lists the moves between points of a space.
func (j *Jumps) points(h *rbm.Space) ([][]point, error) {
	key := func(y []float64) string { return fmt.Sprintf("%.9f", y) }
	index, energy := map[string]int{}, make([]float64, h.Size())
	y := make([]float64, h.Spec().N)
	for k := range energy {
		h.State(y, k)
		index[key(y)], energy[k] = k, j.proposal.HiddenEnergy(y)
	}
	moves := make([][]point, h.Size())
	for k := range moves {
		var missing []float64
		h.State(y, k)
		j.leap.outcomes(y, func(to []float64, p float64) {
			at, ok := index[key(to)]
			if !ok {
				missing = to
				return
			}
			moves[k] = append(moves[k], point{at, p * min(1, math.Exp(energy[k]-energy[at]))})
		})
		if missing != nil {
			return nil, fmt.Errorf("a proposal leads to %v, which is no point of the hidden space: expected a grid "+
				"that is symmetric about zero", missing)
		}
	}
	return moves, nil
}
