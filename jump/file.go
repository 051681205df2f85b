package jump

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"

	"instanton/batch"
	"instanton/internal/atomicfile"
	"instanton/internal/meta"
	"instanton/internal/npy"
	"instanton/rbm"
	"instanton/unit"
)

// A proposal file is a .npz archive with the parameters of the proposal and meta.json. See docs/formats.md.

var header = meta.Header{Format: "instanton-proposal", Version: 2}

type fileMeta struct {
	meta.Header
	Kind   string    `json:"kind"`  // products or network
	Layer  string    `json:"layer"` // visible or hidden
	Units  unit.Spec `json:"units"` // of that layer
	Hidden int       `json:"network_units,omitempty"`
	Around int       `json:"gibbs_steps_around"`
	Beta   float64   `json:"beta"`
	Model  string    `json:"model_sha256"`
	Rounds []Round   `json:"rounds,omitempty"` // of the fit
}

// mixtureName is the member with the mixture of products, a model file.
const mixtureName = "mixture.npz"

// Save writes the proposal and what is needed to jump with it, completely or not at all.
func (f *Fitted) Save(path string, force bool) error {
	return atomicfile.Write(path, force, func(w io.Writer) error { return f.Kernel.write(w, timeless(f.Rounds)) })
}

// timeless leaves out how long rounds took, so that equal fits give equal files.
func timeless(rounds []Round) []Round {
	out := slices.Clone(rounds)
	for k := range out {
		out[k].Seconds = 0
	}
	return out
}

func (k *Kernel) write(w io.Writer, rounds []Round) error {
	about := fileMeta{Header: header, Layer: k.side.String(), Units: k.spec(), Around: k.around, Beta: k.Beta(),
		Rounds: rounds}
	var err error
	if about.Model, err = k.Model().Fingerprint(); err != nil {
		return err
	}
	var members []npy.Member
	switch q := k.proposal.(type) {
	case *Products:
		about.Kind = "products"
		var model bytes.Buffer
		if err := q.model.Write(&model); err != nil {
			return err
		}
		members = append(members, npy.FileMember(mixtureName, model.Bytes()))
	case *Network:
		about.Kind, about.Hidden = "network", q.hidden
		for _, p := range q.parts() {
			members = append(members, npy.ArrayMember(p.name, npy.New(p.data, p.shape...)))
		}
	default:
		return fmt.Errorf("a proposal of type %T cannot be saved", q)
	}
	first, err := meta.Member(about)
	if err != nil {
		return err
	}
	return npy.WriteArchive(w, append([]npy.Member{first}, members...)...)
}

// part is a named array of parameters.
type part struct {
	name  string
	data  []float32
	shape []int
}

// parts lists the arrays of a network by the names they have in files.
func (n *Network) parts() []part {
	in, out := n.inputs(), n.outputs()
	all := []part{
		{"first", n.first, []int{in, n.hidden}}, {"bias", n.bias, []int{n.hidden}},
		{"second", n.second, []int{out, n.hidden}}, {"direct", n.direct, []int{in, out}},
		{"output", n.output, []int{out}},
	}
	if h, ok := n.head.(*realHead); ok {
		all = append(all, part{"mean", h.mean, []int{n.spec.N}}, part{"width", h.width, []int{n.spec.N}})
	}
	return all
}

// Load reads a proposal file and prepares the kernel for the model to which it was fitted.
func Load(path string, m *rbm.RBM) (*Kernel, error) {
	a, err := npy.ReadArchive(path)
	if err != nil {
		return nil, err
	}
	k, err := load(a, m)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return k, nil
}

func load(a *npy.Archive, m *rbm.RBM) (*Kernel, error) {
	var about fileMeta
	if err := meta.Read(a, header, &about); err != nil {
		return nil, err
	}
	if own, err := m.Fingerprint(); err != nil {
		return nil, err
	} else if own != about.Model {
		return nil, fmt.Errorf("the proposal was fitted to another model: expected one for this model, fit it again")
	}
	side := batch.Visible
	switch about.Layer {
	case "visible":
	case "hidden":
		side = batch.Hidden
	default:
		return nil, fmt.Errorf("layer %q: expected visible or hidden", about.Layer)
	}
	if have := turned(m, side).Visible.Spec(); about.Units != have {
		return nil, fmt.Errorf("units %s: the %s layer of the model is %s", about.Units, side, have)
	}
	if about.Around < 0 || about.Around > maxAround {
		return nil, fmt.Errorf("%d Gibbs steps around a jump: expected 0 to %d", about.Around, maxAround)
	}
	var q Proposal
	var err error
	switch about.Kind {
	case "products":
		q, err = loadProducts(a)
	case "network":
		if about.Version < 2 {
			return nil, fmt.Errorf("a network of version %d, which had another structure: expected version 2; "+
				"fit it again", about.Version)
		}
		q, err = loadNetwork(a, about)
	default:
		err = fmt.Errorf("kind %q: expected %s or %s", about.Kind, Kinds[0], Kinds[1])
	}
	if err != nil {
		return nil, err
	}
	return New(m, about.Beta, side, q, about.Around)
}

// maxAround bounds the Gibbs steps around a jump.
const maxAround = 1 << 20

func loadProducts(a *npy.Archive) (*Products, error) {
	data, err := a.File(mixtureName)
	if err != nil {
		return nil, err
	}
	m, err := rbm.Read(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", mixtureName, err)
	}
	return NewProducts(m)
}

func loadNetwork(a *npy.Archive, about fileMeta) (*Network, error) {
	output, err := a.Array("output") // before memory is allocated for what a damaged file claims
	if err != nil {
		return nil, err
	}
	bias, err := a.Array("bias")
	if err != nil {
		return nil, err
	}
	if bias.Len() != about.Hidden && about.Units.N > 1 || output.Len() < about.Units.N {
		return nil, fmt.Errorf("%d biases and %d outputs: expected %d and at least %d", bias.Len(), output.Len(),
			about.Hidden, about.Units.N)
	}
	n, err := NewNetwork(about.Units, about.Hidden, 0)
	if err != nil {
		return nil, err
	}
	for _, p := range n.parts() {
		x, err := a.Array(p.name)
		if err != nil {
			return nil, err
		}
		data, err := x.Float32s()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.name, err)
		}
		if len(data) != len(p.data) {
			return nil, fmt.Errorf("%s has %d entries: expected %d", p.name, len(data), len(p.data))
		}
		for i, v := range data {
			if !(math.Abs(float64(v)) < 1e6) || p.name == "width" && !(v > 0) {
				return nil, fmt.Errorf("%s[%d] is %g: expected a number of size below 1e6, and a positive width",
					p.name, i, v)
			}
		}
		copy(p.data, data)
	}
	n.mask()
	n.seal()
	return n, nil
}

// mask clears the direct links that would break the order of the units.
func (n *Network) mask() {
	in, out := n.head.in(), n.head.out()
	for k := range n.inputs() {
		for o := range n.outputs() {
			if k >= o/out*in {
				n.direct[k*n.outputs()+o] = 0
			}
		}
	}
}
