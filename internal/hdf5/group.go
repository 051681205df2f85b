package hdf5

import (
	"bytes"
	"errors"
	"fmt"
)

// links returns the members of the group whose object header is at the address.
func (f *File) links(at uint64) (map[string]uint64, error) {
	all, err := f.messages(at)
	if err != nil {
		return nil, err
	}
	links := map[string]uint64{}
	group := false
	for _, m := range all {
		switch m.kind {
		case msgSymbolTable:
			if len(m.data) < 16 {
				return nil, errShort
			}
			group = true
			err = f.symbolTable(links, u64(m.data), u64(m.data[8:]))
		case msgLink:
			group = true
			err = linkMessage(links, m.data)
		case msgLinkInfo:
			group = true
			err = checkCompact(m.data)
		}
		if err != nil {
			return nil, err
		}
	}
	if !group {
		return nil, errors.New("expected a group, found a dataset")
	}
	return links, nil
}

// checkCompact refuses a group whose links are in a fractal heap.
func checkCompact(b []byte) error {
	if len(b) < 2 {
		return errShort
	}
	at := 2
	if b[1]&1 != 0 {
		at += 8
	}
	if len(b) < at+8 {
		return errShort
	}
	if u64(b[at:]) != undefined {
		return errors.New("it keeps the names of a group in a fractal heap, which is not supported: write it with " +
			"h5py's default libver, or copy it by h5repack --low=0 --high=0")
	}
	return nil
}

// linkMessage reads one hard link; soft and external ones are left out.
func linkMessage(links map[string]uint64, b []byte) error {
	if len(b) < 2 || b[0] != 1 {
		return errShort
	}
	flags, at := b[1], 2
	kind := byte(0)
	if flags&8 != 0 {
		if len(b) <= at {
			return errShort
		}
		kind = b[at]
		at++
	}
	if flags&4 != 0 {
		at += 8 // order of creation
	}
	if flags&16 != 0 {
		at++ // character set
	}
	width := 1 << (flags & 3)
	if len(b) < at+width {
		return errShort
	}
	var length uint64
	for k := range width {
		length |= uint64(b[at+k]) << (8 * k)
	}
	at += width
	if length > uint64(len(b)-at) {
		return errShort
	}
	name := string(b[at : at+int(length)])
	at += int(length)
	if kind != 0 {
		return nil
	}
	if len(b) < at+8 {
		return errShort
	}
	links[name] = u64(b[at:])
	return nil
}

// symbolTable reads the names of a group from its tree and its heap.
func (f *File) symbolTable(links map[string]uint64, tree, heap uint64) error {
	head, err := f.read(heap, 32)
	if err != nil {
		return err
	}
	if string(head[:4]) != "HEAP" {
		return errors.New("the file is damaged: a group has no heap of names")
	}
	names, err := f.read(u64(head[24:]), u64(head[8:]))
	if err != nil {
		return err
	}
	return f.walk(tree, 0, 8, func(_ []byte, node uint64) error {
		head, err := f.read(node, 8)
		if err != nil {
			return err
		}
		if string(head[:4]) != "SNOD" {
			return errors.New("the file is damaged: a group has no table of symbols")
		}
		const entry = 40
		n := uint64(u16(head[6:]))
		table, err := f.read(node+8, n*entry)
		if err != nil {
			return err
		}
		for ; len(table) >= entry; table = table[entry:] {
			at := u64(table)
			if at >= uint64(len(names)) {
				return errors.New("the file is damaged: a name lies outside the heap of its group")
			}
			name, _, ended := bytes.Cut(names[at:], []byte{0})
			if !ended {
				return errors.New("the file is damaged: a name does not end")
			}
			if u32(table[16:]) != 2 { // a soft link
				links[string(name)] = u64(table[8:])
			}
		}
		return nil
	})
}

// walk visits the children of the leaves of a B-tree of version 1, with the key in front of each.
func (f *File) walk(root uint64, kind byte, keySize int, visit func(key []byte, child uint64) error) error {
	if root == undefined {
		return nil
	}
	nodes := 0
	var node func(at uint64, above int) error
	node = func(at uint64, above int) error {
		if nodes++; nodes > maxNodes {
			return errors.New("the file is damaged: a tree has too many nodes")
		}
		head, err := f.read(at, 24)
		if err != nil {
			return err
		}
		if string(head[:4]) != "TREE" || head[4] != kind {
			return fmt.Errorf("the file is damaged: expected a tree of type %d at byte %d", kind, at)
		}
		level, n := int(head[5]), uint64(u16(head[6:]))
		if level >= above {
			return errors.New("the file is damaged: a tree runs in a circle")
		}
		b, err := f.read(at+24, n*uint64(keySize+8))
		if err != nil {
			return err
		}
		for ; len(b) >= keySize+8; b = b[keySize+8:] {
			child := u64(b[keySize:])
			if level > 0 {
				err = node(child, level)
			} else {
				err = visit(b[:keySize], child)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	return node(root, maxDepth)
}
