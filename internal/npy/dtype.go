package npy

import (
	"encoding/binary"
	"fmt"
	"io"
	"strings"
)

// dtype is how a file stores its elements.
type dtype struct {
	itemSize int
	order    binary.ByteOrder
	read     readFunc
}

// readFunc is an instance of readElements.
type readFunc func(r io.Reader, order binary.ByteOrder, count int, trusted bool) (data any, got int, err error)

// parseDtype understands a descr such as "<f8": a byte order and a type code.
// Native ('=') and indifferent ('|') order are taken as little endian, the order
// of every machine that numpy is likely to have run on.
func parseDtype(descr string) (dtype, error) {
	if strings.HasSuffix(descr, "O") {
		return dtype{}, unsupportedError(fmt.Sprintf("dtype '%s' means pickled Python objects, which are never "+
			"loaded: a pickle can run any code; save plain numbers instead", descr))
	}
	d := dtype{}
	switch {
	case strings.HasPrefix(descr, "<"), strings.HasPrefix(descr, "="), strings.HasPrefix(descr, "|"):
		d.order = binary.LittleEndian
	case strings.HasPrefix(descr, ">"):
		d.order = binary.BigEndian
	default:
		return dtype{}, unknownDtype(descr)
	}
	switch descr[1:] {
	case "f8":
		d.itemSize, d.read = 8, readElements[float64]
	case "f4":
		d.itemSize, d.read = 4, readElements[float32]
	case "i1":
		d.itemSize, d.read = 1, readElements[int8]
	case "u1":
		d.itemSize, d.read = 1, readElements[uint8]
	case "i2":
		d.itemSize, d.read = 2, readElements[int16]
	case "u2":
		d.itemSize, d.read = 2, readElements[uint16]
	case "i4":
		d.itemSize, d.read = 4, readElements[int32]
	case "u4":
		d.itemSize, d.read = 4, readElements[uint32]
	case "i8":
		d.itemSize, d.read = 8, readElements[int64]
	case "u8":
		d.itemSize, d.read = 8, readElements[uint64]
	case "b1":
		d.itemSize, d.read = 1, readElements[bool]
	default:
		return dtype{}, unknownDtype(descr)
	}
	return d, nil
}

// unsupportedError refuses a sound file whose elements have no place in an [Array].
type unsupportedError string

func (e unsupportedError) Error() string { return string(e) }

const errStructured = unsupportedError("a structured dtype (records with fields) is not supported: " +
	"save each field as an array of its own")

func unknownDtype(descr string) error {
	return unsupportedError(fmt.Sprintf("dtype %q is not supported: expected float64, float32, "+
		"int8 to int64, uint8 to uint64 or bool", descr))
}
