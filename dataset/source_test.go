package dataset_test

import (
	"testing"

	"instanton/dataset"
)

func TestAddSource(t *testing.T) {
	var d dataset.Dataset
	if err := d.AddSource(put(t, "a.txt", []byte("abc"))); err != nil {
		t.Fatal(err)
	}
	// FIPS 180-2, B.1
	want := dataset.Source{Name: "a.txt", SHA256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"}
	if len(d.Sources) != 1 || d.Sources[0] != want {
		t.Errorf("made from %v, want %v", d.Sources, want)
	}
	if err := d.AddSource("nowhere"); err == nil || len(d.Sources) != 1 {
		t.Errorf("a missing file: error %v, sources %v", err, d.Sources)
	}
}
