package npy

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// raw is a member whose directory entry may lie about its content.
type raw struct {
	zip.FileHeader
	content []byte
}

// stored is an honest uncompressed member, to be made dishonest.
func stored(name string, content []byte) raw {
	return raw{zip.FileHeader{
		Name:               name,
		CRC32:              crc32.ChecksumIEEE(content),
		CompressedSize64:   uint64(len(content)),
		UncompressedSize64: uint64(len(content)),
	}, content}
}

// deflated is an honest compressed member.
func deflated(name string, content []byte) raw {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestCompression)
	w.Write(content)
	w.Close()
	m := stored(name, content)
	m.Method = zip.Deflate
	m.content = b.Bytes()
	m.CompressedSize64 = uint64(b.Len())
	return m
}

// but is the member after a change.
func (m raw) but(change func(*raw)) raw {
	change(&m)
	return m
}

func zipOf(t testing.TB, members ...raw) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, m := range members {
		w, err := z.CreateRaw(&m.FileHeader)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(m.content); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func readArchive(file []byte) (*Archive, error) {
	return ReadArchiveFrom(bytes.NewReader(file), int64(len(file)))
}

func TestReadArchiveRefuses(t *testing.T) {
	good := encode(t, New(sampleNumbers[float32](100)))
	whole := zipOf(t, stored("W.npy", good), stored("meta.json", []byte("{}")))
	const gib = 1 << 30
	tests := []struct {
		name string
		file []byte
		want string
	}{
		{"empty", nil, "not a .npz file: it is empty"},
		{"text", []byte("hello, world"), `not a .npz file: it starts with "hello,", where a zip archive was expected`},
		{"npy", good, "not a .npz file: it is a single array, as .npy files are"},
		{"cut in the directory", whole[:len(whole)-1], "cut short or damaged: its directory cannot be read"},
		{"cut in the data", whole[:len(whole)/2], "cut short or damaged"},
		{"only a signature", []byte("PK\x03\x04"), "cut short or damaged"},
		{"front cut off", whole[100:], `array "W": it is damaged`},
		{"duplicate array", zipOf(t, stored("W.npy", good), stored("W.npy", good)), `the name "W" occurs twice`},
		{"duplicate file", zipOf(t, stored("a", nil), stored("b", nil), stored("a", nil)), `the name "a" occurs twice`},
		{"array and file of one name", zipOf(t, stored("W.npy", good), stored("W", nil)), `the name "W" occurs twice`},
		{"no name", zipOf(t, stored("", nil)), "a member has no name"},
		{"only a suffix", zipOf(t, stored(".npy", good)), "a member has no name"},
		{"control character", zipOf(t, stored("a\nb", nil)), "control character"},
		{"folder with content", zipOf(t, stored("a/", nil).but(func(m *raw) { m.UncompressedSize64 = 3 })),
			"is that of a folder"},
		{"wrong CRC", zipOf(t, stored("W.npy", good).but(func(m *raw) { m.CRC32++ })),
			`array "W": it is damaged: its CRC-32 is`},
		{"zero CRC", zipOf(t, stored("W.npy", good).but(func(m *raw) { m.CRC32 = 0 })),
			"but the archive says 00000000"},
		{"wrong CRC of a file", zipOf(t, deflated("meta.json", []byte("{}")).but(func(m *raw) { m.CRC32++ })),
			`file "meta.json": it is damaged: its CRC-32`},
		{"damaged header", zipOf(t, stored("W.npy", good).but(func(m *raw) { m.content = corrupt(good, 30) })),
			`array "W": it is damaged: its CRC-32`},
		{"damaged deflate", zipOf(t, deflated("W.npy", good).but(func(m *raw) { m.content[0] = 0xff })),
			`array "W": it is damaged: flate: corrupt input`},
		{"deflate cut short", zipOf(t, deflated("W.npy", good).but(func(m *raw) { m.CompressedSize64 -= 9 })),
			`array "W": it is damaged: the archive ends before`},
		{"encrypted", zipOf(t, stored("W.npy", good).but(func(m *raw) { m.Flags = flagEncrypted })),
			`array "W": it is encrypted`},
		{"bzip2", zipOf(t, stored("a", nil).but(func(m *raw) { m.Method = 12 })),
			`file "a": compression method 12 is not supported`},
		{"stored sizes differ", zipOf(t, stored("a", good).but(func(m *raw) { m.UncompressedSize64++ })),
			"declares 529 bytes stored as 528"},
		{"declares more", zipOf(t, deflated("a", good).but(func(m *raw) { m.UncompressedSize64++ })),
			"declares 529 bytes but holds only 528"},
		{"declares less", zipOf(t, deflated("W.npy", good).but(func(m *raw) { m.UncompressedSize64-- })),
			"holds more than the 527 bytes it declares"},
		{"more than the archive", zipOf(t, stored("a", good).but(func(m *raw) { m.CompressedSize64 = 1 << 20 })),
			"which is more than the archive of"},
		{"more together", zipOf(t, sharing("a", 600), sharing("b", 600)),
			`member "b" declares 600 bytes, which is more than`},
		{"expands too much", zipOf(t, deflated("a", good).but(func(m *raw) { m.UncompressedSize64 = gib })),
			"expand to 1073741824, which is more than deflate can do"},
		{"over the limit", zipOf(t, stored("a", nil).but(func(m *raw) { m.UncompressedSize64 = 9 * gib })),
			"more than 8589934592 bytes of content"},
		{"over the limit together", zipOf(t, stored("a", nil).but(func(m *raw) { m.UncompressedSize64 = 5 * gib }),
			stored("b", nil).but(func(m *raw) { m.UncompressedSize64 = 5 * gib })),
			"more than 8589934592 bytes of content"},
		{"not an array", zipOf(t, stored("W.npy", []byte("hello, world"))),
			`array "W": not a .npy file: it starts with "hello,"`},
		{"array cut short", zipOf(t, deflated("W.npy", good[:len(good)-1])),
			`array "W": the data is cut short: shape (100,) of '<f4' takes 400 bytes, but 399 follow`},
		{"array with more", zipOf(t, deflated("W.npy", append(slices.Clone(good), 0))),
			`array "W": trailing bytes after the data`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := readArchive(tt.file)
			wantRefusal(t, err, tt.want)
		})
	}
}

