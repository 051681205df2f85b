package latent

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"instanton/rbm"
	"instanton/sampler"
)

// Kernel moves in the space of the hidden units with the visible units summed out, between the two halves of
// alternating Gibbs sampling (Alg. 3 and 4 of the paper): h from P(h|v); then each block of hidden units, or each
// direction, in turn from its law ∝ e^{−E_eff(h)} given the rest of h; then v from P(v|h). It leaves P(v)^β invariant,
// and satisfies detailed balance because the blocks come in a random order.
//
// Discrete units are drawn from their enumerated law. Real units are proposed from an interpolated law and accepted by
// Metropolis' test on the exact E_eff(h), so that nodes and windows affect the speed only. With a Grid they are drawn
// from its points, as in the paper: the result is exact only as far as the grid is fine and wide enough.
type Kernel struct {
	model    *rbm.RBM
	gibbs    *sampler.Gibbs
	proposal *rbm.RBM // the model that is run
	options  Options
	axes     []*axis // one per hidden unit or per direction; nil for discrete units
	scan     scan
	fields   []float64 // of the visible units
	columns  [][]float64
}

var _ sampler.Enumerable = (*Kernel)(nil)

// New prepares latent moves for P(v)^β.
func New(m *rbm.RBM, beta float64, o Options) (*Kernel, error) {
	if spec := m.Visible.Spec(); !spec.Type.Discrete() {
		return nil, fmt.Errorf("latent moves sum over the visible units, which takes spin, Bernoulli or Potts units: "+
			"the model has %s, use the gibbs sampler", spec)
	}
	if err := o.check(m); err != nil {
		return nil, err
	}
	turned, err := rotated(m, o.Rotation)
	if err != nil {
		return nil, err
	}
	g, err := sampler.NewGibbs(turned, beta)
	if err != nil {
		return nil, err
	}
	p, copies := g.Proposal()
	k := &Kernel{model: m, gibbs: g, proposal: p, options: o, scan: newScan(o, m.Hidden.Spec(), copies)}
	k.fields, k.columns = responses(p)
	if p.Hidden.Spec().Type.Discrete() {
		return k, nil
	}
	k.axes = newAxes(p, k.columns, repeated(o.Directions, copies), o.Grid, k.scan.size != 1)
	if err := k.checkGrid(); err != nil {
		return nil, err
	}
	return k, k.checkPlanes()
}

// responses are the fields of discrete visible units and, for each hidden channel, the weights to them.
func responses(m *rbm.RBM) (fields []float64, columns [][]float64) {
	fields = make([]float64, m.Visible.Spec().Width())
	m.Visible.Slope(fields, nil)
	for c := range fields {
		fields[c] = -fields[c]
	}
	columns = make([][]float64, m.Hidden.Spec().Width())
	t := m.Transpose()
	for c := range columns {
		columns[c] = t.Row(c)
	}
	return fields, columns
}

// rotated is the model in other axes, or the model itself if there are none.
func rotated(m *rbm.RBM, r *mat.Dense) (*rbm.RBM, error) {
	if r == nil {
		return m, nil
	}
	turned := m.Clone()
	return turned, turned.Rotate(r)
}

// checkGrid refuses a grid that is too fine to cover the law of a unit.
func (k *Kernel) checkGrid() error {
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

// Name, Model and Beta tell what the kernel leaves invariant.
func (k *Kernel) Name() string    { return "latent" }
func (k *Kernel) Model() *rbm.RBM { return k.model }
func (k *Kernel) Beta() float64   { return k.gibbs.Beta() }

// checkPlanes refuses a grid of pairs with too many points.
func (k *Kernel) checkPlanes() error {
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
