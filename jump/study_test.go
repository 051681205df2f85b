package jump_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"strconv"
	"syscall"
	"testing"
	"time"

	"gonum.org/v1/gonum/stat"

	"instanton/dataset"
	"instanton/jump"
	"instanton/mixing"
	"instanton/paper/experiment"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// cpu is the time that this process has computed.
func cpu() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// contest measures a kernel from both sides as docs/mixing.md describes: mode ESS, R-hat, occupancies.
func contest(t *testing.T, name string, k sampler.Kernel, starts *unit.States, modes mixing.Modes,
	chains, draws, every int) {
	t.Helper()
	c := sampler.NewChains(k.Model(), chains, 77)
	for j := range chains {
		c.V.CopyRow(j, starts, j*starts.Len/chains)
	}
	burn := draws * every / 10
	pool := sampler.NewPool(k, 1)
	if err := pool.Run(context.Background(), c, burn); err != nil {
		t.Fatal(err)
	}
	clear(c.Proposed)
	clear(c.Accepted)
	plan := sampler.Plan{Burn: burn, Every: every, Draws: draws}
	r := sampler.NewRecord(k, c, plan, false)
	before := cpu()
	if err := pool.Record(context.Background(), c, r, nil); err != nil {
		t.Fatal(err)
	}
	seconds := (cpu() - before).Seconds()
	o := mixing.Occupy(r.V, chains, draws, modes)
	line := fmt.Sprintf("%s: acceptance %.3f, %.2f µs per sweep;", name, c.Acceptance(),
		1e6*seconds/float64(chains*draws*every))
	least, worst, tv := math.Inf(1), 0.0, 0.0
	for a := range o.Names {
		x := o.Indicator(a)
		line += fmt.Sprintf(" %s %.4f ± %.4f", o.Names[a], o.Share[a], o.Error[a])
		var means []float64
		for _, path := range x {
			means = append(means, stat.Mean(path, nil))
		}
		p := o.Share[a]
		ess := float64(chains) * p * (1 - p) / stat.Variance(means, nil)
		if p > 0 {
			least, worst = min(least, ess), max(worst, mixing.RHat(x))
		}
		tv += math.Abs(p-1/float64(len(o.Names))) / 2
	}
	t.Logf("%s; R-hat %.4f, mode ESS %.0f in all, %.1f per CPU second; distance from uniform %.4f", line, worst, least,
		least/seconds, tv)
}

func study(t *testing.T) {
	t.Helper()
	if os.Getenv("INSTANTON_STUDY") == "" {
		t.Skip("a study: set INSTANTON_STUDY=1")
	}
}

func fitted(t *testing.T, m *rbm.RBM, starts *unit.States, o jump.Options) *jump.Fitted {
	t.Helper()
	o.Workers, o.Seed = 1, 1
	o.Report = func(r jump.Round) { t.Logf("%+v", r) }
	before := cpu()
	f, err := jump.Fit(context.Background(), m, 1, starts, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("fit in %.1f CPU seconds, in the %s layer: %s", (cpu() - before).Seconds(), f.Kernel.Side(),
		f.Kernel.Proposal().Name())
	return f
}

func TestStudyHopfield(t *testing.T) {
	study(t)
	m := must(experiment.RotatedHopfield(1.5, 1))
	modes := must(mixing.Patterns(m))
	starts := m.PatternsAndOpposites()
	for _, side := range []string{"visible", "hidden"} {
		f := fitted(t, m, starts, jump.Options{Side: side})
		contest(t, side, f.Kernel, starts, modes, 240, 1000, 1)
	}
	contest(t, "gibbs", must(sampler.NewGibbs(m, 1)), starts, modes, 240, 1000, 1)
}

// TestStudyProposal measures a proposal in a file, with different numbers of Gibbs steps.
func TestStudyProposal(t *testing.T) {
	study(t)
	m := must(rbm.Load(os.Getenv("MODEL")))
	d := must(dataset.Read(os.Getenv("DATA")))
	modes := must(mixing.Labels(d, m.Visible.Spec()))
	f := must(jump.Load(os.Getenv("PROPOSAL"), m))
	for around := range 4 {
		if k, err := jump.New(m, 1, f.Side(), f.Proposal(), around); err == nil {
			contest(t, fmt.Sprintf("jump, %d around", around), k, d.States, modes, 100, 4000, 1)
		}
	}
}

// TestStudyFile measures a model and data in files, by the classes of the data.
func TestStudyFile(t *testing.T) {
	study(t)
	m := must(rbm.Load(os.Getenv("MODEL")))
	d := must(dataset.Read(os.Getenv("DATA")))
	starts := d.States
	modes := must(mixing.Labels(d, m.Visible.Spec()))
	f := fitted(t, m, starts, jump.Options{Kind: os.Getenv("KIND"), Side: os.Getenv("SIDE"),
		Network: jump.NetworkOptions{Hidden: number("HIDDEN"), Steps: number("STEPS")}})
	if refits := number("REFITS"); refits > 0 {
		before := cpu()
		starts := unit.NewStates(d.States.Spec, 100)
		for k := range starts.Len {
			starts.CopyRow(k, d.States, k*d.States.Len/starts.Len)
		}
		r := must(f.Measure(context.Background(), starts, jump.Plan{Chains: 100, Every: 20, Draws: 60, Seed: 3,
			Refits: refits}))
		t.Logf("guard: %d refits in %.1f CPU seconds, trapped in the end: %v", r.Refits, (cpu() - before).Seconds(),
			r.Trapped)
	}
	if path := os.Getenv("SAVE"); path != "" {
		if err := f.Save(path, true); err != nil {
			t.Fatal(err)
		}
	}
	contest(t, "jump", f.Kernel, starts, modes, 100, 4000, 1)
	contest(t, "gibbs", must(sampler.NewGibbs(m, 1)), starts, modes, 100, 400, 5)
}

func number(name string) int {
	n, _ := strconv.Atoi(os.Getenv(name))
	return n
}
