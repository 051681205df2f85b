package bench

import (
	"context"
	"strings"
	"testing"
	"time"
)

// Every case runs and has a rate in its own unit.
func TestCasesRun(t *testing.T) {
	seen := map[string]Row{}
	o := Options{Threads: 1, Time: 5 * time.Millisecond,
		Cases: []string{"gemm", "bernoulli-784-200", "potts-27x20", "latent-hopfield", "pcd1-"}}
	if err := Run(context.Background(), o, func(r Row) { seen[r.Case] = r }); err != nil {
		t.Fatal(err)
	}
	cases, err := Select(o.Cases, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		r := seen[c.Name]
		counts := r.PerSecond() > 0 && (r.UpdatesPerSec > 0) == (c.Kind == pcd)
		if !counts || r.Chains != c.Chains || r.Threads != 1 || r.Peer != "" {
			t.Errorf("%s: %+v", c.Name, r)
		}
	}
}

// Cases that are measured against another way of doing the work say how they compare.
func TestComparisons(t *testing.T) {
	for _, c := range Cases() {
		o := Options{Threads: 2, Time: time.Millisecond}
		switch c.Kind {
		case keep, keepHidden:
			c.K = 2
		case scaling:
			c.Chains = 32
		case draws:
		default:
			continue
		}
		var r Row
		if err := o.run(context.Background(), c, 0, func(row Row) { r = row }); err != nil {
			t.Fatal(err)
		}
		kept := c.Kind == keep || c.Kind == keepHidden
		if (r.CPURatio > 0) != kept || (r.Speedup > 0) != (c.Kind == scaling) || (r.Micros > 0) != (c.Kind == draws) {
			t.Errorf("%s: %+v", c.Name, r)
		}
		if c.Kind.single() && r.Threads != 1 {
			t.Errorf("%s: measured on %d threads, want one", c.Name, r.Threads)
		}
	}
}

func TestSelect(t *testing.T) {
	if all, err := Select(nil, false); err != nil || len(all) != len(Cases()) {
		t.Errorf("%d cases, %v", len(all), err)
	}
	if some, err := Select([]string{"potts-27x20", "potts-27x20-200-drelu"}, false); err != nil || len(some) != 3 {
		t.Errorf("%d cases, %v", len(some), err)
	}
	if _, err := Select([]string{"ising"}, false); err == nil ||
		!strings.Contains(err.Error(), `no case "ising": expected one of gemm`) {
		t.Errorf("error %v", err)
	}
}

// compare reports the rate of the second and how much faster the first is, each by its own clock.
func TestDuel(t *testing.T) {
	ours := func(n int) { time.Sleep(time.Duration(n) * time.Millisecond) }
	// four milliseconds each, by its own clock
	theirs := func(n int) (float64, error) { return float64(n) * 0.004, nil }
	rate, ratio, err := compare(100*time.Millisecond, ours, theirs)
	if err != nil || rate < 249 || rate > 251 {
		t.Errorf("rate %g, %v, want 250", rate, err)
	}
	if ratio > 4.01 || ratio <= 0 { // sleeping takes at least as long as it is told
		t.Errorf("ratio %g, want at most 4", ratio)
	}
}

// A peer that cannot run is left out with a message, and our own rows still come.
func TestMissingPeer(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := startPeerWith(context.Background(), "python3", "torch-natural", Cases()[1], 1); err == nil {
		t.Error("a peer started without Python")
	}
}
