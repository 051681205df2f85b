package hdf5

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"math"

	"instanton/internal/npy"
)

// Deflate expands at most 1032 times.
const maxExpansion = 1100

// elements reads the bytes of all elements.
func (f *File) elements(d *dataset) ([]byte, error) {
	b, size := d.layout, d.count*uint64(d.kind.size)
	if len(b) < 2 {
		return nil, errShort
	}
	version, class := b[0], b[1]
	if version != 3 && !(version == 4 && class != 2) {
		return nil, fmt.Errorf("its layout has version %d, class %d, which is not supported: write it with h5py's "+
			"default libver", version, class)
	}
	switch class {
	case 0: // in the header
		if len(b) < 4 || len(b)-4 < int(u16(b[2:])) || uint64(u16(b[2:])) < size {
			return nil, errShort
		}
		return b[4 : 4+size], nil
	case 1:
		if len(b) < 18 {
			return nil, errShort
		}
		at := u64(b[2:])
		if at == undefined {
			return nil, errors.New("nothing was written to it")
		}
		return f.read(at, size)
	case 2:
		return f.chunks(d, b[2:], size)
	}
	return nil, fmt.Errorf("its layout has class %d: expected 0, 1 or 2", class)
}

// chunks reads a dataset in pieces.
func (f *File) chunks(d *dataset, b []byte, size uint64) ([]byte, error) {
	rank := len(d.shape)
	if len(b) < 9+4*(rank+1) || int(b[0]) != rank+1 {
		return nil, errShort
	}
	if size/maxExpansion > uint64(f.size) {
		return nil, fmt.Errorf("it declares %d bytes in a file of %d, which is more than gzip can do", size, f.size)
	}
	tree, dims := u64(b[1:]), make([]int, rank)
	chunk := uint64(d.kind.size)
	for k := range dims {
		n := u32(b[9+4*k:])
		if n == 0 || chunk > math.MaxUint32/uint64(n) {
			return nil, errors.New("the file is damaged: a chunk has no sensible size")
		}
		dims[k], chunk = int(n), chunk*uint64(n)
	}
	if chunk/maxExpansion > uint64(f.size) {
		return nil, fmt.Errorf("it declares chunks of %d bytes in a file of %d, which is more than gzip can do", chunk,
			f.size)
	}
	out := make([]byte, size)
	var read uint64
	err := f.walk(tree, 1, 8+8*(rank+1), func(key []byte, at uint64) error {
		stored := uint64(u32(key))
		if read += stored; read > uint64(f.size) {
			return errors.New("the file is damaged: its chunks overlap")
		}
		piece, err := f.read(at, stored)
		if err != nil {
			return err
		}
		mask := u32(key[4:])
		for k := len(d.filters) - 1; k >= 0; k-- {
			if mask>>k&1 == 0 {
				if piece, err = d.filters[k].undo(piece, int(chunk)); err != nil {
					return err
				}
			}
		}
		if uint64(len(piece)) != chunk {
			return fmt.Errorf("a chunk has %d bytes: expected %d", len(piece), chunk)
		}
		start := make([]int, rank)
		for k := range start {
			x := u64(key[8+8*k:])
			if x >= uint64(d.shape[k]) {
				return errors.New("the file is damaged: a chunk lies outside its dataset")
			}
			start[k] = int(x)
		}
		d.place(out, piece, start, dims)
		return nil
	})
	return out, err
}

// place copies a chunk to its place, row by row, and leaves out what lies beyond the edge.
func (d *dataset) place(out, piece []byte, start, dims []int) {
	if len(dims) == 0 {
		copy(out, piece)
		return
	}
	last := len(dims) - 1
	n := min(dims[last], d.shape[last]-start[last]) * d.kind.size
	index := make([]int, last)
	for row := 0; row*dims[last]*d.kind.size < len(piece); row++ {
		at, inside := 0, true
		for k, i := range index {
			at = at*d.shape[k] + start[k] + i
			inside = inside && start[k]+i < d.shape[k]
		}
		if inside {
			at = (at*d.shape[last] + start[last]) * d.kind.size
			copy(out[at:at+n], piece[row*dims[last]*d.kind.size:])
		}
		for k := last - 1; k >= 0; k-- {
			if index[k]++; index[k] < dims[k] {
				break
			}
			index[k] = 0
		}
	}
}

