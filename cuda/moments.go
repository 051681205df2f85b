package cuda

import (
	"math"

	"instanton/batch"
	"instanton/internal/gpu"
	"instanton/unit"
)

type transposeParams struct {
	in, order, first, rows, out                     gpu.Memory
	count, inStride, rowStride, outStride, words, _ int32
}

type meansParams struct {
	fields, scale, weights, count   gpu.Memory
	sums, totals, fragments, need   gpu.Memory
	rows, stride, positions, chunks int32
	spin, shift                     int32
}

type finishParams struct {
	sums, totals, bits, count, h, v, base, scale gpu.Memory
	weight                                       float64
	groups, hidden, visible, words               int32
	rows, spin, shift, _                         int32
}

// moments compute ⟨v⟩, ⟨h⟩ and ⟨vh⟩ over rows of bits on the device, for hidden units of two states. The product ⟨vh⟩
// has the visible units in place of rows and the rows in place of inputs: the means of the hidden units are its weights.
type moments struct {
	gpu  *GPU
	on   *parameters
	rows int

	transposed, fields           *buffer // of the rows
	fragments, need, totals      *buffer // of the means
	sums, h, v, base, scale, out *buffer

	transpose *transposeParams
	means     *meansParams
	finish    *finishParams
	words     int // 32-bit words of a transposed row
}

// meanRows is the number of rows of a block of sums, as in package batch.
const meanRows = 256

// newMoments makes room for the averages over a number of rows.
func newMoments(p *parameters, rows int) (*moments, error) {
	m := &moments{gpu: p.gpu, on: p, rows: rows, words: ceil(ceil(rows, 32), 4) * 4}
	v, h := p.layouts[batch.Visible], p.layouts[batch.Hidden]
	chunks, groups := ceil(rows, 32), ceil(rows, meanRows)
	for _, b := range []struct {
		to    **buffer
		bytes int
	}{
		{&m.transposed, 4 * v.positions * m.words}, {&m.fields, 4 * rows * h.positions},
		{&m.fragments, panelBytes * h.panels() * chunks}, {&m.need, 16 * h.panels() * ceil(chunks, 4)},
		{&m.totals, 4 * h.positions}, {&m.sums, 8 * groups * h.positions}, {&m.h, 8 * h.positions},
		{&m.v, 8 * v.positions}, {&m.base, 4 * 64 * h.panels()}, {&m.scale, 16},
		{&m.out, 4 * v.positions * h.positions},
	} {
		var err error
		if *b.to, err = p.gpu.room(nil, b.bytes); err != nil {
			return nil, err
		}
	}
	m.transpose = &transposeParams{
		out: m.transposed.at, count: int32(rows), inStride: int32(v.stride), rowStride: int32(v.stride),
		outStride: int32(m.words), words: int32(v.chunks()),
	}
	m.means = &meansParams{
		fields: m.fields.at, scale: p.scaleAt(batch.Hidden), sums: m.sums.at, totals: m.totals.at,
		fragments: m.fragments.at, need: m.need.at, rows: int32(rows), stride: int32(h.positions),
		positions: int32(h.positions), chunks: int32(chunks),
	}
	m.finish = &finishParams{
		sums: m.sums.at, totals: m.totals.at, bits: m.transposed.at, h: m.h.at, v: m.v.at, base: m.base.at,
		scale: m.scale.at, groups: int32(groups), hidden: int32(h.positions), visible: int32(v.positions),
		words: int32(m.words), rows: int32(rows),
	}
	if h.spec.Type == unit.Spin {
		m.means.spin = 1
	}
	if v.spec.Type == unit.Spin {
		m.finish.spin = 1
	}
	m.weigh(float64(rows))
	return m, nil
}

// weigh takes the sum of the weights of the rows, which none of the sums of means exceeds.
func (m *moments) weigh(weight float64) {
	_, exponent := math.Frexp(weight)
	shift := int32(min(30-exponent, 60))
	m.means.shift, m.finish.shift, m.finish.weight = shift, shift, weight
}

// queueTranspose queues the transposition of the rows, which begin at the given address.
func (m *moments) queueTranspose(rows gpu.Memory) error {
	m.transpose.in = rows
	return launch(m.gpu, "transpose", 128, 0, 32*m.words*m.on.layouts[batch.Visible].chunks(), m.transpose)
}

// up is the product that computes the fields of the hidden units.
func (m *moments) up(s shape, rows gpu.Memory) productParams {
	return m.on.fieldsOf(batch.Hidden, s, rows, m.fields.at)
}

// queueMeans queues what follows from the fields: the sums, and the digits of the means.
func (m *moments) queueMeans() error {
	for _, b := range []*buffer{m.need, m.totals} {
		if err := m.gpu.device.Fill(b.at, 0, b.bytes); err != nil {
			return err
		}
	}
	v, h := m.on.layouts[batch.Visible], m.on.layouts[batch.Hidden]
	const threads, shared = 256, 4 * meanRows * 33
	if err := launch(m.gpu, "means", threads, shared, threads*h.chunks()*ceil(m.rows, meanRows), m.means); err != nil {
		return err
	}
	return launch(m.gpu, "finish", 128, 0, h.positions+32*v.positions, m.finish)
}

// correlate is the product ⟨vh⟩.
func (m *moments) correlate(s shape) productParams {
	h := m.on.layouts[batch.Hidden]
	return productParams{
		fragments: m.fragments.at, need: m.need.at, base: m.base.at, scale: m.scale.at, in: m.transposed.at,
		fields: m.out.at, layer: h.layer(), chunks: m.means.chunks, inStride: int32(m.words),
		outStride: int32(h.positions), tiles: int32(ceil(h.positions, s.outs)), kind: toFields, factor: 1,
	}
}
