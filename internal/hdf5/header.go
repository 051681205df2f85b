package hdf5

import (
	"errors"
	"fmt"
)

// Types of messages in object headers.
const (
	msgDataspace    = 0x01
	msgLinkInfo     = 0x02
	msgDatatype     = 0x03
	msgLink         = 0x06
	msgLayout       = 0x08
	msgFilters      = 0x0b
	msgContinuation = 0x10
	msgSymbolTable  = 0x11
)

const sharedMessage = 2 // flag of a message that is kept elsewhere

type message struct {
	kind  int
	flags byte
	data  []byte
}

// messages reads an object header, of either version, with its continuations.
func (f *File) messages(at uint64) ([]message, error) {
	head, err := f.read(at, 16)
	if err != nil {
		return nil, err
	}
	if string(head[:4]) == "OHDR" {
		return f.messages2(at, head)
	}
	if head[0] != 1 {
		return nil, fmt.Errorf("the object header at byte %d has version %d: expected 1 or 2", at, head[0])
	}
	h := headerReader{f: f}
	h.blocks = []block{{at + 16, uint64(u32(head[8:]))}}
	return h.all(8, func(b []byte) (kind, size int, flags byte) {
		return int(u16(b)), int(u16(b[2:])), b[4]
	})
}

func (f *File) messages2(at uint64, head []byte) ([]message, error) {
	if head[4] != 2 {
		return nil, fmt.Errorf("the object header at byte %d has version %d: expected 1 or 2", at, head[4])
	}
	flags := head[5]
	start := at + 6
	if flags&0x20 != 0 {
		start += 16 // times
	}
	if flags&0x10 != 0 {
		start += 4 // limits of attributes
	}
	width := uint64(1) << (flags & 3)
	b, err := f.read(start, width)
	if err != nil {
		return nil, err
	}
	var size uint64
	for k, x := range b {
		size |= uint64(x) << (8 * k)
	}
	h := headerReader{f: f, signed: true}
	h.blocks = []block{{start + width, size}}
	prefix := 4
	if flags&4 != 0 {
		prefix = 6 // order of creation
	}
	return h.all(prefix, func(b []byte) (kind, n int, flags byte) {
		return int(b[0]), int(u16(b[1:])), b[3]
	})
}

// block is a part of the file that holds messages.
type block struct{ at, size uint64 }

type headerReader struct {
	f      *File
	signed bool // continuations have a signature and a checksum
	blocks []block
	total  uint64
}

// all reads the messages of all blocks; parse understands the prefix of a message.
func (h *headerReader) all(prefix int, parse func([]byte) (kind, size int, flags byte)) ([]message, error) {
	var all []message
	for k := 0; k < len(h.blocks); k++ {
		blk := h.blocks[k]
		if h.total += blk.size; h.total > uint64(h.f.size) || k > maxNodes {
			return nil, errors.New("the file is damaged: an object header is longer than the file")
		}
		b, err := h.f.read(blk.at, blk.size)
		if err != nil {
			return nil, err
		}
		if h.signed && k > 0 {
			if len(b) < 8 || string(b[:4]) != "OCHK" {
				return nil, errors.New("the file is damaged: an object header does not go on where it says")
			}
			b = b[4 : len(b)-4]
		}
		for len(b) >= prefix {
			kind, size, flags := parse(b)
			if size > len(b)-prefix {
				if h.signed {
					break // a gap too small for a message
				}
				return nil, errShort
			}
			m := message{kind, flags, b[prefix : prefix+size]}
			b = b[prefix+size:]
			if kind != msgContinuation {
				all = append(all, m)
				continue
			}
			if size < 16 {
				return nil, errShort
			}
			h.blocks = append(h.blocks, block{u64(m.data), u64(m.data[8:])})
		}
	}
	return all, nil
}
