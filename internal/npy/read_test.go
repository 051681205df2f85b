package npy

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
)

const vector3 = "{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }\n"

// The first columns below are whole files; the last is part of the refusal.
func TestReadRefuses(t *testing.T) {
	with := func(descr, shape string) []byte {
		return npyBytes(1, "{'descr': "+descr+", 'fortran_order': False, 'shape': "+shape+", }\n")
	}
	badVersion := npyBytes(1, vector3, 1, 2, 3)
	badVersion[7] = 1
	tests := []struct {
		name string
		file []byte
		want string
	}{
		{"empty", nil, "not a .npy file: it is empty"},
		{"text", []byte("1.0 2.0 3.0\n"), `not a .npy file: it starts with "1.0 2.", where "\x93NUMPY" was expected`},
		{"short text", []byte("hi"), `it starts with "hi"`},
		{"part of the magic", []byte(magic[:4]), `it starts with "\x93NUM"`},
		{"zip", []byte("PK\x03\x04\x14\x00\x00\x00\x00\x00"), "it is a zip archive, as .npz files are"},
		{"only magic", []byte(magic), "ends inside its header"},
		{"no length", []byte(magic + "\x01\x00"), "ends inside its header"},
		{"half a length", []byte(magic + "\x02\x00\x10\x00"), "ends inside its header"},
		{"version 4", npyBytes(4, vector3, 1, 2, 3), "unknown format version 4.0: expected 1.0, 2.0 or 3.0"},
		{"version 1.1", badVersion, "unknown format version 1.1"},
		{"long header", npyBytes(1, vector3)[:40], "the header is longer than the file: it would end at byte 68 of 40"},
		{"huge header", []byte(magic + "\x02\x00\xff\xff\xff\xff{}"), "the header is longer than the file"},
		{"malformed header", npyBytes(1, "{'descr'}"), "the header is malformed: found \"}\" at byte 8"},
		{"half precision", with("'<f2'", "()"), `dtype "<f2" is not supported: expected float64`},
		{"complex", with("'<c16'", "()"), `dtype "<c16"`},
		{"unicode", with("'<U5'", "()"), `dtype "<U5"`},
		{"bytes", with("'|S5'", "()"), `dtype "|S5"`},
		{"date", with("'<M8[ns]'", "()"), `dtype "<M8[ns]"`},
		{"no byte order", with("'f8'", "()"), `dtype "f8"`},
		{"empty dtype", with("''", "()"), `dtype ""`},
		{"objects", with("'|O'", "(1,)"), "dtype '|O' means pickled Python objects, which are never loaded"},
		{"records", with("[('x', '<f8'), ('y', '|O')]", "(1,)"), "structured dtype"},
		{"negative", with("'<f8'", "(2, -1)"), "negative dimension"},
		{"overflow", with("'<f8'", "(4294967296, 4294967296)"), "overflows"},
		{"overflow of bytes", with("'<f8'", "(2305843009213693952,)"), "overflows"},
		{"overflow with a zero", with("'<f8'", "(0, 4294967296, 4294967296)"), "overflows"},
		{"rank", with("'<f8'", "("+strings.Repeat("1, ", 33)+")"), "33 dimensions: at most 32 are supported"},
		{"no data", npyBytes(1, vector3), "the data is cut short: shape (3,) of '|u1' takes 3 bytes, but 0 follow " +
			"the header"},
		{"short data", npyBytes(2, vector3, 1, 2), "takes 3 bytes, but 2 follow"},
		{"huge shape", with("'<f8'", "(1000000000000,)"), "takes 8000000000000 bytes, but 0 follow"},
		{"trailing", npyBytes(3, vector3, 1, 2, 3, 4),
			"trailing bytes after the data: shape (3,) of '|u1' takes 3 bytes, but more follow"},
		{"trailing after nothing", append(with("'<f8'", "(0,)"), 1), "trailing bytes after the data"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Read(bytes.NewReader(tt.file), int64(len(tt.file)))
			wantRefusal(t, err, tt.want)
			if _, err := Read(bytes.NewReader(tt.file), -1); err == nil {
				t.Error("accepted when the size is unknown")
			}
		})
	}
}

// Without a size only the stream itself can tell that a header is too long.
func TestReadRefusesALongHeaderInAStream(t *testing.T) {
	huge := magic + "\x02\x00\xff\xff\xff\xff{}"
	_, err := Read(strings.NewReader(huge), -1)
	wantRefusal(t, err, "the header is too long: 4294967295 bytes, where at most 1048576 are read")
	_, err = Read(bytes.NewReader(npyBytes(1, vector3)[:40]), -1)
	wantRefusal(t, err, "ends inside its header")
}

