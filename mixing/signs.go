package mixing

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"instanton/internal/vec"
	"instanton/pca"
	"instanton/unit"
)

// signs are modes given by the sides of the leading principal components.
type signs struct {
	*pca.PCA
	middle []float64 // border along each component that is used
	zone   []float64 // a configuration closer to it than this is between modes
	names  []string
}

// PCA returns two modes, the two sides of the first principal component, or four or eight if the next components vary
// at least half as much. The border minimises the variance of the coordinates on its two sides. A zone on either side
// of it, a sixth of the distance between the two means wide, is between modes: 0.2 of a Gaussian lies in it.
func PCA(v *unit.States) (Modes, error) {
	some := pick(v, thin(v.Len, thinned))
	p, err := pca.Fit(some, nil, 3)
	if err != nil {
		return nil, err
	}
	x, err := p.Projections(some)
	if err != nil {
		return nil, err
	}
	s := &signs{PCA: p}
	for k := range p.Variances {
		if p.Variances[k] < p.Variances[0]/2 {
			break
		}
		column := make([]float64, len(x))
		for j := range x {
			column[j] = x[j][k]
		}
		low, high := halve(column)
		s.middle, s.zone = append(s.middle, (low+high)/2), append(s.zone, (high-low)/6)
	}
	for mode := range 1 << len(s.middle) {
		name := ""
		for k := range s.middle {
			sign := "+"
			if mode>>k&1 == 1 {
				sign = "-"
			}
			name += fmt.Sprintf(" %sPC%d", sign, k+1)
		}
		s.names = append(s.names, strings.TrimSpace(name))
	}
	if len(s.middle) == 0 {
		s.names = []string{"all"}
	}
	return s, nil
}

// halve divides numbers into low and high ones so that the variance within the two parts is least, and returns the
// means of both: exact k-means with two centres in one dimension.
func halve(x []float64) (low, high float64) {
	x = slices.Sorted(slices.Values(x))
	total, sum := vec.Sum(x), 0.0
	best := math.Inf(-1)
	for k, v := range x[:len(x)-1] {
		sum += v
		a, b := float64(k+1), float64(len(x)-k-1)
		if between := sum*sum/a + (total-sum)*(total-sum)/b; between > best {
			best, low, high = between, sum/a, (total-sum)/b
		}
	}
	return low, high
}

func (s *signs) Names() []string { return s.names }
func (s *signs) Found() bool     { return true }

func (s *signs) Of(v *unit.States, k int) (mode int, deep bool) {
	x := make([]float64, v.Width())
	features(x, v, k)
	deep = true
	for a, middle := range s.middle {
		c := s.Along(x, a) - middle
		if c < 0 {
			mode |= 1 << a
		}
		deep = deep && math.Abs(c) > s.zone[a]
	}
	return mode, deep
}
