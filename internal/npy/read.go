package npy

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

const (
	magic = "\x93NUMPY"
	// maxHeader is far above what any supported dtype needs; it limits the damage of a
	// wrong length field in the later format versions.
	maxHeader = 1 << 20
)

// ReadFile reads the .npy file path.
func ReadFile(path string) (Array, error) {
	f, err := os.Open(path)
	if err != nil {
		return Array{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return Array{}, err
	}
	if info.IsDir() {
		return Array{}, fmt.Errorf("%s is a folder, where a .npy file was expected", path)
	}
	size := info.Size()
	if !info.Mode().IsRegular() { // a pipe has no size
		size = -1
	}
	a, err := Read(f, size)
	if err != nil {
		return Array{}, fmt.Errorf("%s: %w", path, err)
	}
	return a, nil
}

// Read reads one array in the .npy format, versions 1.0 to 3.0, of either byte
// order and either index order; it comes back in C order. The array must be all
// that r holds. size is the number of bytes in r, or -1 when that is unknown.
func Read(r io.Reader, size int64) (Array, error) {
	h, headBytes, err := readHeader(r, size)
	if err != nil {
		return Array{}, err
	}
	d, err := parseDtype(h.descr)
	if err != nil {
		return Array{}, err
	}
	count, err := countElements(h.shape, d.itemSize)
	if err != nil {
		return Array{}, err
	}
	need := int64(count) * int64(d.itemSize)
	if size >= 0 && need != size-headBytes {
		return Array{}, wrongLength(h, need, size-headBytes)
	}
	data, got, err := d.read(r, d.order, count, size >= 0)
	if isEnd(err) {
		return Array{}, wrongLength(h, need, int64(got))
	}
	if err != nil {
		return Array{}, err
	}
	if err := expectEnd(r, h, need); err != nil {
		return Array{}, err
	}
	if h.fortran {
		v, _ := asVector(data)
		data = v.fromFortran(h.shape)
	}
	return Array{Shape: h.shape, Data: data}, nil
}

// readHeader reads everything before the data and returns its length.
func readHeader(r io.Reader, size int64) (h header, headBytes int64, err error) {
	var start [len(magic) + 2]byte
	n, err := io.ReadFull(r, start[:])
	if err != nil && !isEnd(err) {
		return header{}, 0, err
	}
	if !strings.HasPrefix(string(start[:n]), magic) {
		return header{}, 0, notNpy(start[:n])
	}
	if n < len(start) {
		return header{}, 0, errors.New("the file ends inside its header")
	}
	length, lengthBytes, err := readHeaderLength(r, start[len(magic)], start[len(magic)+1])
	if err != nil {
		return header{}, 0, err
	}
	headBytes = int64(len(start)) + int64(lengthBytes) + length
	if size >= 0 && headBytes > size {
		return header{}, 0, fmt.Errorf("the header is longer than the file: it would end at byte %d of %d", headBytes,
			size)
	}
	if length > maxHeader {
		return header{}, 0, fmt.Errorf("the header is too long: %d bytes, where at most %d are read", length, maxHeader)
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(r, text); err != nil {
		return header{}, 0, inHeader(err)
	}
	h, err = parseHeader(string(text))
	return h, headBytes, err
}

// readHeaderLength reads the length field, which format 2.0 made wider. Format
// 3.0 only allows UTF-8 in the names of fields.
func readHeaderLength(r io.Reader, major, minor byte) (length int64, fieldBytes int, err error) {
	var field [4]byte
	switch {
	case major == 1 && minor == 0:
		fieldBytes = 2
	case (major == 2 || major == 3) && minor == 0:
		fieldBytes = 4
	default:
		return 0, 0, fmt.Errorf("unknown format version %d.%d: expected 1.0, 2.0 or 3.0", major, minor)
	}
	if _, err := io.ReadFull(r, field[:fieldBytes]); err != nil {
		return 0, 0, inHeader(err)
	}
	return int64(binary.LittleEndian.Uint32(field[:])), fieldBytes, nil
}

// expectEnd refuses bytes after the data: they mean that the header is wrong.
func expectEnd(r io.Reader, h header, need int64) error {
	var extra [1]byte
	n, err := io.ReadFull(r, extra[:])
	switch {
	case n > 0:
		return wrongLength(h, need, need+1)
	case err != io.EOF:
		return err
	}
	return nil
}

// wrongLength says that got bytes follow the header instead of need. Beyond need,
// got may be only a lower bound.
func wrongLength(h header, need, got int64) error {
	takes := fmt.Sprintf("shape %s of '%s' takes %d bytes", shapeText(h.shape), h.descr, need)
	if got < need {
		return fmt.Errorf("the data is cut short: %s, but %d follow the header", takes, got)
	}
	return fmt.Errorf("trailing bytes after the data: %s, but more follow the header", takes)
}

func notNpy(start []byte) error {
	switch {
	case len(start) == 0:
		return errors.New("not a .npy file: it is empty")
	case strings.HasPrefix(string(start), "PK"):
		return errors.New("not a .npy file: it is a zip archive, as .npz files are")
	}
	return fmt.Errorf("not a .npy file: it starts with %q, where %q was expected", start[:min(len(start), len(magic))],
		magic)
}

// inHeader says where the input ended; errors of the reader itself pass as they are.
func inHeader(err error) error {
	if isEnd(err) {
		return errors.New("the file ends inside its header")
	}
	return err
}

func isEnd(err error) bool { return err == io.EOF || err == io.ErrUnexpectedEOF }
