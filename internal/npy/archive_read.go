package npy

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

const (
	flagEncrypted = 0x1
	// maxExpansion is above what deflate can achieve, 1032 to 1. A member that declares
	// more is invalid.
	maxExpansion = 1100
	// Compressed members may expand to freeBytes together, and beyond that to usualExpansion times
	// their own size. Real data stay far below; an archive made to exhaust the memory does not.
	freeBytes      = 256 << 20
	usualExpansion = 200
)

// ReadArchive reads the whole .npz file path and checks all of it.
func ReadArchive(path string) (*Archive, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file, where a .npz file was expected", path)
	}
	a, err := ReadArchiveFrom(f, info.Size())
	if err != nil {
		return nil, inFile(path, err)
	}
	a.path = path
	return a, nil
}

// ReadArchiveFrom reads an archive from the size bytes of r.
func ReadArchiveFrom(r io.ReaderAt, size int64) (*Archive, error) {
	z, err := zip.NewReader(r, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // nothing is extracted to a path
		return nil, notZip(r, size, err)
	}
	if err := checkSizes(z.File, size); err != nil {
		return nil, err
	}
	a := &Archive{
		arrays:     map[string]Array{},
		files:      map[string][]byte{},
		unreadable: map[string]error{},
	}
	seen := map[string]bool{}
	for _, f := range z.File {
		if strings.HasSuffix(f.Name, "/") && f.UncompressedSize64 == 0 {
			continue // a folder, which some zip programs list
		}
		name, isArray := strings.CutSuffix(f.Name, arraySuffix)
		if err := checkName(name); err != nil {
			return nil, err
		}
		if seen[name] {
			return nil, fmt.Errorf("the name %q occurs twice", name)
		}
		seen[name] = true
		if isArray {
			err = a.readArray(name, f)
		} else {
			err = a.readFile(name, f)
		}
		if err != nil {
			return nil, err
		}
	}
	return a, nil
}

// checkSizes checks the sizes that the directory declares before anything is read.
func checkSizes(files []*zip.File, size int64) error {
	var total, stored, packed, unpacked uint64
	for _, f := range files {
		if f.UncompressedSize64 > MaxArchiveBytes-total {
			return fmt.Errorf("the archive declares more than %d bytes of content, which is over the limit",
				int64(MaxArchiveBytes))
		}
		total += f.UncompressedSize64
	}
	for _, f := range files {
		if f.CompressedSize64 > uint64(size)-stored {
			return fmt.Errorf("member %q declares %d bytes, which is more than the archive of %d bytes has left",
				f.Name, f.CompressedSize64, size)
		}
		stored += f.CompressedSize64 // members that overlap cannot pass
		if f.UncompressedSize64/maxExpansion > f.CompressedSize64 {
			return fmt.Errorf("member %q declares that %d bytes expand to %d, which is more than deflate can do",
				f.Name, f.CompressedSize64, f.UncompressedSize64)
		}
		if f.Method != zip.Store {
			packed, unpacked = packed+f.CompressedSize64, unpacked+f.UncompressedSize64
		}
	}
	if unpacked > freeBytes && unpacked/usualExpansion > packed {
		return fmt.Errorf("it would expand from %d to %d bytes, more than %d times: write it without compression "+
			"(numpy.savez) if that is right",
			packed, unpacked, usualExpansion)
	}
	return nil
}

func (a *Archive) readArray(name string, f *zip.File) error {
	m, err := openMember(f)
	if err != nil {
		return inArray(name, err)
	}
	size := int64(-1) // the declared size of a deflated member is not trusted
	if f.Method == zip.Store {
		size = int64(f.UncompressedSize64)
	}
	array, err := Read(m, size)
	if err != nil {
		// Whether the member is damaged matters more than what the damage looks like.
		if _, damage := io.Copy(io.Discard, m); damage != nil {
			return inArray(name, damage)
		}
	}
	if _, ok := err.(unsupportedError); ok {
		a.unreadable[name] = err
	} else if err != nil {
		return inArray(name, err)
	} else {
		a.arrays[name] = array
	}
	a.arrayNames = append(a.arrayNames, name)
	return nil
}

func (a *Archive) readFile(name string, f *zip.File) error {
	m, err := openMember(f)
	if err != nil {
		return inMember(name, err)
	}
	data, err := io.ReadAll(m)
	if err != nil {
		return inMember(name, err)
	}
	a.files[name] = data
	a.fileNames = append(a.fileNames, name)
	return nil
}

// notZip explains why no directory was found at the end of r.
func notZip(r io.ReaderAt, size int64, err error) error {
	start := make([]byte, max(0, min(size, int64(len(magic)))))
	if _, err := r.ReadAt(start, 0); err != nil && err != io.EOF {
		return err
	}
	switch head := string(start); {
	case head == "":
		return errors.New("not a .npz file: it is empty")
	case head == magic:
		return errors.New("not a .npz file: it is a single array, as .npy files are")
	case strings.HasPrefix(head, "PK"):
		return fmt.Errorf("the zip archive is cut short or damaged: its directory cannot be read (%w)", err)
	}
	return fmt.Errorf("not a .npz file: it starts with %q, where a zip archive was expected", start)
}
