//go:build !noasm

package kernel

import "golang.org/x/sys/cpu"

// vector tells whether the assembly can run on this processor.
var vector = cpu.X86.HasAVX2 && cpu.X86.HasFMA && cpu.X86.HasBMI2
