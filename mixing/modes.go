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

// Modes says which mode a configuration belongs to.
type Modes interface {
	Names() []string
	// Of returns the mode of configuration k and whether it is deep in that mode: only then does a chain count as
	// having changed mode.
	Of(v *unit.States, k int) (mode int, deep bool)
	// Found reports whether the modes were found in the samples themselves. Such modes may be pieces of a single one,
	// and are trusted only if few configurations lie between them.
	Found() bool
}

// deepRatio is the largest ratio of distances, to the nearest mode and to the next one, at which a configuration is
// deep in a mode.
const deepRatio = 0.8

// MaxModes bounds the number of modes that are given, MaxClusters of those that are searched for.
const (
	MaxModes    = 1000
	MaxClusters = 64
)

// thinned is the number of configurations in which modes are searched for, or of examples that define them.
const thinned = 2000

// examples assigns a configuration to the mode of the nearest example.
type examples struct {
	names  []string
	states *unit.States
	mode   []int // of each example

	overlaps int // how many of the first ones have overlaps that are followed
}

// followed are modes that come with collective variables: named scalars of a configuration.
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

// Overlap is the magnetisation (1/N) Σ ξ_i v_i along a pattern if the units are spins, otherwise the fraction of units
// that agree with it.
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

// deepest returns the mode of the nearest point, and whether it is clearly nearer than any point of another mode.
func deepest(mode []int, distance func(j int) float64) (at int, deep bool) {
	at = -1
	best, next := math.Inf(1), math.Inf(1) // distance to the mode, and to the others
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
	return at, best < deepRatio*deepRatio*next
}

// ErrNoPatterns is the error of Patterns for a model that stores none.
var ErrNoPatterns = errors.New("the model stores no patterns")

// Patterns returns modes around the patterns that a model stores and, if the visible units are spins, around their
// opposites.
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

// Labels returns one mode per class of a data set: a configuration belongs to the class of the nearest example.
func Labels(d *dataset.Dataset, spec unit.Spec) (Modes, error) {
	if d.Labels == nil {
		return nil, fmt.Errorf("%s has no labels: expected a data set with an array labels", d.Name)
	}
	if d.States.Spec != spec {
		return nil, fmt.Errorf("%s holds %s: the samples are %s", d.Name, d.States.Spec, spec)
	}
	at := thin(d.States.Len, thinned) // every configuration is compared with each of them
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

// centres assigns a configuration to the nearest centre.
type centres struct {
	names  []string
	points [][]float64
	mode   []int
}

// Clusters returns modes around k centres of the configurations themselves.
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
