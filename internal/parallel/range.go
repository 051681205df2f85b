package parallel

// Range is the numbers Lo to Hi−1.
type Range struct{ Lo, Hi int }

// Len is how many numbers there are.
func (r Range) Len() int { return r.Hi - r.Lo }

// Blocks divides 0 to n−1 into ranges of the given size; the last may be shorter. The blocks depend on nothing else,
// so sums over blocks, added in order, have a fixed order.
func Blocks(n, size int) []Range {
	var blocks []Range
	for lo := 0; lo < n; lo += size {
		blocks = append(blocks, Range{lo, min(lo+size, n)})
	}
	return blocks
}

// Shares divides 0 to n−1 into ranges of nearly equal length, at most the given size, the same number for every
// worker. The shares depend on the number of workers, so nothing may be summed over a share.
func Shares(n, workers, size int) []Range {
	pieces := workers * ((n + workers*size - 1) / (workers * size))
	var shares []Range
	for k := range pieces {
		if lo, hi := k*n/pieces, (k+1)*n/pieces; lo < hi {
			shares = append(shares, Range{lo, hi})
		}
	}
	return shares
}
