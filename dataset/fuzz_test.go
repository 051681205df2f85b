package dataset_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"instanton/dataset"
	"instanton/internal/npy"
)

// FuzzReadFASTA: whatever is read has no more letters than the file has bytes, and is the same after writing and
// reading again.
func FuzzReadFASTA(f *testing.F) {
	f.Add([]byte(">a\nAC-W\n>b x class=1\nYYYY\n"), uint8(0))
	f.Add([]byte("#A3M#\n; c\r\n>a\r\nAC..DWxx\r\n>b\nACgkD-"), uint8(1))
	f.Add([]byte(">a class=B\nACXW\n>class=A\nBCDW\n"), uint8(2))
	f.Add([]byte(">\nACGTN\n>\nacg.t"), uint8(3))
	f.Add([]byte(">a\nACGU\n>b\nACG*"), uint8(4))
	f.Add([]byte(">a\nA\n>a\n"), uint8(5))
	f.Fuzz(func(t *testing.T, file []byte, how uint8) {
		o := dataset.FASTAOptions{KeepInserts: how&1 == 1, Unknown: dataset.Unknown(how >> 1 % 3)}
		d, err := dataset.ReadFASTA(bytes.NewReader(file), o)
		if err != nil {
			return
		}
		if err := d.Check(); err != nil || d.States.Len == 0 || len(d.States.Codes) > len(file) {
			t.Fatalf("read %+v from %d bytes: %v", d, len(file), err)
		}
		text := bytesOf(t, func(b *bytes.Buffer) error { return dataset.WriteFASTA(b, d) })
		again, err := dataset.ReadFASTA(bytes.NewReader(text), dataset.FASTAOptions{Alphabet: d.Alphabet})
		if err != nil || !again.States.Equal(d.States) || !slices.Equal(again.Labels, d.Labels) {
			t.Fatalf("%+v was written and read as %+v: %v", d, again, err)
		}
		if !slices.Equal(again.Names, d.Names) {
			t.Fatalf("names %q became %q", d.Names, again.Names)
		}
	})
}

// FuzzReadTable: the same for tables.
func FuzzReadTable(f *testing.F) {
	for _, text := range []string{
		"0,1,1\n1,0,0\n", "1 -1\n-1 -1\n", "0\t2\n\n# remark\n3\t1\n", "0.5;1\n-3;2e3",
		"x,\"Class\",y,weight\n0,dog,1,0.5\n1,cat,1,2\n",
		"-1,5\n0,300", "label\n1\n", "255\n-1\n", ",,\n", "1e38\n1e39\n", "v,weight\n1,-1\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		d, err := dataset.ReadTable(bytes.NewReader(file))
		if err != nil {
			return
		}
		if d.States.Len*d.States.N > len(file) {
			t.Fatalf("read %d values from %d bytes", d.States.Len*d.States.N, len(file))
		}
		text := bytesOf(t, func(b *bytes.Buffer) error { return dataset.WriteCSV(b, d) })
		again, err := dataset.ReadTable(bytes.NewReader(text))
		if err != nil || !again.States.Equal(d.States) || !slices.Equal(again.Weights, d.Weights) ||
			len(again.Labels) != len(d.Labels) {
			t.Fatalf("%+v was written as %q and read as %+v: %v", d, text, again, err)
		}
	})
}

// FuzzFile: a file of any content, under any of the names that matter, is either read or rejected.
func FuzzFile(f *testing.F) {
	f.Add([]byte(">a\nACDW\n"), "x.fasta")
	f.Add(packed(f, []byte(">a\nACDW\n")), "x.gz")
	f.Add(packed(f, []byte("0,1\n")), "x")
	f.Add(packed(f, nil), "x")
	f.Add([]byte("\x00\x00\x08\x03"), "x")
	f.Add(bytesOf(f, func(b *bytes.Buffer) error { return npy.Write(b, npy.New([]int8{1, -1}, 1, 2)) }), "x.npy")
	f.Add(bytesOf(f, func(b *bytes.Buffer) error {
		return npy.WriteArchive(b, npy.ArrayMember("v", npy.New([]int8{1, -1}, 1, 2)),
			npy.ArrayMember("weights", npy.New([]float64{1})), npy.FileMember("names.txt", []byte("a\n")))
	}), "x.npz")
	f.Fuzz(func(t *testing.T, content []byte, name string) {
		path := filepath.Join(t.TempDir(), "x"+filepath.Ext(filepath.Base(filepath.Clean("/"+name))))
		if os.WriteFile(path, content, 0o600) != nil {
			return // not a file name
		}
		if d, err := dataset.Read(path); err == nil {
			if err := d.Check(); err != nil {
				t.Fatal(err)
			}
			d.Summary()
		}
	})
}

// FuzzRead puts any description and any labels beside a few configurations: reading either fails or gives those
// configurations.
func FuzzRead(f *testing.F) {
	good := `{"format":"instanton-data","version":1,"name":"x","visible":{"type":"potts","n":2,"q":3},` +
		`"label_names":["a"],"shape":[1,2]}`
	f.Add(good, []byte{0, 1, 2, 2}, []byte{0, 1})
	f.Add(`{"format":"other"}`, []byte{0, 1, 1, 1}, []byte{0})
	f.Add("", []byte{7, 255}, []byte{})
	f.Fuzz(func(t *testing.T, about string, values, labels []byte) {
		values = values[:len(values)/2*2]
		var b bytes.Buffer
		members := []npy.Member{npy.ArrayMember("v", npy.New(values, len(values)/2, 2)),
			npy.ArrayMember("labels", npy.New(labels))}
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