// corrupt is data with the byte at i changed.
func corrupt(data []byte, i int) []byte {
	out := slices.Clone(data)
	out[i] ^= 1
	return out
}

// sharing is a member of 400 bytes that declares more and so reaches into the next.
func sharing(name string, declared uint64) raw {
	m := stored(name, make([]byte, 400))
	m.CompressedSize64, m.UncompressedSize64 = declared, declared
	return m
}

func TestReadArchiveOfStoredAndDeflated(t *testing.T) {
	w, meta := New(sampleNumbers[float64](3000), 30, 100), []byte(`{"version": 1}`)
	for _, pack := range []func(string, []byte) raw{stored, deflated} {
		file := zipOf(t, stored("folder/", nil), pack("folder/W.npy", encode(t, w)), pack("meta.json", meta),
			pack("empty", nil))
		a, err := readArchive(file)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(a.Arrays(), []string{"folder/W"}) || !slices.Equal(a.Files(), []string{"meta.json", "empty"}) {
			t.Errorf("arrays %q and files %q", a.Arrays(), a.Files())
		}
		if got, err := a.Array("folder/W"); err != nil || !reflect.DeepEqual(got, w) {
			t.Errorf("folder/W: %v, or the data differs", err)
		}
		if got, err := a.File("meta.json"); err != nil || !bytes.Equal(got, meta) {
			t.Errorf("meta.json: %q, %v", got, err)
		}
		if got, err := a.File("empty"); err != nil || len(got) != 0 {
			t.Errorf("empty: %q, %v", got, err)
		}
	}
}

func TestReadArchiveOfNothing(t *testing.T) {
	a, err := readArchive(zipOf(t))
	if err != nil || len(a.Arrays())+len(a.Files()) != 0 {
		t.Errorf("%v, %v", a, err)
	}
}

