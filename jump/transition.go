package jump

import (
	"math"

	"instanton/batch"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// Hidden is the layer whose space Transition needs: that of the Gibbs steps.
func (k *Kernel) Hidden() rbm.Layer { return k.gibbs.Hidden() }

// Steps is the number of steps of Transition in one sweep.
func (k *Kernel) Steps() int { return 1 }

// Transition multiplies the matrices of Gibbs steps, the jump, and Gibbs steps.
func (k *Kernel) Transition(v, h *rbm.Space) (*rbm.Transition, error) {
	var steps *rbm.Transition
	if k.around > 0 {
		one, err := k.gibbs.Transition(v, h)
		if err != nil {
			return nil, err
		}
		steps = one.Power(k.around)
	}
	var up, down [][]float64
	var move [][]float64
	if k.side == batch.Hidden {
		up = sampler.Conditional(k.Model(), v, h)
		down = sampler.Conditional(k.Model().Transpose(), h, v)
		move = k.matrix(h)
	} else {
		move = k.matrix(v)
	}
	row := make([]float64, v.Size())
	return rbm.NewTransition(v.Size(), 1e-9, func(from int, emit func(to int, p float64)) {
		clear(row)
		row[from] = 1
		law := through(steps, row)
		if up != nil {
			law = times(times(times(law, up), move), down)
		} else {
			law = times(law, move)
		}
		for to, p := range through(steps, law) {
			emit(to, p)
		}
	})
}

// matrix is that of the jump on a space of its layer, from the energies and log q of all configurations.
func (k *Kernel) matrix(s *rbm.Space) [][]float64 {
	n := s.Size()
	all, x := unit.NewStates(s.Spec(), n), make([]float64, s.Spec().N)
	logp, logq := make([]float64, n), make([]float64, n)
	m := turned(k.Model(), k.side)
	for a := range n {
		s.State(x, a)
		all.SetValues(a, x)
		logp[a] = -k.Beta() * m.EffectiveEnergy(x)
	}
	k.proposal.Drawer().Score(logq, all, 0)
	move := make([][]float64, n)
	for a := range move {
		move[a] = make([]float64, n)
		stay := 1.0
		for b := range n {
			if b == a {
				continue
			}
			p := s.Weight(b) * math.Exp(logq[b]) * min(1, math.Exp(logp[b]+logq[a]-logp[a]-logq[b]))
			move[a][b] = p
			stay -= p
		}
		move[a][a] = stay
	}
	return move
}

// through is the law after the steps of a matrix, nil for none.
func through(t *rbm.Transition, law []float64) []float64 {
	if t == nil {
		return law
	}
	next := make([]float64, len(law))
	for a, p := range law {
		for b := range next {
			next[b] += p * t.At(a, b)
		}
	}
	return next
}

func times(law []float64, m [][]float64) []float64 {
	next := make([]float64, len(m[0]))
	for a, p := range law {
		for b, q := range m[a] {
			next[b] += p * q
		}
	}
	return next
}
