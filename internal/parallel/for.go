// Package parallel distributes numbered tasks over workers. Which worker does a task, and when, is not specified. If
// every task writes its result to a place of its own, and the results are combined in the order of the tasks, the
// outcome does not depend on the number of workers. Scratch memory goes into a slice of length Workers(workers, n),
// indexed by the worker.
//
// For is the plain loop, ForContext one that can be cancelled, and a Team keeps its workers awake between many short
// loops. Blocks and Shares divide a range of numbers into tasks.
package parallel

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Workers is the number of workers for n tasks: one per processor if fewer than one is asked for, never more than
// there are tasks, and at least one.
func Workers(workers, n int) int {
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	return max(1, min(workers, n))
}

// For calls task for every i from 0 to n−1 and returns when all calls have returned. The worker is a number below
// Workers(workers, n); no two calls with the same worker overlap.
func For(workers, n int, task func(worker, i int)) {
	run(Workers(workers, n), func(worker int, next *atomic.Int64) {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			task(worker, i)
		}
	})
}

// ForContext is For, except that no task begins after the context has ended. It then returns the error of the context,
// and some tasks may not have been done.
func ForContext(ctx context.Context, workers, n int, task func(worker, i int)) error {
	run(Workers(workers, n), func(worker int, next *atomic.Int64) {
		for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
			task(worker, i)
		}
	})
	return ctx.Err()
}

// run lets workers take numbers from a common counter; a single worker runs in the goroutine of the caller.
func run(workers int, work func(worker int, next *atomic.Int64)) {
	var next atomic.Int64
	var group sync.WaitGroup
	for w := 1; w < workers; w++ {
		group.Go(func() { work(w, &next) })
	}
	work(0, &next)
	group.Wait()
}
