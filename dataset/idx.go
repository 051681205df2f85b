package dataset

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"instanton/unit"
)

// IDX is the format of MNIST: a magic number (0, 0, type, rank), the dimensions as big-endian 32-bit numbers, and the
// elements, here bytes (type 8).
const (
	idxLabels = 0x00000801 // one dimension
	idxImages = 0x00000803 // images, rows, columns
)

// readIDXHeader reads the magic number and the dimensions.
func readIDXHeader(r io.Reader, want uint32) (dims []int, err error) {
	var word [4]byte
	if _, err := io.ReadFull(r, word[:]); err != nil {
		return nil, cutShort(err, "inside its header")
	}
	if magic := binary.BigEndian.Uint32(word[:]); magic != want {
		return nil, fmt.Errorf("it starts with the magic number 0x%08x: expected 0x%08x for %s", magic, want,
			idxKind(want))
	}
	for range want & 0xff {
		if _, err := io.ReadFull(r, word[:]); err != nil {
			return nil, cutShort(err, "inside its header")
		}
		dims = append(dims, int(binary.BigEndian.Uint32(word[:])))
	}
	return dims, nil
}

func idxKind(magic uint32) string {
	if magic == idxLabels {
		return "labels (IDX, bytes)"
	}
	return "images (IDX, bytes)"
}

// readIDXLabels reads a file of labels.
func readIDXLabels(r io.Reader) ([]byte, error) {
	dims, err := readIDXHeader(r, idxLabels)
	if err != nil {
		return nil, err
	}
	// Memory grows as labels arrive, whatever the header says.
	labels, err := io.ReadAll(io.LimitReader(r, int64(dims[0])))
	if err != nil {
		return nil, err
	}
	if len(labels) < dims[0] {
		return nil, fmt.Errorf("it is cut short after label %d of %d", len(labels), dims[0])
	}
	return labels, expectEnd(r)
}

// imageReader reads images one by one, so that the grey values are never all in memory.
type imageReader struct {
	r                    io.Reader
	count, rows, columns int
}

func newImageReader(r io.Reader) (*imageReader, error) {
	dims, err := readIDXHeader(r, idxImages)
	if err != nil {
		return nil, err
	}
	if dims[1] < 1 || dims[2] < 1 || dims[1] > unit.MaxUnits/dims[2] {
		return nil, fmt.Errorf("it has images of %d×%d pixels: expected between 1 and %d pixels", dims[1], dims[2],
			unit.MaxUnits)
	}
	return &imageReader{r, dims[0], dims[1], dims[2]}, nil
}

// read fills grey with image k, the next one.
func (m *imageReader) read(grey []byte, k int) error {
	if _, err := io.ReadFull(m.r, grey); err != nil {
		return cutShort(err, fmt.Sprintf("in image %d of %d", k+1, m.count))
	}
	return nil
}

func expectEnd(r io.Reader) error {
	var extra [1]byte
	switch n, err := io.ReadFull(r, extra[:]); {
	case n > 0:
		return errors.New("it is longer than its header says")
	case err != io.EOF:
		return err
	}
	return nil
}

func cutShort(err error, where string) error {
	if isEnd(err) {
		return fmt.Errorf("it is cut short %s", where)
	}
	return err
}
