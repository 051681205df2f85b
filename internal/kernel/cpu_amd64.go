//go:build !noasm

package kernel

import "golang.org/x/sys/cpu"

// vector tells whether the assembly can run on this processor.
var vector = cpu.X86.HasAVX2 && cpu.X86.HasFMA && cpu.X86.HasBMI2

// vector512 tells whether the loops that have a 512-bit form can use it.
var vector512 = vector && cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL
