package npy

import (
	"bytes"
	"errors"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"
)

// The bytes of numpy.save, which numpy_test.go compares where there is a numpy.
func TestHeaderIsNumpys(t *testing.T) {
	tests := []struct {
		descr string
		shape []int
		want  string
	}{
		{"<f8", nil, magic + "\x01\x00v\x00{'descr': '<f8', 'fortran_order': False, 'shape': (), }" +
			strings.Repeat(" ", 62) + "\n"},
		{"<f4", []int{3, 4}, magic + "\x01\x00v\x00{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }" +
			strings.Repeat(" ", 58) + "\n"},
		{"|b1", []int{5}, magic + "\x01\x00v\x00{'descr': '|b1', 'fortran_order': False, 'shape': (5,), }" +
			strings.Repeat(" ", 60) + "\n"},
	}
	for _, tt := range tests {
		if got := string(encodeHeader(tt.descr, tt.shape)); got != tt.want {
			t.Errorf("%s %v:\n%q, want\n%q", tt.descr, tt.shape, got, tt.want)
		}
	}
}

func TestHeaderIsAligned(t *testing.T) {
	shape := []int{}
	for rank := range maxRank + 1 {
		head := encodeHeader("<f8", shape)
		if len(head)%headerAlign != 0 || head[len(head)-1] != '\n' {
			t.Errorf("rank %d: %d bytes, ending in %q", rank, len(head), head[len(head)-1])
		}
		shape = append(shape, math.MaxInt>>rank)
	}
}

func TestRoundTrip(t *testing.T) {
	for name, shape := range sampleShapes {
		for code, data := range sampleData(product(shape)) {
			want := Array{Shape: shape, Data: data}
			file := encode(t, want)
			for _, size := range []int64{int64(len(file)), -1} {
				got, err := Read(bytes.NewReader(file), size)
				if err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("%s %s, size %d: %v, %v, want %v", code, name, size, got, err, want)
				}
			}
		}
	}
}

// Several chunks and a rest, so that the seams are crossed and, with the size
// unknown, memory has to grow.
func TestRoundTripOverManyChunks(t *testing.T) {
	const n = 2*chunkBytes + 123
	for code, data := range sampleData(n) {
		want := Array{Shape: []int{n}, Data: data}
		file := encode(t, want)
		for _, size := range []int64{int64(len(file)), -1} {
			got, err := Read(bytes.NewReader(file), size)
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s, size %d: %v, or the data differs", code, size, err)
			}
		}
	}
}

// Infinities, negative zero and the payload of a NaN survive bit by bit.
func TestRoundTripKeepsBits(t *testing.T) {
	for _, want := range []Array{
		New([]float64{math.Inf(1), math.Copysign(0, -1), math.Float64frombits(0x7ff0dead0000beef), 5e-324}),
		New([]float32{float32(math.Inf(-1)), math.Float32frombits(1 << 31), math.Float32frombits(0x7f80beef), 1e-45}),
	} {
		file := encode(t, want)
		got, err := Read(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(encode(t, got), file) {
			t.Errorf("%s: the bits changed: %v to %v", want.Dtype(), want.Data, got.Data)
		}
	}
}

func TestWriteRefusesWithoutWriting(t *testing.T) {
	var b bytes.Buffer
	err := Write(&b, Array{Shape: []int{2}, Data: []int8{1}})
	wantRefusal(t, err, "shape (2,) has 2 elements, but the data has 1")
	if b.Len() > 0 {
		t.Errorf("%d bytes were written", b.Len())
	}
}

func TestWritePassesErrorsOn(t *testing.T) {
	a := New(make([]float64, 2*chunkBytes/8))
	total := len(encode(t, a))
	for _, room := range []int{0, 64, 200, total - 1} {
		if err := Write(&smallDisk{room}, a); !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("a disk of %d bytes: %v", room, err)
		}
	}
}

// smallDisk is a writer with room for so many bytes.
type smallDisk struct{ room int }

func (d *smallDisk) Write(p []byte) (int, error) {
	if len(p) > d.room {
		return 0, io.ErrShortWrite
	}
	d.room -= len(p)
	return len(p), nil
}

func BenchmarkWriteFloat32(b *testing.B) {
	a := New(sampleNumbers[float32](25_000_000))
	b.SetBytes(a.bytes())
	for b.Loop() {
		if err := Write(io.Discard, a); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReadFloat32(b *testing.B) {
	file := encode(b, New(sampleNumbers[float32](25_000_000)))
	for _, size := range []int64{int64(len(file)), -1} {
		name := "known"
		if size < 0 {
			name = "stream"
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(file)))
			for b.Loop() {
				if _, err := Read(bytes.NewReader(file), size); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
