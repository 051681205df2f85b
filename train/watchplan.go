package train

import (
	"instanton/evaluate"
	"instanton/rbm"
	"instanton/unit"
)

// watchPlan divides the work of a watch, which is a small share of that of the training, or a fraction of a second if
// that is more. It counts work instead of measuring time.
type watchPlan struct {
	exact  bool // log Z is found exactly at every check
	checks int
	steps  int // of the population from one check to the next, on average
	ladder int // steps of the annealing in the end
}

// Shares of the work, in nanoseconds of one processor.
const (
	checksShare = 0.03
	endShare    = 0.02
	leastChecks = 2e8
	leastEnd    = 3e8
	mostChecks  = 100
	fewChecks   = 15 // exact ones: below, a population follows the training
	mostSteps   = 50
	mostLadder  = 4000
	leastLadder = 100
	endChains   = 100
)

func newWatchPlan(t *Trainer, rows int, estimate bool) watchPlan {
	m := t.model
	training := updateWork(m, t.chains.V.Len, t.chains.sweeps, t.batches.states.Len) * float64(t.Total())
	forChecks, forEnd := max(checksShare*training, leastChecks), max(endShare*training, leastEnd)
	var p watchPlan
	exact := 10*evaluate.ExactWork(m) + float64(rows)*energyWork(m)
	p.exact = !estimate && forChecks/exact >= fewChecks
	if p.exact {
		p.checks = int(min(mostChecks, forChecks/exact))
	} else {
		step := islands * islandSize * (sweepWork(m) + 3*energyWork(m))
		each := float64(rows)*energyWork(m) + 4*step
		p.checks = int(max(5, min(mostChecks/2, forChecks/each)))
		p.steps = int(max(4, min(mostSteps, (forChecks/float64(p.checks)-float64(rows)*energyWork(m))/step)))
	}
	p.checks = min(p.checks, t.Total())
	// Four passes of annealing, perhaps from two references, and perhaps for the best model as well.
	end := forEnd / (4 * 2 * 2 * endChains * (sweepWork(m) + energyWork(m)))
	p.ladder = int(max(leastLadder, min(mostLadder, end)))
	return p
}

// updateWork is about the nanoseconds of an update without jumps.
func updateWork(m *rbm.RBM, chains, sweeps, samples int) float64 {
	return float64(chains)*float64(sweeps)*sweepWork(m) + float64(samples+chains)*energyWork(m)
}

// sweepWork and energyWork are about the nanoseconds of a sweep and of an effective energy of one chain.
func sweepWork(m *rbm.RBM) float64 {
	v, h := m.Visible.Spec(), m.Hidden.Spec()
	return 150 + 4*float64(v.Width()) + (4+drawWork[h.Type])*float64(h.Width()) +
		0.015*float64(v.Width())*float64(h.Width())
}

func energyWork(m *rbm.RBM) float64 {
	v, h := m.Visible.Spec(), m.Hidden.Spec()
	return 40 + cgfWork[h.Type]*float64(h.Width()) + 0.01*float64(v.Width())*float64(h.Width())
}

// drawWork and cgfWork are the nanoseconds of a draw and of Γ of a unit, beyond those that all types need.
var (
	drawWork = map[unit.Type]float64{unit.ReLU: 40, unit.DReLU: 60}
	cgfWork  = map[unit.Type]float64{unit.Spin: 10, unit.Bernoulli: 10, unit.Potts: 10, unit.Gaussian: 2,
		unit.ReLU: 85, unit.DReLU: 430}
)
