package kernel

import (
	"math"
	"testing"
	"time"
)

// perItem runs a benchmark that handles n items per call and reports the time per item: the best of many samples of a
// few calls each, which is least disturbed by other work on the machine.
func perItem(b *testing.B, n int, name string, f func(i int)) {
	b.Run(name, func(b *testing.B) {
		start := time.Now()
		f(-1)
		calls := max(1, int(20*time.Microsecond/(time.Since(start)+1)))
		best := time.Duration(math.MaxInt64)
		for i := 0; i < b.N; i += calls {
			start := time.Now()
			for k := range calls {
				f(i + k)
			}
			best = min(best, time.Since(start))
		}
		b.ReportMetric(float64(best.Nanoseconds())/float64(calls*n), "best-ns/item")
	})
}
