package hdf5

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"instanton/internal/npy"
)

// Item is a dataset to be written: an array of numbers or, if Data is nil, a string.
type Item struct {
	Path  string // names of groups and of the dataset, joined by /
	Array npy.Array
	Text  string
}

// Write writes a file that every version of the HDF5 library reads: groups in symbol tables, datasets contiguous.
func Write(w io.Writer, items ...Item) error {
	root := &node{}
	for _, it := range items {
		if err := root.add(strings.Split(it.Path, "/"), it); err != nil {
			return fmt.Errorf("%s: %w", it.Path, err)
		}
	}
	var b builder
	b.grow(96)
	header, tree, heap, err := b.group(root)
	if err != nil {
		return err
	}
	s := b.data[:0:96]
	s = append(s, signature...)
	s = append(s, 0, 0, 0, 0, 0, 8, 8, 0)
	s = binary.LittleEndian.AppendUint16(s, leafK)
	s = binary.LittleEndian.AppendUint16(s, treeK)
	s = binary.LittleEndian.AppendUint32(s, 0)
	for _, x := range []uint64{0, undefined, uint64(len(b.data)), undefined, 0, header} {
		s = binary.LittleEndian.AppendUint64(s, x)
	}
	s = binary.LittleEndian.AppendUint64(s, 1) // the next two are the tree and the heap
	s = binary.LittleEndian.AppendUint64(s, tree)
	binary.LittleEndian.AppendUint64(s, heap)
	_, err = w.Write(b.data)
	return err
}

const (
	leafK = 4 // a table of symbols has at most 2·leafK entries
	treeK = 16
)

// node is a group, or a dataset if it has an item.
type node struct {
	names    []string
	children []*node
	item     *Item
}

func (n *node) add(path []string, it Item) error {
	if n.item != nil || path[0] == "" {
		return errors.New("this is no path in a file")
	}
	at, found := slices.BinarySearch(n.names, path[0])
	if !found {
		n.names = slices.Insert(n.names, at, path[0])
		n.children = slices.Insert(n.children, at, &node{})
	}
	child := n.children[at]
	if len(path) > 1 {
		return child.add(path[1:], it)
	}
	if found {
		return errors.New("it is written twice")
	}
	child.item = &it
	return nil
}

type builder struct{ data []byte }

// grow adds n zero bytes at a multiple of 8 and returns their address.
func (b *builder) grow(n int) uint64 {
	at := (len(b.data) + 7) &^ 7
	b.data = append(b.data, make([]byte, at-len(b.data)+n)...)
	return uint64(at)
}

func (b *builder) add(data []byte) uint64 {
	at := b.grow(len(data))
	copy(b.data[at:], data)
	return at
}

// object writes what a node holds and returns the address of its header.
func (b *builder) object(n *node) (uint64, error) {
	if n.item == nil {
		header, _, _, err := b.group(n)
		return header, err
	}
	return b.dataset(n.item)
}

