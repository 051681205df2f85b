package plot

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"image"
	"io"
	"regexp"
	"strconv"
	"testing"

	"gonum.org/v1/plot/vg"
)

func samplePDF(t *testing.T) []byte {
	t.Helper()
	img, err := Picture(2, []int8{-1, 1, 1, -1}, -1, 1)
	if err != nil {
		t.Fatal(err)
	}
	f := Figure{Title: "Φ and μ", Panels: []Panel{
		{Series: []Series{Line{Name: "ξ", X: []float64{0, 1}, Y: []float64{0, 1}, Dash: Dashed}}},
		{Images: &ImageSheet{Rows: []ImageRow{{Images: []image.Image{img, img}}}}},
	}}
	var b bytes.Buffer
	if err := f.Encode(&b, "pdf"); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// The only font is the one without ink, which the file itself defines: no reader has to have another.
func TestPDFNeedsNoFontNorDate(t *testing.T) {
	data := samplePDF(t)
	for _, bad := range []string{"/BaseFont", "/FontFile", "/FontDescriptor", "/CreationDate", "/ModDate", "/ID"} {
		if bytes.Contains(data, []byte(bad)) {
			t.Errorf("the PDF contains %s", bad)
		}
	}
	if n := bytes.Count(data, []byte("/Type /Font ")); n != 1 || !bytes.Contains(data, []byte("/Subtype /Type3")) {
		t.Errorf("the PDF has %d fonts, expected one of type 3", n)
	}
	if n := bytes.Count(data, []byte("/Subtype /Image")); n != 2 {
		t.Errorf("the PDF has %d images, expected 2", n)
	}
}

func TestPDFTableFindsEveryObject(t *testing.T) {
	data := samplePDF(t)
	tail := regexp.MustCompile(`startxref\n(\d+)\n%%EOF\n$`).FindSubmatch(data)
	if tail == nil {
		t.Fatalf("the PDF ends with %q", data[len(data)-40:])
	}
	table, _ := strconv.Atoi(string(tail[1]))
	if !bytes.HasPrefix(data[table:], []byte("xref\n")) {
		t.Fatalf("startxref leads to %q", data[table:table+10])
	}
	entries := regexp.MustCompile(`(\d{10}) 00000 n \n`).FindAllSubmatch(data[table:], -1)
	if len(entries) != 9 {
		t.Fatalf("the table has %d objects, expected 4, 2 images and the words", len(entries))
	}
	for i, e := range entries {
		offset, _ := strconv.Atoi(string(e[1]))
		if want := fmt.Appendf(nil, "%d 0 obj\n", i+1); !bytes.HasPrefix(data[offset:], want) {
			t.Errorf("object %d is not at its offset %d", i+1, offset)
		}
	}
}

// Everything with ink is a path or an image; words (ET) have none.
func TestPDFPageHasOnlyPaths(t *testing.T) {
	data := samplePDF(t)
	start := bytes.Index(data, []byte("stream\n")) + len("stream\n")
	z, err := zlib.NewReader(bytes.NewReader(data[start:]))
	if err != nil {
		t.Fatal(err)
	}
	page, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	operator := regexp.MustCompile(`(?m)([A-Za-z]+)$`)
	known := map[string]bool{"m": true, "l": true, "c": true, "h": true, "f": true, "S": true, "rg": true, "RG": true,
		"w": true, "j": true, "Q": true, "ET": true}
	for _, m := range operator.FindAllSubmatch(page, -1) {
		if !known[string(m[1])] {
			t.Errorf("the page uses the operator %s", m[1])
		}
	}
	if bytes.Contains(page, []byte("NaN")) || bytes.Contains(page, []byte("e-")) {
		t.Error("the page has a number that PDF cannot read")
	}
}

// TestPDFKeepsWords decodes the words of the page by the file's own table of Unicode values.
func TestPDFKeepsWords(t *testing.T) {
	data := samplePDF(t)
	table := map[string]string{}
	for _, m := range regexp.MustCompile(`<([0-9a-f]{2})> <([0-9a-f]{4})>`).FindAllSubmatch(data, -1) {
		code, _ := strconv.ParseUint(string(m[2]), 16, 16)
		table[string(m[1])] = string(rune(code))
	}
	start := bytes.Index(data, []byte("stream\n")) + len("stream\n")
	z, err := zlib.NewReader(bytes.NewReader(data[start:]))
	if err != nil {
		t.Fatal(err)
	}
	page, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, m := range regexp.MustCompile(`<([0-9a-f]+)> Tj ET`).FindAllSubmatch(page, -1) {
		words := ""
		for k := 0; k < len(m[1]); k += 2 {
			words += table[string(m[1][k:k+2])]
		}
		found[words] = true
	}
	for _, want := range []string{"Φ and μ", "ξ", "(a)", "0.4"} {
		if !found[want] {
			t.Errorf("the words %q are not among %v", want, found)
		}
	}
}

func TestNumber(t *testing.T) {
	for l, want := range map[vg.Length]string{0: "0", -0.001: "0", 1.005e-9: "0", 12.345: "12.35", -3: "-3",
		1e6: "1000000", 0.1: "0.1"} {
		if got := number(l); got != want {
			t.Errorf("%g is written %q, expected %q", float64(l), got, want)
		}
	}
}
