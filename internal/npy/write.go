package npy

import (
	"encoding/binary"
	"fmt"
	"io"
	"strconv"
	"strings"
)

const (
	// headerAlign is where numpy lets the data start, so that it can be mapped.
	headerAlign = 64
	// growthDigits is the room that numpy leaves for the first dimension to grow in place.
	growthDigits = 21
)

// Write writes the array as .npy version 1.0, little endian, in C order, with
// the very bytes that numpy.save writes.
func Write(w io.Writer, a Array) error {
	if err := a.check(); err != nil {
		return err
	}
	return a.write(w)
}

// write is Write for an array that has been checked.
func (a Array) write(w io.Writer) error {
	v, _ := asVector(a.Data)
	if _, err := w.Write(encodeHeader(v.dtype(), a.Shape)); err != nil {
		return err
	}
	return v.write(w)
}

// bytes is the size of the array as a .npy file.
func (a Array) bytes() int64 {
	v, _ := asVector(a.Data)
	return int64(len(encodeHeader(v.dtype(), a.Shape))) + int64(v.len())*int64(v.itemSize())
}

// encodeHeader is the magic string, the version, the length and the dict,
// padded with spaces and ended by a newline. With at most maxRank dimensions it
// always fits the 16-bit length of version 1.0.
func encodeHeader(descr string, shape []int) []byte {
	dict := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", descr, shapeText(shape))
	if len(shape) > 0 {
		dict += strings.Repeat(" ", growthDigits-len(strconv.Itoa(shape[0])))
	}
	const prefix = len(magic) + 2 + 2
	// Like numpy, pad by a whole block when the dict alone would end on the boundary.
	padding := headerAlign - (prefix+len(dict)+1)%headerAlign
	length := len(dict) + padding + 1

	head := make([]byte, 0, prefix+length)
	head = append(head, magic...)
	head = append(head, 1, 0)
	head = binary.LittleEndian.AppendUint16(head, uint16(length))
	head = append(head, dict...)
	head = append(head, strings.Repeat(" ", padding)...)
	return append(head, '\n')
}
