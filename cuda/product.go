package cuda

import (
	"unsafe"

	"instanton/batch"
	"instanton/internal/gpu"
	"instanton/internal/rng"
	"instanton/unit"
)

// What a product is for; see product.cu.
const (
	drawBits int32 = iota
	drawStates
	toFields
	toMeans
)

type productParams struct {
	fragments, need, base, scale gpu.Memory
	in, out, fields              gpu.Memory
	layer                        layer
	chunks, inStride, outStride  int32
	tiles, kind                  int32
	factor                       float32
	purpose, _                   uint32
}

type sweepsParams struct {
	half                          [2]productParams // to the hidden, to the visible units
	rows, rowTiles, first, halves int32
	key0, key1, chain, _          uint32
	sweep                         uint64
	sweepAt, done                 gpu.Memory
}

type productsParams struct {
	half     [2]productParams
	means    [2]meansParams
	rows     [2]int32
	rowTiles [2]int32
}

// draw is the product that draws a layer from rows of the other.
func (p *parameters) draw(of batch.Side, s shape, in, out gpu.Memory, purpose rng.Purpose) productParams {
	d := p.to[of]
	r := productParams{
		fragments: d.fragments.at, need: d.need.at, base: d.base.at, scale: p.scaleAt(of), in: in, out: out,
		layer: d.to.layer(), chunks: int32(d.from.chunks()), inStride: int32(d.from.stride),
		outStride: int32(d.to.stride), tiles: int32(ceil(d.to.positions, s.outs)), kind: drawBits, factor: 1,
		purpose: uint32(purpose) << 24,
	}
	switch d.to.spec.Type {
	case unit.Spin:
		r.factor = 2
	case unit.Potts:
		r.kind = drawStates
	}
	return r
}

// fieldsOf is the product that computes the fields of a layer, in rows of as many integers as it has positions.
func (p *parameters) fieldsOf(of batch.Side, s shape, in, fields gpu.Memory) productParams {
	r := p.draw(of, s, in, 0, 0)
	r.kind, r.fields, r.outStride = toFields, fields, int32(p.layouts[of].positions)
	return r
}

// runSweeps queues half-sweeps of some rows. The counters of blocks of rows must have room for all of them.
func (g *GPU) runSweeps(number int, s *sweepsParams, counters *buffer) error {
	k, err := g.product("sweeps", number)
	if err != nil {
		return err
	}
	s.rowTiles = int32(ceil(int(s.rows), shapes[number].rows))
	s.done = counters.at
	if err := g.device.Fill(counters.at, 0, 4*int(s.rowTiles)); err != nil {
		return err
	}
	tiles := int(s.rowTiles) * int(max(s.half[0].tiles, s.half[1].tiles))
	return k.Launch(min(tiles, g.device.Processors()*k.Resident()), true, unsafe.Pointer(s))
}

// runProducts queues one or two independent products that compute fields.
func (g *GPU) runProducts(number int, s *productsParams) error {
	k, err := g.product("products", number)
	if err != nil {
		return err
	}
	tiles := 0
	for i := range s.half {
		s.rowTiles[i] = int32(ceil(int(s.rows[i]), shapes[number].rows))
		tiles += int(s.rowTiles[i] * s.half[i].tiles)
	}
	return k.Launch(tiles, false, unsafe.Pointer(s))
}
