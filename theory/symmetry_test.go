package theory

import (
	"testing"

	"instanton/rbm"
)

// The number of images of a vector without symmetry is the order of the group.
func TestSymmetryGroups(t *testing.T) {
	h := []float64{0.1, 0.23, 0.37, 0.52}
	for _, c := range []struct {
		name  string
		l     *Landscape
		order int
	}{
		{"Curie–Weiss: the flip", mustLandscape(t, CurieWeiss{1.2}), 2},
		{"pair: exchange and flip", coupledPair(t), 4},
		{"independent pair: exchange and two flips", mustLandscape(t, Pair{1.7, 0}), 8},
		{"ring of four: dihedral group and flip", ring4(t), 16},
		{"three patterns: signed permutations", mustLandscape(t, Hopfield{W: 1.5, M: 3}), 48},
		{"two ReLU units: exchange only", mustLandscape(t, Structured{W: 2,
			Overlap: must[rbm.Overlap](t)(rbm.AllToAll(2, 0.1)),
			Hidden:  []Potential{must[Potential](t)(ReLU(1, 0.1))}}), 2},
		{"unequal units: the flip", mustLandscape(t, Structured{W: 2, Overlap: rbm.Overlap{{0.5, 0.1}, {0.1, 0.4}}}),
			2},
	} {
		images := orbit([][]float64{h[:c.l.units]}, c.l.symmetries(), 1000)
		if len(images) != c.order {
			t.Errorf("%s: %d images, want %d", c.name, len(images), c.order)
		}
		e := c.l.HiddenEnergy(images[0][0])
		for _, image := range images {
			near(t, c.name, c.l.HiddenEnergy(image[0]), e, 1e-14)
		}
	}
}
