package dataset

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"
)

// A file that expands to far more than its size is stopped; one that is merely large is not.
func TestUnpackStopsWhatFillsTheMemory(t *testing.T) {
	pack := func(content io.Reader) []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		if _, err := io.Copy(z, content); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	unpackAll := func(file []byte) (int64, error) {
		r, err := unpack(bufio.NewReader(bytes.NewReader(file)))
		if err != nil {
			t.Fatal(err)
		}
		r.(*unpacker).free = 1 << 20
		return io.Copy(io.Discard, r)
	}
	zeros := pack(io.LimitReader(strings.NewReader(strings.Repeat("A", 8<<20)), 8<<20))
	if n, err := unpackAll(zeros); err == nil || !strings.Contains(err.Error(), "more than 200 times its size") ||
		n > 2<<20 {
		t.Errorf("%d bytes unpacked to %d, error %v", len(zeros), n, err)
	}
	var varied strings.Builder
	for k := range 200_000 {
		varied.WriteString(string(rune('A'+k*k%23)) + strings.Repeat("CD", k%11))
	}
	if n, err := unpackAll(pack(strings.NewReader(varied.String()))); err != nil || n != int64(varied.Len()) {
		t.Errorf("%d of %d bytes, error %v", n, varied.Len(), err)
	}
}
