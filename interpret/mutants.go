package interpret

import (
	"context"
	"fmt"

	"instanton/batch"
	"instanton/internal/parallel"
	"instanton/rbm"
	"instanton/unit"
)

// Mutation gives a site another state.
type Mutation struct{ Site, State int }

// Mutants compares a configuration of discrete units, the wild type, with its mutants: ΔE = E_eff(mutant) − E_eff(wild
// type) = log P(wild type)/P(mutant). If ΔE is positive, the model finds the mutant less likely.
type Mutants struct {
	Wild []int // states of the wild type

	m      *rbm.RBM
	engine batch.Engine
	inputs []float64 // of the hidden units, given the wild type
	cgf    float64   // ΣΓ of these
}

// NewMutants takes row k of v as the wild type.
func NewMutants(m *rbm.RBM, v *unit.States, k int) (*Mutants, error) {
	spec := m.Visible.Spec()
	if !spec.Type.Discrete() {
		return nil, fmt.Errorf("mutants of %s visible units: expected discrete ones", spec.Type)
	}
	if v.Spec != spec {
		return nil, fmt.Errorf("a wild type of %s: the model has visible units %s", v.Spec, spec)
	}
	engine, err := batch.New(m, 1)
	if err != nil {
		return nil, err
	}
	x := &Mutants{m: m, engine: engine, Wild: make([]int, spec.N), inputs: make([]float64, m.Hidden.Spec().Width())}
	for i := range x.Wild {
		x.Wild[i] = spec.StateIndex(v.Value(k, i))
	}
	engine.Inputs(x.inputs, batch.Hidden, v.Slice(k, k+1))
	var cgf [1]float64
	engine.CGF(cgf[:], batch.Hidden, x.inputs)
	x.cgf = cgf[0]
	return x, nil
}

// Singles returns ΔE of every single mutant, N rows of q; the wild type itself has zero.
func (x *Mutants) Singles() [][]float64 {
	states, nh := x.m.Visible.Spec().States(), len(x.inputs)
	trial, cgf := make([]float64, states*nh), make([]float64, states)
	delta := make([][]float64, len(x.Wild))
	for i, own := range x.Wild {
		for a := range states {
			x.mutate(trial[a*nh:(a+1)*nh], x.inputs, Mutation{i, a})
		}
		x.engine.CGF(cgf, batch.Hidden, trial)
		delta[i] = make([]float64, states)
		for a := range states {
			if a != own {
				delta[i][a] = x.potential(Mutation{i, a}) - (cgf[a] - x.cgf)
			}
		}
	}
	return delta
}

// Delta is ΔE of the mutant with all the given mutations, at most one per site.
func (x *Mutants) Delta(mutations ...Mutation) (float64, error) {
	states := x.m.Visible.Spec().States()
	seen := map[int]bool{}
	trial := append([]float64(nil), x.inputs...)
	var potential float64
	for _, u := range mutations {
		switch {
		case u.Site < 0 || u.Site >= len(x.Wild):
			return 0, fmt.Errorf("a mutation at site %d: expected 0 to %d", u.Site, len(x.Wild)-1)
		case u.State < 0 || u.State >= states:
			return 0, fmt.Errorf("a mutation to state %d: expected 0 to %d", u.State, states-1)
		case seen[u.Site]:
			return 0, fmt.Errorf("two mutations at site %d: expected at most one", u.Site)
		}
		seen[u.Site] = true
		x.mutate(trial, trial, u)
		potential += x.potential(u)
	}
	var cgf [1]float64
	x.engine.CGF(cgf[:], batch.Hidden, trial)
	return potential - (cgf[0] - x.cgf), nil
}

// mutate sets dst to the inputs after one more mutation.
func (x *Mutants) mutate(dst, inputs []float64, u Mutation) {
	spec := x.m.Visible.Spec()
	copy(dst, inputs)
	x.m.MoveInputs(dst, u.Site, spec.StateValue(x.Wild[u.Site]), spec.StateValue(u.State))
}