// filter is a step that chunks went through when they were written.
type filter struct {
	id   uint16
	size int // of an element, for the shuffle
}

const (
	filterDeflate  = 1
	filterShuffle  = 2
	filterChecksum = 3
)

func parseFilters(b []byte) ([]filter, error) {
	if len(b) < 2 || b[0] != 1 && b[0] != 2 {
		return nil, errShort
	}
	version, n, at := b[0], int(b[1]), 2
	if version == 1 {
		at = 8
	}
	var all []filter
	for range n {
		if len(b) < at+8 {
			return nil, errShort
		}
		f := filter{id: u16(b[at:])}
		name, values := 0, 0
		if version == 1 || f.id >= 256 {
			name = int(u16(b[at+2:]))
			values = int(u16(b[at+6:]))
			at += 8
		} else {
			values = int(u16(b[at+4:]))
			at += 6
		}
		if version == 1 {
			name = (name + 7) &^ 7
		}
		at += name
		if len(b) < at+4*values {
			return nil, errShort
		}
		if values > 0 {
			f.size = int(u32(b[at:]))
		}
		at += 4 * values
		if version == 1 && values%2 == 1 {
			at += 4
		}
		if f.id < filterDeflate || f.id > filterChecksum {
			return nil, fmt.Errorf("it is packed by filter %d: expected gzip, shuffle or fletcher32", f.id)
		}
		all = append(all, f)
	}
	return all, nil
}

// undo takes back a filter; most is the size that the result has at the end.
func (f filter) undo(b []byte, most int) ([]byte, error) {
	switch f.id {
	case filterDeflate:
		z, err := zlib.NewReader(bytes.NewReader(b))
		if err != nil {
			return nil, fmt.Errorf("a chunk is damaged: %w", err)
		}
		out, err := io.ReadAll(io.LimitReader(z, int64(most)+5)) // a checksum may follow the data
		if err != nil {
			return nil, fmt.Errorf("a chunk is damaged: %w", err)
		}
		return out, nil
	case filterShuffle:
		n := len(b) / max(1, f.size)
		if f.size <= 1 || n == 0 {
			return b, nil
		}
		out := bytes.Clone(b)
		for k := range f.size {
			for j := range n {
				out[j*f.size+k] = b[k*n+j]
			}
		}
		return out, nil
	}
	if len(b) < 4 {
		return nil, errShort
	}
	return b[:len(b)-4], nil
}

// numbers decodes elements.
func (d *dataset) numbers(raw []byte) (npy.Array, error) {
	n, k, order := int(d.count), d.kind, d.kind.order
	var data any
	switch {
	case k.class == classFloat && k.size == 8:
		data = decode(raw, n, 8, func(b []byte) float64 { return math.Float64frombits(order.Uint64(b)) })
	case k.class == classFloat && k.size == 4:
		data = decode(raw, n, 4, func(b []byte) float32 { return math.Float32frombits(order.Uint32(b)) })
	case k.class == classFloat:
		return npy.Array{}, errors.New("numbers of half precision: expected 32 or 64 bits")
	case k.size == 8 && k.signed:
		data = decode(raw, n, 8, func(b []byte) int64 { return int64(order.Uint64(b)) })
	case k.size == 8:
		data = decode(raw, n, 8, order.Uint64)
	case k.size == 4 && k.signed:
		data = decode(raw, n, 4, func(b []byte) int32 { return int32(order.Uint32(b)) })
	case k.size == 4:
		data = decode(raw, n, 4, order.Uint32)
	case k.size == 2 && k.signed:
		data = decode(raw, n, 2, func(b []byte) int16 { return int16(order.Uint16(b)) })
	case k.size == 2:
		data = decode(raw, n, 2, order.Uint16)
	case k.signed:
		data = decode(raw, n, 1, func(b []byte) int8 { return int8(b[0]) })
	default:
		data = decode(raw, n, 1, func(b []byte) uint8 { return b[0] })
	}
	return npy.Array{Shape: d.shape, Data: data}, nil
}

func decode[T npy.Element](raw []byte, n, size int, get func([]byte) T) []T {
	out := make([]T, n)
	for i := range out {
		out[i] = get(raw[i*size:])
	}
	return out
}
