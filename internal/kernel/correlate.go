package kernel

import "math"

// The sums Σ_c v_c·h_c over a batch of chains, of which a gradient is made, are also fields: the chains are the
// inputs, the values of h are their weights, and each visible unit, with its bits on the chains, takes the place of a
// chain. Set the weights with SetRows, SetMeans or SetBits, call FromBits with the transposed bits or
// FromTransposedCodes, and read the result row by row with AddRow.

// SetRows takes the weights from rows of float32 that are stride apart, one row per input. No column may have a sum of
// absolute values above bound (see MaxColumnSum). Equal bounds give equal rounding, so that sums over blocks of chains
// can be added in any order with the same result.
func (w *Weights) SetRows(h []float32, stride int, bound float64) {
	shift := shiftFor(bound)
	fixed := float32(math.Ldexp(1, shift))
	for j := 0; j < w.Out; j += tile {
		quantiseFloats(w.tileRows(j/tile, 0), h[j:], stride, w.Rows(), min(tile, w.Out-j), fixed)
	}
	w.finish(shift)
}

// SetMeans takes the weights of the inputs first, first+1, … from the means of bits, given their fields in f, for the
// chains lo to hi−1 of f, each times the weight of the chain. It adds these means to sums. Blocks of inputs may be set
// in any order and concurrently, all with the same bound; then call Finish:
//
//	for c := lo; c < hi; c++ {
//		for j := range f.out {
//			mean := logistic(f.Value(c, j)*f.source.Scale) * weights[c] // tanh for spins
//			sums[j] += mean
//			w[first+c-lo][j] = mean
//		}
//	}
func (w *Weights) SetMeans(
	first int, f *Fields, lo, hi int, spin bool, weights []float32, sums []float64, bound float64,
) {
	fixed := float32(math.Ldexp(1, shiftFor(bound)))
	for j := 0; j < w.Out; j += tile {
		var lanes [tile]float64
		width := copy(lanes[:], sums[j:])
		dst, src := w.tileRows(j/tile, first), f.tileValues(j / tile)[lo*tile:hi*tile]
		meanWeights(dst, src, width, f.source.Scale, spin, weights[lo:hi], fixed, &lanes)
		copy(sums[j:], lanes[:])
	}
}

// Finish completes the setting of weights by SetMeans.
func (w *Weights) Finish(bound float64) { w.finish(shiftFor(bound)) }

// SetBits takes the weights 0 and 1 from rows of bits that are stride words apart.
func (w *Weights) SetBits(h []uint64, stride int) {
	for j := 0; j < w.Out; j += tile {
		to := w.tileRows(j/tile, 0)
		unused := max(0, j+tile-w.Out)
		for i := range w.Rows() {
			bits := uint16(h[i*stride+j/64]>>(j%64)) << unused >> unused
			for k := range to[i*tile:][:tile] {
				to[i*tile+k] = int32(bits >> k & 1)
			}
		}
	}
	w.finish(0)
}

// finish sets the scale and the base after weights without fields have been stored.
func (w *Weights) finish(shift int) {
	clear(w.base)
	w.Scale = float32(math.Ldexp(1, -shift))
	if w.Spin {
		w.Scale *= 2
		w.centre()
	}
	w.generation++
}

// MaxColumnSum is the largest sum of absolute values over a column of rows of float32 that are stride apart.
func MaxColumnSum(h []float32, stride, rows, cols int) float64 {
	var worst float64
	for j := range cols {
		var sum float64
		for i := range rows {
			sum += math.Abs(float64(h[i*stride+j]))
		}
		worst = max(worst, sum)
	}
	return worst
}

// FromTransposedCodes computes, for every state of each of some Potts units, the sum of the weights of the chains in
// that state; f has one row per unit and state:
//
//	for c := range w.Units {
//		for i := range units {
//			field[i·q+states[c*stride+i]][j] += weight[c][j]
//		}
//	}
func (f *Fields) FromTransposedCodes(w *Weights, states []uint8, stride, units, q int) {
	if len(f.order) < w.Units || len(f.starts) <= q {
		f.order, f.starts = make([]uint32, w.Units), make([]int, q+1)
	}
	order, starts := f.order[:w.Units], f.starts[:q+1]
	f.fromLists(w, func(row int) {
		i, a := row/q, row%q
		if a == 0 {
			sortByCode(order, starts, states[i:], stride)
		}
		f.reset(w, row)
		begin := len(f.rows)
		f.rows = append(f.rows, order[starts[a]:starts[a+1]]...)
		f.rows, f.counts[row][0] = fillUp(f.rows, begin, w.zero())
		f.counts[row][1] = 0
	})
	f.remember(w)
}

// sortByCode lists the rows of the chains by the state that each is in; those of state a lie between starts[a] and
// starts[a+1].
func sortByCode(order []uint32, starts []int, states []uint8, stride int) {
	clear(starts)
	for c := range order {
		starts[states[c*stride]]++
	}
	total := 0
	for a, n := range starts {
		starts[a] = total
		total += n
	}
	for c := range order {
		a := states[c*stride]
		order[starts[a]] = uint32(c * rowBytes)
		starts[a]++
	}
	// Every start has moved to the next one.
	copy(starts[1:], starts)
	starts[0] = 0
}

// AddRow adds the fields of chain c times scale to a row of float64:
//
//	for j := range f.out {
//		dst[j] += float64(f.Value(c, j)) * (f.source.Scale * scale)
//	}
//
// With a scale that is a power of two the sums are exact, and so do not depend on their order.
func (f *Fields) AddRow(dst []float64, c int, scale float64) {
	scale *= float64(f.source.Scale)
	done := 0
	if n := f.out / tile; vector && n > 0 {
		done = n * tile
		_ = dst[done-1]
		addTilesAVX2(&dst[0], &f.tileValues(0)[c*tile], f.Chains*rowBytes, n, scale)
	}
	for j := done; j < f.out; j++ {
		dst[j] += float64(float64(f.Value(c, j)) * scale)
	}
}

// AddTo adds the fields of all chains to rows that are stride apart.
func (f *Fields) AddTo(dst []float64, stride int, scale float64) {
	for c := range f.Chains {
		f.AddRow(dst[c*stride:][:f.out], c, scale)
	}
}
