package kernel

// TransposeBits turns rows of cols bits, stride words apart, into cols rows of bits that are dstStride words apart,
// one bit for each row of src:
//
//	for i := range rows {
//		for j := range cols {
//			dst[j*dstStride] bit i = src[i*stride] bit j
//		}
//	}
func TransposeBits(dst []uint64, dstStride int, src []uint64, stride, rows, cols int) {
	var block [64]uint64
	for i := 0; i < rows; i += 64 {
		height := min(64, rows-i)
		for j := 0; j < cols; j += 64 {
			clear(block[:])
			for r := range height {
				block[r] = src[(i+r)*stride+j/64]
			}
			transpose64(&block)
			for c := range min(64, cols-j) {
				dst[(j+c)*dstStride+i/64] = block[c]
			}
		}
	}
}

// transpose64 exchanges successively smaller squares of bits across the diagonal.
func transpose64(b *[64]uint64) {
	mask := uint64(0x00000000FFFFFFFF)
	for half := 32; half > 0; half >>= 1 {
		for k := 0; k < 64; k = (k + half + 1) &^ half {
			swap := (b[k]>>half ^ b[k+half]) & mask
			b[k] ^= swap << half
			b[k+half] ^= swap
		}
		mask ^= mask << (half >> 1)
	}
}
