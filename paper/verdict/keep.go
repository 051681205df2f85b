package verdict

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"instanton/internal/atomicfile"
)

// Keep computes a value once and keeps it in a file of a folder. What it depends on besides the folder is part of the
// name of the file, so that other settings do not find it.
func Keep[T any](s Settings, dir, name string, depends any, compute func() (T, error)) (value T, err error) {
	path := filepath.Join(dir, Keyed(name, depends)+".json")
	err = s.Once(path, func() error {
		if _, err := os.Stat(path); err == nil {
			return nil
		}
		x, err := compute()
		if err != nil {
			return err
		}
		return atomicfile.Write(path, true, AsJSON(x))
	})
	if err != nil {
		return value, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return value, err
	}
	return value, json.Unmarshal(text, &value)
}

// Keyed is a name followed by a hash of what the thing named depends on.
func Keyed(name string, depends any) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%+v", depends))
	return name + "-" + hex.EncodeToString(sum[:4])
}

// Share computes a value once for all figures of a run.
func Share[T any](s Settings, name string, compute func() (T, error)) (T, error) {
	if s.shared == nil {
		return compute()
	}
	once, _ := s.shared.LoadOrStore(name, sync.OnceValues(compute))
	return once.(func() (T, error))()
}
