package kernel

import "math"

// mostRows is the largest number of rows converted in one call, which must be short, since assembly cannot be
// preempted.
const mostRows = 4096

// from is the part of a view that starts at row i and column j.
func (v View) from(i, j int) View { return View{v.Data[i*v.Row+j*v.Col:], v.Row, v.Col} }

// quantiseTile converts up to sixteen columns of a view to rows of sixteen whole numbers:
//
//	for i := range rows {
//		for j := range width {
//			dst[16*i+j] = int32(RoundToEven(m(i, j) * scale))
//		}
//	}
func quantiseTile(dst []int32, m View, rows, width int, scale float64) {
	done := 0
	if vector && width == tile {
		for done < rows && m.Col == 1 {
			n := min(mostRows, rows-done)
			_, _ = dst[(done+n)*tile-1], m.Data[(done+n-1)*m.Row+tile-1]
			quantiseRowsAVX2(&dst[done*tile], &m.Data[done*m.Row], 8*m.Row, n, scale)
			done += n
		}
		for rows-done >= 4 && m.Row == 1 {
			n := min(mostRows, rows-done) &^ 3
			_, _ = dst[(done+n)*tile-1], m.Data[15*m.Col+done+n-1]
			quantiseColumnsAVX2(&dst[done*tile], &m.Data[done], 8*m.Col, n/4, scale)
			done += n
		}
	}
	convertTileGo(dst, m, done, rows, width, func(x float64) int32 { return int32(math.RoundToEven(x * scale)) })
}

// narrowTile converts up to sixteen columns of a view to rows of sixteen float32:
//
//	for i := range rows {
//		for j := range width {
//			dst[16*i+j] = float32(m(i, j))
//		}
//	}
func narrowTile(dst []float32, m View, rows, width int) {
	done := 0
	if vector && width == tile {
		for done < rows && m.Col == 1 {
			n := min(mostRows, rows-done)
			_, _ = dst[(done+n)*tile-1], m.Data[(done+n-1)*m.Row+tile-1]
			narrowRowsAVX2(&dst[done*tile], &m.Data[done*m.Row], 8*m.Row, n)
			done += n
		}
		for rows-done >= 4 && m.Row == 1 {
			n := min(mostRows, rows-done) &^ 3
			_, _ = dst[(done+n)*tile-1], m.Data[15*m.Col+done+n-1]
			narrowColumnsAVX2(&dst[done*tile], &m.Data[done], 8*m.Col, n/4)
			done += n
		}
	}
	convertTileGo(dst, m, done, rows, width, func(x float64) float32 { return float32(x) })
}

// convertTileGo converts up to sixteen columns of a view to rows of sixteen numbers, from the given row on:
//
//	for i := from; i < rows; i++ {
//		for j := range width {
//			dst[16*i+j] = convert(m(i, j))
//		}
//	}
func convertTileGo[T int32 | float32](dst []T, m View, from, rows, width int, convert func(float64) T) {
	for i := from; i < rows; i++ {
		for j := range width {
			dst[tile*i+j] = convert(m.at(i, j))
		}
	}
}

// quantiseFloats converts up to sixteen columns of rows of float32, which are stride apart, to rows of sixteen whole
// numbers:
//
//	for i := range rows {
//		for j := range width {
//			dst[16*i+j] = int32(RoundToEven(src[i*stride+j] * scale))
//		}
//	}
func quantiseFloats(dst []int32, src []float32, stride, rows, width int, scale float32) {
	if !vector || width < tile {
		quantiseFloatsGo(dst, src, stride, rows, width, scale)
		return
	}
	for done := 0; done < rows; done += mostRows {
		n := min(mostRows, rows-done)
		_, _ = dst[(done+n)*tile-1], src[(done+n-1)*stride+tile-1]
		quantiseFloatsAVX2(&dst[done*tile], &src[done*stride], 4*stride, n, scale)
	}
}

// quantiseFloatsGo converts up to sixteen columns of rows of float32, which are stride apart, to rows of sixteen whole
// numbers:
//
//	for i := range rows {
//		for j := range width {
//			dst[16*i+j] = int32(RoundToEven(src[i*stride+j] * scale))
//		}
//	}
func quantiseFloatsGo(dst []int32, src []float32, stride, rows, width int, scale float32) {
	for i := range rows {
		for j, x := range src[i*stride:][:width] {
			dst[tile*i+j] = int32(math.RoundToEven(float64(x * scale)))
		}
	}
}

// addAbs adds absolute values:
//
//	for j := range dst {
//		dst[j] += abs(src[j])
//	}
func addAbs(dst, src []float64) {
	n := 0
	if vector {
		if n = len(dst) &^ 3; n > 0 {
			_ = src[n-1]
			addAbsAVX2(&dst[0], &src[0], n/4)
		}
	}
	addAbsGo(dst[n:], src[n:])
}

// addAbsGo adds absolute values:
//
//	for j := range dst {
//		dst[j] += abs(src[j])
//	}
func addAbsGo(dst, src []float64) {
	for j := range dst {
		dst[j] += math.Abs(src[j])
	}
}

// maxAbs raises dst to absolute values, none of which may be NaN:
//
//	for j := range dst {
//		dst[j] = max(dst[j], abs(src[j]))
//	}
func maxAbs(dst, src []float64) {
	n := 0
	if vector {
		if n = len(dst) &^ 3; n > 0 {
			_ = src[n-1]
			maxAbsAVX2(&dst[0], &src[0], n/4)
		}
	}
	maxAbsGo(dst[n:], src[n:])
}

// maxAbsGo raises dst to absolute values, none of which may be NaN:
//
//	for j := range dst {
//		dst[j] = max(dst[j], abs(src[j]))
//	}
func maxAbsGo(dst, src []float64) {
	for j := range dst {
		dst[j] = max(dst[j], math.Abs(src[j]))
	}
}

// absoluteSums adds absolute values to dst and returns their sum, in four lanes:
//
//	for j := range dst {
//		dst[j] += abs(src[j])
//		sum += abs(src[j])
//	}
func absoluteSums(dst, src []float64) (sum float64) {
	var sums [4]float64
	n := fours(len(dst))
	if n > 0 {
		_ = src[4*n-1]
		absoluteSumsAVX2(&dst[0], &src[0], n, &sums)
	}
	for j := 4 * n; j < len(dst); j++ {
		dst[j] += math.Abs(src[j])
		sums[lane(j, len(dst))] += math.Abs(src[j])
	}
	return total(&sums)
}
