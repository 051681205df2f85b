package kernel

import "time"

// Instructions names the instruction set that the loops use on this machine.
func Instructions() string {
	switch {
	case vector512:
		return "AVX-512"
	case vector:
		return "AVX2+FMA"
	}
	return "portable"
}

// PeakFLOPS measures how many float32 operations per second one core does if it does nothing but independent
// multiply-adds on registers. It is the best of several short runs, and 0 if there is no assembly.
func PeakFLOPS() float64 {
	if !vector {
		return 0
	}
	const rounds, tries = 20000, 50
	var best float64
	for range tries {
		start := time.Now()
		operations := 192.0
		if vector512 {
			operations = 384
			fmaPeakAVX512(rounds)
		} else {
			fmaPeakAVX2(rounds)
		}
		best = max(best, operations*rounds/time.Since(start).Seconds())
	}
	return best
}
