package jump

import (
	"fmt"
	"math"

	"instanton/internal/rng"
	"instanton/unit"
)

// Network is a neural autoregressive network, q(x) = Π_i q(x_i | x_0 … x_{i−1}) (Larochelle and Murray, 2011): one
// layer of rectified units between the units of the layer and the parameters of their conditional laws, and direct
// links. The law of unit i is computed from all hidden units, which have received the units before i by then, so log q
// is exact and a draw costs as much as log q: two multiplications for each unit and hidden unit.
type Network struct {
	spec   unit.Spec
	head   head
	hidden int // a multiple of hiddenStep

	theta  []float32 // all parameters, of which these are parts:
	first  []float32 // weights to hidden units, [input][hidden]
	bias   []float32 // of the hidden units
	second []float32 // from hidden units to outputs, [output][hidden]
	direct []float32 // from inputs to outputs, [input][output]
	output []float32 // biases of the outputs

	packed *packed // for draws; see seal
}

var _ Proposal = (*Network)(nil)

// maxParameters bounds the memory of a network.
const maxParameters = 1 << 28

// hiddenStep is the number of hidden units that the loops treat together.
const hiddenStep = 16

// NewNetwork returns a network for a layer with the given number of hidden units, rounded up to a multiple of sixteen.
// Its units are independent and have uniform or standard normal laws until it is fitted.
func NewNetwork(spec unit.Spec, hidden int, seed uint64) (*Network, error) {
	if err := spec.Check(); err != nil {
		return nil, err
	}
	if spec.N == 1 {
		hidden = 0 // nothing to condition on
	}
	hidden = (hidden + hiddenStep - 1) / hiddenStep * hiddenStep
	n := &Network{spec: spec, head: newHead(spec), hidden: hidden}
	in, out := n.inputs(), n.outputs()
	size := float64(in)*float64(hidden) + float64(hidden)*float64(out) + float64(in)*float64(out)
	if hidden < 0 || size > maxParameters {
		return nil, fmt.Errorf("a network of %d hidden units for %s has %.3g parameters: expected at most %d", hidden,
			spec, size, maxParameters)
	}
	n.divide(make([]float32, in*hidden+hidden+hidden*out+in*out+out))
	r := rng.New(seed, rng.Refit, 0, 1).Rand()
	scale := 1 / math.Sqrt(float64(spec.N))
	for k := range n.first {
		n.first[k] = float32((2*r.Float64() - 1) * scale)
	}
	for j := range n.bias { // hidden units that begin to act after different numbers of inputs
		n.bias[j] = float32(2*r.Float64() - 1)
	}
	n.head.begin(n.output, spec.N)
	n.seal()
	return n, nil
}

// clone returns a copy that shares no parameters.
func (n *Network) clone() *Network {
	c := *n
	c.divide(append([]float32(nil), n.theta...))
	c.seal()
	return &c
}

// divide makes the parameters parts of theta.
func (n *Network) divide(theta []float32) {
	in, out := n.inputs(), n.outputs()
	n.theta = theta
	for _, part := range []struct {
		to   *[]float32
		size int
	}{{&n.first, in * n.hidden}, {&n.bias, n.hidden}, {&n.second, n.hidden * out}, {&n.direct, in * out},
		{&n.output, out}} {
		*part.to, theta = theta[:part.size:part.size], theta[part.size:]
	}
}

// inputs and outputs are the numbers of channels of the whole layer.
func (n *Network) inputs() int  { return n.spec.N * n.head.in() }
func (n *Network) outputs() int { return n.spec.N * n.head.out() }

// Name, Spec and Cost describe the proposal.
func (n *Network) Name() string    { return fmt.Sprintf("network of %d units", n.hidden) }
func (n *Network) Spec() unit.Spec { return n.spec }

// Cost counts the weights; of the direct links the order of the units leaves half.
func (n *Network) Cost() float64 {
	in, out := float64(n.inputs()), float64(n.outputs())
	return float64(n.hidden)*(in+out) + in*out/2
}

// Drawer returns what one goroutine needs.
func (n *Network) Drawer() Drawer { return &networkDrawer{of: n} }
