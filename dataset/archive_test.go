package dataset_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"instanton/dataset"
	"instanton/internal/npy"
	"instanton/unit"
)

// full returns a data set with everything that a data set can have.
func full(t testing.TB) *dataset.Dataset {
	t.Helper()
	d := read(t, ">one\nAC-W\n>two of them\nYYYY\n>\nAC-W\n", dataset.FASTAOptions{})
	d.Name = "full"
	d.Labels, d.LabelNames = []int{1, 0, 1}, []string{"α", "β"}
	d.Weights = []float64{0.5, 1, 0.5}
	d.Info = map[string]string{"made": "by hand"}
	d.Sources = []dataset.Source{{Name: "x.fasta", SHA256: strings.Repeat("0f", 32)}}
	return d
}

func TestArchiveRoundTrip(t *testing.T) {
	images, err := dataset.BarsAndStripes(4, unit.Bernoulli)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []*dataset.Dataset{full(t), images} {
		path := filepath.Join(t.TempDir(), "d.npz")
		if err := d.Save(path, false); err != nil {
			t.Fatal(err)
		}
		got, err := dataset.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, d) {
			t.Errorf("wrote %+v, read %+v", d, got)
		}
	}
}

func TestArchiveRefuses(t *testing.T) {
	v := npy.ArrayMember("v", npy.New([]uint8{0, 1, 2, 2}, 2, 2))
	about := func(more string) npy.Member {
		return npy.FileMember("meta.json",
			[]byte(`{"format":"instanton-data","version":1,"name":"x","visible":{"type":"potts","n":2,"q":3}`+more+`}`))
	}
	for _, c := range []struct {
		members []npy.Member
		want    string
	}{
		{[]npy.Member{v, npy.ArrayMember("labels", npy.New([]int64{1}))}, "there are 1 labels for 2 configurations"},
		{[]npy.Member{v, npy.ArrayMember("labels", npy.New([]int64{1, -1}))}, "label 1 is -1"},
		{[]npy.Member{v, npy.ArrayMember("labels", npy.New([]float64{1, 0.5}))}, "label 1 is 0.5"},
		{[]npy.Member{v, npy.ArrayMember("weights", npy.New([]float64{1, 2, 3}))},
			"there are 3 weights for 2 configurations"},
		{[]npy.Member{v, npy.ArrayMember("weights", npy.New([]float64{1, -2}))}, "weight 1 is -2"},
		{[]npy.Member{about(""), v, npy.FileMember("names.txt", []byte("a\n"))},
			"there are 1 names for 2 configurations"},
		{[]npy.Member{v, npy.FileMember("mete.json", []byte("{}"))}, "no meta.json"},
		{[]npy.Member{about(`,"members":["v","weights"]`), v}, "\"weights\" is missing"},
		{[]npy.Member{about(`,"members":["v"]`), v, npy.ArrayMember("weighus", npy.New([]float64{1, 2}))},
			"\"weighus\" is not among"},
		{[]npy.Member{v, about(`,"alphabet":"ACGT"`)},
			`the alphabet "ACGT" has 4 letters, but the units are potts:2x3`},
		{[]npy.Member{v, about(`,"alphabet":"abc"`)}, `alphabet "abc"`},
		{[]npy.Member{v, about(`,"shape":[2,2]`)}, "images of shape [2 2]"},
		{[]npy.Member{v, about(`,"shape":[0,2]`)}, "images of shape [0 2]"},
		{[]npy.Member{v, about(`,"colour":"red"`)}, "colour"},
		{[]npy.Member{npy.ArrayMember("x", npy.New([]uint8{1}))}, `there is no array "v" among [x]`},
	} {
		path := put(t, "d.npz", bytesOf(t, func(b *bytes.Buffer) error { return npy.WriteArchive(b, c.members...) }))
		if _, err := dataset.Read(path); err == nil || !strings.Contains(err.Error(), c.want) ||
			!strings.HasPrefix(err.Error(), path) {
			t.Errorf("error %v, want %q after the path", err, c.want)
		}
	}
}

func TestSaveRefuses(t *testing.T) {
	dir := t.TempDir()
	d := full(t)
	for _, name := range []string{"x", "x.txt", "x.npz.gz", "x.gz", "x.a3m"} {
		if err := d.Save(filepath.Join(dir, name), false); err == nil ||
			!strings.Contains(err.Error(), "expected a name that ends in") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	d.Weights = d.Weights[:1]
	for _, name := range []string{"x.npz", "x.npy", "x.csv", "x.fasta"} {
		if err := d.Save(filepath.Join(dir, name), false); err == nil ||
			!strings.Contains(err.Error(), "was not written: there are 1 weights") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if entries, _ := os.ReadDir(dir); len(entries) > 0 {
		t.Errorf("left %v", entries)
	}
}

// numpy opens what is written here, and what numpy writes, compressed or not, is read here.
func TestNumpy(t *testing.T) {
	python := ""
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(name, "-c", "import numpy").Run() == nil {
			python = name
			break
		}
	}
	if python == "" {
		t.Skip("no python3 with numpy on this machine")
	}
	dir := t.TempDir()
	d := full(t)
	for _, name := range []string{"d.npz", "d.npy", "d.csv"} {
		if err := d.Save(filepath.Join(dir, name), false); err != nil {
			t.Fatal(err)
		}
	}
	script := `
import json, numpy as np
f = np.load("d.npz")
v = f["v"]
about = json.loads(f["meta.json"])
letters = np.array(list(about["alphabet"]))
assert ["".join(s) for s in letters[v]] == ["AC-W", "YYYY", "AC-W"], v
assert f["labels"].tolist() == [1, 0, 1] and f["weights"].tolist() == [0.5, 1, 0.5]
assert f["names.txt"].decode().split("\n")[:2] == ["one", "two of them"]
assert (np.load("d.npy") == v).all() and np.load("d.npy").dtype == np.uint8
t = np.genfromtxt("d.csv", delimiter=",", names=True)
assert [r["v4"] for r in t] == v[:, 3].tolist() and [r["weight"] for r in t] == [0.5, 1, 0.5]
w = np.float32([0.5, 1, 0.5])
np.savez_compressed("n.npz", v=np.asfortranarray(v.astype(np.int64)), labels=[1, 0, 1], weights=w)
np.savetxt("n.txt", v, fmt="%d")
np.savetxt("n.csv", v.astype(float), delimiter=",")
`
	c := exec.Command(python, "-W", "error", "-c", script)
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("numpy: %v\n%s", err, out)
	}
	for _, name := range []string{"n.npz", "n.txt", "n.csv"} {
		got, err := dataset.ReadUnits(filepath.Join(dir, name), d.States.Spec)
		if err != nil {
			t.Fatal(err)
		}
		if !got.States.Equal(d.States) {
			t.Errorf("%s came back as %v", name, got.States)
		}
		if name == "n.npz" && (!reflect.DeepEqual(got.Labels, d.Labels) || !reflect.DeepEqual(got.Weights, d.Weights)) {
			t.Errorf("%s: labels %v, weights %v", name, got.Labels, got.Weights)
		}
	}
}

// A file with any one bit flipped is refused, or read as it was.
func TestFlippedBitsAreSeen(t *testing.T) {
	want := full(t)
	path := filepath.Join(t.TempDir(), "d.npz")
	if err := want.Save(path, false); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for k := range data {
		data[k] ^= 1 << (k % 8)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := dataset.Read(path); err == nil && !reflect.DeepEqual(got, want) {
			t.Errorf("bit %d of byte %d flipped: read %+v", k%8, k, got)
		}
		data[k] ^= 1 << (k % 8)
	}
}
