// Package parallel hands numbered tasks to workers. Which worker does a task, and when, is left open: write results to
// the place that belongs to the task and combine them in the order of the tasks, and they do not depend on the number
// of workers. What a worker needs for itself, such as scratch memory, goes into a slice of Workers(workers, n) places
// that is indexed by the worker.
package parallel

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Workers is the number of workers that n tasks get: one per processor if fewer than one is asked for, and never more
// than there are tasks, but at least one.
func Workers(workers, n int) int {
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	return max(1, min(workers, n))
}

// For calls task for every i from 0 to n−1 and returns when all calls have. The worker is a number below
// Workers(workers, n); calls of one worker come one after the other.
func For(workers, n int, task func(worker, i int)) {
	run(Workers(workers, n), func(worker int, next *atomic.Int64) {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			task(worker, i)
		}
	})
}

// ForContext is For until the context ends: no task begins after that. It returns the context's error, and then any
// of the tasks may be undone.
func ForContext(ctx context.Context, workers, n int, task func(worker, i int)) error {
	run(Workers(workers, n), func(worker int, next *atomic.Int64) {
		for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
			task(worker, i)
		}
	})
	return ctx.Err()
}

// run lets workers take numbers from a common counter; a single one works in the caller's goroutine.
func run(workers int, work func(worker int, next *atomic.Int64)) {
	var next atomic.Int64
	var group sync.WaitGroup
	for w := 1; w < workers; w++ {
		group.Go(func() { work(w, &next) })
	}
	work(0, &next)
	group.Wait()
}