// A size that is wrong must not be believed either.
func TestReadRefusesAWrongSize(t *testing.T) {
	file := npyBytes(1, vector3, 1, 2)
	_, err := Read(bytes.NewReader(file), int64(len(file)+1))
	wantRefusal(t, err, "takes 3 bytes, but 2 follow")
	file = npyBytes(1, vector3, 1, 2, 3, 4)
	_, err = Read(bytes.NewReader(file), int64(len(file)-1))
	wantRefusal(t, err, "trailing bytes")
}

func TestReadPassesErrorsOn(t *testing.T) {
	broken := errors.New("the network is gone")
	file := npyBytes(2, vector3, 1, 2, 3)
	for n := range len(file) + 1 {
		r := io.MultiReader(bytes.NewReader(file[:n]), iotest.ErrReader(broken))
		if _, err := Read(r, -1); !errors.Is(err, broken) {
			t.Errorf("failing after %d bytes: %v", n, err)
		}
	}
}

func TestReadVersionsAndOneByteAtATime(t *testing.T) {
	for major := byte(1); major <= 3; major++ {
		file := npyBytes(major, vector3, 7, 8, 9)
		a, err := Read(iotest.OneByteReader(bytes.NewReader(file)), int64(len(file)))
		if err != nil {
			t.Fatal(err)
		}
		if want := New([]uint8{7, 8, 9}); !reflect.DeepEqual(a, want) {
			t.Errorf("version %d: %v, want %v", major, a, want)
		}
	}
}

// reordered is the array stored with the given byte order, by hand.
func reordered(t *testing.T, a Array, mark string, order binary.ByteOrder) []byte {
	t.Helper()
	data, err := binary.Append(nil, order, a.Data)
	if err != nil {
		t.Fatal(err)
	}
	descr := mark + a.Dtype()[1:]
	return npyBytes(1, "{'descr': '"+descr+"', 'fortran_order': False, 'shape': "+shapeText(a.Shape)+"}\n", data...)
}

func TestReadByteOrders(t *testing.T) {
	marks := map[string]binary.ByteOrder{"<": binary.LittleEndian, "=": binary.LittleEndian, "|": binary.LittleEndian,
		">": binary.BigEndian}
	for code, data := range sampleData(6) {
		want := Array{Shape: []int{2, 3}, Data: data}
		for mark, order := range marks {
			file := reordered(t, want, mark, order)
			got, err := Read(bytes.NewReader(file), int64(len(file)))
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s%s: %v, %v, want %v", mark, code, got, err, want)
			}
		}
	}
}

func TestReadFortranOrder(t *testing.T) {
	file := npyBytes(1, "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3, 2)}\n",
		0, 6, 2, 8, 4, 10, 1, 7, 3, 9, 5, 11) // element (i, j, k) is 6i + 2j + k
	got, err := Read(bytes.NewReader(file), int64(len(file)))
	want := New([]uint8{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 2, 3, 2)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
}

func TestReadAnyNonzeroByteAsTrue(t *testing.T) {
	file := npyBytes(1, "{'descr': '|b1', 'fortran_order': False, 'shape': (3,)}\n", 0, 1, 200)
	got, err := Read(bytes.NewReader(file), int64(len(file)))
	if want := New([]bool{false, true, true}); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
}

// A header that promises 8 TB over a stream of unknown size costs a chunk.
func TestLyingHeaderAllocatesLittle(t *testing.T) {
	file := npyBytes(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000,)}\n", 1, 2, 3)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := Read(bytes.NewReader(file), -1)
	runtime.ReadMemStats(&after)
	wantRefusal(t, err, "takes 8000000000000 bytes, but 3 follow")
	if got := after.TotalAlloc - before.TotalAlloc; got > 4*chunkBytes {
		t.Errorf("allocated %d bytes for a file of %d", got, len(file))
	}
}

func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	good, bad := filepath.Join(dir, "good.npy"), filepath.Join(dir, "bad.npy")
	want := New(sampleNumbers[int32](12), 3, 4)
	if err := os.WriteFile(good, encode(t, want), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(bad, []byte("nonsense"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got, err := ReadFile(good); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	_, err := ReadFile(bad)
	wantRefusal(t, err, bad+`: not a .npy file: it starts with "nonsen"`)
	_, err = ReadFile(dir)
	wantRefusal(t, err, "is a folder, where a .npy file was expected")
	if _, err = ReadFile(filepath.Join(dir, "none.npy")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
}
