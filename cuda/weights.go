package cuda

import (
	"instanton/batch"
	"instanton/internal/gpu"
	"instanton/rbm"
	"instanton/unit"
)

// Where parts of the struct Fixed of weights.cu lie, in bytes.
const (
	fixedBytes = 40
	scaleAt    = 24 // values of one unit of a field: float32, of the hidden and the visible units
	badAt      = 32 // whether a sum is not finite: int32
)

type boundsParams struct {
	w, hidden, visible, fixed   gpu.Memory
	rows, cols                  int32
	visibleStates, hiddenStates int32
}

type quantiseParams struct {
	w, fields, fixed, fragments, need, sums, base gpu.Memory
	from, to                                      layer
	fromStep, toStep                              int32
	chunks, side, spin, _                         int32
}

// direction holds the weights from one layer to the other as digits.
type direction struct {
	from, to              layout
	fragments, need, base *buffer
	sums                  *buffer // of the weights of each output, if the inputs are ±1
	quantise              quantiseParams
}

// parameters are the parameters of a model on the device.
type parameters struct {
	gpu             *GPU
	layouts         [2]layout
	w               *buffer // float64
	fields          [2]*buffer
	fixed           *buffer
	to              [2]*direction // the layer that receives from a discrete one
	dense           [2]*buffer    // and from a real one: float32
	narrow          [2]*narrowParams
	first           [2]*buffer // what sums over a real layer begin with: the fields of a discrete one, in float32
	bounds          *boundsParams
	quantise        *[2]quantiseParams
	visible, hidden unit.Spec
}

func newParameters(g *GPU, m *rbm.RBM) (p *parameters, err error) {
	p = &parameters{gpu: g, visible: m.Visible.Spec(), hidden: m.Hidden.Spec()}
	p.layouts[batch.Visible], _ = newLayout(p.visible)
	p.layouts[batch.Hidden], _ = newLayout(p.hidden)
	nv, nh := p.visible.Width(), p.hidden.Width()
	if p.w, err = g.room(nil, 8*nv*nh); err != nil {
		return nil, err
	}
	if p.fixed, err = g.room(nil, fixedBytes); err != nil {
		return nil, err
	}
	for side, n := range [2]int{nv, nh} {
		if p.fields[side], err = g.room(nil, 8*realParameters*n); err != nil {
			return nil, err
		}
	}
	p.quantise = &[2]quantiseParams{}
	used := 0
	for side := range p.to {
		if p.layouts[1-side].real() {
			if p.dense[side], err = g.room(nil, 4*nv*nh); err != nil {
				return nil, err
			}
			p.narrow[side] = p.newNarrow(batch.Side(side))
			if !p.layouts[side].real() {
				if p.first[side], err = g.room(nil, 4*p.layouts[side].spec.Width()); err != nil {
					return nil, err
				}
			}
			continue
		}
		if p.to[side], err = p.newDirection(batch.Side(side)); err != nil {
			return nil, err
		}
		p.quantise[used] = p.to[side].quantise
		used++
	}
	p.bounds = &boundsParams{
		w: p.w.at, hidden: p.fieldsAt(batch.Hidden), visible: p.fieldsAt(batch.Visible), fixed: p.fixed.at,
		rows: int32(nv), cols: int32(nh),
		visibleStates: int32(p.visible.Channels()), hiddenStates: int32(p.hidden.Channels()),
	}
	return p, nil
}

// fieldsAt is where the fields of a discrete layer are, zero for a real one.
func (p *parameters) fieldsAt(side batch.Side) gpu.Memory {
	if p.layouts[side].real() {
		return 0
	}
	return p.fields[side].at
}

func (p *parameters) newDirection(to batch.Side) (d *direction, err error) {
	g := p.gpu
	d = &direction{from: p.layouts[to.Other()], to: p.layouts[to]}
	panels, chunks := d.to.panels(), d.from.chunks()
	if d.fragments, err = g.room(nil, panelBytes*panels*chunks); err != nil {
		return nil, err
	}
	if d.need, err = g.room(nil, 4*panels*ceil(chunks, 4)*4); err != nil {
		return nil, err
	}
	if d.base, err = g.room(nil, 4*64*panels); err != nil {
		return nil, err
	}
	if d.sums, err = g.room(nil, 4*64*panels); err != nil {
		return nil, err
	}
	q := quantiseParams{
		w: p.w.at, fields: p.fieldsAt(to), fixed: p.fixed.at, fragments: d.fragments.at, need: d.need.at,
		sums: d.sums.at, base: d.base.at, from: d.from.layer(), to: d.to.layer(), chunks: int32(chunks),
		fromStep: int32(p.hidden.Width()), toStep: 1, side: 0,
	}
	if to == batch.Visible {
		q.fromStep, q.toStep, q.side = 1, int32(p.hidden.Width()), 1
	}
	if d.from.spec.Type == unit.Spin {
		q.spin = 1
	}
	d.quantise = q
	return d, nil
}

// upload copies the parameters of a model.
func (p *parameters) upload(m *rbm.RBM) error {
	if err := put(p.w, 0, m.W); err != nil {
		return err
	}
	for side, l := range [2]rbm.Layer{m.Visible, m.Hidden} {
		if p.layouts[side].real() {
			if err := put(p.fields[side], 0, realLaw(l)); err != nil {
				return err
			}
			continue
		}
		fields := l.Params()[0].Data
		if err := put(p.fields[side], 0, fields); err != nil {
			return err
		}
		if p.first[side] != nil {
			narrow := make([]float32, len(fields))
			for k, x := range fields {
				narrow[k] = float32(x)
			}
			if err := put(p.first[side], 0, narrow); err != nil {
				return err
			}
		}
	}
	return nil
}

// round queues the rounding of the parameters to fixed point.
func (p *parameters) round() error {
	if err := p.gpu.device.Fill(p.fixed.at, 0, p.fixed.bytes); err != nil {
		return err
	}
	threads := ceil(int(p.bounds.cols), 32)*32 + 4*int(p.bounds.rows)
	if err := launch(p.gpu, "bound", 64, 0, threads, p.bounds); err != nil {
		return err
	}
	return p.store()
}

// roundAgain is round after a step of training, which has bounded the fields.
func (p *parameters) roundAgain() error {
	if err := launch(p.gpu, "bound_again", 64, 0, int(p.bounds.cols), p.bounds); err != nil {
		return err
	}
	return p.store()
}

// store queues the rounding once the fields are bounded.
func (p *parameters) store() error {
	for _, n := range p.narrow {
		if n == nil {
			continue
		}
		if err := launch(p.gpu, "narrow", 256, 0, int(n.rows)*int(n.cols), n); err != nil {
			return err
		}
	}
	blocks, positions := 0, 0
	for _, d := range p.to {
		if d == nil {
			continue
		}
		blocks += d.to.panels() * d.from.chunks()
		positions += d.to.positions
	}
	if err := launch(p.gpu, "quantise", 256, 0, 256*blocks, p.quantise); err != nil {
		return err
	}
	return launch(p.gpu, "set_base", 128, 0, positions, p.quantise)
}

// finite reads back whether all sums were finite.
func (p *parameters) finite() (bool, error) {
	bad := make([]int32, 1)
	err := get(bad, p.fixed, badAt/4)
	return bad[0] == 0, err
}

// scaleAt is where the value of one unit of a field of a layer is.
func (p *parameters) scaleAt(of batch.Side) gpu.Memory {
	at := p.fixed.offset(scaleAt)
	if of == batch.Visible {
		at += 4
	}
	return at
}
