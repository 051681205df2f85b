package train

import (
	"sync"
	"sync/atomic"
)

// parallel calls task(0) to task(n-1) on some workers. Tasks write to places of their
// own, so that it does not matter who does which.
func parallel(workers, n int, task func(i int)) {
	if workers <= 1 || n <= 1 {
		for i := range n {
			task(i)
		}
		return
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(workers, n) {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				task(i)
			}
		})
	}
	wg.Wait()
}

// span is a range of rows that one task works on. How a range is cut into spans depends
// on its length alone: sums over spans have a fixed order.
type span struct{ lo, hi int }

func spans(n, size int) []span {
	var s []span
	for lo := 0; lo < n; lo += size {
		s = append(s, span{lo, min(lo+size, n)})
	}
	return s
}
