package rates_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"instanton/rates"
)

// What "good" promises: the relaxation time is right to four standard errors or a tenth, whichever is more.
func within(r *rates.Result, exact float64) bool {
	return math.Abs(r.LogTime-math.Log(exact)) <= max(4*r.Error, 0.1)
}

// confusion counts runs by what was said of them.
type confusion struct{ runs, right, wrong, unknown, refused int }

// The verdict on models whose times are known exactly. With INSTANTON_STUDY=1 all of the family is run with three
// seeds, and the table of docs/rates.md comes out.
func TestVerdicts(t *testing.T) {
	if testing.Short() {
		t.Skip("umbrella sampling of many models")
	}
	seeds, every, full := 1, 9, os.Getenv("INSTANTON_STUDY") != ""
	if full {
		seeds, every = 3, 1
	}
	table, order := map[string]*confusion{}, []string{}
	for number, x := range family(t) {
		if number%every != 0 {
			continue
		}
		if table[x.group] == nil {
			table[x.group], order = &confusion{}, append(order, x.group)
		}
		for seed := range seeds {
			x.o.Seed, x.o.Chains, x.o.Sweeps = uint64(seed+1), 128, 3000
			if !full {
				x.o.Chains, x.o.Sweeps = 64, 1200
			}
			t.Run(fmt.Sprintf("%s seed %d", x.name, seed+1), func(t *testing.T) { table[x.group].add(t, x) })
		}
	}
	var alarms, good int
	for _, name := range order {
		c := table[name]
		t.Logf("| %s | %d | %d | %d | %d | %d |", name, c.runs, c.right, c.wrong, c.unknown, c.refused)
		if strings.HasPrefix(name, "good") {
			alarms, good = alarms+c.unknown+c.refused, good+c.runs
		}
	}
	if alarms*20 > good {
		t.Errorf("%d false alarms in %d runs", alarms, good)
	}
}

// add runs a model and compares the verdict with the truth.
func (c *confusion) add(t *testing.T, x member) {
	c.runs++
	r, err := rates.Estimate(context.Background(), x.model, x.o)
	switch {
	case err != nil:
		c.refused++
		t.Log(err)
	case r.Verdict != rates.Good:
		c.unknown++
		if r.Time != nil || r.Kinetics != nil || r.Reason == "" || r.Fault == rates.None {
			t.Errorf("time %v and rates %v that are not known, reason %q", r.Time, r.Kinetics, r.Reason)
		}
		t.Logf("%s; %s", r.Reason, told(x, r))
	case !within(r, x.exact(r.QA, r.QB)):
		c.wrong++
		t.Errorf("a false assurance: %s", told(x, r))
	default:
		c.right++
		t.Logf("good: %s", told(x, r))
	}
}

// told compares an estimate with the truth.
func told(x member, r *rates.Result) string {
	k := r.Kinetics
	if k == nil {
		k = r.Doubtful
	}
	if k == nil {
		return "no estimate"
	}
	exact := x.exact(k.QA, k.QB)
	return fmt.Sprintf("τ %.4g ± %.1f %%, exact %.4g (%+.1f errors), checks %.3g", math.Exp(k.LogTime), 100*k.Error,
		exact, (k.LogTime-math.Log(exact))/k.Error, *r.Checks)
}
