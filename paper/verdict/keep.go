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

// Keep is a value that is computed once and kept in a file of a folder. The name of the file has what the value depends
// on beside the folder, so that other settings do not find it.
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

// Keyed is a name with a hash of what the thing depends on.
func Keyed(name string, depends any) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%+v", depends))
	return name + "-" + hex.EncodeToString(sum[:4])
}

// Share is a value that is computed once for all figures of a run.
func Share[T any](s Settings, name string, compute func() (T, error)) (T, error) {
	if s.shared == nil {
		return compute()
	}
	once, _ := s.shared.LoadOrStore(name, sync.OnceValues(compute))
	return once.(func() (T, error))()
}
