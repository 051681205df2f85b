package kernel

import "math/bits"

// A list of rows holds offsets in bytes and is padded to a multiple of four with the row of zeros.
const rowBytes = 4 * tile

// addRows adds listed rows of a tile to the accumulators of every chain and subtracts others. Lists hold byte offsets,
// counts are in units of four of them, and the lists of successive chains follow each other:
//
//	for c := range counts {
//		for range 4 * counts[c][0] {
//			acc[16*c:][:16] += weights[next(rows)/4:][:16]
//		}
//		for range 4 * counts[c][1] {
//			acc[16*c:][:16] -= weights[next(rows)/4:][:16]
//		}
//	}
func addRows(acc, weights []int32, rows []uint32, counts [][2]uint32) {
	if !vector {
		addRowsGo(acc, weights, rows, counts)
		return
	}
	if len(counts) == 0 {
		return
	}
	_ = acc[len(counts)*tile-1]
	if vector512 {
		addRowsAVX512(&acc[0], &weights[0], &rows[0], &counts[0], len(counts))
	} else {
		addRowsAVX2(&acc[0], &weights[0], &rows[0], &counts[0], len(counts))
	}
}

// addRowsGo adds listed rows of a tile to the accumulators of every chain and subtracts others. Lists hold byte
// offsets, counts are in units of four of them, and the lists of successive chains follow each other:
//
//	for c := range counts {
//		for range 4 * counts[c][0] {
//			acc[16*c:][:16] += weights[next(rows)/4:][:16]
//		}
//		for range 4 * counts[c][1] {
//			acc[16*c:][:16] -= weights[next(rows)/4:][:16]
//		}
//	}
func addRowsGo(acc, weights []int32, rows []uint32, counts [][2]uint32) {
	for c, n := range counts {
		to := line(acc, c*tile)
		add, sub := rows[:4*n[0]], rows[4*n[0]:4*(n[0]+n[1])]
		for _, at := range add {
			addLine(to, line(weights, int(at/4)))
		}
		for _, at := range sub {
			subLine(to, line(weights, int(at/4)))
		}
		rows = rows[4*(n[0]+n[1]):]
	}
}

// line is the row of sixteen numbers at the given index of a tile.
func line(x []int32, at int) *[tile]int32 { return (*[tile]int32)(x[at:]) }

func addLine(to, x *[tile]int32) {
	for j, v := range x {
		to[j] += v
	}
}

func subLine(to, x *[tile]int32) {
	for j, v := range x {
		to[j] -= v
	}
}

// fillUp pads a list to a multiple of four with a row of zeros and returns the number of groups of four from start on.
func fillUp(list []uint32, start, zero int) ([]uint32, uint32) {
	for (len(list)-start)%4 != 0 {
		list = append(list, uint32(zero*rowBytes))
	}
	return list, uint32(len(list)-start) / 4
}

// appendBits appends the rows of the set bits, counted from first.
func appendBits(list []uint32, word uint64, first int) []uint32 {
	for ; word != 0; word &= word - 1 {
		list = append(list, uint32(first+bits.TrailingZeros64(word))*rowBytes)
	}
	return list
}

// appendCodes appends the row of the state of every unit.
func appendCodes(list []uint32, state []uint8, q int) []uint32 {
	for i, a := range state {
		list = append(list, uint32(i*q+int(a))*rowBytes)
	}
	return list
}

// appendChanged appends the row of the state of every unit that differs from other.
func appendChanged(list []uint32, state, other []uint8, q int) []uint32 {
	for i, a := range state {
		if a != other[i] {
			list = append(list, uint32(i*q+int(a))*rowBytes)
		}
	}
	return list
}
