package dataset

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"os"
	"strings"
	"testing"
)

func tarball(t *testing.T, files map[string]string) *bytes.Buffer {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for name, content := range files {
		if err := w.WriteHeader(&tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o644,
			Size: int64(len(content))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return &b
}

// Only the right files get into the cache.
func TestExtractMNISTRefuses(t *testing.T) {
	whole := tarball(t, map[string]string{"package/data/t10k-labels-idx1-ubyte": "not these"}).Bytes()
	for _, c := range []struct {
		content []byte
		want    string
	}{
		{whole, "the package has a different t10k-labels-idx1-ubyte"},
		{whole[:len(whole)/2], "damaged"},
		{tarball(t, map[string]string{"package/readme.md": "hello", "../../evil": "x"}).Bytes(),
			"the package has no file train-images-idx3-ubyte"},
		{[]byte("no archive"), "not a gzip file"},
	} {
		dir := t.TempDir()
		if err := extractMNIST(bytes.NewReader(c.content), dir); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
		if entries, _ := os.ReadDir(dir); len(entries) > 0 {
			t.Errorf("%s: left %v", c.want, entries)
		}
	}
}
