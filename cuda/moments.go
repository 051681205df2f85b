package cuda

import (
	"math"

	"instanton/batch"
	"instanton/internal/gpu"
	"instanton/unit"
)

type transposeParams struct {
	in, order, first, rows, out, totals, need    gpu.Memory
	count, inStride, rowStride, outStride, words int32
	positions, needs, _                          int32
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
// has the visible units in place of rows and the rows in place of inputs; the means of the hidden units are weights.
type moments struct {
	gpu  *GPU
	on   *parameters
	rows int

	transposed, fields           *buffer // of the rows
	fragments, need, totals      *buffer // of the means
	sums, h, v, base, scale, out *buffer

	transpose transposeParams
	means     meansParams
	finish    finishParams
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
	m.transpose = transposeParams{
		out: m.transposed.at, totals: m.totals.at, need: m.need.at, positions: int32(h.positions),
		needs: int32(m.need.bytes / 4), count: int32(rows), inStride: int32(v.stride), rowStride: int32(v.stride),
		outStride: int32(m.words), words: int32(v.chunks()),
	}
	m.means = meansParams{
		fields: m.fields.at, scale: p.scaleAt(batch.Hidden), sums: m.sums.at, totals: m.totals.at,
		fragments: m.fragments.at, need: m.need.at, rows: int32(rows), stride: int32(h.positions),
		positions: int32(h.positions), chunks: int32(chunks),
	}
	m.finish = finishParams{
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

// both are the averages over one or two batches, whose kernels are launched together.
type both struct {
	of []*moments

	transpose [2]transposeParams
	means     [2]meansParams
	finish    [2]finishParams
	up, vh    productsParams
	shape     [2]int // of the products
	fused     bool   // the product of the fields also makes the means
}

// queueAll queues the averages over batches whose rows begin at the given addresses; the data of minibatches are
// gathered on the way.
func (b *both) queueAll(rows ...gpu.Memory) error {
	b.prepare(rows)
	g := b.of[0].gpu
	v, h := b.of[0].on.layouts[batch.Visible], b.of[0].on.layouts[batch.Hidden]
	words, groups := 0, 0
	for _, m := range b.of {
		words += m.words
		groups += ceil(m.rows, meanRows)
	}
	if err := launch(g, "transpose", 128, 0, 32*words*v.chunks(), &b.transpose); err != nil {
		return err
	}
	if err := g.runProducts(b.shape[0], &b.up); err != nil {
		return err
	}
	if !b.fused {
		const threads, shared = 256, 4 * meanRows * 33
		if err := launch(g, "means", threads, shared, threads*h.chunks()*groups, &b.means); err != nil {
			return err
		}
	}
	if err := launch(g, "finish", 128, 0, len(b.of)*(h.positions+32*v.positions), &b.finish); err != nil {
		return err
	}
	return g.runProducts(b.shape[1], &b.vh)
}

// prepare collects the parameters of the launches.
func (b *both) prepare(rows []gpu.Memory) {
	on, g := b.of[0].on, b.of[0].gpu
	v, h := on.layouts[batch.Visible], on.layouts[batch.Hidden]
	least := b.of[0].rows
	for _, m := range b.of {
		least = min(least, m.rows)
	}
	b.shape = [2]int{g.chooseMeans(least, h), g.chooseShape(v.positions, h)}
	up, vh := shapes[b.shape[0]], shapes[b.shape[1]]
	b.fused = up.rows == meanRows && up.warpsK == 1
	for k, m := range b.of {
		m.transpose.in = rows[k]
		b.transpose[k], b.means[k], b.finish[k] = m.transpose, m.means, m.finish
		from := rows[k]
		if m.transpose.rows != 0 {
			from = m.transpose.rows
		}
		b.up.half[k] = on.fieldsOf(batch.Hidden, up, from, m.fields.at)
		if b.fused {
			b.up.half[k].kind = toMeans
		}
		b.up.means[k], b.up.rows[k] = m.means, int32(m.rows)
		b.vh.half[k], b.vh.rows[k] = m.correlate(vh), int32(v.positions)
	}
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
