package jump

import (
	"fmt"
	"math"

	"instanton/batch"
	"instanton/internal/rng"
	"instanton/internal/special"
	"instanton/rbm"
	"instanton/unit"
)

// Products is a mixture of products, q(x) = Σ_z π_z Π_i q_zi(x_i): the cheapest proposal, good where the law consists
// of simple clusters. It is a Restricted Boltzmann Machine with a single hidden Potts unit z, so the batch engine draws
// and scores it: log q(x) = −E_eff(x) − log Z, with log Z a sum over z.
type Products struct {
	model  *rbm.RBM
	engine batch.Engine
	logZ   float64
	share  []float64 // π_z, summed up
}

var _ Proposal = (*Products)(nil)

// NewProducts takes the mixture from a model whose hidden layer is one Potts unit.
func NewProducts(m *rbm.RBM) (*Products, error) {
	if h := m.Hidden.Spec(); h.Type != unit.Potts || h.N != 1 {
		return nil, fmt.Errorf("a mixture of products with hidden units %s: expected one Potts unit", h)
	}
	engine, err := batch.New(m, 1)
	if err != nil {
		return nil, err
	}
	p := &Products{engine: engine, share: make([]float64, m.Hidden.Spec().Q)}
	return p, p.set(m)
}

// set takes the parameters of a mixture of the same shape.
func (p *Products) set(m *rbm.RBM) error {
	logs := make([]float64, len(p.share))
	for z := range logs {
		logs[z] = -m.HiddenEnergy([]float64{float64(z)})
	}
	p.model, p.logZ = m, special.LogSumExp(logs)
	if !special.Finite(p.logZ) {
		return fmt.Errorf("a mixture of products with log Z = %g: expected a finite number", p.logZ)
	}
	var sum float64
	for z := range logs {
		sum += math.Exp(logs[z] - p.logZ)
		p.share[z] = sum
	}
	return p.engine.Set(m)
}

// Name, Spec and Cost describe the proposal.
func (p *Products) Name() string    { return fmt.Sprintf("mixture of %d products", len(p.share)) }
func (p *Products) Spec() unit.Spec { return p.model.Visible.Spec() }
func (p *Products) Cost() float64   { return float64(p.Spec().Width() * len(p.share)) }

// Model is the mixture as a model: its visible units are those of the layer, its hidden unit is the component.
func (p *Products) Model() *rbm.RBM { return p.model }

// Drawer returns what one goroutine needs.
func (p *Products) Drawer() Drawer { return &productsDrawer{of: p, rows: p.engine.Worker()} }

type productsDrawer struct {
	of   *Products
	rows batch.Worker
	z    *unit.States
}

func (d *productsDrawer) Draw(dst *unit.States, to int, logq []float64, s batch.Stream) {
	n := len(logq)
	if d.z == nil || d.z.Len < n {
		d.z = unit.NewStates(d.of.model.Hidden.Spec(), n)
	}
	for k := range n {
		u := rng.Uniform(rng.New(s.Seed, rng.Jump, s.Chain+uint32(k), s.Sweep).Block(0)[componentWord])
		z := 0
		for z < len(d.of.share)-1 && u >= d.of.share[z] {
			z++
		}
		d.z.Codes[k] = uint8(z)
	}
	s.Proposed = true
	d.rows.Draw(batch.Visible, dst, to, d.z, 0, n, s)
	d.Score(logq, dst, to)
}

func (d *productsDrawer) Score(logq []float64, x *unit.States, from int) {
	d.rows.Energies(logq, x, from)
	for k := range logq {
		logq[k] = -logq[k] - d.of.logZ
	}
}

// Words of the stream rng.Jump of a chain and a sweep.
const (
	testWord      = iota // the Metropolis test
	componentWord        // the component of a mixture of products
)
