package npy

import (
	"bytes"
	"testing"
)

// sampleNumbers has n elements of T that differ and, for integers, wrap around.
// testdata/peer.py makes the same ones.
func sampleNumbers[T float64 | float32 | int8 | uint8 | int16 | uint16 | int32 | uint32 | int64 | uint64](n int) []T {
	out := make([]T, n)
	for i := range out {
		out[i] = T(int64(i)*37 - 50)
	}
	return out
}

func sampleBools(n int) []bool {
	out := make([]bool, n)
	for i := range out {
		out[i] = i%3 == 0
	}
	return out
}

// sampleData has n elements of every type, by type code.
func sampleData(n int) map[string]any {
	return map[string]any{
		"f8": sampleNumbers[float64](n),
		"f4": sampleNumbers[float32](n),
		"i1": sampleNumbers[int8](n),
		"u1": sampleNumbers[uint8](n),
		"i2": sampleNumbers[int16](n),
		"u2": sampleNumbers[uint16](n),
		"i4": sampleNumbers[int32](n),
		"u4": sampleNumbers[uint32](n),
		"i8": sampleNumbers[int64](n),
		"u8": sampleNumbers[uint64](n),
		"b1": sampleBools(n),
	}
}

// sampleShapes has every rank that matters, and an empty array.
var sampleShapes = map[string][]int{
	"scalar":  {},
	"vector":  {5},
	"matrix":  {3, 4},
	"tensor":  {2, 3, 4},
	"row":     {1, 7},
	"nothing": {3, 0, 2},
}

func product(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

// encode is the array as the bytes of a .npy file.
func encode(t testing.TB, a Array) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, a); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// encodeArchive is the members as the bytes of a .npz file.
func encodeArchive(t testing.TB, members ...Member) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := WriteArchive(&b, members...); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// npyBytes is a file of format major.0 with any header text and data.
func npyBytes(major byte, text string, data ...byte) []byte {
	out := append([]byte(magic), major, 0, byte(len(text)), byte(len(text)>>8))
	if major > 1 {
		out = append(out, byte(len(text)>>16), byte(len(text)>>24))
	}
	out = append(out, text...)
	return append(out, data...)
}
