package npy

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"testing"
)

// sampleMembers is an array of every type and shape, and some other files.
func sampleMembers() []Member {
	var members []Member
	for _, shape := range slices.Sorted(maps.Keys(sampleShapes)) {
		data := sampleData(product(sampleShapes[shape]))
		for _, code := range slices.Sorted(maps.Keys(data)) {
			members = append(members, ArrayMember(code+"."+shape, Array{Shape: sampleShapes[shape], Data: data[code]}))
		}
	}
	return append(members,
		FileMember("meta.json", []byte(`{"units": ["spin", "ReLU"], "Γ": 1}`)),
		FileMember("empty.txt", nil),
		ArrayMember("Γ", Scalar(0.5)))
}

func TestArchiveRoundTrip(t *testing.T) {
	members := sampleMembers()
	a, err := readArchive(encodeArchive(t, members...))
	if err != nil {
		t.Fatal(err)
	}
	var arrays, files []string
	for _, m := range members {
		if m.array == nil {
			files = append(files, m.name)
			if got, err := a.File(m.name); err != nil || !bytes.Equal(got, m.data) {
				t.Errorf("%s: %q, %v, want %q", m.name, got, err, m.data)
			}
			continue
		}
		arrays = append(arrays, m.name)
		if got, err := a.Array(m.name); err != nil || !reflect.DeepEqual(got, *m.array) {
			t.Errorf("%s: %v, %v, want %v", m.name, got, err, *m.array)
		}
	}
	if !slices.Equal(a.Arrays(), arrays) || !slices.Equal(a.Files(), files) {
		t.Errorf("the order became %q %q, want %q %q", a.Arrays(), a.Files(), arrays, files)
	}
}

func TestArchiveIsPlainStoredAndUndated(t *testing.T) {
	members := sampleMembers()
	file := encodeArchive(t, members...)
	if !bytes.Equal(file, encodeArchive(t, members...)) {
		t.Error("equal members gave different bytes")
	}
	z, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range z.File {
		const dataDescriptor = 0x8
		if f.Method != zip.Store || f.Flags&dataDescriptor != 0 || len(f.Extra) != 0 || f.NonUTF8 {
			t.Errorf("%s: %+v", f.Name, f.FileHeader)
		}
		if got := f.Modified.Format("2006-01-02 15:04:05"); got != "1980-01-01 00:00:00" {
			t.Errorf("%s: dated %s", f.Name, got)
		}
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, r); err != nil { // archive/zip checks the CRC-32
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}

// The way of members too large for a test, taken by small ones.
func TestStreamedMembersRoundTrip(t *testing.T) {
	w := New(sampleNumbers[int16](12), 4, 3)
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, m := range []Member{ArrayMember("W", w), FileMember("meta.json", []byte("{}"))} {
		if err := m.writeStreamed(z); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	a, err := readArchive(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if got, err := a.Array("W"); err != nil || !reflect.DeepEqual(got, w) {
		t.Errorf("W: %v, %v, want %v", got, err, w)
	}
	if got, err := a.File("meta.json"); err != nil || string(got) != "{}" {
		t.Errorf("meta.json: %q, %v", got, err)
	}
}

func TestWriteArchiveRefusesWithoutWriting(t *testing.T) {
	ones := Scalar(1.0)
	half := FileMember("half", nil)
	tests := []struct {
		members []Member
		want    string
	}{
		{[]Member{half, ArrayMember("", ones)}, "a member has no name"},
		{[]Member{half, ArrayMember("W.npy", ones)}, `the name "W.npy" ends in .npy`},
		{[]Member{half, FileMember("W.npy", nil)}, `the name "W.npy" ends in .npy`},
		{[]Member{half, ArrayMember("half", ones)}, `the name "half" occurs twice`},
		{[]Member{half, ArrayMember("W", Array{Data: "text"})}, `array "W": an array cannot hold a string`},
		{[]Member{half, ArrayMember("W", Array{Shape: []int{2}, Data: []bool{true}})},
			`array "W": shape (2,) has 2 elements`},
	}
	for _, tt := range tests {
		var b bytes.Buffer
		wantRefusal(t, WriteArchive(&b, tt.members...), tt.want)
		if b.Len() > 0 {
			t.Errorf("%q: %d bytes were written", tt.want, b.Len())
		}
	}
}

// The sum of the sizes counts, and one array under many names costs no memory here.
func TestWriteArchiveRefusesOverTheLimit(t *testing.T) {
	big := New(make([]uint8, 1<<27))
	var members []Member
	for i := range 64 {
		members = append(members, ArrayMember(fmt.Sprint(i), big))
	}
	wantRefusal(t, WriteArchive(io.Discard, members...), "more than 8589934592 bytes, which is over the limit")
}

func TestWriteArchivePassesErrorsOn(t *testing.T) {
	members := []Member{ArrayMember("W", New(make([]float32, 5000))), FileMember("meta.json", []byte("{}"))}
	total := len(encodeArchive(t, members...))
	for _, room := range []int{0, 10000, total - 1} {
		if err := WriteArchive(&smallDisk{room}, members...); !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("a disk of %d bytes: %v", room, err)
		}
	}
	if err := WriteArchive(&smallDisk{total}, members...); err != nil {
		t.Errorf("a disk of %d bytes: %v", total, err)
	}
}
