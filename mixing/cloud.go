package mixing

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"instanton/pca"
	"instanton/unit"
)

// cloud is where the draws are: their energies, where there is a model, and their principal
// components.
type cloud struct {
	energies    []float64
	components  *pca.PCA
	coordinates [][]float64 // of each draw along the components
}

// Starts are apart if they vary at least so much, against the draws, and if a third of them
// lie so many standard deviations of the draws outside: of draws themselves, looked at in
// four ways, about one in twenty does. One alone has to be further off.
const (
	startSpread   = 0.5
	startOutside  = 2.5
	startFarAlone = 4
)

// apart tells whether chains that agree came from different places, in words that follow
// "chains that" if they did, and "but" if not: whether the starts are as far from each other
// as draws are, or nearly, and many of them outside of the cloud that the draws make, by their
// energy, their principal components or their distance from its middle. Chains that were
// inside all along have shown nothing about the rest of the world.
func (c *cloud) apart(s Samples) (apart bool, how string) {
	if s.Start == nil && s.Noise {
		return false, "they started from noise, which may have led all of them to the same one"
	}
	if s.Start == nil {
		return false, "where they started is not known (--init names it)"
	}
	start := s.Start.Slice(0, min(s.Start.Len, s.Chains))
	spread, err := pca.Fit(start, nil, 1)
	if err != nil || spread.Total == 0 {
		return false, "they all started from the same configuration"
	}
	n := float64(start.Len)
	if spread.Total*n/(n-1) < startSpread*c.components.Total {
		return false, "they started close to each other"
	}
	far := make([]float64, start.Len) // in standard deviations
	look := func(draws, starts []float64) {
		mean, sd := stat.MeanStdDev(draws, nil)
		for k, x := range starts {
			far[k] = max(far[k], math.Abs(x-mean)/sd)
		}
	}
	if s.Model != nil {
		energies := make([]float64, start.Len)
		s.Model.EffectiveEnergies(energies, start)
		look(c.energies, energies)
	}
	coordinates, err := c.components.Projections(start)
	if err != nil {
		return false, "they started from configurations of another kind"
	}
	for k := range c.components.Components {
		column := func(x [][]float64) []float64 {
			out := make([]float64, len(x))
			for j := range x {
				out[j] = x[j][k]
			}
			return out
		}
		look(column(c.coordinates), column(coordinates))
	}
	look(c.distances(s.V), c.distances(start))
	slices.Sort(far)
	limit := startOutside
	third := (start.Len + 2) / 3
	if third == 1 && far[max(0, start.Len-2)] < startOutside {
		limit = startFarAlone
	}
	if !(far[start.Len-third] > limit) {
		return false, "they started inside of it"
	}
	return true, "started apart"
}

// distances are those of configurations from the middle of the cloud, squared.
func (c *cloud) distances(v *unit.States) []float64 {
	out, x := make([]float64, v.Len), make([]float64, v.Width())
	for k := range out {
		features(x, v, k)
		out[k] = squareDistance(x, c.components.Mean)
	}
	return out
}
