//go:build linux && (amd64 || arm64)

package gpu

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/ebitengine/purego"
)

// library is a shared library with the addresses of the functions that are used.
type library struct {
	functions map[string]uintptr
}

// call calls a function that returns a status, zero for success. Memory whose address is passed escapes to the heap,
// where it does not move.
//
//go:uintptrescapes
func (l *library) call(name string, args ...uintptr) uintptr {
	status, _, _ := purego.SyscallN(l.functions[name], args...)
	return status & 0xffffffff
}

// loadLibrary opens the first library that can be opened, and finds functions in it.
func loadLibrary(names, functions []string) (*library, error) {
	var first error
	for _, name := range names {
		handle, err := purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_GLOBAL)
		if err != nil {
			if first == nil {
				first = err
			}
			continue
		}
		l := &library{functions: map[string]uintptr{}}
		for _, f := range functions {
			if l.functions[f], err = purego.Dlsym(handle, f); err != nil {
				return nil, fmt.Errorf("%s has no function %s", name, f)
			}
		}
		return l, nil
	}
	return nil, first
}

// driverNames are where the library of the driver may be.
func driverNames() []string {
	return []string{"libcuda.so.1", "/usr/local/nvidia/lib64/libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1"}
}

// compilerNames are where NVRTC may be: where the system looks, in the folders of the CUDA toolkit, and among the
// packages of the Python that is first in the path.
func compilerNames() []string {
	var names []string
	for _, version := range []string{".13", ".12", ".11.2", ""} {
		names = append(names, "libnvrtc.so"+version)
	}
	folders := []string{"/usr/local/cuda/lib64", "/usr/local/cuda/targets/x86_64-linux/lib", "/opt/cuda/lib64"}
	for _, variable := range []string{"CUDA_HOME", "CUDA_PATH"} {
		if home := os.Getenv(variable); home != "" {
			folders = append(folders, filepath.Join(home, "lib64"))
		}
	}
	for _, bin := range strings.Split(os.Getenv("PATH"), ":") {
		packages := filepath.Join(filepath.Dir(bin), "lib", "python3*", "site-packages", "nvidia", "*", "lib")
		found, _ := filepath.Glob(packages) // the pattern is well formed
		folders = append(folders, found...)
	}
	for _, folder := range folders {
		found, _ := filepath.Glob(filepath.Join(folder, "libnvrtc.so*"))
		names = append(names, found...)
	}
	return names
}
