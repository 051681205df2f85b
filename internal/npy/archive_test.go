package npy

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

func ExampleWriteArchive() {
	var file bytes.Buffer
	err := WriteArchive(&file,
		ArrayMember("W", New([]float32{1, 2, 3, 4, 5, 6}, 2, 3)),
		ArrayMember("beta", Scalar(1.5)),
		FileMember("meta.json", []byte(`{"version": 1}`)))
	if err != nil {
		fmt.Println(err)
		return
	}
	archive, err := ReadArchiveFrom(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		fmt.Println(err)
		return
	}
	w, err := archive.Array("W")
	fmt.Println(archive.Arrays(), archive.Files(), w.Shape, w.Data, err)
	_, err = archive.Array("V")
	fmt.Println(err)
	// Output:
	// [W beta] [meta.json] [2 3] [1 2 3 4 5 6] <nil>
	// there is no array "V" among ["W" "beta"]
}

func TestCheckName(t *testing.T) {
	for _, name := range []string{"W", "v.fields", "meta.json", "a/b", "Γ", "with space", "npy",
		strings.Repeat("x", 60000)} {
		if err := checkName(name); err != nil {
			t.Errorf("%.20q: %v", name, err)
		}
	}
	tests := []struct{ name, want string }{
		{"", "a member has no name"},
		{strings.Repeat("x", 1<<16-4), "65532 bytes long, which no zip can hold"},
		{"a\xffb", `the name "a\xffb" is not UTF-8`},
		{"a\x00b", "control character"},
		{"folder/", "is that of a folder"},
		{"W.npy", "ends in .npy, which only marks a member as an array"},
	}
	for _, tt := range tests {
		wantRefusal(t, checkName(tt.name), tt.want)
	}
}

func TestMissingNames(t *testing.T) {
	data := encodeArchive(t, FileMember("meta.json", nil))
	archive, err := ReadArchiveFrom(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	if archive.Has("W") || archive.Has("meta.json") {
		t.Error("there is an array where there should be none")
	}
	_, err = archive.Array("W")
	wantRefusal(t, err, `there is no array "W", nor any other`)
	_, err = archive.File("readme")
	wantRefusal(t, err, `there is no file "readme" among ["meta.json"]`)
}
