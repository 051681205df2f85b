package dataset_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"instanton/dataset"
	"instanton/internal/npy"
)

func bytesOf(t testing.TB, write func(b *bytes.Buffer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// put writes a file into a fresh folder.
func put(t testing.TB, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// The content of a file determines its format, whatever its name, gzipped or not.
func TestFormatsAreRecognised(t *testing.T) {
	array := npy.New([]uint8{0, 1, 2, 3, 0, 1}, 2, 3)
	for _, c := range []struct {
		name    string
		content []byte
	}{
		{"a.npy", bytesOf(t, func(b *bytes.Buffer) error { return npy.Write(b, array) })},
		{"a.npz", bytesOf(t, func(b *bytes.Buffer) error { return npy.WriteArchive(b, npy.ArrayMember("v", array)) })},
		{"data", bytesOf(t, func(b *bytes.Buffer) error { return npy.Write(b, array) })},
		{"data", bytesOf(t, func(b *bytes.Buffer) error { return npy.WriteArchive(b, npy.ArrayMember("v", array)) })},
		{"a.npy.gz", packed(t, bytesOf(t, func(b *bytes.Buffer) error { return npy.Write(b, array) }))},
		{"table.dat", []byte("0,1,2\n3,0,1\n")},
		{"table", packed(t, []byte("0 1 2\n3 0 1\n"))},
		{"marked.csv", []byte("\ufeff0,1,2\n3,0,1\n")},
		{"marked.csv.gz", packed(t, []byte("\ufeff0,1,2\n3,0,1\n"))},
	} {
		d, err := dataset.Read(put(t, c.name, c.content))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		} else if d.States.Spec.String() != "potts:3x4" || d.States.Value(1, 0) != 3 || d.Name != c.name {
			t.Errorf("%s: read %+v", c.name, d)
		}
	}
	d, err := dataset.Read(put(t, "family.txt.gz", packed(t, []byte("\n>a\nACDW\n"))))
	if err != nil || d.Letters(0) != "ACDW" {
		t.Errorf("packed FASTA: %+v, %v", d, err)
	}
}

func TestFormatsAreRefused(t *testing.T) {
	whole := packed(t, []byte(">a\n"+strings.Repeat("ACDW", 1000)+"\n"))
	for _, c := range []struct {
		name    string
		content []byte
		want    string
	}{
		{"a.csv", nil, "the file is empty"},
		{"a.fasta", nil, "the file is empty"},
		{"a.npz", nil, "it is empty"},
		{"a.npy", nil, "it is empty"},
		{"a.gz", packed(t, nil), "the file is empty"},
		{"a.gz", whole[:len(whole)-9], "the gzip file is truncated"},
		{"a.gz", whole[:5], "the gzip file is truncated"},
		{"a.gz", append(bytes.Clone(whole[:len(whole)-8]), "12345678"...), "the gzip file is damaged"},
		{"t10k-images-idx3-ubyte", []byte("\x00\x00\x08\x03\x00\x00"), "IDX"},
		{"a.bin", []byte("\x7fELF\x00\x01"), "expected .npz, .npy, an alignment or a table"},
		{"a.npz", []byte("0,1\n"), "where a zip archive was expected"},
		{"a.npz.gz", packed(t, []byte("PK\x03\x04")), "cut short or damaged"},
		{"a.fasta", []byte("ACDE\n>b\nACDE\n"), `line 1 starts with "ACDE": expected a header`},
		{"a.csv", []byte("\ufeff"), "the file is empty"},
		{"a.sto", []byte("# STOCKHOLM 1.0\nx ACDE\n"), "truncated"},
	} {
		path := put(t, c.name, c.content)
		_, err := dataset.Read(path)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Count(err.Error(), path) != 1 {
			t.Errorf("%s: error %v, want %q and the path once", c.name, err, c.want)
		}
	}
	if _, err := dataset.Read(t.TempDir()); err == nil || !strings.Contains(err.Error(), "folder") {
		t.Errorf("a folder: error %v", err)
	}
}