// potential is the change of the visible unit's own potential.
func (x *Mutants) potential(u Mutation) float64 {
	spec, fields := x.m.Visible.Spec(), x.m.Visible.Params()[0].Data
	own := x.Wild[u.Site]
	if spec.Type == unit.Potts {
		return fields[u.Site*spec.Q+own] - fields[u.Site*spec.Q+u.State]
	}
	return fields[u.Site] * (spec.StateValue(own) - spec.StateValue(u.State))
}

// EachDouble calls f for every pair of sites i < j, in order, with ΔE and the epistasis ΔE(a,b) − ΔE(a) − ΔE(b) of the
// double mutants, both q×q and zero where a site keeps its state. It stops at the first error of f or when the context
// ends. The matrices are valid until f returns. A number of workers below one means one per processor.
func (x *Mutants) EachDouble(ctx context.Context, workers int,
	f func(i, j int, delta, epistasis [][]float64) error) error {
	n, singles := len(x.Wild), x.Singles()
	var pairs [][2]int
	for i := range n {
		for j := i + 1; j < n; j++ {
			pairs = append(pairs, [2]int{i, j})
		}
	}
	scans := make([]*doubleScan, parallel.Workers(workers, doubleBlock))
	for w := range scans {
		scans[w] = x.newDoubleScan()
	}
	results := make([][2][][]float64, doubleBlock)
	for k := range results {
		for r := range results[k] {
			results[k][r] = matrix(x.m.Visible.Spec().States())
		}
	}
	for _, block := range parallel.Blocks(len(pairs), doubleBlock) {
		err := parallel.ForContext(ctx, workers, block.Len(), func(worker, k int) {
			p := pairs[block.Lo+k]
			scans[worker].pair(p[0], p[1], singles, results[k][0], results[k][1])
		})
		if err != nil {
			return err
		}
		for k := range block.Len() {
			p := pairs[block.Lo+k]
			if err := f(p[0], p[1], results[k][0], results[k][1]); err != nil {
				return err
			}
		}
	}
	return nil
}

// doubleBlock is the number of pairs of sites between two looks at the context.
const doubleBlock = 64

func matrix(n int) [][]float64 {
	rows := make([][]float64, n)
	for k := range rows {
		rows[k] = make([]float64, n)
	}
	return rows
}

// doubleScan is the memory of one worker.
type doubleScan struct {
	*Mutants
	worker            batch.Worker
	first, both, sums []float64
}

func (x *Mutants) newDoubleScan() *doubleScan {
	q, nh := x.m.Visible.Spec().States(), len(x.inputs)
	return &doubleScan{Mutants: x, worker: x.engine.Worker(), first: make([]float64, nh), both: make([]float64, q*nh),
		sums: make([]float64, q)}
}

// pair sets ΔE and the epistasis of the double mutants at two sites.
func (s *doubleScan) pair(i, j int, singles, delta, epistasis [][]float64) {
	nh := len(s.inputs)
	for a := range delta {
		s.mutate(s.first, s.inputs, Mutation{i, a})
		for b := range s.sums {
			s.mutate(s.both[b*nh:(b+1)*nh], s.first, Mutation{j, b})
		}
		s.worker.CGF(s.sums, batch.Hidden, s.both)
		for b, sum := range s.sums {
			switch {
			case a == s.Wild[i]:
				delta[a][b], epistasis[a][b] = singles[j][b], 0
			case b == s.Wild[j]:
				delta[a][b], epistasis[a][b] = singles[i][a], 0
			default:
				delta[a][b] = s.potential(Mutation{i, a}) + s.potential(Mutation{j, b}) - (sum - s.cgf)
				epistasis[a][b] = delta[a][b] - singles[i][a] - singles[j][b]
			}
		}
	}
}
