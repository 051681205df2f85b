//go:build linux && (amd64 || arm64)

package gpu

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"unsafe"
)

// The functions of the driver that are used.
var driverFunctions = []string{
	"cuInit", "cuDriverGetVersion", "cuDeviceGetCount", "cuDeviceGet", "cuDeviceGetName", "cuDeviceGetAttribute",
	"cuDevicePrimaryCtxRetain", "cuCtxSetCurrent", "cuMemGetInfo_v2", "cuMemAlloc_v2", "cuMemFree_v2",
	"cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2", "cuMemsetD8Async", "cuStreamCreate", "cuStreamSynchronize",
	"cuModuleLoadData", "cuModuleGetFunction", "cuFuncSetAttribute", "cuOccupancyMaxActiveBlocksPerMultiprocessor",
	"cuLaunchKernel", "cuLaunchCooperativeKernel", "cuGetErrorString", "cuStreamBeginCapture_v2", "cuStreamEndCapture",
	"cuMemHostAlloc", "cuGraphInstantiateWithFlags", "cuGraphLaunch", "cuGraphExecDestroy", "cuGraphDestroy",
}

// Numbers of the driver's interface.
const (
	statusOutOfMemory = 2
	statusNoDevice    = 100

	attributeProcessors   = 16
	attributeMajor        = 75
	attributeMinor        = 76
	attributeSharedMemory = 97 // of a block that asks for more than usual
	functionSharedMemory  = 8
	leastDriver           = 12000 // CUDA 12.0
	leastArchitecture     = 80    // asynchronous copies, products of bytes with two rows of sixteen
)

var driver = sync.OnceValues(func() (*library, error) {
	l, err := loadLibrary(driverNames(), driverFunctions)
	if err != nil {
		return nil, none("the driver's library libcuda.so.1 cannot be loaded (%v)", err)
	}
	if status := l.call("cuInit", 0); status == statusNoDevice {
		return nil, none("the driver finds none")
	} else if status != 0 {
		return nil, none("the driver does not start: %s", l.explain(status))
	}
	var version int32
	l.call("cuDriverGetVersion", uintptr(unsafe.Pointer(&version)))
	if version < leastDriver {
		return nil, none("the driver is too old: it knows CUDA %d.%d, expected at least %d.%d", version/1000,
			version%1000/10, leastDriver/1000, leastDriver%1000/10)
	}
	return l, nil
})

// explain is what the driver says about a status.
func (l *library) explain(status uintptr) string {
	var text *byte
	l.call("cuGetErrorString", status, uintptr(unsafe.Pointer(&text)))
	if text == nil {
		return fmt.Sprintf("error %d", status)
	}
	return fmt.Sprintf("%s (error %d)", goString(text), status)
}

func goString(text *byte) string {
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(text), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(text, n))
}

// nvidia is a GPU with a queue of its own.
type nvidia struct {
	*library
	name            string
	context, stream uintptr
	processors      int
	architecture    int
	shared          int
}

var _ Device = (*nvidia)(nil)

// Open prepares GPU number n, counted from zero.
func Open(n int) (Device, error) {
	l, err := driver()
	if err != nil {
		return nil, err
	}
	var count, device int32
	if status := l.call("cuDeviceGetCount", uintptr(unsafe.Pointer(&count))); status != 0 || count == 0 {
		return nil, none("the driver finds none")
	}
	if n < 0 || n >= int(count) {
		return nil, fmt.Errorf("there is no GPU %d: expected a number from 0 to %d", n, count-1)
	}
	g := &nvidia{library: l}
	if err := g.try("find the GPU", "cuDeviceGet", uintptr(unsafe.Pointer(&device)), uintptr(n)); err != nil {
		return nil, err
	}
	name := make([]byte, 256)
	l.call("cuDeviceGetName", uintptr(unsafe.Pointer(&name[0])), uintptr(len(name)), uintptr(device))
	g.name = strings.TrimRight(string(name), "\x00")
	attribute := func(k uintptr) int {
		var value int32
		l.call("cuDeviceGetAttribute", uintptr(unsafe.Pointer(&value)), k, uintptr(device))
		return int(value)
	}
	g.processors, g.shared = attribute(attributeProcessors), attribute(attributeSharedMemory)
	g.architecture = 10*attribute(attributeMajor) + attribute(attributeMinor)
	if g.architecture < leastArchitecture {
		return nil, none("the %s has compute capability %d.%d, expected at least %d.%d", g.name, g.architecture/10,
			g.architecture%10, leastArchitecture/10, leastArchitecture%10)
	}
	if err := g.try("use the GPU", "cuDevicePrimaryCtxRetain", uintptr(unsafe.Pointer(&g.context)),
		uintptr(device)); err != nil {
		return nil, err
	}
	defer g.enter()()
	const apart = 1 // from the queue that synchronises with all others
	return g, g.try("make a queue", "cuStreamCreate", uintptr(unsafe.Pointer(&g.stream)), apart)
}

