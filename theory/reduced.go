package theory

import "math"

// reducedUnits is the number of units of the smaller model that stands in for one whose critical points are too many to
// search.
const reducedUnits = 5

// reduced is the landscape in which all hidden units but some are zero. That is a subspace that relaxations and optimal
// paths do not leave if the model is symmetric under reversing each of the others; otherwise, or if more than a few
// units are asked for, there is none. The order parameters of the reduced landscape are the fields themselves.
func (l *Landscape) reduced(keep []int) (*Landscape, bool) {
	if len(keep) > reducedUnits || len(keep) >= l.units {
		return nil, false
	}
	kept := make([]bool, l.units)
	small := &Landscape{units: len(keep), order: fieldOrder{}}
	for _, mu := range keep {
		kept[mu] = true
		small.hidden = append(small.hidden, l.hidden[mu])
	}
	whole := l.profile(identity(l.units), l.units)
	for mu := range l.units {
		flip := identity(l.units)
		flip.sign[mu] = -1
		if !kept[mu] && (!l.hidden[mu].Even() || !sameProfile(l.profile(flip, l.units), whole)) {
			return nil, false
		}
	}
	row, place := make([]float64, len(keep)), map[string]int{}
	for c, p := range l.share {
		sign := 0.0
		for k, mu := range keep {
			row[k] = l.weight[c*l.units+mu]
			if sign == 0 && row[k] != 0 {
				sign = math.Copysign(1, row[k])
			}
		}
		if l.bias[c] != 0 {
			sign = 1
		}
		key := pointKey(scaled(row, sign), []float64{l.bias[c]})
		if k, ok := place[key]; ok {
			small.share[k] += p
			continue
		}
		place[key] = len(small.share)
		small.share, small.bias = append(small.share, p), append(small.bias, l.bias[c])
		small.weight = append(small.weight, scaled(row, sign)...)
	}
	return small, true
}

// fieldOrder takes the field of a state as its order parameters.
type fieldOrder struct{}

func (fieldOrder) field(_ *Landscape, m []float64) ([]float64, error) {
	return append([]float64(nil), m...), nil
}

func (fieldOrder) magnetization(_ *Landscape, u []float64) []float64 {
	return append([]float64(nil), u...)
}

// reducedStarts are the best paths of a smaller model, in which all units but those of the two ends and a few others
// are zero. There are none for models whose critical points can be searched.
func (l *Landscape) reducedStarts(from, to []float64, p PathProblem) []pathStart {
	if l.units <= maxSearchUnits {
		return nil
	}
	var keep []int
	for mu := range from {
		if math.Abs(from[mu])+math.Abs(to[mu]) > 1e-9 {
			keep = append(keep, mu)
		}
	}
	for mu := 0; mu < l.units && len(keep) < reducedUnits; mu++ {
		if math.Abs(from[mu])+math.Abs(to[mu]) <= 1e-9 {
			keep = append(keep, mu)
		}
	}
	small, ok := l.reduced(keep)
	if !ok {
		return nil
	}
	restrict := func(h []float64) []float64 {
		x := make([]float64, len(keep))
		for k, mu := range keep {
			x[k] = h[mu]
		}
		return x
	}
	paths, _ := small.optima(restrict(from), restrict(to), p)
	var starts []pathStart
	for _, path := range paths[:min(2, len(paths))] {
		whole := make([]float64, l.units*p.Steps)
		for t, h := range path.H {
			for k, mu := range keep {
				whole[t*l.units+mu] = h[k]
			}
		}
		starts = append(starts, pathStart{h: whole, copies: 1})
	}
	return starts
}
