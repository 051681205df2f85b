package mixing

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"instanton/cluster"
	"instanton/dataset"
	"instanton/internal/vec"
	"instanton/rbm"
	"instanton/unit"
)

// Modes tells which mode a configuration belongs to.
type Modes interface {
	Names() []string
	// Of is the mode of configuration k, and whether it is deep in it: a chain counts as
	// having changed mode only once it is.
	Of(v *unit.States, k int) (mode int, deep bool)
	// Found tells that the modes were found in the samples themselves. Such modes may be
	// pieces of one, and are believed only where few configurations lie between them.
	Found() bool
}

// clearly is how much nearer, as a ratio of distances, a mode must be than the next one.
const clearly = 0.8

// MaxModes bounds the modes that are given, MaxClusters those that are looked for.
const (
	MaxModes    = 1000
	MaxClusters = 64
)

// thinned is the number of configurations that modes are found or made from.
const thinned = 2000

// examples assign a configuration to the mode of the nearest example.
type examples struct {
	names  []string
	states *unit.States
	mode   []int // of each example

	overlaps int // how many of the first ones chains are followed by
}

// followed are modes that come with collective variables, one number for a configuration
// and each of some names.
type followed interface {
	Overlaps() []string
	Overlap(v *unit.States, k, which int) float64
}

var _ followed = (*examples)(nil)

// Overlaps names the patterns.
func (e *examples) Overlaps() []string {
	var names []string
	for k := range e.overlaps {
		names = append(names, fmt.Sprintf("overlap %d", k+1))
	}
	return names
}

// Overlap is the magnetisation (1/N) Σ ξ_i v_i along a pattern of spins; of other units, the
// share that agrees with it.
func (e *examples) Overlap(v *unit.States, k, which int) float64 {
	share := v.SquaredDistance(k, e.states, which) / float64(v.N)
	if v.Type == unit.Spin {
		return 1 - 2*share
	}
	return 1 - share
}

func (e *examples) Names() []string { return e.names }
func (e *examples) Found() bool     { return false }

func (e *examples) Of(v *unit.States, k int) (int, bool) {
	return deepest(e.mode, func(j int) float64 { return v.SquaredDistance(k, e.states, j) })
}

// deepest is the mode of the nearest point, and whether it is clearly nearer than any point
// of another mode.
func deepest(mode []int, distance func(j int) float64) (at int, deep bool) {
	at = -1
	best, next := math.Inf(1), math.Inf(1) // of the mode, and of the others
	for j, m := range mode {
		switch d := distance(j); {
		case m == at:
			best = min(best, d)
		case d < best:
			next = best
			at, best = m, d
		default:
			next = min(next, d)
		}
	}
	return at, best < clearly*clearly*next
}

// ErrNoPatterns says that modes by patterns were asked for, of a model without any.
var ErrNoPatterns = errors.New("the model stores no patterns")

// Patterns are modes around the patterns that a model stores, and around their opposites
// where the visible units are spins.
func Patterns(m *rbm.RBM) (Modes, error) {
	if m.Patterns == nil {
		return nil, ErrNoPatterns
	}
	states := m.PatternsAndOpposites()
	if states.Len > MaxModes {
		return nil, fmt.Errorf("the model stores %d patterns, which with their opposites make %d modes: expected "+
			"at most %d", m.Patterns.Len, states.Len, MaxModes)
	}
	e := &examples{states: states}
	if states.Type.Discrete() {
		e.overlaps = m.Patterns.Len
	}
	for k := range states.Len {
		name := strconv.Itoa(k%m.Patterns.Len + 1)
		if states.Type == unit.Spin {
			name = string("+-"[k/m.Patterns.Len]) + name
		}
		e.names, e.mode = append(e.names, name), append(e.mode, k)
	}
	return e, nil
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
	at := thin(d.States.Len, thinned) // each is compared with each configuration
	e := &examples{states: pick(d.States, at)}
	classes := 0
	for _, k := range at {
		if d.Labels[k] >= MaxModes {
			return nil, fmt.Errorf("%s has the label %d: expected 0 to %d", d.Name, d.Labels[k], MaxModes-1)
		}
		e.mode = append(e.mode, d.Labels[k])
		classes = max(classes, d.Labels[k]+1)
	}
	for c := range classes {
		if c < len(d.LabelNames) {
			e.names = append(e.names, d.LabelNames[c])
		} else {
			e.names = append(e.names, strconv.Itoa(c))
		}
	}
	return e, nil
}

// centres assign a configuration to the nearest centre.
type centres struct {
	names  []string
	points [][]float64
	mode   []int
}

// Clusters are modes around the k centres of the configurations themselves.
func Clusters(v *unit.States, k int, seed uint64) (Modes, error) {
	if k < 2 || k > MaxClusters {
		return nil, fmt.Errorf("%d clusters: expected 2 to %d", k, MaxClusters)
	}
	c := &centres{points: cluster.Centres(allFeatures(pick(v, thin(v.Len, thinned))), k, seed)}
	for a := range c.points {
		c.names, c.mode = append(c.names, fmt.Sprintf("cluster %d", a+1)), append(c.mode, a)
	}
	return c, nil
}

func (c *centres) Names() []string { return c.names }
func (c *centres) Found() bool     { return true }

func (c *centres) Of(v *unit.States, k int) (int, bool) {
	x := make([]float64, v.Width())
	features(x, v, k)
	return deepest(c.mode, func(j int) float64 { return vec.SquaredDistance(x, c.points[j]) })
}
