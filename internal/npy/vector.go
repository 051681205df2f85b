package npy

import (
	"encoding/binary"
	"io"
)

// chunkBytes is how much is converted at a time, so that neither reading nor
// writing holds a second copy of the data. It is a multiple of every item size.
const chunkBytes = 1 << 18

// vector is the data of an array, whatever its element type.
type vector interface {
	len() int
	dtype() string
	itemSize() int
	write(w io.Writer) error
	fromFortran(shape []int) any
}

// asVector views the data of an array as a vector.
func asVector(data any) (vector, bool) {
	switch d := data.(type) {
	case []float64:
		return elements[float64]{"<f8", d}, true
	case []float32:
		return elements[float32]{"<f4", d}, true
	case []int8:
		return elements[int8]{"|i1", d}, true
	case []uint8:
		return elements[uint8]{"|u1", d}, true
	case []int16:
		return elements[int16]{"<i2", d}, true
	case []uint16:
		return elements[uint16]{"<u2", d}, true
	case []int32:
		return elements[int32]{"<i4", d}, true
	case []uint32:
		return elements[uint32]{"<u4", d}, true
	case []int64:
		return elements[int64]{"<i8", d}, true
	case []uint64:
		return elements[uint64]{"<u8", d}, true
	case []bool:
		return elements[bool]{"|b1", d}, true
	}
	return nil, false
}

type elements[T Element] struct {
	descr string
	data  []T
}

var _ vector = elements[float64]{}

func (e elements[T]) len() int      { return len(e.data) }
func (e elements[T]) dtype() string { return e.descr }
func (e elements[T]) itemSize() int { return sizeOf[T]() }

// write puts out the elements in little endian.
func (e elements[T]) write(w io.Writer) error {
	size := sizeOf[T]()
	buf := make([]byte, min(chunkBytes, len(e.data)*size))
	for at := 0; at < len(e.data); {
		n := min(len(buf)/size, len(e.data)-at)
		if _, err := binary.Encode(buf, binary.LittleEndian, e.data[at:at+n]); err != nil {
			return err
		}
		if _, err := w.Write(buf[:n*size]); err != nil {
			return err
		}
		at += n
	}
	return nil
}

// fromFortran rearranges data stored with the first index running fastest, so
// that the last one does.
func (e elements[T]) fromFortran(shape []int) any {
	if len(shape) < 2 || len(e.data) == 0 {
		return e.data
	}
	stride := make([]int, len(shape)) // of each index in the data as it is
	step := 1
	for k, d := range shape {
		stride[k] = step
		step *= d
	}
	out := make([]T, len(e.data))
	index := make([]int, len(shape))
	at := 0
	for i := range out {
		out[i] = e.data[at]
		for k := len(shape) - 1; k >= 0; k-- {
			index[k]++
			at += stride[k]
			if index[k] < shape[k] {
				break
			}
			at -= stride[k] * shape[k]
			index[k] = 0
		}
	}
	return out
}

// readElements reads a []T of count elements. With trusted set, count is known
// to be what r holds and is allocated at once; otherwise memory grows only as
// data arrives. It also returns how many bytes it got, to tell where r ended.
func readElements[T Element](r io.Reader, order binary.ByteOrder, count int,
	trusted bool) (data any, got int, err error) {
	size := sizeOf[T]()
	buf := make([]byte, min(chunkBytes, count*size))
	room := count
	if !trusted {
		room = min(count, chunkBytes/size)
	}
	out := make([]T, 0, room)
	for at := 0; at < count; at = len(out) {
		n := min(len(buf)/size, count-at)
		if got, err := io.ReadFull(r, buf[:n*size]); err != nil {
			return nil, at*size + got, err
		}
		if at+n > cap(out) {
			out = append(make([]T, 0, min(count, 2*cap(out))), out...)
		}
		out = out[:at+n]
		if _, err := binary.Decode(buf[:n*size], order, out[at:]); err != nil {
			return nil, at * size, err
		}
	}
	return out, count * size, nil
}

// sizeOf is the number of bytes an element takes in a file.
func sizeOf[T Element]() int {
	var zero T
	return binary.Size(zero)
}
