package parallel

import (
	"runtime"
	"sync/atomic"
)

// Team is a set of workers that stay awake between the parts of one piece of work, for example of a parameter update:
// waking a sleeping goroutine takes longer than many a part. Between Start and Stop the workers occupy their
// processors.
type Team struct {
	workers int

	part atomic.Uint32 // number of parts begun
	task func(worker, i int)
	n    int
	next atomic.Int64
	busy atomic.Int32 // workers, other than the caller, still at the current part
	over bool         // the workers are to end
}

// NewTeam prepares a team of the given number of workers, but at most one per processor; a number below one means one
// per processor.
func NewTeam(workers int) *Team { return &Team{workers: Workers(workers, runtime.GOMAXPROCS(0))} }

// Workers is the number of workers, the caller included.
func (t *Team) Workers() int { return t.workers }

// Start starts the workers. Stop must follow before the next Start.
func (t *Team) Start() {
	t.over = false
	for w := 1; w < t.workers; w++ {
		go t.attend(w, t.part.Load())
	}
}

// Stop ends the workers. It may be deferred: if a task has panicked in the goroutine of the caller, the others finish
// theirs first.
func (t *Team) Stop() {
	t.wait()
	t.over = true
	t.begin()
	t.wait()
}

// For calls task for every i from 0 to n−1, like the function For. The team must have been started. The caller is
// worker 0.
func (t *Team) For(n int, task func(worker, i int)) {
	if t.workers == 1 || n == 1 {
		for i := range n {
			task(0, i)
		}
		return
	}
	t.task, t.n = task, n
	t.next.Store(0)
	t.begin()
	t.work(0)
	t.wait()
}

func (t *Team) begin() {
	t.busy.Store(int32(t.workers - 1))
	t.part.Add(1)
}

func (t *Team) wait() {
	for t.busy.Load() > 0 {
		runtime.Gosched()
	}
}

func (t *Team) work(worker int) {
	for i := int(t.next.Add(1)) - 1; i < t.n; i = int(t.next.Add(1)) - 1 {
		t.task(worker, i)
	}
}

// attend joins in every part that begins after the given one.
func (t *Team) attend(worker int, part uint32) {
	for over := false; !over; part++ {
		for t.part.Load() == part {
			runtime.Gosched()
		}
		if over = t.over; !over {
			t.work(worker)
		}
		t.busy.Add(-1)
	}
}
