package kernel

import (
	"math"
	"unsafe"
)

// DrawBits draws n = len(x) bits into dst, bit i with probability σ(scale·x_i) from words[i]; a spin is drawn with
// twice the scale. Bits beyond n are cleared.
//
//	for i := range x {
//		dst[i/64] |= bit(x[i]·scale·log2(e), words[i]) << (i % 64)
//	}
func DrawBits(dst []uint64, x []float32, scale float32, words []uint32) {
	n := len(x)
	clear(dst)
	scale = float32(scale * math.Log2E)
	i := 0
	for vector && n-i >= 32 {
		whole := min(n-i, 1<<15) &^ 31 // short calls, since assembly cannot be preempted
		_, _ = dst[(i+whole-1)/64], words[i+whole-1]
		to := (*uint32)(unsafe.Add(unsafe.Pointer(&dst[0]), i/8))
		if vector512 {
			drawBitsAVX512(to, &x[i], rowBytes, scale, &words[i], whole/32)
		} else {
			drawBitsAVX2(to, &x[i], rowBytes, scale, &words[i], whole/32)
		}
		i += whole
	}
	drawBitsGo(dst, x, i, scale, words)
}

// drawBitsGo sets bits i ≥ from of dst, which must be clear:
//
//	for i := from; i < len(x); i++ {
//		dst[i/64] |= bit(x[i]*scale, words[i]) << (i % 64)
//	}
func drawBitsGo(dst []uint64, x []float32, from int, scale float32, words []uint32) {
	for i := from; i < len(x); i++ {
		if bit(float32(x[i]*scale), words[i]) {
			dst[i>>6] |= 1 << (i & 63)
		}
	}
}

// drawBitsFixedGo is drawBitsGo for fixed-point fields in tiles that are stride numbers apart:
//
//	for i := range n {
//		f := fields[i/16*stride+i%16]
//		dst[i/64] |= bit(float32(f)*scale, words[i]) << (i % 64)
//	}
func drawBitsFixedGo(dst []uint64, fields []int32, n, stride int, scale float32, words []uint32) {
	for i := range n {
		f := fields[i/tile*stride+i%tile]
		if bit(float32(float32(f)*scale), words[i]) {
			dst[i>>6] |= 1 << (i & 63)
		}
	}
}
