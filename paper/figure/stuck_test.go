package figure

import (
	"math"
	"strings"
	"testing"

	"instanton/dataset"
	"instanton/evaluate"
	"instanton/internal/vec"
	"instanton/paper/experiment"
	"instanton/paper/verdict"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// upAndDown are the two ground states of spins, as data with classes.
func upAndDown(n int) *dataset.Dataset {
	d := &dataset.Dataset{States: unit.NewStates(unit.Spec{Type: unit.Spin, N: n}, 40),
		LabelNames: []string{"down", "up"}}
	for k := range d.States.Len {
		for i := range n {
			d.States.Set(k, i, float64(2*(k/20)-1))
		}
		d.Labels = append(d.Labels, k/20)
	}
	return d
}

// bySign tells configurations by the sign of their magnetization: up is class 1.
func bySign(v *unit.States) ([][]float64, error) {
	p := make([][]float64, v.Len)
	x := make([]float64, v.N)
	for k := range p {
		v.Values(x, k)
		p[k] = []float64{1, 0}
		if vec.Sum(x) > 0 {
			p[k] = []float64{0, 1}
		}
	}
	return p, nil
}

// Chains of a ferromagnet change their side about as often as the exact time says: none at w = 2, many at w = 1.
func TestRunClasses(t *testing.T) {
	const n = 41
	d := upAndDown(n)
	from, err := experiment.InterleavedExamples(d, 10)
	if err != nil {
		t.Fatal(err)
	}
	for k := range 10 {
		if from.Value(k, 0) != float64(2*(k%2)-1) {
			t.Fatalf("chain %d starts at %g: classes should take turns", k, from.Value(k, 0))
		}
	}
	if _, err := experiment.InterleavedExamples(d, 100); err == nil || !strings.Contains(err.Error(),
		"too few examples of class") {
		t.Errorf("error %v", err)
	}
	for _, c := range []struct {
		w     float64
		stuck bool
	}{{2, true}, {1, false}} {
		m, err := rbm.CurieWeiss(n, c.w)
		if err != nil {
			t.Fatal(err)
		}
		kernel, err := sampler.NewGibbs(m, 1)
		if err != nil {
			t.Fatal(err)
		}
		run, err := experiment.RunClasses(t.Context(), verdict.Settings{Seed: 1, Workers: 1}, kernel, from, 2000, 10,
			experiment.Classes{Names: d.LabelNames, Classify: bySign, Threshold: 0.5})
		if err != nil {
			t.Fatal(err)
		}
		rate, wide := run.Rate()
		if mean, _ := run.Confidence(); math.Abs(mean-1) > 1e-9 || run.Steps() != 20_000 {
			t.Errorf("confidence %g, %g steps", mean, run.Steps())
		}
		if c.stuck && (rate != 0 || math.Abs(wide-0.075) > 1e-12) || !c.stuck &&
			!(rate > 10 && math.Abs(wide-1000*math.Sqrt(float64(run.Transitions))/20_000) < 1e-12) {
			t.Errorf("w = %g: %g ± %g changes per 1000 steps", c.w, rate, wide)
		}
		var r verdict.Result
		half := []evaluate.ClassWeight{{Name: "down", Share: 0.5, Error: 0.01}, {Name: "up", Share: 0.5, Error: 0.01}}
		stuckClaim(&r, stuck{name: "stuck", where: "here", statement: "It stays.", within: 100}, run, half)
		if got, want := r.Claims[0].Verdict, verdict.Judge(c.stuck); got != want {
			t.Errorf("w = %g: %s, want %s", c.w, got, want)
		}
		// To stay in a class that is all there is does not count as being stuck.
		stuckClaim(&r, stuck{name: "stuck", where: "here", statement: "It stays.", within: 100}, run,
			[]evaluate.ClassWeight{{Name: "down", Share: 0.999}, {Name: "up", Share: 0.001}})
		if got := r.Claims[1]; c.stuck && (got.Verdict != verdict.Corrected || !strings.Contains(got.Correction,
			"class down has nearly all")) {
			t.Errorf("a model of one class: %+v", got)
		}
		if got := run.Mixed(); strings.HasPrefix(got, "not mixed") != c.stuck {
			t.Errorf("w = %g: %s", c.w, got)
		}
	}
}
