package lattice

import (
	"context"

	"instanton/internal/parallel"
	"instanton/internal/rng"
)

// Replica is the sequence of one chain at one rung, with its log P_nat.
type Replica struct {
	V       Sequence
	LogPnat float64
}

// Population is the state of a design: the replicas of all ladders.
type Population struct {
	Replicas []Replica // ladder by ladder, β increasing within each
	Sweep    uint64    // sweeps done
	Swaps    []Rate    // between neighbouring rungs

	design   *Design
	free     []int   // positions that a sweep may change
	residues []uint8 // residues that it may put there
	foldings []*Folding
}

// Rate counts attempts and successes.
type Rate struct{ Tried, Done int }

// Value is the fraction of attempts that succeeded.
func (r Rate) Value() float64 { return float64(r.Done) / float64(max(1, r.Tried)) }

// Start returns a population of random sequences.
func (d *Design) Start() (*Population, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	design := *d
	if design.Kernel == nil {
		design.Kernel = HeatBath{}
	}
	replicas := d.Chains * len(d.Ladder)
	p := &Population{
		design: &design, Replicas: make([]Replica, replicas), Swaps: make([]Rate, len(d.Ladder)-1),
		foldings: make([]*Folding, parallel.Workers(d.Workers, replicas)),
	}
	for i := range Length {
		p.free = append(p.free, i)
	}
	for a := range uint8(Residues) {
		p.residues = append(p.residues, a)
	}
	for k := range p.foldings {
		f, err := NewFolding(design.Competitors, d.Native)
		if err != nil {
			return nil, err
		}
		design.Competitors = f.set // including the native structure
		p.foldings[k] = f
	}
	for r := range p.Replicas {
		var words [Length]uint32
		p.stream(rng.Start, r).Fill(words[:])
		for i, w := range words {
			p.Replicas[r].V[i] = uint8(rng.Below(w, 0, Residues))
		}
	}
	return p, nil
}

// stream numbers chains by structure and replica, so that families are independent.
func (p *Population) stream(purpose rng.Purpose, replica int) rng.Stream {
	return rng.New(p.design.Seed, purpose, uint32(p.design.Native)*MaxReplicas+uint32(replica), p.Sweep)
}

// Run sweeps every replica, each at the given fraction of its β, and exchanges neighbours.
func (p *Population) Run(ctx context.Context, share float64) error {
	err := parallel.ForContext(ctx, len(p.foldings), len(p.Replicas), func(worker, r int) {
		p.sweep(p.foldings[worker], r, share)
	})
	if err != nil {
		return err // some replicas are a sweep ahead
	}
	p.exchange(share)
	p.Sweep++
	return nil
}

// sweep takes a step at every free position of a replica. Weights are computed afresh before it, so that rounding
// errors do not accumulate and the sequences are the whole state.
func (p *Population) sweep(f *Folding, r int, share float64) {
	kernel, replica := p.design.Kernel, &p.Replicas[r]
	var room [2 * Length]uint32
	words := room[:kernel.words()*len(p.free)]
	p.stream(rng.Site, r).Fill(words)
	f.Set(replica.V)
	for k, i := range p.free {
		kernel.step(f, i, p.residues, share*p.beta(r), words[k*kernel.words():])
	}
	replica.V, replica.LogPnat = f.Sequence(), f.LogPnat()
}

// beta is the inverse temperature of a replica.
func (p *Population) beta(r int) float64 { return p.design.Ladder[r%len(p.design.Ladder)] }
