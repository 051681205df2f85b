package figure

import (
	"fmt"
	"math"

	"instanton/dynamics"
)

// nearest is the path of those that are wanted whose length is nearest to so many steps, 0 if there is none.
func nearest(paths []dynamics.TransitionPath, steps int, wanted func(k int) bool) (best int) {
	distance := math.MaxInt
	for k, x := range paths {
		if d := abs(x.Len() - steps); d < distance && wanted(k) {
			best, distance = k, d
		}
	}
	return best
}

// enough refuses to judge by too few paths.
func enough(paths []dynamics.TransitionPath) error {
	if len(paths) < 10 {
		return fmt.Errorf("only %d transition paths were found, expected at least 10", len(paths))
	}
	return nil
}
