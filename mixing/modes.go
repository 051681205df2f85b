package mixing

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"instanton/dataset"
	"instanton/rbm"
	"instanton/unit"
)

// Modes tells which mode a configuration belongs to.
type Modes interface {
	Names() []string
	// Of is the mode of a configuration, given as features, and whether it is deep in it:
	// a chain counts as having changed mode only once it is.
	Of(x []float64) (mode int, deep bool)
	// Found tells that the modes were found in the samples themselves. Such modes may be
	// pieces of one, and are believed only where few configurations lie between them.
	Found() bool
}

// clearly is how much nearer, as a ratio of distances, a mode must be than the next one.
const clearly = 0.8

// prototypes assign a configuration to the mode of the nearest prototype.
type prototypes struct {
	names  []string
	points [][]float64
	mode   []int // of each point
	found  bool
}

func (p *prototypes) Names() []string { return p.names }
func (p *prototypes) Found() bool     { return p.found }

func (p *prototypes) Of(x []float64) (int, bool) {
	at, best := 0, math.Inf(1)
	for k, point := range p.points {
		if d := squareDistance(x, point); d < best {
			at, best = p.mode[k], d
		}
	}
	next := math.Inf(1)
	for k, point := range p.points {
		if p.mode[k] != at {
			next = min(next, squareDistance(x, point))
		}
	}
	return at, best < clearly*clearly*next
}

// Patterns are modes around the patterns that a model stores, and around their opposites
// where the visible units are spins.
func Patterns(m *rbm.RBM) (Modes, error) {
	if m.Patterns == nil {
		return nil, fmt.Errorf("the model stores no patterns: expected modes by labels:FILE, cluster:K or pca")
	}
	p := &prototypes{}
	points := allFeatures(m.Patterns, m.Patterns.Len)
	add := func(name string, x []float64) {
		p.names, p.points, p.mode = append(p.names, name), append(p.points, x), append(p.mode, len(p.mode))
	}
	spins := m.Visible.Spec().Type == unit.Spin
	for k, x := range points {
		if spins {
			add(fmt.Sprintf("+%d", k+1), x)
		} else {
			add(strconv.Itoa(k+1), x)
		}
	}
	if spins {
		for k, x := range points {
			opposite := make([]float64, len(x))
			for i, v := range x {
				opposite[i] = -v
			}
			add(fmt.Sprintf("-%d", k+1), opposite)
		}
	}
	return p, nil
}

// Labels are modes around the examples of each class of a data set: a configuration has
// the class of the nearest example.
func Labels(d *dataset.Dataset, spec unit.Spec) (Modes, error) {
	if d.Labels == nil {
		return nil, fmt.Errorf("%s has no labels: expected a data set with an array labels", d.Name)
	}
	if d.States.Spec != spec {
		return nil, fmt.Errorf("%s holds %s: the samples are %s", d.Name, d.States.Spec, spec)
	}
	const most = 2000 // examples, each compared with each configuration
	p := &prototypes{points: allFeatures(d.States, most)}
	classes := 0
	for k := range p.points {
		label := d.Labels[k*d.States.Len/len(p.points)]
		p.mode = append(p.mode, label)
		classes = max(classes, label+1)
	}
	for c := range classes {
		if c < len(d.LabelNames) {
			p.names = append(p.names, d.LabelNames[c])
		} else {
			p.names = append(p.names, strconv.Itoa(c))
		}
	}
	return p, nil
}

// Clusters are modes around the k centres of the configurations themselves.
func Clusters(v *unit.States, k int, seed uint64) Modes {
	p := &prototypes{points: Centres(allFeatures(v, 2000), k, seed), found: true}
	for c := range p.points {
		p.names, p.mode = append(p.names, fmt.Sprintf("cluster %d", c+1)), append(p.mode, c)
	}
	return p
}

// signs are modes by the signs of the leading principal components.
type signs struct {
	*principal
	count int
	names []string
}

// PCA gives two modes by the sign of the first principal component, four or eight where the
// next ones vary at least half as much. Within a quarter of a standard deviation from zero
// a configuration is between modes.
func PCA(v *unit.States) Modes {
	s := &signs{principal: newPrincipal(allFeatures(v, 2000), 3)}
	for k := range s.variances {
		if s.variances[k] >= s.variances[0]/2 {
			s.count++
		}
	}
	for mode := range 1 << s.count {
		name := ""
		for k := range s.count {
			sign := "+"
			if mode>>k&1 == 1 {
				sign = "-"
			}
			name += fmt.Sprintf(" %sPC%d", sign, k+1)
		}
		s.names = append(s.names, strings.TrimSpace(name))
	}
	if s.count == 0 {
		s.names = []string{"all"}
	}
	return s
}

func (s *signs) Names() []string { return s.names }
func (s *signs) Found() bool     { return true }

func (s *signs) Of(x []float64) (mode int, deep bool) {
	deep = true
	for k := range s.count {
		c := s.project(x, k)
		if c < 0 {
			mode |= 1 << k
		}
		deep = deep && math.Abs(c) > math.Sqrt(s.variances[k])/4
	}
	return mode, deep
}