// Strings next to the numbers are no reason to refuse the numbers, but damage is.
func TestUnsupportedDtypeIsRefusedWhenAskedFor(t *testing.T) {
	names := npyBytes(1, "{'descr': '<U2', 'fortran_order': False, 'shape': (1,), }\n", 'a', 0, 0, 0, 'b', 0, 0, 0)
	file := zipOf(t, deflated("names.npy", names), stored("x.npy", encode(t, Scalar(1.5))))
	a, err := readArchive(file)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(a.Arrays(), []string{"names", "x"}) || !a.Has("names") {
		t.Errorf("arrays %q", a.Arrays())
	}
	if _, err := a.Array("x"); err != nil {
		t.Error(err)
	}
	_, err = a.Array("names")
	wantRefusal(t, err, `array "names": dtype "<U2" is not supported`)

	_, err = readArchive(zipOf(t, deflated("names.npy", names).but(func(m *raw) { m.CRC32++ })))
	wantRefusal(t, err, `array "names": it is damaged: its CRC-32`)
}

// A deflated member that declares 200 megabytes gets memory only for what it holds.
func TestLyingMemberAllocatesLittle(t *testing.T) {
	lie := npyBytes(1, "{'descr': '|u1', 'fortran_order': False, 'shape': (200000000,), }\n")
	filler := stored("filler", make([]byte, 1<<20)) // so that the ratio is believable
	file := zipOf(t, filler, deflated("W.npy", lie).but(func(m *raw) {
		m.CompressedSize64 = 1 << 20
		m.UncompressedSize64 = 200_000_000
		m.content = append(slices.Clone(m.content), make([]byte, 1<<20)...)
	}))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := readArchive(file)
	runtime.ReadMemStats(&after)
	wantRefusal(t, err, "but holds only")
	if got := after.TotalAlloc - before.TotalAlloc; got > 16<<20 {
		t.Errorf("allocated %d bytes for an archive of %d", got, len(file))
	}
}

// What would fill the memory is refused by its directory, before anything is expanded; the
// members count together.
func TestReadArchiveRefusesToExpandTooMuch(t *testing.T) {
	mib := make([]byte, 1<<20)
	claims := func(name string, declared uint64) raw {
		return stored(name, mib).but(func(m *raw) { m.Method, m.UncompressedSize64 = zip.Deflate, declared })
	}
	for _, file := range [][]byte{
		zipOf(t, claims("v.npy", 1000<<20)),
		zipOf(t, claims("v.npy", 250<<20), claims("labels.npy", 250<<20)),
	} {
		_, err := readArchive(file)
		wantRefusal(t, err, "more than 200 times: write it without compression")
	}
	_, err := readArchive(zipOf(t, claims("v.npy", 250<<20)))
	wantRefusal(t, err, "it is damaged") // it is believed, and looked at
}

func TestReadArchiveNamesTheFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "model.npz")
	_, err := ReadArchive(path)
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
	_, err = ReadArchive(dir)
	wantRefusal(t, err, "is not a regular file, where a .npz file was expected")

	write := func(members ...raw) {
		t.Helper()
		if err := os.WriteFile(path, zipOf(t, members...), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(stored("W.npy", []byte("hello")))
	_, err = ReadArchive(path)
	wantRefusal(t, err, path+`: array "W": not a .npy file`)

	objects := npyBytes(1, "{'descr': '|O', 'fortran_order': False, 'shape': (), }\n", 0x80, 4, '.')
	write(stored("W.npy", encode(t, Scalar(true))), stored("o.npy", objects))
	a, err := ReadArchive(path)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := a.Array("W"); err != nil || !reflect.DeepEqual(got, Scalar(true)) {
		t.Errorf("W: %v, %v", got, err)
	}
	_, err = a.Array("o")
	wantRefusal(t, err, path+`: array "o": dtype '|O' means pickled Python objects`)
	_, err = a.Array("V")
	wantRefusal(t, err, path+`: there is no array "V"`)
	_, err = a.File("meta.json")
	wantRefusal(t, err, path+`: there is no file "meta.json"`)
}

func TestNamesAreCopies(t *testing.T) {
	a, err := readArchive(encodeArchive(t, ArrayMember("W", Scalar(1.0)), FileMember("f", nil)))
	if err != nil {
		t.Fatal(err)
	}
	a.Arrays()[0], a.Files()[0] = "x", "x"
	if got := strings.Join(append(a.Arrays(), a.Files()...), " "); got != "W f" {
		t.Errorf("the names became %q", got)
	}
}
