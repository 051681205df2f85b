package forest_test

import (
	"context"
	"os"
	"testing"

	"instanton/dataset"
	"instanton/paper/internal/forest"
	"instanton/unit"
)

// Zeros and ones of MNIST, by the classifier of the paper: at least 99.5 % right on the test
// images, and the error out of the bag says the same of the training images.
func TestMNISTZeroOne(t *testing.T) {
	folder, err := dataset.FindMNIST(context.Background(), "", t.Logf)
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	o := dataset.MNISTOptions{Digits: []int{0, 1}, Type: unit.Bernoulli, Threshold: 0.5}
	train, err := dataset.MNIST(folder, o)
	if err != nil {
		t.Fatal(err)
	}
	o.Test = true
	test, err := dataset.MNIST(folder, o)
	if err != nil {
		t.Fatal(err)
	}
	f, err := forest.Train(context.Background(), train.States, train.Labels, forest.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if f.OutOfBag > 0.005 {
		t.Errorf("out-of-bag error %g, want at most 0.005", f.OutOfBag)
	}
	got, err := f.Classify(test.States)
	if err != nil {
		t.Fatal(err)
	}
	wrong := 0
	for k, c := range got {
		if c != test.Labels[k] {
			wrong++
		}
	}
	if limit := len(got) / 200; wrong > limit {
		t.Errorf("%d of %d test images are misclassified, want at most %d", wrong, len(got), limit)
	}
	t.Logf("%d of %d test images misclassified, out-of-bag error %.5f", wrong, len(got), f.OutOfBag)
}
