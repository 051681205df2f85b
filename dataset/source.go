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

// AddSource computes the checksum of a file and records that the set was made from it. A pipe cannot be read again and
// is not recorded.
func (d *Dataset) AddSource(path string) error {
	if path == StandardInput {
		return nil
	}
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
