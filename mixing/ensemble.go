package mixing

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"instanton/batch"
	"instanton/internal/vec"
	"instanton/pca"
	"instanton/unit"
)

// ensemble describes the draws by the quantities in which starts are compared with them: their energies, if there is a
// model, and their principal components.
type ensemble struct {
	energies    []float64
	components  *pca.PCA
	coordinates [][]float64 // of each draw along the components
}

// Starts are overdispersed if their variance is at least startVariance times that of the draws and a third of them lie
// more than startOutside standard deviations from the mean of the draws. Of the draws themselves, compared in four
// ways, about one in twenty does. If the third is a single start, it must be startFarAlone away.
const (
	startVariance = 0.5
	startOutside  = 2.5
	startFarAlone = 4
)

// overdispersed reports whether chains that agree came from different places, in words that follow "chains that" if
// they did, and "but" if they did not. The starts must be about as far from each other as draws are, and many of them
// must lie outside the draws by their energy, their principal components or their distance from the mean: chains that
// were inside all along have shown nothing about other modes.
func (e *ensemble) overdispersed(s Samples) (yes bool, how string) {
	if s.Start == nil && s.Noise {
		return false, "they started from noise, which may have led all of them to the same one"
	}
	if s.Start == nil {
		return false, "where they started is not known"
	}
	start := s.Start.Slice(0, min(s.Start.Len, s.Chains))
	starts, err := pca.Fit(start, nil, 1)
	if err != nil || starts.Total == 0 {
		return false, "they all started from the same configuration"
	}
	n := float64(start.Len)
	if starts.Total*n/(n-1) < startVariance*e.components.Total {
		return false, "they started close to each other"
	}
	far := make([]float64, start.Len) // in standard deviations
	compare := func(draws, starts []float64) {
		mean, sd := stat.MeanStdDev(draws, nil)
		for k, x := range starts {
			far[k] = max(far[k], math.Abs(x-mean)/sd)
		}
	}
	if s.Model != nil {
		energies := make([]float64, start.Len)
		prepare(s.Model).EffectiveEnergies(energies, batch.Visible, start)
		compare(e.energies, energies)
	}
	coordinates, err := e.components.Projections(start)
	if err != nil {
		return false, "they started from configurations of another kind"
	}
	for k := range e.components.Components {
		column := func(x [][]float64) []float64 {
			out := make([]float64, len(x))
			for j := range x {
				out[j] = x[j][k]
			}
			return out
		}
		compare(column(e.coordinates), column(coordinates))
	}
	compare(e.distances(s.V), e.distances(start))
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

// distances are the squared distances of configurations from the mean of the draws.
func (e *ensemble) distances(v *unit.States) []float64 {
	out, x := make([]float64, v.Len), make([]float64, v.Width())
	for k := range out {
		features(x, v, k)
		out[k] = vec.SquaredDistance(x, e.components.Mean)
	}
	return out
}
