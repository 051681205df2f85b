package sampler

import (
	"fmt"
	"path/filepath"

	"instanton/internal/meta"
	"instanton/internal/npy"
	"instanton/internal/statearray"
	"instanton/unit"
)

// Samples are the draws of a sample file, or of any array (chain, draw, unit).
type Samples struct {
	V             *unit.States // draw d of chain k is configuration k·Draws+d
	Chains, Draws int
	About         *Run // how they were made, nil where the file does not say
}

// ReadSamples reads a sample file, a .npy array or an .npz with an array v. Two dimensions
// are the draws of one chain.
func ReadSamples(path string) (*Samples, error) {
	var array npy.Array
	var spec unit.Spec
	s := &Samples{}
	if filepath.Ext(path) == ".npy" {
		var err error
		if array, err = npy.ReadFile(path); err != nil {
			return nil, err
		}
	} else {
		a, err := npy.ReadArchive(path)
		if err != nil {
			return nil, err
		}
		if array, err = a.Array("v"); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if meta.ReadHeader(a).Format == samplesHeader.Format {
			var m samplesMeta
			if err := meta.Read(a, samplesHeader, &m); err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			spec, s.About = m.Visible, &m.Run
		}
	}
	return s, s.take(path, array, spec)
}

func (s *Samples) take(path string, array npy.Array, spec unit.Spec) error {
	switch len(array.Shape) {
	case 2:
		s.Chains, s.Draws = 1, array.Shape[0]
	case 3:
		s.Chains, s.Draws = array.Shape[0], array.Shape[1]
	default:
		return fmt.Errorf("%s: the array has %d dimensions: expected chain, draw and unit", path, len(array.Shape))
	}
	var err error
	if s.About == nil {
		if spec, err = statearray.Detect(array); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	if s.V, err = statearray.ToStates(spec, array); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if s.V.Len == 0 {
		return fmt.Errorf("%s holds no draws", path)
	}
	return nil
}

// IsSamples tells whether a file holds samples rather than a model.
func IsSamples(path string) bool {
	if filepath.Ext(path) == ".npy" {
		return true
	}
	a, err := npy.ReadArchive(path)
	return err == nil && a.Has("v") && !a.Has("W")
}
