package evaluate

import (
	"cmp"
	"context"
	"math"
	"slices"

	"instanton/batch"
	"instanton/internal/parallel"
	"instanton/internal/rng"
	"instanton/internal/special"
	"instanton/internal/vec"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// Where reverse chains start.
const (
	fromEnds   = "ends"
	fromData   = "data"
	fromMinima = "minima"
	fromRandom = "random"
)

// starts are configurations for a batch of reverse chains, in parts of different kinds.
type starts struct {
	v     *unit.States
	parts []startPart
}

type startPart struct {
	from   string
	lo, hi int
}

// startsOf makes batches of o.Chains chains: the ends of forward chains; the data, if there are any; and minima of the
// energy together with random configurations, without which the mode of highest entropy may be missed.
func startsOf(m *rbm.RBM, ends, low *unit.States, o AISOptions) []starts {
	all := []starts{{ends, []startPart{{fromEnds, 0, o.Chains}}}}
	if o.Data != nil {
		v := unit.NewStates(o.Data.Spec, o.Chains)
		for k := range v.Len {
			row := k % o.Data.Len
			if o.Data.Len > v.Len {
				row = k * o.Data.Len / v.Len
			}
			v.CopyRow(k, o.Data, row)
		}
		all = append(all, starts{v, []startPart{{fromData, 0, o.Chains}}})
	}
	c := sampler.NewChains(m, o.Chains, o.Seed) // uniform
	c.First = randomFirst
	half := (o.Chains + 1) / 2
	uniform := c.V.Clone()
	c.DrawIndependent(m.Visible, 1)
	for k := range o.Chains {
		switch {
		case k < half:
			c.V.CopyRow(k, low, k%low.Len)
		case k%2 == 0:
			c.V.CopyRow(k, uniform, k)
		}
	}
	return append(all, starts{c.V, []startPart{{fromMinima, 0, half}, {fromRandom, half, o.Chains}}})
}

// Sizes of the search for minima.
const (
	coldChains   = 64
	coldSweeps   = 20
	randomFields = 32
	mostColumns  = 64
	quenchSteps  = 50
	quenchWork   = 2e9 // multiplications in all
)

// minima lists distinct minima of the energy, the lowest first, an eighth as many as there are chains. It looks for
// them by descent from where single hidden units, and random sums of them, would lead the visible units; from the
// stored patterns and their opposites; from the data; and from chains at β = 2 and 4 that begin at the ends of the
// annealed ones. Modes that annealing misses are often wide open from one of these.
func minima(ctx context.Context, m *rbm.RBM, ends *sampler.Chains, o AISOptions) (*unit.States, error) {
	cold, err := cooled(ctx, m, ends, o)
	if err != nil {
		return nil, err
	}
	spec := m.Visible.Spec()
	work := 2 * quenchSteps * float64(spec.Width()) * float64(m.Hidden.Spec().Width())
	most := int(min(256, max(16, quenchWork/work)))
	fields := directions(m, o.Seed, most)
	given := []*unit.States{cold}
	if m.Patterns != nil && m.Patterns.Spec == spec {
		given = append(given, spread(m.Patterns, most))
	}
	if o.Data != nil {
		given = append(given, spread(o.Data, most))
	}
	count := len(fields)
	for _, v := range given {
		count += v.Len
	}
	all := unit.NewStates(spec, count)
	x := make([]float64, spec.N)
	for k, f := range fields {
		m.Visible.Mode(x, f)
		all.SetValues(k, x)
	}
	at := len(fields)
	for _, v := range given {
		for k := range v.Len {
			all.CopyRow(at, v, k)
			at++
		}
	}
	energies := make([]float64, count)
	quenched := make([][]float64, count)
	if err := parallel.ForContext(ctx, o.Workers, count, func(_, k int) {
		quenched[k] = make([]float64, spec.N)
		all.Values(quenched[k], k)
		energies[k] = quench(m, quenched[k])
	}); err != nil {
		return nil, err
	}
	order := make([]int, count)
	for k := range order {
		order[k] = k
		all.SetValues(k, quenched[k])
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(energies[a], energies[b]) })
	lowest := unit.NewStates(spec, max(1, o.Chains/8))
	n := 0
	known := map[string]bool{}
	for _, k := range order {
		if key := rowKey(all, k); !known[key] && n < lowest.Len {
			known[key] = true
			lowest.CopyRow(n, all, k)
			n++
		}
	}
	return lowest.Slice(0, n), nil
}

