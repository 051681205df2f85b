package parallel

// Range is the numbers from Lo to Hi−1.
type Range struct{ Lo, Hi int }

// Len is the number of them.
func (r Range) Len() int { return r.Hi - r.Lo }

// Blocks cuts 0 to n−1 into ranges of the given size, the last one shorter if need be. The cuts depend on nothing
// else, so that sums over blocks, added in their order, have a fixed order.
func Blocks(n, size int) []Range {
	var blocks []Range
	for lo := 0; lo < n; lo += size {
		blocks = append(blocks, Range{lo, min(lo+size, n)})
	}
	return blocks
}

// Shares cuts 0 to n−1 into ranges of nearly equal length, at most the given size, as many for each worker. The cuts
// depend on the number of workers, so that nothing may be summed over a share.
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
