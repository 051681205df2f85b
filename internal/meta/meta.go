// Package meta reads and writes the meta.json in every .npz file of this program, with the name and the version of its
// format.
package meta

import (
	"bytes"
	"encoding/json"
	"fmt"

	"instanton/internal/npy"
)

// Name is the member of the archive.
const Name = "meta.json"

// Header is part of every meta.json; formats embed it.
type Header struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
}

// Member writes a meta value, which must embed a Header, as a member of an archive.
func Member(value any) (npy.Member, error) {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return npy.Member{}, fmt.Errorf("%s: %w", Name, err)
	}
	return npy.FileMember(Name, append(text, '\n')), nil
}

// ReadHeader returns the format and version that an archive states, empty if it has no valid meta.json.
func ReadHeader(a *npy.Archive) Header {
	var h Header
	text, err := a.File(Name)
	if err != nil || json.Unmarshal(text, &h) != nil {
		return Header{}
	}
	return h
}

// Read fills value from the archive's meta.json after checking format and version.
// Unknown keys are errors, since they are misspelt or newer than this program.
func Read(a *npy.Archive, want Header, value any) error {
	text, err := a.File(Name)
	if err != nil {
		return fmt.Errorf("there is no %s: expected one that says \"format\": %q", Name, want.Format)
	}
	var h Header
	if err := json.Unmarshal(text, &h); err != nil {
		return fmt.Errorf("%s is not valid JSON: %w", Name, err)
	}
	if h.Format != want.Format {
		return fmt.Errorf("%s has format %q: expected %q", Name, h.Format, want.Format)
	}
	if h.Version < 1 || h.Version > want.Version {
		return fmt.Errorf("%s has version %d of format %q: this program reads versions 1 to %d", Name, h.Version,
			h.Format, want.Version)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(value); err != nil {
		return fmt.Errorf("%s: %w", Name, err)
	}
	return nil
}