// enter makes the GPU current on this thread, to which the goroutine is bound until the returned function is called.
func (g *nvidia) enter() (leave func()) {
	runtime.LockOSThread()
	g.call("cuCtxSetCurrent", g.context)
	return runtime.UnlockOSThread
}

// try calls a function of the driver; the error says what failed.
//
//go:uintptrescapes
func (g *nvidia) try(what, name string, args ...uintptr) error {
	if status := g.call(name, args...); status != 0 {
		return fmt.Errorf("the GPU failed to %s: %s", what, g.explain(status))
	}
	return nil
}

func (g *nvidia) Name() string      { return g.name }
func (g *nvidia) Processors() int   { return g.processors }
func (g *nvidia) Architecture() int { return g.architecture }
func (g *nvidia) SharedMemory() int { return g.shared }

func (g *nvidia) Free() uint64 {
	defer g.enter()()
	var free, total uint64
	g.call("cuMemGetInfo_v2", uintptr(unsafe.Pointer(&free)), uintptr(unsafe.Pointer(&total)))
	return free
}

func (g *nvidia) Allocate(bytes int) (Memory, error) {
	defer g.enter()()
	var m Memory
	status := g.call("cuMemAlloc_v2", uintptr(unsafe.Pointer(&m)), uintptr(max(bytes, 1)))
	if status == statusOutOfMemory {
		return 0, outOfMemory(uint64(bytes), g.Free())
	}
	if status != 0 {
		return 0, fmt.Errorf("the GPU failed to allocate %s: %s", bytesText(uint64(bytes)), g.explain(status))
	}
	return m, nil
}

func (g *nvidia) Release(m Memory) {
	defer g.enter()()
	g.call("cuMemFree_v2", uintptr(m))
}

func (g *nvidia) Upload(to Memory, from unsafe.Pointer, bytes int) error {
	if bytes == 0 {
		return nil
	}
	defer g.enter()()
	err := g.try("copy to its memory", "cuMemcpyHtoDAsync_v2", uintptr(to), uintptr(from), uintptr(bytes), g.stream)
	runtime.KeepAlive(from)
	return err
}

func (g *nvidia) Download(to unsafe.Pointer, from Memory, bytes int) error {
	if bytes == 0 {
		return nil
	}
	defer g.enter()()
	err := g.try("copy from its memory", "cuMemcpyDtoHAsync_v2", uintptr(to), uintptr(from), uintptr(bytes), g.stream)
	if err != nil {
		return err
	}
	err = g.try("finish its work", "cuStreamSynchronize", g.stream)
	runtime.KeepAlive(to)
	return err
}

func (g *nvidia) Pinned(bytes int) (unsafe.Pointer, error) {
	defer g.enter()()
	var at unsafe.Pointer
	err := g.try("share memory of the host", "cuMemHostAlloc", uintptr(unsafe.Pointer(&at)), uintptr(bytes), 0)
	return at, err
}

func (g *nvidia) Fetch(to unsafe.Pointer, from Memory, bytes int) error {
	defer g.enter()()
	return g.try("copy from its memory", "cuMemcpyDtoHAsync_v2", uintptr(to), uintptr(from), uintptr(bytes), g.stream)
}

func (g *nvidia) Fill(m Memory, value byte, bytes int) error {
	if bytes == 0 {
		return nil
	}
	defer g.enter()()
	return g.try("clear its memory", "cuMemsetD8Async", uintptr(m), uintptr(value), uintptr(bytes), g.stream)
}