// group writes a header, a tree with one leaf, its tables and the heap of names.
func (b *builder) group(n *node) (header, tree, heap uint64, err error) {
	if len(n.names) > 2*leafK*2*treeK {
		return 0, 0, 0, fmt.Errorf("a group of %d members: expected at most %d", len(n.names), 2*leafK*2*treeK)
	}
	le := binary.LittleEndian
	names := make([]byte, 8) // the empty name comes first
	var entries []byte
	var offsets []uint64
	for k, name := range n.names {
		at, err := b.object(n.children[k])
		if err != nil {
			return 0, 0, 0, err
		}
		offsets = append(offsets, uint64(len(names)))
		entries = le.AppendUint64(entries, uint64(len(names)))
		entries = le.AppendUint64(entries, at)
		entries = append(entries, make([]byte, 24)...)
		names = append(names, name...)
		names = append(names, make([]byte, 8-len(name)%8)...)
	}
	text := b.add(names)
	h := append([]byte("HEAP"), 0, 0, 0, 0)
	h = le.AppendUint64(h, uint64(len(names)))
	h = le.AppendUint64(h, 1) // no free block
	heap = b.add(le.AppendUint64(h, text))

	const entry, most = 40, 2 * leafK
	t := append([]byte("TREE"), 0, 0)
	t = le.AppendUint16(t, uint16((len(n.names)+most-1)/most))
	t = le.AppendUint64(le.AppendUint64(t, undefined), undefined)
	t = le.AppendUint64(t, 0)
	for lo := 0; lo < len(n.names); lo += most {
		hi := min(lo+most, len(n.names))
		s := append([]byte("SNOD"), 1, 0)
		s = le.AppendUint16(s, uint16(hi-lo))
		s = append(s, entries[lo*entry:hi*entry]...)
		at := b.add(append(s, make([]byte, (most-(hi-lo))*entry)...))
		t = le.AppendUint64(t, at)
		t = le.AppendUint64(t, offsets[hi-1])
	}
	const treeSize = 24 + (2*treeK+1)*8 + 2*treeK*8
	tree = b.add(append(t, make([]byte, treeSize-len(t))...))

	m := le.AppendUint64(le.AppendUint64(nil, tree), heap)
	return b.header(message{kind: msgSymbolTable, data: m}), tree, heap, nil
}

// header writes an object header of version 1.
func (b *builder) header(all ...message) uint64 {
	le := binary.LittleEndian
	var body []byte
	for _, m := range all {
		size := (len(m.data) + 7) &^ 7
		body = le.AppendUint16(body, uint16(m.kind))
		body = le.AppendUint16(body, uint16(size))
		body = append(body, m.flags, 0, 0, 0)
		body = append(append(body, m.data...), make([]byte, size-len(m.data))...)
	}
	h := []byte{1, 0}
	h = le.AppendUint16(h, uint16(len(all)))
	h = le.AppendUint32(h, 1)
	h = le.AppendUint32(h, uint32(len(body)))
	return b.add(append(append(h, 0, 0, 0, 0), body...))
}

func (b *builder) dataset(it *Item) (uint64, error) {
	le := binary.LittleEndian
	var kind, raw []byte
	shape := it.Array.Shape
	switch data := it.Array.Data.(type) {
	case nil:
		raw = append([]byte(it.Text), 0)
		kind = le.AppendUint32([]byte{0x13, 0x10, 0, 0}, uint32(len(raw))) // UTF-8, ends with 0
		shape = nil
	case []float64:
		kind = append(le.AppendUint32([]byte{0x11, 0x20, 63, 0}, 8),
			0, 0, 64, 0, 52, 11, 0, 52, 0xff, 3, 0, 0)
		for _, x := range data {
			raw = le.AppendUint64(raw, math.Float64bits(x))
		}
	case []float32:
		kind = append(le.AppendUint32([]byte{0x11, 0x20, 31, 0}, 4),
			0, 0, 32, 0, 23, 8, 0, 23, 127, 0, 0, 0)
		for _, x := range data {
			raw = le.AppendUint32(raw, math.Float32bits(x))
		}
	case []int64:
		kind = append(le.AppendUint32([]byte{0x10, 8, 0, 0}, 8), 0, 0, 64, 0)
		for _, x := range data {
			raw = le.AppendUint64(raw, uint64(x))
		}
	default:
		return 0, fmt.Errorf("numbers of type %T are not written: expected float64, float32 or int64", data)
	}
	space := []byte{1, byte(len(shape)), 0, 0, 0, 0, 0, 0}
	for _, n := range shape {
		space = le.AppendUint64(space, uint64(n))
	}
	at := b.add(raw)
	layout := le.AppendUint64([]byte{3, 1}, at)
	layout = le.AppendUint64(layout, uint64(len(raw)))
	fill := []byte{2, 1, 0, 1, 0, 0, 0, 0} // allocated early, never filled
	return b.header(message{kind: msgDataspace, data: space}, message{kind: msgDatatype, flags: 1, data: kind},
		message{kind: 0x05, flags: 1, data: fill}, message{kind: msgLayout, data: layout}), nil
}
