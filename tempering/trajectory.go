package tempering

import (
	"fmt"

	"instanton/rbm"
)

// leastExchange is the rate of exchange that neighbours on a trajectory should have.
const leastExchange = 0.3

// NewTrajectory prepares a ladder of models from the way of a training to the trained one (Béreux et al., arXiv
// 2405.15376). models are listed from the beginning of the training on and have the visible units of m, which is the
// top rung whether or not it ends the list. The bottom rung is the first of them without its weights, drawn exactly.
//
// A pilot chooses among the models: it begins with a few, adds one between neighbours that exchange less than three
// configurations in ten, as long as there is one, and lets the chosen ones come to equilibrium. With Options.Rungs it
// chooses at most so many.
func NewTrajectory(m *rbm.RBM, models []*rbm.RBM, o Options) (*Kernel, error) {
	if len(models) == 0 {
		return nil, fmt.Errorf("a ladder along a training: expected models from its way, and there are none")
	}
	for k, other := range models {
		if have, want := other.Visible.Spec(), m.Visible.Spec(); have != want {
			return nil, fmt.Errorf("model %d of the trajectory has visible units %s: expected %s", k, have, want)
		}
	}
	if o.Rungs < 0 || o.Rungs == 1 || o.Rungs > maxRungs {
		return nil, fmt.Errorf("a ladder of %d rungs: expected 2 to %d, or 0 for as many as a pilot finds necessary",
			o.Rungs, maxRungs)
	}
	all, err := trajectory(m, models)
	if err != nil {
		return nil, err
	}
	k := &Kernel{model: m, beta: 1}
	return k, o.choose(k, all)
}

// trajectory puts the independent sites at the bottom and m on top.
func trajectory(m *rbm.RBM, models []*rbm.RBM) ([]*rbm.RBM, error) {
	sites := models[0].Clone()
	clear(sites.W)
	all := append([]*rbm.RBM{sites}, models...)
	top, err := m.Fingerprint()
	if err != nil {
		return nil, err
	}
	last, err := models[len(models)-1].Fingerprint()
	if err != nil {
		return nil, err
	}
	if last == top {
		all = all[:len(all)-1]
	}
	return append(all, m), nil
}

// choose finds which models are rungs.
func (o *Options) choose(k *Kernel, all []*rbm.RBM) error {
	most := o.Rungs
	if most == 0 {
		most = mostRungs
	}
	first := min(firstRungs, most, len(all))
	var chosen []int
	for r := range first {
		chosen = append(chosen, r*(len(all)-1)/max(first-1, 1))
	}
	p := &pilot{Options: o, kernel: k, total: len(choiceSweeps) * choiceSweeps[0]}
	for round, sweeps := range choiceSweeps {
		var models []*rbm.RBM
		points := make([]float64, len(chosen))
		for r, at := range chosen {
			models = append(models, all[at])
			points[r] = float64(at)
		}
		text := fmt.Sprintf("models %v of %d, 0 without weights", chosen, len(all))
		l, err := newModelLadder("trajectory", text, models)
		if err != nil {
			return err
		}
		if err := p.begin(l, points); err != nil {
			return err
		}
		rejection, err := p.run(sweeps)
		if err != nil {
			return err
		}
		if round < len(choiceSweeps)-1 {
			chosen = insert(chosen, rejection, most)
		}
	}
	p.finish()
	return nil
}

// choiceSweeps are the sweeps of the rounds of the choice.
var choiceSweeps = []int{60, 60, 60, 60, 60, 120, 200}

// insert adds the model in the middle between neighbours that exchange too little, the worst first.
func insert(chosen []int, rejection []float64, most int) []int {
	add := map[int]bool{}
	for len(chosen)+len(add) < most {
		worst, at := 1-leastExchange, -1
		for r, x := range rejection {
			if x > worst && chosen[r+1]-chosen[r] > 1 && !add[r] {
				worst, at = x, r
			}
		}
		if at < 0 {
			break
		}
		add[at] = true
	}
	var out []int
	for r, at := range chosen {
		out = append(out, at)
		if add[r] {
			out = append(out, (at+chosen[r+1])/2)
		}
	}
	return out
}
