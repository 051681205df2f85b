// Package hdf5 reads and writes the part of HDF5 that models of other programs are kept in: groups in symbol tables or
// in link messages, and datasets of numbers and strings that are compact, contiguous or in chunks, plain or compressed
// with gzip, shuffled or with checksums. This is what h5py, HDF5.jl and the C library write by default.
//
// Files may come from anywhere, so nothing is trusted: every length is checked against the size of the file before
// memory is allocated for it, and links that run in circles end at a limit on what one call reads.
package hdf5

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

const (
	signature = "\x89HDF\r\n\x1a\n"
	undefined = ^uint64(0) // the address of something that does not exist
	maxNodes  = 1 << 20    // nodes of one tree, or blocks of one object header
	maxDepth  = 32
)

// File is an open HDF5 file.
type File struct {
	r    io.ReaderAt
	size int64
	base uint64
	root uint64
	left int64 // bytes that the present call may still read, so that links in circles end
}

// begin gives a call its share of reading: no sound file needs any part many times.
func (f *File) begin() { f.left = 16*f.size + 1<<16 }

// Is reports whether a file starts as HDF5 files do.
func Is(head []byte) bool { return bytes.HasPrefix(head, []byte(signature)) }

// Open reads the superblock of a file of the given size.
func Open(r io.ReaderAt, size int64) (*File, error) {
	f := &File{r: r, size: size}
	f.begin()
	head, err := f.read(0, 96)
	if err != nil {
		if head, err = f.read(0, 48); err != nil {
			return nil, errors.New("it is too short to be an HDF5 file")
		}
	}
	if !Is(head) {
		return nil, errors.New("it does not start as HDF5 files do")
	}
	switch version := head[8]; version {
	case 0, 1:
		if head[13] != 8 || head[14] != 8 {
			return nil, fmt.Errorf("its addresses have %d bytes and its lengths %d: expected 8", head[13], head[14])
		}
		at := 24 + 4*int(version)
		if len(head) < at+48 {
			return nil, errors.New("it ends inside its superblock")
		}
		f.base, f.root = u64(head[at:]), u64(head[at+40:])
	case 2, 3:
		if head[9] != 8 || head[10] != 8 {
			return nil, fmt.Errorf("its addresses have %d bytes and its lengths %d: expected 8", head[9], head[10])
		}
		f.base, f.root = u64(head[12:]), u64(head[36:])
	default:
		return nil, fmt.Errorf("its superblock has version %d: expected 0 to 3", version)
	}
	if f.base != 0 {
		return nil, fmt.Errorf("its data start at byte %d: expected a file without a block in front", f.base)
	}
	return f, nil
}

// read returns n bytes at an address.
func (f *File) read(at uint64, n uint64) ([]byte, error) {
	if at > uint64(f.size) || n > uint64(f.size)-at {
		return nil, fmt.Errorf("the file is damaged: it has %d bytes, but something at byte %d takes %d", f.size, at, n)
	}
	if f.left -= int64(n) + 16; f.left < 0 {
		return nil, errors.New("the file is damaged: its parts refer to each other in circles")
	}
	b := make([]byte, n)
	if _, err := f.r.ReadAt(b, int64(at)); err != nil && err != io.EOF {
		return nil, err
	}
	return b, nil
}

// Names lists the members of the group at a path, in alphabetical order. The root is "".
func (f *File) Names(path string) ([]string, error) {
	f.begin()
	links, err := f.group(path)
	if err != nil {
		return nil, err
	}
	names := make([]string, 0, len(links))
	for name := range links {
		names = append(names, name)
	}
	slices.Sort(names)
	return names, nil
}

// Has reports whether there is something at a path.
func (f *File) Has(path string) bool {
	f.begin()
	_, err := f.find(path)
	return err == nil
}

// group returns the links of the group at a path.
func (f *File) group(path string) (map[string]uint64, error) {
	at, err := f.find(path)
	if err != nil {
		return nil, err
	}
	return f.links(at)
}

// find returns the address of the object header of a path.
func (f *File) find(path string) (uint64, error) {
	at := f.root
	for depth, name := range strings.Split(path, "/") {
		if name == "" {
			continue
		}
		if depth > maxDepth {
			return 0, fmt.Errorf("%q is nested too deeply", path)
		}
		links, err := f.links(at)
		if err != nil {
			return 0, err
		}
		next, ok := links[name]
		if !ok {
			return 0, fmt.Errorf("there is no %q in it", path)
		}
		at = next
	}
	return at, nil
}

func u16(b []byte) uint16 { return binary.LittleEndian.Uint16(b) }
func u32(b []byte) uint32 { return binary.LittleEndian.Uint32(b) }
func u64(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }

var errShort = errors.New("the file is damaged: a message ends too early")
