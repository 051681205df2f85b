package dataset

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Source is a file that a data set was made from: its name and the SHA-256 of its bytes.
type Source struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

// AddSource reads a file for its sum and notes that the set was made from it. What comes
// through a pipe is gone once it is read and is not noted.
func (d *Dataset) AddSource(path string) error {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return err
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	d.Sources = append(d.Sources, Source{filepath.Base(path), hex.EncodeToString(h.Sum(nil))})
	return nil
}
