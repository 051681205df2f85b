package cuda

import (
	"fmt"
	"runtime"
	"sync"
	"unsafe"

	"instanton/batch"
	"instanton/internal/gpu"
	"instanton/rbm"
)

// GPU is an NVIDIA GPU, ready to prepare models. Several goroutines may use it; their work is done one after the other.
type GPU struct {
	device gpu.Device

	mu       sync.Mutex // held while the device is used
	kernels  map[kernelName]gpu.Kernel
	programs map[int]gpu.Program // of products, by the number of their shape; −1: all else
	shape    int                 // the only shape to use plus one, for tests; 0: any

	unusedMu sync.Mutex
	unused   []gpu.Memory // of engines that are gone
}

// kernelName names a kernel of a program.
type kernelName struct {
	program int
	name    string
}

// Open prepares GPU number n, counted from zero. The error says why it cannot be used: there is none, its driver is
// missing or too old, or the compiler NVRTC is missing.
func Open(n int) (*GPU, error) {
	d, err := gpu.Open(n)
	if err != nil {
		return nil, err
	}
	g := newGPU(d)
	if _, err := g.kernel("quantise", 128, 0); err != nil { // compiles
		return nil, err
	}
	return g, nil
}

func newGPU(d gpu.Device) *GPU {
	return &GPU{device: d, kernels: map[kernelName]gpu.Kernel{}, programs: map[int]gpu.Program{}}
}

// Name is the name of the GPU.
func (g *GPU) Name() string { return g.device.Name() }

// Device is the GPU as kernels and trainings take it.
func (g *GPU) Device() batch.Device {
	return func(m *rbm.RBM, workers int) (batch.Engine, error) { return g.Prepare(m, workers) }
}

// elsewhere is the number of the program of everything but products.
const elsewhere = -1

// program compiles a program at its first use.
func (g *GPU) program(number int) (gpu.Program, error) {
	if p := g.programs[number]; p != nil {
		return p, nil
	}
	source, macros := arithmetic(), []string(nil)
	if number != elsewhere {
		source, macros = products(), shapes[number].macros()
	}
	p, err := g.device.Compile(source, macros)
	if err != nil {
		return nil, err
	}
	g.programs[number] = p
	return p, nil
}

// kernel finds a kernel that is no product.
func (g *GPU) kernel(name string, threads, shared int) (gpu.Kernel, error) {
	return g.find(kernelName{elsewhere, name}, threads, shared)
}

// product finds a kernel of the products of a shape.
func (g *GPU) product(name string, number int) (gpu.Kernel, error) {
	s := shapes[number]
	return g.find(kernelName{number, name}, s.threads(), s.shared())
}

func (g *GPU) find(name kernelName, threads, shared int) (gpu.Kernel, error) {
	name.name = fmt.Sprintf("%s %d %d", name.name, threads, shared)
	if k := g.kernels[name]; k != nil {
		return k, nil
	}
	p, err := g.program(name.program)
	if err != nil {
		return nil, err
	}
	var plain string
	if _, err := fmt.Sscan(name.name, &plain); err != nil {
		return nil, err
	}
	k, err := p.Kernel(plain, threads, shared)
	if err == nil {
		g.kernels[name] = k
	}
	return k, err
}

// buffer is memory on the device, released when the buffer is gone.
type buffer struct {
	gpu   *GPU
	at    gpu.Memory
	bytes int
}

// room returns a buffer of at least the given size: the old one if that is large enough. Fresh memory is zero.
func (g *GPU) room(old *buffer, bytes int) (*buffer, error) {
	if old != nil && old.bytes >= bytes {
		return old, nil
	}
	g.unusedMu.Lock()
	for _, m := range g.unused {
		g.device.Release(m)
	}
	g.unused = nil
	g.unusedMu.Unlock()
	at, err := g.device.Allocate(bytes)
	if err != nil {
		return nil, err
	}
	b := &buffer{gpu: g, at: at, bytes: bytes}
	runtime.AddCleanup(b, func(at gpu.Memory) {
		g.unusedMu.Lock()
		defer g.unusedMu.Unlock()
		g.unused = append(g.unused, at)
	}, at)
	return b, g.device.Fill(at, 0, bytes)
}

// put and get copy numbers to and from a buffer, from an element on.
func put[T any](b *buffer, first int, x []T) error {
	if len(x) == 0 {
		return nil
	}
	size := int(unsafe.Sizeof(x[0]))
	return b.gpu.device.Upload(b.at+gpu.Memory(first*size), unsafe.Pointer(&x[0]), len(x)*size)
}

func get[T any](x []T, b *buffer, first int) error {
	if len(x) == 0 {
		return nil
	}
	size := int(unsafe.Sizeof(x[0]))
	return b.gpu.device.Download(unsafe.Pointer(&x[0]), b.at+gpu.Memory(first*size), len(x)*size)
}

// offset is an address within a buffer.
func (b *buffer) offset(bytes int) gpu.Memory { return b.at + gpu.Memory(bytes) }

// launch queues a kernel that is no product, with a number of threads in all.
func launch[P any](g *GPU, name string, perBlock, shared, threads int, params *P) error {
	k, err := g.kernel(name, perBlock, shared)
	if err != nil {
		return err
	}
	return k.Launch(ceil(threads, perBlock), false, unsafe.Pointer(params))
}