// cooled takes some of the chains to lower temperatures.
func cooled(ctx context.Context, m *rbm.RBM, ends *sampler.Chains, o AISOptions) (*unit.States, error) {
	c := sampler.NewChains(m, min(coldChains, ends.V.Len), o.Seed)
	c.First = coldFirst
	if err := c.Begin(ends.V); err != nil {
		return nil, err
	}
	for _, beta := range []float64{2, 4} {
		k, err := sampler.NewGibbs(m, beta)
		if err != nil {
			return nil, err
		}
		if err := sampler.NewPool(k, o.Workers).Run(ctx, c, coldSweeps); err != nil {
			return nil, err
		}
	}
	return c.V, nil
}

// directions are fields on the visible units from each hidden channel, the strongest first, with both signs,
// and from random sums of them.
func directions(m *rbm.RBM, seed uint64, most int) (fields [][]float64) {
	width := m.Hidden.Spec().Width()
	scale := 1e6 // stronger than all potentials
	if !m.Visible.Spec().Type.Discrete() {
		scale = 3
	}
	field := func(h []float64) []float64 {
		f := make([]float64, m.Visible.Spec().Width())
		for c := range f {
			f[c] = scale * vec.Dot(m.Row(c), h)
		}
		return f
	}
	norms, order := make([]float64, width), make([]int, width)
	for c := range m.Visible.Spec().Width() {
		for mu, w := range m.Row(c) {
			norms[mu] += w * w
		}
	}
	for mu := range order {
		order[mu] = mu
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(norms[b], norms[a]) })
	h := make([]float64, width)
	for _, mu := range order[:min(width, mostColumns, max(1, most/2))] {
		for _, sign := range []float64{1, -1} {
			clear(h)
			h[mu] = sign
			fields = append(fields, field(h))
		}
	}
	for k := range min(randomFields, most) {
		random := rng.New(seed, rng.Start, coldFirst+uint32(k), 2).Rand()
		for mu := range h {
			h[mu] = random.NormFloat64()
		}
		fields = append(fields, field(h))
	}
	return fields
}

// quench lowers the energy of v until it is least: with the hidden units at their mean, which bounds E_eff from
// above, the visible ones are put where they are most likely. It returns the energy.
func quench(m *rbm.RBM, v []float64) float64 {
	I, mean := make([]float64, m.Hidden.Spec().Width()), make([]float64, m.Hidden.Spec().Width())
	fields := make([]float64, m.Visible.Spec().Width())
	energy := m.EffectiveEnergyWith(I, v)
	for range quenchSteps {
		m.Hidden.Mean(mean, I)
		for c := range fields {
			fields[c] = vec.Dot(m.Row(c), mean)
		}
		m.Visible.Mode(v, fields)
		before := energy
		if energy = m.EffectiveEnergyWith(I, v); !(energy < before-1e-9*math.Abs(before)) {
			break
		}
	}
	return energy
}

// distinct collects configurations of discrete units without repetition.
type distinct struct {
	m     *rbm.RBM
	known map[string]bool
	logs  []float64 // −E_eff of each
}

func newDistinct(m *rbm.RBM) *distinct { return &distinct{m: m, known: map[string]bool{}} }

// add takes in what is new.
func (d *distinct) add(v *unit.States) error {
	if !d.m.Visible.Spec().Type.Discrete() {
		return nil
	}
	fresh := unit.NewStates(v.Spec, v.Len)
	n := 0
	for k := range v.Len {
		if key := rowKey(v, k); !d.known[key] {
			d.known[key] = true
			fresh.CopyRow(n, v, k)
			n++
		}
	}
	energies, err := batch.EffectiveEnergies(d.m, fresh.Slice(0, n))
	for _, e := range energies {
		d.logs = append(d.logs, -e)
	}
	return err
}

// logSum is log Σ e^{−E_eff}, which log Z cannot be below; nil for real units.
func (d *distinct) logSum() *float64 {
	if len(d.logs) == 0 {
		return nil
	}
	sum := special.LogSumExp(d.logs)
	return &sum
}

// rowKey tells configurations apart.
func rowKey(v *unit.States, k int) string {
	var key []byte
	switch {
	case v.Bits != nil:
		for _, w := range v.BitRow(k) {
			for b := 0; b < 64; b += 8 {
				key = append(key, byte(w>>b))
			}
		}
	case v.Codes != nil:
		key = append(key, v.CodeRow(k)...)
	default:
		for _, x := range v.RealRow(k) {
			w := math.Float32bits(x)
			key = append(key, byte(w), byte(w>>8), byte(w>>16), byte(w>>24))
		}
	}
	return string(key)
}
