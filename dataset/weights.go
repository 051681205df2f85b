package dataset

import (
	"fmt"
	"path/filepath"

	"instanton/internal/npy"
	"instanton/internal/special"
)

// ReadWeights reads one weight per sample from a .npy file, or from the array "weights" of a .npz archive, which may
// be a data set. It returns nil if the archive has no such array.
func ReadWeights(path string, samples int) ([]float64, error) {
	var array npy.Array
	var err error
	if filepath.Ext(path) == ".npy" {
		array, err = npy.ReadFile(path)
	} else {
		var a *npy.Archive
		if a, err = npy.ReadArchive(path); err == nil {
			if !a.Has("weights") {
				return nil, nil
			}
			array, err = a.Array("weights")
		}
	}
	if err != nil {
		return nil, err
	}
	w, err := array.Float64s()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(array.Shape) != 1 || len(w) != samples {
		return nil, fmt.Errorf("%s: the weights have shape %v: expected one for each of %d samples", path, array.Shape,
			samples)
	}
	for k, x := range w {
		if !(x >= 0 && special.Finite(x)) {
			return nil, fmt.Errorf("%s: weight %d is %g: expected a number that is not negative", path, k, x)
		}
	}
	return w, nil
}
