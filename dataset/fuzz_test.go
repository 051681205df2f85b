package dataset_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"instanton/dataset"
	"instanton/internal/npy"
)

// FuzzRead puts any description and any labels beside a few configurations: reading
// either fails or gives those configurations.
func FuzzRead(f *testing.F) {
	good := `{"format":"instanton-data","version":1,"name":"x","visible":{"type":"potts","n":2,"q":3},"label_names":["a"],"shape":[1,2]}`
	f.Add(good, []byte{0, 1, 2, 2}, []byte{0, 1})
	f.Add(`{"format":"other"}`, []byte{0, 1, 1, 1}, []byte{0})
	f.Add("", []byte{7, 255}, []byte{})
	f.Fuzz(func(t *testing.T, about string, values, labels []byte) {
		values = values[:len(values)/2*2]
		var b bytes.Buffer
		members := []npy.Member{npy.ArrayMember("v", npy.New(values, len(values)/2, 2)), npy.ArrayMember("labels", npy.New(labels))}
		if about != "" {
			members = append(members, npy.FileMember("meta.json", []byte(about)))
		}
		if err := npy.WriteArchive(&b, members...); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "d.npz")
		if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		d, err := dataset.Read(path)
		if err != nil {
			return
		}
		if d.States.N != 2 || d.States.Len != len(values)/2 || d.Labels != nil && len(d.Labels) != d.States.Len {
			t.Errorf("read %+v", d)
		}
		for k := range d.States.Len {
			for i := range 2 {
				if x := d.States.Value(k, i); x != float64(values[2*k+i]) {
					t.Errorf("unit %d of configuration %d is %g, want %d", i, k, x, values[2*k+i])
				}
			}
		}
	})
}
