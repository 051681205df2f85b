package dataset

import (
	"bytes"
	"testing"
)

// FuzzReadDigits: what is read has no more pixels than the file has bytes.
func FuzzReadDigits(f *testing.F) {
	imageFile, labelFile := small()
	f.Add(imageFile, labelFile)
	f.Add(imageFile[:len(imageFile)-1], labelFile)
	f.Add(idx(idxImages, []int{1 << 31, 1 << 12, 1 << 12}), idx(idxLabels, []int{1 << 31}))
	f.Add(idx(idxImages, []int{2, 1 << 12, 1 << 12}), idx(idxLabels, []int{2}, 0, 1))
	f.Add([]byte{}, []byte{})
	f.Fuzz(func(t *testing.T, imageFile, labelFile []byte) {
		d, _, err := readDigits(bytes.NewReader(imageFile), bytes.NewReader(labelFile), spins)
		if err != nil {
			return
		}
		if err := d.Check(); err != nil || d.States.Len*d.States.N > len(imageFile) ||
			len(d.States.Bits) != d.States.Len*d.States.Stride {
			t.Fatalf("read %+v from %d bytes: %v", d, len(imageFile), err)
		}
	})
}
