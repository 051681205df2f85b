package evaluate

import (
	"math"
	"slices"
)

// Peak is a peak of the speed sd(dE/dβ), whose square is the specific heat along the way.
type Peak struct {
	Beta   float64 `json:"beta"`
	Height float64 `json:"height"` // in units of the speed at the faster end
}

// Hysteresis is the difference of dE/dβ between chains that go up and chains that come down, at the same β.
type Hysteresis struct {
	Beta   float64 `json:"beta"`
	Sigmas float64 `json:"sigmas"` // in standard deviations over the chains that go up
}

// Limits above which a peak and a hysteresis are worth a word.
const (
	tallPeak       = 1.5
	wideHysteresis = 2
)

// profile follows −dE/dβ along a ladder.
type profile struct {
	ladder   []float64
	stride   int
	mean, sd map[int]float64
}

const profilePoints = 60

func newProfile(ladder []float64) *profile {
	return &profile{ladder: ladder, stride: max(1, len(ladder)/profilePoints), mean: map[int]float64{},
		sd: map[int]float64{}}
}

// add looks at the chains, which are projected, at a step of the ladder.
func (p *profile) add(a *Annealing, t int) {
	if t%p.stride == 0 {
		mean, variance := a.slopes(p.ladder[t], 1e-3)
		p.mean[t], p.sd[t] = mean, math.Sqrt(variance)
	}
}

// steps are those looked at, in order.
func (p *profile) steps() (all []int) {
	for t := range p.mean {
		all = append(all, t)
	}
	slices.Sort(all)
	return all
}

// peak finds the largest speed, nil unless it lies within and stands out above both ends.
func (p *profile) peak() *Peak {
	steps := p.steps()
	best := Peak{}
	for _, t := range steps {
		if p.sd[t] > best.Height {
			best = Peak{Beta: p.ladder[t], Height: p.sd[t]}
		}
	}
	if len(steps) < 10 {
		return nil
	}
	best.Height /= max(p.sd[steps[0]], p.sd[steps[len(steps)-1]])
	if !(best.Height > tallPeak) {
		return nil
	}
	return &best
}

// against compares with chains that came down.
func (p *profile) against(down *profile) (h Hysteresis) {
	for _, t := range p.steps() {
		mean, ok := down.mean[t]
		if !ok || p.sd[t] == 0 {
			continue
		}
		if d := math.Abs(mean-p.mean[t]) / p.sd[t]; d > h.Sigmas {
			h.Beta, h.Sigmas = p.ladder[t], d
		}
	}
	return h
}

// widen keeps the larger one.
func (h *Hysteresis) widen(other Hysteresis) {
	if other.Sigmas > h.Sigmas {
		*h = other
	}
}
