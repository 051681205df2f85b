package sampler

import (
	"fmt"
	"math"

	"instanton/rbm"
	"instanton/unit"
)

// Latent moves in the space of the hidden units with the visible units summed out, between the two
// halves of alternating Gibbs sampling (Alg. 3 and 4 of the paper): h from P(h|v); then each block
// of hidden units, or each direction, in turn from its law ∝ e^{−E_eff(h)} given the rest of h;
// then v from P(v|h). It leaves P(v)^β invariant, and satisfies detailed balance because the blocks
// come in a random order.
//
// Discrete units are drawn from their enumerated law. Real units are proposed from an
// interpolated law and accepted by Metropolis' test on the exact E_eff(h), so that nodes
// and windows affect the speed only. With a Grid they are drawn from its points, as in the
// paper: the result is exact only as far as the grid is fine and wide enough.
type Latent struct {
	*Gibbs
	options LatentOptions
	axes    []*axis // one per hidden unit or per direction; nil for discrete units
	scan    scan
	fields  []float64 // of the visible units
	columns [][]float64
}

var _ Enumerable = (*Latent)(nil)

// LatentOptions choose the moves. The zero value moves the hidden units one by one.
type LatentOptions struct {
	// Block is the number D of hidden units that move together; 0 stands for 1, or for
	// whole groups if there are any.
	Block int
	// Groups is a partition of the hidden units; blocks are formed within groups. Without groups
	// all units form one.
	Groups [][]int
	// Directions in hidden space to move along (h → h + s·d) instead of single units.
	Directions [][]float64
	// Grid, if non-nil, replaces exact moves by the tower sampling of the paper.
	Grid *Grid
}

// Grid holds the points that tower sampling draws from: the multiples of Spacing between −Range and
// Range. A Range of zero covers the law of every unit.
type Grid struct {
	Spacing, Range float64
}

// maxEnumerated is the largest number of states of a block of discrete units.
const maxEnumerated = 1 << 12

// NewLatent prepares latent moves for P(v)^β.
func NewLatent(m *rbm.RBM, beta float64, o LatentOptions) (*Latent, error) {
	if spec := m.Visible.Spec(); !spec.Type.Discrete() {
		return nil, fmt.Errorf("latent moves sum over the visible units, which takes spin, Bernoulli or Potts units: "+
			"the model has %s, use the gibbs sampler", spec)
	}
	if err := o.check(m); err != nil {
		return nil, err
	}
	g, err := NewGibbs(m, beta)
	if err != nil {
		return nil, err
	}
	k := &Latent{Gibbs: g, options: o, scan: newScan(o, m.Hidden.Spec(), g.copies)}
	p := g.proposal
	k.fields = make([]float64, p.Visible.Spec().Width())
	p.Visible.Slope(k.fields, nil)
	for c := range k.fields {
		k.fields[c] = -k.fields[c]
	}
	k.columns = make([][]float64, p.Hidden.Spec().Width())
	t := p.Transpose()
	for c := range k.columns {
		k.columns[c] = t.Row(c)
	}
	if p.Hidden.Spec().Type.Discrete() {
		return k, nil
	}
	k.axes = newAxes(p, k.columns, repeated(o.Directions, g.copies), o.Grid, k.scan.size != 1)
	if err := k.checkGrid(); err != nil {
		return nil, err
	}
	return k, k.checkPlanes()
}

// checkGrid refuses a grid that is too fine to cover the law of a unit.
func (k *Latent) checkGrid() error {
	g := k.options.Grid
	if g == nil || g.Range != 0 {
		return nil
	}
	origin := make([]float64, k.proposal.Hidden.Spec().N)
	for _, a := range k.axes {
		if lo, hi := a.cover(origin); max(-lo, hi)/g.Spacing > maxGrid/2 {
			return fmt.Errorf("a grid of spacing %g that covers %.4g on either side has too many points: "+
				"expected at most %d, or a range", g.Spacing, max(-lo, hi), maxGrid)
		}
	}
	return nil
}

func (k *Latent) Name() string { return "latent" }

// check refuses options that do not fit the model.
func (o *LatentOptions) check(m *rbm.RBM) error {
	spec := m.Hidden.Spec()
	if o.Block < 0 {
		return fmt.Errorf("blocks of %d hidden units: expected at least one", o.Block)
	}
	if err := checkGroups(o.Groups, spec.N); err != nil {
		return err
	}
	if err := o.Grid.check(); err != nil {
		return err
	}
	if spec.Type.Discrete() {
		return o.checkDiscrete(spec)
	}
	if o.Directions != nil {
		if o.Block > 1 || o.Groups != nil {
			return fmt.Errorf("directions with blocks of %d units: expected one or the other, "+
				"a move goes along one direction", o.Block)
		}
		return checkDirections(o.Directions, spec.N)
	}
	return nil
}

func (o *LatentOptions) checkDiscrete(spec unit.Spec) error {
	if o.Directions != nil {
		return fmt.Errorf("%s hidden units have no directions: expected Gaussian, ReLU or dReLU units", spec.Type)
	}
	if o.Grid != nil {
		return fmt.Errorf("%s hidden units need no grid: their blocks are drawn from the written-out law", spec.Type)
	}
	largest := min(max(o.Block, 1), spec.N)
	if o.Groups != nil && o.Block == 0 {
		for _, g := range o.Groups {
			largest = max(largest, len(g))
		}
	}
	states := 1
	for range largest {
		if states *= spec.States(); states > maxEnumerated {
			return fmt.Errorf("a block of %d %s hidden units has too many states: expected at most %d",
				largest, spec.Type, maxEnumerated)
		}
	}
	return nil
}

// checkPlanes refuses a grid of pairs with too many points.
func (k *Latent) checkPlanes() error {
	if k.options.Grid == nil || k.scan.size == 1 {
		return nil
	}
	for mu, a := range k.axes {
		lo, hi := a.window(make([]float64, len(a.units)))
		if n := int(math.Round((hi-lo)/a.fine.spacing)) + 1; n > maxPlaneNodes {
			return fmt.Errorf("hidden unit %d has %d grid points: expected at most %d for blocks of several units, "+
				"choose a larger spacing or a smaller range", mu, n, maxPlaneNodes)
		}
	}
	return nil
}

// maxGrid bounds the points of a grid.
const maxGrid = 1 << 12

func (g *Grid) check() error {
	switch {
	case g == nil:
		return nil
	case !(g.Spacing > 0) || g.Spacing > 1e6:
		return fmt.Errorf("grid spacing %g: expected a positive number up to 1e6", g.Spacing)
	case !(g.Range >= 0):
		return fmt.Errorf("grid range %g: expected a positive number, or 0 to cover the law", g.Range)
	case g.Range/g.Spacing > maxGrid/2:
		return fmt.Errorf("a grid of range %g and spacing %g has too many points: expected at most %d",
			g.Range, g.Spacing, maxGrid)
	}
	return nil
}
