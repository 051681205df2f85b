package hdf5

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"instanton/internal/npy"
)

func open(t testing.TB, file []byte) *File {
	t.Helper()
	f, err := Open(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestWriteRead writes groups, numbers and strings and reads them again; more members than one table holds.
func TestWriteRead(t *testing.T) {
	w := npy.New([]float32{1, 2, 3, 4, 5, 6}, 2, 3)
	items := []Item{
		{Path: "update_0/params/weight_matrix", Array: w},
		{Path: "update_0/params/vbias", Array: npy.New([]float64{0.5, -1e300})},
		{Path: "model_type", Text: "BBRBM"},
	}
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"} {
		items = append(items, Item{Path: name, Array: npy.New([]int64{int64(name[0])})})
	}
	var b bytes.Buffer
	if err := Write(&b, items...); err != nil {
		t.Fatal(err)
	}
	f := open(t, b.Bytes())
	if names, err := f.Names(""); err != nil || len(names) != 13 || names[11] != "model_type" {
		t.Errorf("names %q, %v", names, err)
	}
	if text, err := f.String("model_type"); err != nil || text != "BBRBM" {
		t.Errorf("text %q, %v", text, err)
	}
	for _, it := range items {
		if it.Array.Data == nil {
			continue
		}
		if got, err := f.Array(it.Path); err != nil || !reflect.DeepEqual(got, it.Array) {
			t.Errorf("%s: read %v, %v; wrote %v", it.Path, got, err, it.Array)
		}
	}
	if _, err := f.Array("nothing"); err == nil {
		t.Error("a dataset that does not exist was read")
	}
}

// TestPeers reads files by h5py (testdata/make.py): every layout, filter and type that is supported.
func TestPeers(t *testing.T) {
	for _, name := range []string{"earliest.h5", "latest.h5"} {
		t.Run(name, func(t *testing.T) {
			file, err := os.ReadFile(filepath.Join("testdata", name))
			if err != nil {
				t.Fatal(err)
			}
			f := open(t, file)
			want := make([]float64, 35)
			for i := range want {
				want[i] = float64(i) / 4
			}
			paths := []string{"plain64", "plain32", "big"}
			if name == "earliest.h5" { // the newest layout of chunks is refused
				paths = append(paths, "gzip", "shuffle", "group/inner/chunked")
			}
			for _, path := range paths {
				a, err := f.Array(path)
				if err != nil {
					t.Errorf("%s: %v", path, err)
					continue
				}
				got, err := a.Float64s()
				if err != nil || !reflect.DeepEqual(a.Shape, []int{5, 7}) || !reflect.DeepEqual(got, want) {
					t.Errorf("%s: read %v, %v", path, a, err)
				}
			}
			if a, err := f.Array("whole"); err != nil || !reflect.DeepEqual(a, npy.New([]int64{-3, 1 << 40})) {
				t.Errorf("whole numbers: %v, %v", a, err)
			}
			for _, path := range []string{"text", "fixed"} {
				if s, err := f.String(path); err != nil || s != "naïve" {
					t.Errorf("%s: %q, %v", path, s, err)
				}
			}
		})
	}
}

// FuzzOpen reads everything that a damaged file still shows: no panic, no memory beyond what the file can fill.
func FuzzOpen(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.h5")
	for _, name := range files {
		if file, err := os.ReadFile(name); err == nil {
			f.Add(file)
		}
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		h, err := Open(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			return
		}
		names, err := h.Names("")
		if err != nil {
			return
		}
		for _, name := range names[:min(len(names), 20)] {
			h.Array(name)
			h.String(name)
			h.Names(name)
		}
	})
}
