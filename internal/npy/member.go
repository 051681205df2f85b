package npy

import (
	"archive/zip"
	"compress/flate"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
)

// memberReader reads the content of one member. At its end it returns an error
// instead of io.EOF unless length and CRC-32 are those of the directory. All its
// errors mean damage, and they are permanent.
type memberReader struct {
	content io.Reader
	file    *zip.File
	read    uint64
	crc     hash.Hash32
	err     error
}

// openMember starts reading f. The raw content is used, since archive/zip lets a
// CRC-32 of zero pass unchecked.
func openMember(f *zip.File) (*memberReader, error) {
	if f.Flags&flagEncrypted != 0 {
		return nil, errors.New("it is encrypted, which is not supported")
	}
	raw, err := f.OpenRaw()
	if err != nil {
		return nil, damaged(err)
	}
	m := &memberReader{content: raw, file: f, crc: crc32.NewIEEE()}
	switch f.Method {
	case zip.Store:
		if f.CompressedSize64 != f.UncompressedSize64 {
			return nil, fmt.Errorf("it declares %d bytes stored as %d, where the two must be equal",
				f.UncompressedSize64, f.CompressedSize64)
		}
	case zip.Deflate:
		m.content = flate.NewReader(raw)
	default:
		return nil, fmt.Errorf("compression method %d is not supported: expected stored (0) or deflated (8)", f.Method)
	}
	return m, nil
}

func (m *memberReader) Read(p []byte) (int, error) {
	if m.err != nil {
		return 0, m.err
	}
	n, err := m.content.Read(p)
	m.read += uint64(n)
	m.crc.Write(p[:n])
	switch {
	case m.read > m.file.UncompressedSize64:
		m.err = fmt.Errorf("it is damaged: it holds more than the %d bytes it declares", m.file.UncompressedSize64)
		return 0, m.err
	case err == io.EOF:
		m.err = m.atEnd()
	case err != nil:
		m.err = damaged(err)
	}
	return n, m.err
}

func (m *memberReader) atEnd() error {
	if m.read < m.file.UncompressedSize64 {
		return fmt.Errorf("it is damaged: it declares %d bytes but holds only %d", m.file.UncompressedSize64, m.read)
	}
	if sum := m.crc.Sum32(); sum != m.file.CRC32 {
		return fmt.Errorf("it is damaged: its CRC-32 is %08x, but the archive says %08x", sum, m.file.CRC32)
	}
	return io.EOF
}

func damaged(err error) error {
	if isEnd(err) {
		return errors.New("it is damaged: the archive ends before it does")
	}
	return fmt.Errorf("it is damaged: %w", err)
}
