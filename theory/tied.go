package theory

import "fmt"

// Tied is the landscape in which the hidden units of a group always have the same value. Groups are lists of units
// counted from 1; units in no group stay free. Where the units of a group are equivalent, the optimal paths of the tied
// landscape are the best symmetric paths of the full one: stationary, though not minima where breaking the symmetry is
// cheaper.
func (l *Landscape) Tied(groups ...[]int) (*Landscape, error) {
	place := make([]int, l.units) // group of each unit
	for mu := range place {
		place[mu] = -1
	}
	var members [][]int
	for _, g := range groups {
		var group []int
		for _, unit := range g {
			if unit < 1 || unit > l.units {
				return nil, fmt.Errorf("unit %d cannot be tied: the model has units 1 to %d", unit, l.units)
			}
			if place[unit-1] >= 0 {
				return nil, fmt.Errorf("unit %d is tied twice", unit)
			}
			if len(group) > 0 && l.hidden[unit-1].name != l.hidden[group[0]].name {
				return nil, fmt.Errorf("units %d and %d cannot be tied: their potentials are %s and %s", group[0]+1,
					unit, l.hidden[group[0]], l.hidden[unit-1])
			}
			place[unit-1] = len(members)
			group = append(group, unit-1)
		}
		if len(group) > 0 {
			members = append(members, group)
		}
	}
	for mu, p := range place {
		if p < 0 {
			place[mu] = len(members)
			members = append(members, []int{mu})
		}
	}
	t := &Landscape{units: len(members), share: l.share, bias: l.bias, order: tiedOrder{l, place, members}}
	for _, group := range members {
		t.hidden = append(t.hidden, l.hidden[group[0]].times(float64(len(group))))
	}
	for c := range l.share {
		row := make([]float64, t.units)
		for mu, p := range place {
			row[p] += l.weight[c*l.units+mu]
		}
		t.weight = append(t.weight, row...)
	}
	return t, nil
}

// times is k·U.
func (u Potential) times(k float64) Potential {
	v := Potential{name: fmt.Sprintf("%g×%s", k, u.name)}
	for _, p := range u.pieces {
		p.base, p.slope, p.curv = k*p.base, k*p.slope, k*p.curv
		v.pieces = append(v.pieces, p)
	}
	return v
}

// tiedOrder gives one order parameter a group, that of the group's first unit in the full model.
type tiedOrder struct {
	full    *Landscape
	place   []int
	members [][]int
}

func (o tiedOrder) spread(x []float64) []float64 {
	full := make([]float64, len(o.place))
	for mu, p := range o.place {
		full[mu] = x[p]
	}
	return full
}

func (o tiedOrder) first(full []float64) []float64 {
	x := make([]float64, len(o.members))
	for p, group := range o.members {
		x[p] = full[group[0]]
	}
	return x
}

func (o tiedOrder) field(_ *Landscape, m []float64) ([]float64, error) {
	u, err := o.full.Field(o.spread(m))
	if err != nil {
		return nil, err
	}
	return o.first(u), nil
}

func (o tiedOrder) magnetization(_ *Landscape, u []float64) []float64 {
	return o.first(o.full.Order(o.spread(u)))
}
