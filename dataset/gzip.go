package dataset

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// A gzipped file may expand to freeBytes plus maxExpansion times its own size. Real data stay far below this limit; a
// file made to exhaust memory does not.
const (
	freeBytes    = 64 << 20
	maxExpansion = 200
)

// unpackedSize is the size that a gzip file declares for its content, or 0 if that is implausible. It is only a hint:
// a file of several parts declares the size of the last one.
func unpackedSize(r io.ReaderAt, packed int64) int64 {
	var word [4]byte
	if _, err := r.ReadAt(word[:], packed-int64(len(word))); err != nil {
		return 0
	}
	size := int64(binary.LittleEndian.Uint32(word[:]))
	if size > freeBytes && size/maxExpansion > packed {
		return 0
	}
	return size
}

func isGzip(head []byte) bool { return len(head) >= 2 && head[0] == 0x1f && head[1] == 0x8b }

// unpack reads gzip and checks that it is complete.
func unpack(r *bufio.Reader) (io.Reader, error) {
	in := &counter{Reader: r}
	z, err := gzip.NewReader(in)
	if err != nil {
		return nil, badGzip(err)
	}
	return &unpacker{z: z, in: in, free: freeBytes}, nil
}

// unpacker reads the content of a gzip file, up to the limit on its size.
type unpacker struct {
	z    *gzip.Reader
	in   *counter
	out  int64
	free int64
}

func (u *unpacker) Read(p []byte) (int, error) {
	n, err := u.z.Read(p)
	u.out += int64(n)
	if u.out > u.free && u.out/maxExpansion > u.in.read {
		return 0, fmt.Errorf("it unpacks to more than %d times its size: if that is right, unpack it with gunzip first",
			maxExpansion)
	}
	if err != nil && err != io.EOF {
		return 0, badGzip(err)
	}
	return n, err
}

func badGzip(err error) error {
	if isEnd(err) {
		return errors.New("the gzip file is truncated")
	}
	return fmt.Errorf("the gzip file is damaged: %w", err)
}

func isEnd(err error) bool { return err == io.EOF || err == io.ErrUnexpectedEOF }

// counter counts the bytes read through it.
type counter struct {
	*bufio.Reader
	read int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.read += int64(n)
	return n, err
}

// ReadByte keeps gzip from reading more than it needs.
func (c *counter) ReadByte() (byte, error) {
	b, err := c.Reader.ReadByte()
	if err == nil {
		c.read++
	}
	return b, err
}
