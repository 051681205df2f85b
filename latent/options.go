package latent

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"instanton/rbm"
	"instanton/unit"
)

// Options choose the moves. The zero value moves the hidden units one by one.
type Options struct {
	// Block is the number D of hidden units that move together; 0 stands for 1, or for whole groups if there are any.
	Block int
	// Groups is a partition of the hidden units; blocks are formed within groups. Without groups all units form one.
	Groups [][]int
	// Directions in hidden space to move along (h → h + s·d) instead of single units.
	Directions [][]float64
	// Rotation, if non-nil, gives the axes in which Gaussian hidden units move, as found by RBM.Axes: an orthogonal
	// matrix R, for which the moves are those of a model with weights WR. P(v) does not depend on it.
	Rotation *mat.Dense
	// Grid, if non-nil, replaces exact moves by the tower sampling of the paper.
	Grid *Grid
}

// Grid holds the points that tower sampling draws from: the multiples of Spacing between −Range and Range. A Range of
// zero covers the law of every unit.
type Grid struct {
	Spacing, Range float64
}

// maxEnumerated is the largest number of states of a block of discrete units.
const maxEnumerated = 1 << 12

// check refuses options that do not fit the model.
func (o *Options) check(m *rbm.RBM) error {
	spec := m.Hidden.Spec()
	if o.Block < 0 {
		return fmt.Errorf("blocks of %d hidden units: expected at least one", o.Block)
	}
	if err := checkGroups(o.Groups, spec.N); err != nil {
		return err
	}
	if err := o.Grid.check(); err != nil {
		return err
	}
	if spec.Type.Discrete() {
		return o.checkDiscrete(spec)
	}
	if o.Directions != nil {
		if o.Block > 1 || o.Groups != nil {
			return fmt.Errorf("directions with blocks of %d units: expected one or the other, "+
				"a move goes along one direction", o.Block)
		}
		return checkDirections(o.Directions, spec.N)
	}
	return nil
}

func (o *Options) checkDiscrete(spec unit.Spec) error {
	if o.Directions != nil {
		return fmt.Errorf("%s hidden units have no directions: expected Gaussian, ReLU or dReLU units", spec.Type)
	}
	if o.Grid != nil {
		return fmt.Errorf("%s hidden units need no grid: their blocks are drawn from the written-out law", spec.Type)
	}
	largest := min(max(o.Block, 1), spec.N)
	if o.Groups != nil && o.Block == 0 {
		for _, g := range o.Groups {
			largest = max(largest, len(g))
		}
	}
	states := 1
	for range largest {
		if states *= spec.States(); states > maxEnumerated {
			return fmt.Errorf("a block of %d %s hidden units has too many states: expected at most %d",
				largest, spec.Type, maxEnumerated)
		}
	}
	return nil
}

// maxGrid bounds the points of a grid.
const maxGrid = 1 << 12

func (g *Grid) check() error {
	switch {
	case g == nil:
		return nil
	case !(g.Spacing > 0) || g.Spacing > 1e6:
		return fmt.Errorf("grid spacing %g: expected a positive number up to 1e6", g.Spacing)
	case !(g.Range >= 0):
		return fmt.Errorf("grid range %g: expected a positive number, or 0 to cover the law", g.Range)
	case g.Range/g.Spacing > maxGrid/2:
		return fmt.Errorf("a grid of range %g and spacing %g has too many points: expected at most %d",
			g.Range, g.Spacing, maxGrid)
	}
	return nil
}
