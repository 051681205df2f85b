//go:build linux && (amd64 || arm64)

package gpu

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"unsafe"
)

var compiler = sync.OnceValues(func() (*library, error) {
	l, err := loadLibrary(compilerNames(), []string{
		"nvrtcCreateProgram", "nvrtcCompileProgram", "nvrtcGetCUBINSize", "nvrtcGetCUBIN", "nvrtcGetProgramLogSize",
		"nvrtcGetProgramLog", "nvrtcDestroyProgram",
	})
	if err != nil {
		return nil, fmt.Errorf("NVIDIA's run-time compiler libnvrtc.so cannot be loaded (%w): install the package "+
			"cuda-nvrtc of the CUDA toolkit, or set LD_LIBRARY_PATH to its folder", err)
	}
	return l, nil
})

// compile compiles CUDA C for an architecture, without fused multiply-add.
func compile(source, architecture string, macros []string) ([]byte, error) {
	l, err := compiler()
	if err != nil {
		return nil, err
	}
	text := append([]byte(source), 0)
	name := append([]byte("kernels.cu"), 0)
	var program uintptr
	if status := l.call("nvrtcCreateProgram", uintptr(unsafe.Pointer(&program)), uintptr(unsafe.Pointer(&text[0])),
		uintptr(unsafe.Pointer(&name[0])), 0, 0, 0); status != 0 {
		return nil, fmt.Errorf("NVRTC takes no program (error %d)", status)
	}
	defer l.call("nvrtcDestroyProgram", uintptr(unsafe.Pointer(&program)))
	options := []string{"--gpu-architecture=" + architecture, "--fmad=false", "--std=c++17"}
	for _, m := range macros {
		options = append(options, "-D"+m)
	}
	list := make([]*byte, len(options))
	for k, o := range options {
		list[k] = &append([]byte(o), 0)[0]
	}
	status := l.call("nvrtcCompileProgram", program, uintptr(len(list)), uintptr(unsafe.Pointer(&list[0])))
	runtime.KeepAlive(list)
	if status != 0 {
		return nil, errors.New("NVRTC cannot compile the kernels: " + l.log(program))
	}
	var size uintptr
	if status := l.call("nvrtcGetCUBINSize", program, uintptr(unsafe.Pointer(&size))); status != 0 || size == 0 {
		return nil, fmt.Errorf("NVRTC makes no code for %s (error %d): expected a newer CUDA toolkit", architecture,
			status)
	}
	code := make([]byte, size)
	if status := l.call("nvrtcGetCUBIN", program, uintptr(unsafe.Pointer(&code[0]))); status != 0 {
		return nil, fmt.Errorf("NVRTC makes no code (error %d)", status)
	}
	return code, nil
}

// log is what the compiler says about a program.
func (l *library) log(program uintptr) string {
	var size uintptr
	l.call("nvrtcGetProgramLogSize", program, uintptr(unsafe.Pointer(&size)))
	text := make([]byte, size+1)
	l.call("nvrtcGetProgramLog", program, uintptr(unsafe.Pointer(&text[0])))
	return strings.TrimRight(string(text), "\x00\n")
}
