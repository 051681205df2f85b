// Package interchange reads models that other programs wrote, and writes models for them.
//
// [Read] recognises a file by its content:
//
//	m, from, err := interchange.Read("trained.h5", interchange.Options{})
//
// and [Save] writes one of [Writable]:
//
//	err := interchange.Save("for-pytorch.safetensors", m, interchange.Safetensors, false)
//
// A model that is read has the law P(v) of the original: signs of fields, order of dimensions, centring and scaling are
// translated, and nothing else is changed. The weights keep the gauge that they come in.
//
// Files of other programs are not trusted. No code in a pickle is run: only numbers, arrays and the classes of the
// programs named here are read, and everything else is refused by name.
package interchange

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"instanton/internal/atomicfile"
	"instanton/internal/hdf5"
	"instanton/internal/meta"
	"instanton/internal/npy"
	"instanton/rbm"
)

// Format is a kind of file.
type Format string

// The formats.
const (
	RBMs        Format = "rbms"        // rbms in PyTorch: HDF5
	Julia       Format = "rbms.jl"     // RestrictedBoltzmannMachines.jl: HDF5
	PGM         Format = "pgm"         // PGM and ProteinMotifRBM: a pickle
	Torch       Format = "torch"       // a PyTorch state_dict: a zip with a pickle
	Safetensors Format = "safetensors" // named tensors
	Sklearn     Format = "sklearn"     // scikit-learn's BernoulliRBM: its arrays, or a pickle
	Arrays      Format = "arrays"      // W, b and c in a .npz file
)

// Writable lists the formats that Save writes.
func Writable() []Format { return []Format{RBMs, Julia, Safetensors, Sklearn, Arrays} }

// ParseFormat reads the name of a format that can be written.
func ParseFormat(text string) (Format, error) {
	if slices.Contains(Writable(), Format(text)) {
		return Format(text), nil
	}
	if slices.Contains([]Format{PGM, Torch}, Format(text)) {
		return "", fmt.Errorf("format %q is read but not written, since it is a pickle: expected one of %q", text,
			Writable())
	}
	return "", fmt.Errorf("format %q: expected one of %q", text, Writable())
}

// Options say what a file may leave open. The zero value is right for most.
type Options struct {
	// Visible and Hidden are types of units, as in "spin", for files of bare arrays, which do not say. The default is
	// Bernoulli units, and Potts units if the weights have three dimensions.
	Visible, Hidden string
	// Transpose says that a square matrix of weights is (hidden, visible).
	Transpose bool
	// Update chooses a model of a trajectory by its number; 0 is the last one.
	Update int
	// Alphabet names the states of Potts units. The default is the one of the program that wrote the file, if the
	// number of states fits.
	Alphabet string
}

// maxFile bounds files that are read as a whole.
const maxFile = 4 << 30

// Read reads a model in any of the formats.
func Read(path string, o Options) (*rbm.RBM, Format, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, "", err
	}
	if !info.Mode().IsRegular() {
		return nil, "", fmt.Errorf("%s is not a regular file: expected a model", path)
	}
	m, format, err := ReadFrom(f, info.Size(), o)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", path, err)
	}
	m.Info["imported_file"] = filepath.Base(path)
	return m, format, nil
}

// ReadFrom is Read for a file of the given size.
func ReadFrom(r io.ReaderAt, size int64, o Options) (*rbm.RBM, Format, error) {
	if size > maxFile {
		return nil, "", fmt.Errorf("it has %d bytes: expected at most %d", size, int64(maxFile))
	}
	head := make([]byte, min(size, 16))
	if _, err := r.ReadAt(head, 0); err != nil && err != io.EOF {
		return nil, "", err
	}
	m, format, err := dispatch(head, r, size, o)
	if err != nil {
		return nil, "", err
	}
	if m.Info == nil {
		m.Info = map[string]string{}
	}
	m.Info["imported_from"] = string(format)
	if err := setAlphabet(m, format, o.Alphabet); err != nil {
		return nil, "", err
	}
	return m, format, m.Validate()
}

// dispatch tells the format by the first bytes.
func dispatch(head []byte, r io.ReaderAt, size int64, o Options) (*rbm.RBM, Format, error) {
	whole := func() ([]byte, error) {
		b := make([]byte, size)
		_, err := r.ReadAt(b, 0)
		if err == io.EOF {
			err = nil
		}
		return b, err
	}
	switch {
	case hdf5.Is(head):
		f, err := hdf5.Open(r, size)
		if err != nil {
			return nil, "", err
		}
		if f.Has("visible_type") {
			m, err := readJulia(f)
			return m, Julia, err
		}
		m, err := readRBMs(f, o.Update)
		return m, RBMs, err
	case bytes.HasPrefix(head, []byte("PK")):
		if isTorch(r, size) {
			t, err := readTorch(r, size)
			if err != nil {
				return nil, "", err
			}
			m, err := t.model(o)
			return m, Torch, err
		}
		return readArchive(r, size, o)
	case bytes.HasPrefix(head, []byte("\x93NUMPY")):
		return nil, "", errors.New("it is a single array: expected weights and fields of both layers, as in " +
			"numpy.savez(FILE, W=…, b=…, c=…)")
	case isSafetensors(head, size):
		b, err := whole()
		if err != nil {
			return nil, "", err
		}
		t, about, err := readSafetensors(b)
		if err != nil {
			return nil, "", err
		}
		m, err := t.described(about, o)
		return m, Safetensors, err
	case isPickle(head):
		b, err := whole()
		if err != nil {
			return nil, "", err
		}
		return readPickle(b, o)
	}
	return nil, "", fmt.Errorf("it starts with %q: expected HDF5 (rbms, RestrictedBoltzmannMachines.jl), a pickle "+
		"(PGM, scikit-learn), a PyTorch state_dict, safetensors, or arrays in a .npz file", head[:min(8, len(head))])
}

// readArchive reads bare arrays.
func readArchive(r io.ReaderAt, size int64, o Options) (*rbm.RBM, Format, error) {
	a, err := npy.ReadArchiveFrom(r, size)
	if err != nil {
		return nil, "", err
	}
	if h := meta.ReadHeader(a); h.Format != "" {
		return nil, "", fmt.Errorf("it is a file of this program already, of format %q: use it as it is", h.Format)
	}
	t := tensors{}
	for _, name := range a.Arrays() {
		if array, err := a.Array(name); err == nil {
			t[name] = array
		}
	}
	m, err := t.model(o)
	if _, ok := t["components_"]; ok {
		return m, Sklearn, err
	}
	return m, Arrays, err
}

// Save writes a model for another program, completely or not at all.
func Save(path string, m *rbm.RBM, format Format, force bool) error {
	var b bytes.Buffer // small beside the model, and nothing is written if the model does not fit the format
	if err := Write(&b, m, format); err != nil {
		return err
	}
	return atomicfile.Write(path, force, func(w io.Writer) error {
		_, err := w.Write(b.Bytes())
		return err
	})
}

// Write writes a model for another program.
func Write(w io.Writer, m *rbm.RBM, format Format) error {
	if err := m.Validate(); err != nil {
		return err
	}
	switch format {
	case RBMs:
		return writeRBMs(w, m)
	case Julia:
		return writeJulia(w, m)
	case Safetensors:
		return writeSafetensors(w, m)
	case Sklearn:
		return writeSklearn(w, m)
	case Arrays:
		return writeArrays(w, m)
	}
	return fmt.Errorf("format %q is not written: expected one of %q", format, Writable())
}
