package parallel_test

import (
	"context"
	"errors"
	"reflect"
	"runtime"
	"sync/atomic"
	"testing"

	"instanton/internal/parallel"
)

func TestWorkers(t *testing.T) {
	all := runtime.GOMAXPROCS(0)
	for _, c := range []struct{ workers, n, want int }{
		{0, 1 << 20, all}, {-3, 1 << 20, all}, {5, 3, 3}, {5, 9, 5}, {5, 0, 1}, {0, 1, 1},
	} {
		if got := parallel.Workers(c.workers, c.n); got != c.want {
			t.Errorf("Workers(%d, %d) = %d, want %d", c.workers, c.n, got, c.want)
		}
	}
}

// loop is For or a Team's.
type loop func(n int, task func(worker, i int))

// checkLoop checks that every task is done once, by an existing worker that does one thing at a time.
func checkLoop(t *testing.T, name string, workers, n int, do loop) {
	t.Helper()
	done, busy := make([]atomic.Int32, n), make([]atomic.Int32, workers)
	do(n, func(worker, i int) {
		if busy[worker].Add(1) != 1 {
			t.Errorf("%s: worker %d has two tasks at a time", name, worker)
		}
		done[i].Add(1)
		runtime.Gosched()
		busy[worker].Add(-1)
	})
	for i := range done {
		if k := done[i].Load(); k != 1 {
			t.Errorf("%s with %d workers: task %d of %d was done %d times", name, workers, i, n, k)
		}
	}
}

func TestFor(t *testing.T) {
	for _, workers := range []int{-1, 0, 1, 2, 7, 100} {
		for _, n := range []int{0, 1, 2, 5, 64, 1000} {
			most := parallel.Workers(workers, n)
			checkLoop(t, "For", most, n, func(n int, task func(worker, i int)) { parallel.For(workers, n, task) })
			checkLoop(t, "ForContext", most, n, func(n int, task func(worker, i int)) {
				if err := parallel.ForContext(t.Context(), workers, n, task); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

func TestForContextStops(t *testing.T) {
	for _, workers := range []int{1, 3} {
		ctx, cancel := context.WithCancel(t.Context())
		var begun atomic.Int32
		err := parallel.ForContext(ctx, workers, 1000, func(_, _ int) {
			begun.Add(1)
			cancel()
		})
		if k := int(begun.Load()); !errors.Is(err, context.Canceled) || k < 1 || k > workers {
			t.Errorf("%d workers: error %v after %d tasks, expected at most one each", workers, err, k)
		}
	}
}

func TestTeam(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	for _, workers := range []int{0, 1, 2, 4, 9} {
		team := parallel.NewTeam(workers)
		if want := parallel.Workers(workers, 4); team.Workers() != want {
			t.Errorf("a team of %d has %d workers, want %d", workers, team.Workers(), want)
		}
		for range 3 {
			team.Start()
			for part := range 200 {
				checkLoop(t, "Team.For", team.Workers(), part%9, team.For)
			}
			team.Stop()
		}
	}
}

// After a panic in the goroutine of the caller, Stop still ends the other workers.
func TestTeamStopsAfterPanic(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	team := parallel.NewTeam(3)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was lost")
			}
		}()
		team.Start()
		defer team.Stop()
		var came atomic.Bool
		team.For(100, func(worker, i int) {
			if worker == 0 {
				came.Store(true)
				panic("a task of the caller")
			}
			for !came.Load() { // leave a task for the caller
				runtime.Gosched()
			}
		})
	}()
	team.Start()
	checkLoop(t, "Team.For", team.Workers(), 50, team.For)
	team.Stop()
}

func TestBlocks(t *testing.T) {
	type ranges = []parallel.Range
	for _, c := range []struct {
		n, size int
		want    ranges
	}{{0, 4, nil}, {4, 4, ranges{{0, 4}}}, {9, 4, ranges{{0, 4}, {4, 8}, {8, 9}}}} {
		if got := parallel.Blocks(c.n, c.size); !reflect.DeepEqual(got, c.want) {
			t.Errorf("Blocks(%d, %d) = %v, want %v", c.n, c.size, got, c.want)
		}
	}
}

func TestShares(t *testing.T) {
	for _, n := range []int{0, 1, 5, 64, 784} {
		for _, workers := range []int{1, 2, 3, 16} {
			for _, size := range []int{1, 7, 100} {
				shares, at, longest, shortest := parallel.Shares(n, workers, size), 0, 0, n
				for _, r := range shares {
					if r.Lo != at || r.Len() < 1 || r.Len() > size {
						t.Fatalf("Shares(%d, %d, %d) = %v", n, workers, size, shares)
					}
					at, longest, shortest = r.Hi, max(longest, r.Len()), min(shortest, r.Len())
				}
				if at != n || n > 0 && longest > shortest+1 || len(shares) < n && len(shares)%workers != 0 {
					t.Errorf("Shares(%d, %d, %d) = %v", n, workers, size, shares)
				}
			}
		}
	}
}
