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

// FileSource reads a file for its sum.
func FileSource(path string) (Source, error) {
	f, err := os.Open(path)
	if err != nil {
		return Source{}, err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return Source{}, fmt.Errorf("%s: %w", path, err)
	}
	return Source{filepath.Base(path), hex.EncodeToString(h.Sum(nil))}, nil
}
