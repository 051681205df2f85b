package npy

import (
	"archive/zip"
	"fmt"
	"hash/crc32"
	"io"
	"math"
)

const (
	// dosEpoch is 1980-01-01, the first day that a zip can express.
	dosEpoch   = 1<<5 | 1
	zipVersion = 20
	flagUTF8   = 0x800
)

// Member is one entry of an archive to be written: an array or another file.
type Member struct {
	name   string
	array  *Array // nil unless it is an array in memory
	stream *stream
	data   []byte
}

// ArrayMember is the array a under the given name.
func ArrayMember(name string, a Array) Member { return Member{name: name, array: &a} }

// FileMember is a file that is not an array, such as meta.json.
func FileMember(name string, data []byte) Member { return Member{name: name, data: data} }

// WriteArchive writes the members as a .npz file that numpy.load opens. They
// are stored uncompressed in the given order and without a date, so that equal
// members give equal bytes.
func WriteArchive(w io.Writer, members ...Member) error {
	if err := checkMembers(members); err != nil {
		return err
	}
	z := zip.NewWriter(w)
	for _, m := range members {
		if err := m.writeTo(z); err != nil {
			return m.in(err)
		}
	}
	return z.Close()
}

func checkMembers(members []Member) error {
	seen := map[string]bool{}
	left := int64(MaxArchiveBytes)
	for _, m := range members {
		if err := checkName(m.name); err != nil {
			return err
		}
		if seen[m.name] {
			return fmt.Errorf("the name %q occurs twice", m.name)
		}
		seen[m.name] = true
		if m.array != nil {
			if err := m.array.check(); err != nil {
				return m.in(err)
			}
		}
		if left -= m.size(); left < 0 {
			return fmt.Errorf("the archive would hold more than %d bytes, which is over the limit",
				int64(MaxArchiveBytes))
		}
	}
	return nil
}

func (m Member) writeTo(z *zip.Writer) error {
	if m.size() < math.MaxUint32 {
		return m.writeSized(z)
	}
	return m.writeStreamed(z)
}

// writeSized goes over the content twice, for the CRC-32 and for the bytes: that
// needs no memory, and with both in front of the data even programs that read a
// zip from its start understand the file.
func (m Member) writeSized(z *zip.Writer) error {
	crc := crc32.NewIEEE()
	if err := m.content(crc); err != nil {
		return err
	}
	entry := m.entry()
	entry.CRC32 = crc.Sum32()
	entry.CompressedSize64 = uint64(m.size())
	entry.UncompressedSize64 = uint64(m.size())
	w, err := z.CreateRaw(entry)
	if err != nil {
		return err
	}
	return m.content(w)
}

// writeStreamed is for members of 4 GiB and more, whose size archive/zip can
// only put behind the data.
func (m Member) writeStreamed(z *zip.Writer) error {
	w, err := z.CreateHeader(m.entry())
	if err != nil {
		return err
	}
	return m.content(w)
}

// entry is the stored, undated entry of the member, still without its size.
func (m Member) entry() *zip.FileHeader {
	name := m.name
	if m.isArray() {
		name += arraySuffix
	}
	return &zip.FileHeader{
		Name:           name,
		CreatorVersion: zipVersion,
		ReaderVersion:  zipVersion,
		Flags:          flagUTF8,
		Method:         zip.Store,
		ModifiedDate:   dosEpoch, //lint:ignore SA1019 Modified would add a second date, and only in one of the two ways
	}
}

func (m Member) isArray() bool { return m.array != nil || m.stream != nil }

func (m Member) content(w io.Writer) error {
	switch {
	case m.array != nil:
		return m.array.write(w)
	case m.stream != nil:
		return m.stream.write(w)
	}
	_, err := w.Write(m.data)
	return err
}

func (m Member) size() int64 {
	switch {
	case m.array != nil:
		return m.array.bytes()
	case m.stream != nil:
		return m.stream.size
	}
	return int64(len(m.data))
}

func (m Member) in(err error) error {
	if m.isArray() {
		return inArray(m.name, err)
	}
	return inMember(m.name, err)
}
