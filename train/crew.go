package train

import (
	"runtime"
	"sync/atomic"
)

// crew is the workers that do the parts of an update together. They come at its beginning
// and wait awake between its parts: to wake a sleeping one takes longer than many a part.
// Which worker does which task of a part has no influence on the result.
type crew struct {
	workers int

	part atomic.Uint32 // number of parts begun
	task func(worker, i int)
	n    int
	next atomic.Int64
	busy atomic.Int32 // workers, besides the first, that are not done with the part
	over bool         // the present part is the end
}

// newCrew is one of at most as many workers as there are processors.
func newCrew(workers int) *crew { return &crew{workers: min(workers, runtime.GOMAXPROCS(0))} }

// come starts the workers.
func (c *crew) come() {
	c.over = false
	for w := 1; w < c.workers; w++ {
		go c.stand(w, c.part.Load())
	}
}

// leave ends them.
func (c *crew) leave() {
	c.wait() // for those in a part that panicked
	c.over = true
	c.begin()
	c.wait()
}

// do calls task for 0 to n−1.
func (c *crew) do(n int, task func(worker, i int)) {
	if c.workers == 1 || n == 1 {
		for i := range n {
			task(0, i)
		}
		return
	}
	c.task, c.n = task, n
	c.next.Store(0)
	c.begin()
	c.work(0)
	c.wait()
}

func (c *crew) begin() {
	c.busy.Store(int32(c.workers - 1))
	c.part.Add(1)
}

func (c *crew) wait() {
	for c.busy.Load() > 0 {
		runtime.Gosched()
	}
}

func (c *crew) work(worker int) {
	for i := int(c.next.Add(1)) - 1; i < c.n; i = int(c.next.Add(1)) - 1 {
		c.task(worker, i)
	}
}

// stand does the parts after the given one.
func (c *crew) stand(worker int, part uint32) {
	for over := false; !over; part++ {
		for c.part.Load() == part {
			runtime.Gosched()
		}
		if over = c.over; !over {
			c.work(worker)
		}
		c.busy.Add(-1)
	}
}

// span is a range of rows that one task works on.
type span struct{ lo, hi int }

// spans cuts a range into pieces of a size that depends on nothing else: sums over them
// have a fixed order.
func spans(n, size int) []span {
	var s []span
	for lo := 0; lo < n; lo += size {
		s = append(s, span{lo, min(lo+size, n)})
	}
	return s
}

// shares cuts a range into pieces of at most the given size, as many for one worker as for
// another.
func shares(n, workers, size int) []span {
	pieces := workers * ((n + workers*size - 1) / (workers * size))
	var s []span
	for k := range pieces {
		if lo, hi := k*n/pieces, (k+1)*n/pieces; lo < hi {
			s = append(s, span{lo, hi})
		}
	}
	return s
}
