package npy

import (
	"bytes"
	"testing"
)

// Rows made on the way out give the bytes that the array in memory does.
func TestRowsMember(t *testing.T) {
	for _, shape := range [][]int{{4, 3}, {2, 2, 3}, {3}, {0, 5}, {5, 0}} {
		data := sampleNumbers[int16](product(shape))
		width := shape[len(shape)-1]
		rows := RowsMember("v", func(k int, row []int16) { copy(row, data[k*width:]) }, shape...)
		whole := ArrayMember("v", New(data, shape...))
		if !bytes.Equal(encodeArchive(t, rows), encodeArchive(t, whole)) {
			t.Errorf("shape %v: rows and the whole array give different archives", shape)
		}
		var b, want bytes.Buffer
		if err := WriteMember(&b, rows); err != nil {
			t.Fatal(err)
		}
		if err := WriteMember(&want, whole); err != nil || !bytes.Equal(b.Bytes(), want.Bytes()) {
			t.Errorf("shape %v: rows and the whole array give different files, error %v", shape, err)
		}
	}
	if err := WriteMember(&bytes.Buffer{}, FileMember("meta.json", nil)); err == nil {
		t.Error("a file that is no array was written as one")
	}
}

func TestRowsMemberPanicsOnBadShapes(t *testing.T) {
	for _, shape := range [][]int{{}, {-1, 2}, {1 << 62, 1 << 62}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("shape %v accepted", shape)
				}
			}()
			RowsMember("v", func(int, []uint8) {}, shape...)
		}()
	}
}
