package train

import (
	"fmt"
	"math"

	"instanton/internal/npy"
	"instanton/internal/statearray"
	"instanton/jump"
)

// jumpsMeta are the numbers of jumps in a checkpoint; arrays are members of their own.
type jumpsMeta struct {
	Since  int      `json:"since"`
	Sweep  uint64   `json:"sweep"`
	Steps  uint64   `json:"steps"`          // of the fit of the proposal
	Flip   float64  `json:"flip,omitempty"` // ε of centres
	Looked bool     `json:"looked"`         // whether the chains of the last look are there
	Stuck  bool     `json:"stuck,omitempty"`
	Recall *float64 `json:"recall"`
}

// save returns the state of the jumps as numbers and arrays; nil jumps have none.
func (j *jumps) save() (*jumpsMeta, []npy.Member) {
	if j == nil {
		return nil, nil
	}
	m := &jumpsMeta{Since: j.since, Sweep: j.chains.Sweep, Looked: j.recall.known, Stuck: j.stuck}
	if !math.IsNaN(j.recall.last) {
		m.Recall = &j.recall.last
	}
	members := []npy.Member{
		npy.ArrayMember("jumps.proposed", npy.New(j.chains.Proposed)),
		npy.ArrayMember("jumps.accepted", npy.New(j.chains.Accepted)),
		npy.ArrayMember("jumps.before", statearray.FromStates(j.recall.before)),
	}
	switch p := j.proposal.(type) {
	case *jump.Centres:
		s := p.State()
		m.Steps, m.Flip = s.Refits, s.Flip
		members = append(members, npy.ArrayMember("jumps.shares", npy.New(s.Shares)))
	case *jump.Tracker:
		s := p.State()
		m.Steps = s.Steps
		for _, a := range trackerArrays(&s) {
			members = append(members, npy.ArrayMember(a.name, npy.New(*a.data)))
		}
	}
	return m, members
}

// trackerArrays names the arrays of a network's state.
func trackerArrays(s *jump.TrackerState) []struct {
	name string
	data *[]float32
} {
	return []struct {
		name string
		data *[]float32
	}{
		{"jumps.parameters", &s.Parameters}, {"jumps.first", &s.First}, {"jumps.second", &s.Second},
		{"jumps.scales", &s.Scales},
	}
}

// restore reads the state of jumps and returns what takes it over, so that nothing changes if another part of a
// checkpoint is wrong.
func (j *jumps) restore(t *Trainer, a *npy.Archive, m *jumpsMeta) (take func(), err error) {
	if (j == nil) != (m == nil) {
		return nil, fmt.Errorf("the checkpoint is of chains that jump, or may, and these do not, or the reverse: " +
			"expected the same sampler")
	}
	if j == nil {
		return func() {}, nil
	}
	n := j.chains.V.Len
	proposed, err := readCounts(a, "jumps.proposed", n)
	if err != nil {
		return nil, err
	}
	accepted, err := readCounts(a, "jumps.accepted", n)
	if err != nil {
		return nil, err
	}
	x, err := a.Array("jumps.before")
	if err != nil {
		return nil, err
	}
	before, err := statearray.ToStates(j.recall.before.Spec, x)
	if err != nil || before.Len != j.recall.before.Len {
		return nil, fmt.Errorf("jumps.before has shape %v: expected %d chains", x.Shape, j.recall.before.Len)
	}
	next := *j
	next.stuck = m.Stuck
	next.recall.known, next.recall.last = m.Looked, math.NaN()
	if m.Recall != nil {
		next.recall.last = *m.Recall
	}
	if m.Since >= 0 {
		if err := next.begin(t.model, m.Since); err != nil {
			return nil, err
		}
		if err := restoreProposal(next.proposal, a, m); err != nil {
			return nil, err
		}
	}
	return func() {
		*j = next
		copy(j.chains.Proposed, proposed)
		copy(j.chains.Accepted, accepted)
		j.chains.Sweep = m.Sweep
		j.recall.before.CopyFrom(before)
	}, nil
}

func restoreProposal(p proposal, a *npy.Archive, m *jumpsMeta) error {
	switch p := p.(type) {
	case *jump.Centres:
		x, err := a.Array("jumps.shares")
		if err != nil {
			return err
		}
		shares, err := x.Float64s()
		if err != nil {
			return err
		}
		return p.Restore(jump.CentresState{Refits: m.Steps, Flip: m.Flip, Shares: shares})
	case *jump.Tracker:
		s := jump.TrackerState{Steps: m.Steps}
		for _, part := range trackerArrays(&s) {
			x, err := a.Array(part.name)
			if err != nil {
				return err
			}
			if *part.data, err = x.Float32s(); err != nil {
				return err
			}
		}
		return p.Restore(s)
	}
	return nil
}
