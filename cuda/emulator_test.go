//go:build linux && amd64

package cuda

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"

	"instanton/internal/gpu"
)

// emulator is a gpu.Device that runs the very source of the kernels on the processor, compiled with a C++ compiler.
type emulator struct {
	folder   string
	programs map[string]*emulated
}

// emulated is a program of the emulator: a shared library.
type emulated struct {
	launch, allocate, release, transfer, fill uintptr
}

var shared = sync.OnceValues(func() (*GPU, error) {
	if _, err := exec.LookPath("g++"); err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "emulator")
	return newGPU(&emulator{folder: folder, programs: map[string]*emulated{}}), err
})

// emulatedGPU returns a GPU on the processor, or skips the test where there is no C++ compiler.
func emulatedGPU(t *testing.T) *GPU {
	t.Helper()
	g, err := shared()
	if err != nil {
		t.Skip("the emulator needs g++: ", err)
	}
	return g
}

func TestMain(m *testing.M) {
	code := m.Run()
	if g, err := shared(); err == nil {
		if e, ok := g.device.(*emulator); ok {
			os.RemoveAll(e.folder)
		}
	}
	os.Exit(code)
}

func (e *emulator) Name() string      { return "emulator" }
func (e *emulator) Processors() int   { return 3 }
func (e *emulator) Architecture() int { return hopper }
func (e *emulator) SharedMemory() int { return 1 << 18 }
func (e *emulator) Free() uint64      { return 1 << 30 }
func (e *emulator) Wait() error       { return nil }

func (e *emulator) any() *emulated {
	for _, p := range e.programs {
		return p
	}
	p, err := e.build(arithmetic(), nil)
	if err != nil {
		panic(err)
	}
	return p
}

func (e *emulator) Allocate(bytes int) (gpu.Memory, error) {
	at, _, _ := purego.SyscallN(e.any().allocate, uintptr(bytes+64))
	return gpu.Memory(at), nil
}
func (e *emulator) Release(m gpu.Memory) { purego.SyscallN(e.any().release, uintptr(m)) }
func (e *emulator) Upload(to gpu.Memory, from unsafe.Pointer, bytes int) error {
	purego.SyscallN(e.any().transfer, uintptr(to), uintptr(from), uintptr(bytes))
	return nil
}
func (e *emulator) Download(to unsafe.Pointer, from gpu.Memory, bytes int) error {
	purego.SyscallN(e.any().transfer, uintptr(to), uintptr(from), uintptr(bytes))
	return nil
}
func (e *emulator) Fill(m gpu.Memory, value byte, bytes int) error {
	purego.SyscallN(e.any().fill, uintptr(m), uintptr(value), uintptr(bytes))
	return nil
}

func (e *emulator) Fetch(to unsafe.Pointer, from gpu.Memory, bytes int) error {
	return e.Download(to, from, bytes)
}
func (e *emulator) Pinned(bytes int) (unsafe.Pointer, error) {
	return unsafe.Pointer(unsafe.SliceData(make([]uint64, ceil(bytes, 8)))), nil
}

var kernelPattern = regexp.MustCompile(`extern "C" __global__ void (?:__launch_bounds__\([^)]*\) )?` +
	`(\w+)\(const (?:__grid_constant__ )?([\w<>]+) \w+\)`)

// build compiles a program once.
func (e *emulator) build(source string, macros []string) (*emulated, error) {
	key := fmt.Sprint(len(source), macros)
	if p := e.programs[key]; p != nil {
		return p, nil
	}
	folder := filepath.Join(e.folder, fmt.Sprint(len(e.programs)))
	if err := os.Mkdir(folder, 0o777); err != nil {
		return nil, err
	}
	var table strings.Builder
	table.WriteString(source)
	table.WriteString("\nstatic std::function<void()> kernel_of(const char *name, const void *p) {\n")
	for _, k := range kernelPattern.FindAllStringSubmatch(source, -1) {
		fmt.Fprintf(&table, "if (!strcmp(name, %q)) { %s q = *(const %s *)p; return [q] { %s(q); }; }\n", k[1], k[2],
			k[2], k[1])
	}
	table.WriteString("return nullptr;\n}\n")
	if err := os.WriteFile(filepath.Join(folder, "program.h"), []byte(table.String()), 0o666); err != nil {
		return nil, err
	}
	library := filepath.Join(folder, "emulator.so")
	args := []string{"-std=c++17", "-O1", "-ffp-contract=off", "-mfma", "-fPIC", "-shared", "-w", "-I" + folder}
	for _, m := range macros {
		args = append(args, "-D"+m)
	}
	build := exec.Command("g++", append(args, "-o", library, "testdata/emulator.cpp")...)
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	handle, err := purego.Dlopen(library, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, err
	}
	p := &emulated{}
	for name, at := range map[string]*uintptr{"launch": &p.launch, "allocate": &p.allocate, "release": &p.release,
		"transfer": &p.transfer, "fill": &p.fill} {
		if *at, err = purego.Dlsym(handle, name); err != nil {
			return nil, err
		}
	}
	e.programs[key] = p
	return p, nil
}

func (e *emulator) Compile(source string, macros []string) (gpu.Program, error) {
	return e.build(source, macros)
}

// emulatedKernel is a kernel by its name.
type emulatedKernel struct {
	program         *emulated
	name            []byte
	threads, shared int
}

func (p *emulated) Kernel(name string, threads, shared int) (gpu.Kernel, error) {
	return &emulatedKernel{p, append([]byte(name), 0), threads, shared}, nil
}

func (k *emulatedKernel) Resident() int { return 1 }

func (k *emulatedKernel) Launch(blocks int, together bool, params unsafe.Pointer) error {
	wait := uintptr(0)
	if together {
		wait = 1
	}
	failed, _, _ := purego.SyscallN(k.program.launch, uintptr(unsafe.Pointer(&k.name[0])), uintptr(blocks),
		uintptr(k.threads), uintptr(k.shared), wait, uintptr(params))
	if failed&1 != 0 {
		return errors.New("no kernel " + string(k.name))
	}
	return nil
}

// replay is a graph of the emulator: the function that queued the work.
type replay func() error

func (e *emulator) Capture(queue func() error) (gpu.Graph, error) { return replay(queue), nil }
func (r replay) Launch() error                                    { return r() }
func (r replay) Release()                                         {}
