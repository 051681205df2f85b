package kernel

import "math"

// tile is the number of outputs whose fields are computed together: one cache line.
const tile = 16

// pad rounds n up to a multiple of m.
func pad(n, m int) int { return (n + m - 1) / m * m }

// View is a matrix of float64 within a slice: element (i, j) is Data[i*Row+j*Col], so a matrix and its transpose are
// two views of one slice.
type View struct {
	Data     []float64
	Row, Col int
}

func (v View) at(i, j int) float64 { return v.Data[i*v.Row+j*v.Col] }

// Inputs says to what kind of units a matrix of weights is applied.
type Inputs struct {
	Units  int
	Spin   bool // bits stand for ±1 instead of 0 and 1
	States int  // number of states of Potts units, each with a row of weights; 0 for bits
}

// Rows is the number of rows of weights: one per unit or Potts state.
func (in Inputs) Rows() int { return in.Units * max(1, in.States) }

// Weights is a matrix in fixed point, ready to be summed over the units that are set. A weight w is stored as the
// integer nearest to w·2^k, with the largest k for which no field can overflow. Sums of integers do not depend on
// their order: whichever way Fields computes a field, the result is the same to the last bit. For values ±1, a field b
// + Σ±w is counted in units of 2·2^−k, as (b−Σw)/2 + Σ w over the units that are up.
type Weights struct {
	Inputs
	Out   int
	Scale float32 // value of one unit of a fixed-point field

	rows       int     // Rows, padded to whole words of 64 bits, plus one row of zeros
	base       []int32 // fields when no unit is set
	tiles      []int32 // [tile][row][16]
	generation uint64  // counts the calls of Set

	sums, largest []float64   // of absolute weights, for each output
	all           []uint32    // the list of all rows, to be subtracted,
	count         [][2]uint32 // and their number
}

// NewWeights returns zero weights.
func NewWeights(in Inputs, out int) *Weights {
	w := &Weights{Inputs: in, Out: out, Scale: 1, rows: pad(in.Rows(), 64) + 1}
	w.base = make([]int32, pad(out, 2*tile))
	w.tiles = make([]int32, len(w.base)*w.rows)
	w.sums, w.largest = make([]float64, out), make([]float64, out)
	if in.Spin {
		for i := range in.Units {
			w.all = append(w.all, uint32(i*rowBytes))
		}
		var fours uint32
		w.all, fours = fillUp(w.all, 0, w.zero())
		w.count = [][2]uint32{{0, fours}}
	}
	return w
}

// tilesUsed is the number of tiles that hold outputs; a tile of zeros may follow the last, since bits are drawn for
// two tiles at a time.
func (w *Weights) tilesUsed() int { return pad(w.Out, tile) / tile }

// tileRows returns the weights of tile t from the given row on.
func (w *Weights) tileRows(t, row int) []int32 {
	return w.tiles[(t*w.rows+row)*tile : (t+1)*w.rows*tile]
}

// zero is the index of the row of zeros.
func (w *Weights) zero() int { return w.rows - 1 }

// Set takes the weights from a view with one row per input and one column per output, and the field of every output
// when its inputs are zero (nil: none). The error says which output has a sum that is not finite.
func (w *Weights) Set(m View, fields []float64) error {
	worst, err := w.bound(m, fields)
	if err != nil {
		return err
	}
	shift := shiftFor(worst)
	w.quantise(m, math.Ldexp(1, shift))
	w.setFields(fields, shift)
	return nil
}

// SetPair is Set for a matrix and, in down, its transpose, in half as many passes over the numbers: one for the sums
// of both, one for the tiles of both.
func SetPair(up, down *Weights, m View, upFields, downFields []float64) error {
	t := View{Data: m.Data, Row: m.Col, Col: m.Row}
	if m.Col != 1 {
		if err := up.Set(m, upFields); err != nil {
			return err
		}
		return down.Set(t, downFields)
	}
	clear(up.sums)
	for i := range down.sums {
		down.sums[i] = absoluteSums(up.sums, m.Data[i*m.Row:][:up.Out])
	}
	upWorst, err := up.largestField(m, upFields)
	if err != nil {
		return err
	}
	downWorst, err := down.largestField(t, downFields)
	if err != nil {
		return err
	}
	upShift, downShift := shiftFor(upWorst), shiftFor(downWorst)
	upScale, downScale := math.Ldexp(1, upShift), math.Ldexp(1, downShift)
	for i := 0; i < down.Out; i += tile {
		n := min(tile, down.Out-i)
		for j := 0; j < up.Out; j += tile {
			quantiseTile(up.tileRows(j/tile, i), m.from(i, j), n, min(tile, up.Out-j), upScale)
		}
		quantiseTile(down.tileRows(i/tile, 0), t.from(0, i), down.Rows(), n, downScale)
	}
	up.setFields(upFields, upShift)
	down.setFields(downFields, downShift)
	return nil
}

// setFields completes the setting of weights with the fields.
func (w *Weights) setFields(fields []float64, shift int) {
	for j := range w.Out {
		var b int32
		if fields != nil {
			b = int32(math.RoundToEven(math.Ldexp(fields[j], shift)))
		}
		w.base[j] = b
	}
	w.Scale = float32(math.Ldexp(1, -shift))
	if w.Spin {
		w.Scale *= 2
		w.centre()
	}
	w.generation++
}

// shiftFor is the number of binary places k that keeps fields up to the given size below 2^30.
func shiftFor(size float64) int {
	_, exponent := math.Frexp(size) // size < 2^exponent
	return min(30-exponent, 60)
}

// quantise fills the tiles:
//
//	tiles[t][i][j] = round(m(i, 16t+j)·scale)
func (w *Weights) quantise(m View, scale float64) {
	for j := 0; j < w.Out; j += tile {
		quantiseTile(w.tileRows(j/tile, 0), m.from(0, j), w.Rows(), min(tile, w.Out-j), scale)
	}
}

// centre changes the base b of bits that stand for 0 and 1 into that of ±1, (b − Σw)/2. The list of all rows gives
// their sum in one pass.
func (w *Weights) centre() {
	for t := range w.tilesUsed() {
		base := w.base[t*tile:][:tile]
		addRows(base, w.tileRows(t, 0), w.all, w.count)
		for j, b := range base {
			base[j] = b >> 1
		}
	}
}
