package hdf5

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"instanton/internal/npy"
)

// dataset is a dataset before its elements are read.
type dataset struct {
	shape   []int
	count   uint64
	kind    datatype
	layout  []byte
	filters []filter
}

// Array reads a dataset of numbers.
func (f *File) Array(path string) (npy.Array, error) {
	f.begin()
	a, err := f.array(path)
	if err != nil {
		return npy.Array{}, fmt.Errorf("%q: %w", path, err)
	}
	return a, nil
}

func (f *File) array(path string) (npy.Array, error) {
	d, err := f.dataset(path)
	if err != nil {
		return npy.Array{}, err
	}
	if d.kind.class != classInteger && d.kind.class != classFloat {
		return npy.Array{}, errors.New("expected numbers")
	}
	raw, err := f.elements(d)
	if err != nil {
		return npy.Array{}, err
	}
	return d.numbers(raw)
}

// String reads a dataset of one string.
func (f *File) String(path string) (string, error) {
	f.begin()
	s, err := f.text(path)
	if err != nil {
		return "", fmt.Errorf("%q: %w", path, err)
	}
	return s, nil
}

func (f *File) text(path string) (string, error) {
	d, err := f.dataset(path)
	if err != nil {
		return "", err
	}
	if d.count != 1 || d.kind.class != classString && d.kind.class != classVariable {
		return "", errors.New("expected one string")
	}
	raw, err := f.elements(d)
	if err != nil {
		return "", err
	}
	if d.kind.class == classVariable {
		if len(raw) < 16 {
			return "", errShort
		}
		object, err := f.heapObject(u64(raw[4:]), u32(raw[12:]))
		if err != nil {
			return "", err
		}
		raw = object[:min(len(object), int(u32(raw)))]
	}
	text, _, _ := bytes.Cut(raw, []byte{0})
	return string(bytes.TrimRight(text, " ")), nil
}

// heapObject reads an object of a global heap.
func (f *File) heapObject(at uint64, index uint32) ([]byte, error) {
	head, err := f.read(at, 16)
	if err != nil {
		return nil, err
	}
	if string(head[:4]) != "GCOL" {
		return nil, errors.New("the file is damaged: a string is not in a heap")
	}
	b, err := f.read(at, u64(head[8:]))
	if err != nil {
		return nil, err
	}
	for b = b[min(16, len(b)):]; len(b) >= 16 && u16(b) != 0; {
		size := u64(b[8:])
		if size > uint64(len(b)-16) {
			return nil, errShort
		}
		if uint32(u16(b)) == index {
			return b[16 : 16+size], nil
		}
		b = b[min(uint64(len(b)), 16+(size+7)&^7):]
	}
	return nil, errors.New("the file is damaged: a string is missing from its heap")
}

// dataset reads the description of a dataset.
func (f *File) dataset(path string) (*dataset, error) {
	at, err := f.find(path)
	if err != nil {
		return nil, err
	}
	all, err := f.messages(at)
	if err != nil {
		return nil, err
	}
	d := &dataset{count: 1}
	var space, kind bool
	for _, m := range all {
		if m.flags&sharedMessage != 0 && (m.kind == msgDatatype || m.kind == msgDataspace || m.kind == msgFilters) {
			return nil, errors.New("its type is kept elsewhere in the file, which is not supported")
		}
		switch m.kind {
		case msgDataspace:
			space, err = true, d.space(m.data)
		case msgDatatype:
			kind = true
			d.kind, err = parseDatatype(m.data)
		case msgLayout:
			d.layout = m.data
		case msgFilters:
			d.filters, err = parseFilters(m.data)
		}
		if err != nil {
			return nil, err
		}
	}
	if !space || !kind || d.layout == nil {
		return nil, errors.New("expected a dataset, found a group or something else")
	}
	if d.count > math.MaxInt/uint64(d.kind.size) {
		return nil, errors.New("it declares more elements than memory can address")
	}
	return d, nil
}

// space reads the shape.
func (d *dataset) space(b []byte) error {
	if len(b) < 4 {
		return errShort
	}
	rank, at := int(b[1]), 8
	switch b[0] {
	case 1:
	case 2:
		at = 4
		if b[3] == 2 {
			return errors.New("it is empty")
		}
	default:
		return fmt.Errorf("its shape has version %d: expected 1 or 2", b[0])
	}
	if rank > maxDepth || len(b) < at+8*rank {
		return errShort
	}
	d.shape = make([]int, rank)
	for k := range d.shape {
		n := u64(b[at+8*k:])
		if n > math.MaxInt32 || n > 0 && d.count > math.MaxInt64/8/n {
			return fmt.Errorf("dimension %d is %d, which is too large", k, n)
		}
		d.shape[k] = int(n)
		d.count *= n
	}
	return nil
}

// Classes of datatypes.
const (
	classInteger  = 0
	classFloat    = 1
	classString   = 3
	classEnum     = 8
	classVariable = 9
)

type datatype struct {
	class  int
	size   int
	order  binary.ByteOrder
	signed bool
}

func parseDatatype(b []byte) (datatype, error) {
	if len(b) < 8 {
		return datatype{}, errShort
	}
	d := datatype{class: int(b[0] & 15), size: int(u32(b[4:])), order: binary.LittleEndian, signed: b[1]&8 != 0}
	if b[1]&1 != 0 {
		d.order = binary.BigEndian
	}
	switch d.class {
	case classEnum: // the type of its values follows
		return parseDatatype(b[8:])
	case classInteger, classFloat:
		if d.size != 8 && d.size != 4 && d.size != 2 && d.size != 1 || d.class == classFloat && d.size < 2 {
			return d, fmt.Errorf("numbers of %d bytes: expected 1, 2, 4 or 8", d.size)
		}
	case classString:
		if d.size < 1 || d.size > 1<<20 {
			return d, fmt.Errorf("a string of %d bytes: expected at most a million", d.size)
		}
	case classVariable:
		if b[1]&15 != 1 || d.size != 16 {
			return d, errors.New("a list of variable length: expected numbers or strings")
		}
	default:
		return d, fmt.Errorf("elements of class %d: expected numbers or strings", d.class)
	}
	return d, nil
}
