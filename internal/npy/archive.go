package npy

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// MaxArchiveBytes is the largest total size of the members of an archive,
	// uncompressed, that is read or written.
	MaxArchiveBytes = 8 << 30

	arraySuffix = ".npy"
)

// Archive is the content of a .npz file: arrays by name (the member W.npy is the
// array W), and other files, such as meta.json, by their own name.
type Archive struct {
	path   string // for error messages; empty if the archive does not come from a file
	arrays map[string]Array
	files  map[string][]byte
	// unreadable has the arrays whose dtype is not supported. They are no reason to
	// refuse the others: many .npz files hold names or objects beside their numbers.
	unreadable map[string]error

	arrayNames, fileNames []string // in the order of the file
}

// Arrays lists the names of the arrays, in the order of the file.
func (a *Archive) Arrays() []string { return slices.Clone(a.arrayNames) }

// Files lists the names of the members that are not arrays, in the order of the file.
func (a *Archive) Files() []string { return slices.Clone(a.fileNames) }

// Has tells whether there is an array of that name.
func (a *Archive) Has(name string) bool { return slices.Contains(a.arrayNames, name) }

// Array returns the array of that name.
func (a *Archive) Array(name string) (Array, error) {
	if array, ok := a.arrays[name]; ok {
		return array, nil
	}
	if err, ok := a.unreadable[name]; ok {
		return Array{}, inFile(a.path, inArray(name, err))
	}
	return Array{}, inFile(a.path, missing("array", name, a.arrayNames))
}

// File returns the content of the other file of that name.
func (a *Archive) File(name string) ([]byte, error) {
	if data, ok := a.files[name]; ok {
		return data, nil
	}
	return nil, inFile(a.path, missing("file", name, a.fileNames))
}

func missing(what, name string, names []string) error {
	if len(names) == 0 {
		return fmt.Errorf("there is no %s %q, nor any other", what, name)
	}
	return fmt.Errorf("there is no %s %q among %q", what, name, names)
}

// inFile puts the path, if there is one, before a message.
func inFile(path string, err error) error {
	if path == "" || err == nil {
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}

func inArray(name string, err error) error  { return fmt.Errorf("array %q: %w", name, err) }
func inMember(name string, err error) error { return fmt.Errorf("file %q: %w", name, err) }

// checkName tells whether an array or another file can have this name, and numpy
// finds it under the same name.
func checkName(name string) error {
	switch {
	case name == "":
		return errors.New("a member has no name")
	case len(name)+len(arraySuffix) > 1<<16-1:
		return fmt.Errorf("the name %.20q... is %d bytes long, which no zip can hold", name, len(name))
	case !utf8.ValidString(name):
		return fmt.Errorf("the name %q is not UTF-8", name)
	case strings.ContainsFunc(name, unicode.IsControl):
		return fmt.Errorf("the name %q has a control character", name)
	case strings.HasSuffix(name, "/"):
		return fmt.Errorf("the name %q is that of a folder", name)
	case strings.HasSuffix(name, arraySuffix):
		return fmt.Errorf("the name %q ends in %s, which only marks a member as an array", name, arraySuffix)
	}
	return nil
}
