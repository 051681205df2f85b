// Package gpu drives NVIDIA GPUs: it loads the driver and the run-time compiler NVRTC when a program asks for a GPU, so
// that a program that does not needs neither. It knows nothing about models.
//
// Open returns a Device. Kernels are CUDA C, compiled by Device.Compile, and take a single struct; a launch is queued
// and runs after those before it. All errors are sentences for a terminal.
package gpu

import (
	"errors"
	"fmt"
	"unsafe"
)

// Memory is an address on the device; zero is none.
type Memory uintptr

// Device is a GPU, or what stands in for one in tests. Its methods must be called from one goroutine at a time.
type Device interface {
	Name() string
	Processors() int     // multiprocessors
	Architecture() int   // compute capability, 90 for 9.0
	SharedMemory() int   // bytes that a block of threads may have
	Free() (free uint64) // bytes of memory

	Allocate(bytes int) (Memory, error)
	Release(m Memory)
	// Upload and Download copy memory; Download waits for all work queued before.
	Upload(to Memory, from unsafe.Pointer, bytes int) error
	Download(to unsafe.Pointer, from Memory, bytes int) error
	// Pinned returns memory of the host that stays where it is, for copies that are recorded. It is never released.
	Pinned(bytes int) (unsafe.Pointer, error)
	// Fetch queues a copy to such memory.
	Fetch(to unsafe.Pointer, from Memory, bytes int) error
	// Fill sets bytes of memory to a value, in the queue.
	Fill(m Memory, value byte, bytes int) error
	// Wait waits for all queued work.
	Wait() error

	// Compile compiles CUDA C with macros.
	Compile(source string, macros []string) (Program, error)
	// Capture records the launches and fills of a function, to be repeated at little cost.
	Capture(queue func() error) (Graph, error)
}

// Program is compiled code.
type Program interface {
	// Kernel finds a kernel, to be launched with the given number of threads and bytes of shared memory in a block.
	Kernel(name string, threads, shared int) (Kernel, error)
}

// Kernel is a function on the device.
type Kernel interface {
	// Resident is how many blocks of threads a multiprocessor holds at a time.
	Resident() int
	// Launch queues blocks of threads; params points to the struct that the kernel takes. With together, all blocks
	// must run at the same time.
	Launch(blocks int, together bool, params unsafe.Pointer) error
}

// Graph is recorded work.
type Graph interface {
	Launch() error
	Release()
}

// ErrNone is the reason why there is no GPU to use.
var ErrNone = errors.New("no NVIDIA GPU")

// none says why there is no GPU.
func none(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrNone, fmt.Sprintf(format, args...))
}

// bytesText writes a number of bytes for people.
func bytesText(n uint64) string {
	switch {
	case n < 1<<20:
		return fmt.Sprintf("%.3g KiB", float64(n)/(1<<10))
	case n < 1<<30:
		return fmt.Sprintf("%.3g MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.3g GiB", float64(n)/(1<<30))
}

// outOfMemory says how much was asked for, how much there is, and what to do.
func outOfMemory(asked, free uint64) error {
	return fmt.Errorf("the GPU is out of memory: %s were asked for, %s are free; use fewer chains or a smaller "+
		"minibatch, or stop other programs on the GPU", bytesText(asked), bytesText(free))
}