func (g *nvidia) Wait() error {
	defer g.enter()()
	return g.try("finish its work", "cuStreamSynchronize", g.stream)
}

// module is a Program on a GPU.
type module struct {
	gpu    *nvidia
	handle uintptr
	shared map[string]int // the most that a kernel has been given
}

func (g *nvidia) Compile(source string, macros []string) (Program, error) {
	architecture := fmt.Sprintf("sm_%d", g.architecture)
	if g.architecture == 90 { // with the instructions that only this one has
		architecture += "a"
	}
	code, err := compile(source, architecture, macros)
	if err != nil {
		return nil, err
	}
	defer g.enter()()
	m := &module{gpu: g, shared: map[string]int{}}
	return m, g.try("load a program", "cuModuleLoadData", uintptr(unsafe.Pointer(&m.handle)),
		uintptr(unsafe.Pointer(&code[0])))
}

// function is a Kernel on a GPU.
type function struct {
	gpu             *nvidia
	handle          uintptr
	threads, shared int
	resident        int32
	params          [1]unsafe.Pointer
}

func (m *module) Kernel(name string, threads, shared int) (Kernel, error) {
	g := m.gpu
	defer g.enter()()
	text := append([]byte(name), 0)
	f := &function{gpu: g, threads: threads, shared: shared}
	if err := g.try("find the kernel "+name, "cuModuleGetFunction", uintptr(unsafe.Pointer(&f.handle)), m.handle,
		uintptr(unsafe.Pointer(&text[0]))); err != nil {
		return nil, err
	}
	m.shared[name] = max(m.shared[name], shared)
	if err := g.try("give shared memory to "+name, "cuFuncSetAttribute", f.handle, functionSharedMemory,
		uintptr(m.shared[name])); err != nil {
		return nil, err
	}
	err := g.try("plan "+name, "cuOccupancyMaxActiveBlocksPerMultiprocessor", uintptr(unsafe.Pointer(&f.resident)),
		f.handle, uintptr(threads), uintptr(shared))
	return f, err
}

func (f *function) Resident() int { return int(f.resident) }

func (f *function) Launch(blocks int, together bool, params unsafe.Pointer) error {
	if blocks == 0 {
		return nil
	}
	g := f.gpu
	defer g.enter()()
	f.params[0] = params
	list := uintptr(unsafe.Pointer(&f.params))
	var err error
	if together {
		err = g.try("start a kernel", "cuLaunchCooperativeKernel", f.handle, uintptr(blocks), 1, 1, uintptr(f.threads),
			1, 1, uintptr(f.shared), g.stream, list)
	} else {
		err = g.try("start a kernel", "cuLaunchKernel", f.handle, uintptr(blocks), 1, 1, uintptr(f.threads), 1, 1,
			uintptr(f.shared), g.stream, list, 0)
	}
	runtime.KeepAlive(params)
	return err
}

// recorded is a Graph on a GPU.
type recorded struct {
	gpu         *nvidia
	graph, exec uintptr
}

func (g *nvidia) Capture(queue func() error) (Graph, error) {
	defer g.enter()()
	const relaxed = 2
	if err := g.try("record", "cuStreamBeginCapture_v2", g.stream, relaxed); err != nil {
		return nil, err
	}
	r := &recorded{gpu: g}
	failed := queue()
	err := g.try("end a recording", "cuStreamEndCapture", g.stream, uintptr(unsafe.Pointer(&r.graph)))
	if failed != nil {
		return nil, failed
	}
	if err != nil {
		return nil, err
	}
	return r, g.try("prepare a recording", "cuGraphInstantiateWithFlags", uintptr(unsafe.Pointer(&r.exec)), r.graph, 0)
}

func (r *recorded) Launch() error {
	defer r.gpu.enter()()
	return r.gpu.try("repeat a recording", "cuGraphLaunch", r.exec, r.gpu.stream)
}

func (r *recorded) Release() {
	defer r.gpu.enter()()
	r.gpu.call("cuGraphExecDestroy", r.exec)
	r.gpu.call("cuGraphDestroy", r.graph)
}
