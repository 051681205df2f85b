package plot_test

import (
	"flag"
	"testing"

	"instanton/plot/plottest"
)

var update = flag.Bool("update", false, "write the golden images of testdata anew")

// TestGolden compares figures with pictures that a person has checked.
func TestGolden(t *testing.T) {
	for name, figure := range samples(t) {
		t.Run(name, func(t *testing.T) { plottest.Golden(t, name, figure, *update) })
	}
}
