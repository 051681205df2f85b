package bench

import (
	"slices"
	"time"
)

// rounds is the number of measurements whose median is taken.
const rounds = 5

// seconds times the work done n times.
func seconds(run func(n int), n int) float64 {
	start := time.Now()
	run(n)
	return time.Since(start).Seconds()
}

// repetitions finds how many times the work can be done in a given time.
func repetitions(run func(n int), target time.Duration) int {
	n := 1
	for {
		took := seconds(run, n)
		if took > target.Seconds()/4 || n > 1<<24 {
			return max(1, int(float64(n)*target.Seconds()/took))
		}
		n *= 2
	}
}

// rate is how many times per second the work is done, the median of several measurements.
func rate(total time.Duration, run func(n int)) float64 {
	n := repetitions(run, total/rounds)
	rates := make([]float64, rounds)
	for k := range rates {
		rates[k] = float64(n) / seconds(run, n)
	}
	return median(rates)
}

// compare times two kinds of work in turns, so that a noisy machine disturbs both alike. It returns the rate of the
// second, and the median of the ratios of neighbouring measurements.
func compare(total time.Duration, ours func(n int),
	theirs func(n int) (float64, error)) (rate, ratio float64, err error) {
	each := total / rounds
	var failed error
	timeTheirs := func(n int) float64 {
		took, err := theirs(n)
		if err != nil {
			failed = err
		}
		return took
	}
	// A peer may be slow: find its number of repetitions by its own clock.
	m := 1
	for {
		took := timeTheirs(m)
		if failed != nil {
			return 0, 0, failed
		}
		if took > each.Seconds()/4 || m > 1<<24 {
			m = max(1, int(float64(m)*each.Seconds()/took))
			break
		}
		m *= 2
	}
	n := repetitions(ours, each)
	rates, ratios := make([]float64, rounds), make([]float64, rounds)
	for k := range rounds {
		us := float64(n) / seconds(ours, n)
		rates[k] = float64(m) / timeTheirs(m)
		if failed != nil {
			return 0, 0, failed
		}
		ratios[k] = us / rates[k]
	}
	return median(rates), median(ratios), nil
}

func median(x []float64) float64 {
	x = slices.Clone(x)
	slices.Sort(x)
	return x[len(x)/2]
}
