package samples

import (
	"fmt"
	"path/filepath"

	"instanton/internal/meta"
	"instanton/internal/npy"
	"instanton/internal/statearray"
	"instanton/unit"
)

// Set holds the draws of a sample file, or of any array (chain, draw, unit).
type Set struct {
	V             *unit.States // draw d of chain k is configuration k·Draws+d
	Chains, Draws int
	About         *Recipe // how they were made; nil if the file does not say
}

// Read reads a sample file, a .npy array, or a .npz archive with an array v. An array of two dimensions holds the
// draws of one chain.
func Read(path string) (*Set, error) {
	var array npy.Array
	var spec unit.Spec
	s := &Set{}
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
		if meta.ReadHeader(a).Format == header.Format {
			var m fileMeta
			if err := meta.Read(a, header, &m); err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			spec, s.About = m.Visible, &m.Recipe
		}
	}
	return s, s.take(path, array, spec)
}

func (s *Set) take(path string, array npy.Array, spec unit.Spec) error {
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
		return fmt.Errorf("%s holds no draws: expected at least one", path)
	}
	return nil
}

// IsFile reports whether a file holds samples rather than a model.
func IsFile(path string) bool {
	if filepath.Ext(path) == ".npy" {
		return true
	}
	a, err := npy.ReadArchive(path)
	return err == nil && a.Has("v") && !a.Has("W")
}
