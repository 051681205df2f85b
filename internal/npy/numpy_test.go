package npy

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// runNumpy runs one half of testdata/peer.py over a folder, with warnings as
// errors, or skips the test where no Python has numpy.
func runNumpy(t *testing.T, half, folder string) string {
	t.Helper()
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		python, err := exec.LookPath(name)
		if err != nil || exec.Command(python, "-c", "import numpy").Run() != nil {
			continue
		}
		cmd := exec.Command(python, "-W", "error", "-X", "utf8", filepath.Join("testdata", "peer.py"), half, folder)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("numpy, %s: %v\n%s", half, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	t.Skip("neither python3 nor /usr/bin/python3 can import numpy")
	return ""
}

func TestNumpyReadsWhatIsWritten(t *testing.T) {
	dir := t.TempDir()
	want := 0
	for name, shape := range sampleShapes {
		for code, data := range sampleData(product(shape)) {
			path := filepath.Join(dir, code+"."+name+".npy")
			if err := os.WriteFile(path, encode(t, Array{Shape: shape, Data: data}), 0o644); err != nil {
				t.Fatal(err)
			}
			want += 2 // as .npy and in the archive
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "all.npz"), encodeArchive(t, sampleMembers()...), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "headers"), manyHeaders(), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := runNumpy(t, "check", dir); got != fmt.Sprint(want) {
		t.Errorf("numpy checked %s arrays, want %d", got, want)
	}
}

// manyHeaders is the headers of every rank and width of the first dimension, so
// that each length of the padding occurs.
func manyHeaders() []byte {
	var out []byte
	for rank := 1; rank <= maxRank; rank++ {
		shape := slices.Repeat([]int{1}, rank)
		for range 19 {
			out = append(out, encodeHeader("<f8", shape)...)
			shape[0] *= 10
		}
	}
	return out
}

func TestWhatNumpyWritesIsRead(t *testing.T) {
	dir := t.TempDir()
	runNumpy(t, "make", dir)
	t.Run("every type", func(t *testing.T) { readEveryType(t, dir) })
	t.Run("strangers", func(t *testing.T) { readStrangers(t, dir) })
}

func readEveryType(t *testing.T, dir string) {
	archives := map[string]*Archive{}
	for _, name := range []string{"stored.npz", "deflated.npz"} {
		a, err := ReadArchive(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		meta, err := a.File("meta.json")
		if want := `{"units": ["spin", "ReLU"], "Γ": 1}`; err != nil || string(meta) != want {
			t.Errorf("%s: meta.json is %q, %v, want %q", name, meta, err, want)
		}
		archives[name] = a
	}
	for name, shape := range sampleShapes {
		for code, data := range sampleData(product(shape)) {
			want := Array{Shape: shape, Data: data}
			for _, order := range []string{"le", "be"} {
				for _, layout := range []string{"C", "F"} {
					for version := 1; version <= 3; version++ {
						file := fmt.Sprintf("%s.%s.%s.%s.%d.npy", code, name, order, layout, version)
						got, err := ReadFile(filepath.Join(dir, file))
						if err != nil || !reflect.DeepEqual(got, want) {
							t.Errorf("%s: %v, %v, want %v", file, got, err, want)
						}
					}
				}
			}
			for file, a := range archives {
				got, err := a.Array(code + "." + name)
				if err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("%s: %s.%s: %v, %v, want %v", file, code, name, got, err, want)
				}
			}
		}
	}
}

// readStrangers: arrays of other dtypes are refused by name, next to one that is read.
func readStrangers(t *testing.T, dir string) {
	a, err := ReadArchive(filepath.Join(dir, "strangers.npz"))
	if err != nil {
		t.Fatal(err)
	}
	if x, err := a.Array("x"); err != nil || !reflect.DeepEqual(x, New([]float64{0, 1, 2})) {
		t.Errorf("x: %v, %v", x, err)
	}
	for name, want := range map[string]string{
		"names":   `strangers.npz: array "names": dtype "<U2" is not supported`,
		"half":    `dtype "<f2" is not supported`,
		"objects": "pickled Python objects, which are never loaded",
		"records": "structured dtype",
	} {
		_, err := a.Array(name)
		wantRefusal(t, err, want)
	}
}
