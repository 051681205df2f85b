package meta_test

import (
	"bytes"
	"strings"
	"testing"

	"instanton/internal/meta"
	"instanton/internal/npy"
)

type about struct {
	meta.Header
	Name string `json:"name"`
}

var header = meta.Header{Format: "test", Version: 2}

func archive(t *testing.T, members ...npy.Member) *npy.Archive {
	t.Helper()
	var b bytes.Buffer
	if err := npy.WriteArchive(&b, members...); err != nil {
		t.Fatal(err)
	}
	a, err := npy.ReadArchiveFrom(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestRoundTrip(t *testing.T) {
	m, err := meta.Member(about{header, "<x> & y"})
	if err != nil {
		t.Fatal(err)
	}
	a := archive(t, m)
	var got about
	if err := meta.Read(a, header, &got); err != nil || got.Name != "<x> & y" || meta.ReadHeader(a) != header {
		t.Errorf("read %+v, %v", got, err)
	}
}

func TestRefusals(t *testing.T) {
	for text, want := range map[string]string{
		"":                                    "there is no meta.json",
		"[]":                                  "not valid JSON",
		`{"format":"test"}`:                   "version 0",
		`{"format":"test","version":3}`:       "this program reads versions 1 to 2",
		`{"format":"toast","version":1}`:      `expected "test"`,
		`{"format":"test","version":1,"x":1}`: "x",
	} {
		a := archive(t)
		if text != "" {
			a = archive(t, npy.FileMember("meta.json", []byte(text)))
		}
		var got about
		if err := meta.Read(a, header, &got); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", text, err, want)
		}
	}
}
