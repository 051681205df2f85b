package dataset_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"instanton/dataset"
	"instanton/internal/npy"
	"instanton/unit"
)

func TestReadWeights(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, fill func(b *bytes.Buffer) error) string {
		var b bytes.Buffer
		if err := fill(&b); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	alone := func(w ...float64) string {
		return write("w.npy", func(b *bytes.Buffer) error { return npy.Write(b, npy.New(w)) })
	}
	if w, err := dataset.ReadWeights(alone(1, 0.5, 0), 3); err != nil || !slices.Equal(w, []float64{1, 0.5, 0}) {
		t.Errorf("weights %v, error %v", w, err)
	}
	beside := write("d.npz", func(b *bytes.Buffer) error {
		return npy.WriteArchive(b, npy.ArrayMember("weights", npy.New([]float32{2, 4})))
	})
	if w, err := dataset.ReadWeights(beside, 2); err != nil || !slices.Equal(w, []float64{2, 4}) {
		t.Errorf("weights %v, error %v", w, err)
	}
	for _, bad := range []struct {
		path string
		want string
	}{
		{alone(1, 2), "expected one for each of 3 samples"},
		{filepath.Join(dir, "nowhere.npy"), "nowhere.npy"},
	} {
		if _, err := dataset.ReadWeights(bad.path, 3); err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("%s: error %v, want %q", bad.path, err, bad.want)
		}
	}
	if _, err := dataset.ReadWeights(alone(1, -2, 3), 3); err == nil ||
		!strings.Contains(err.Error(), "weight 1 is -2") {
		t.Errorf("a negative weight: error %v", err)
	}
	plain, err := dataset.BarsAndStripes(2, unit.Spin)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "bas.npz")
	if err := plain.Save(path, false); err != nil {
		t.Fatal(err)
	}
	if w, err := dataset.ReadWeights(path, plain.States.Len); w != nil || err != nil {
		t.Errorf("a data set without weights: %v, error %v", w, err)
	}
}
