package plot

import "fmt"

// Components draws each component of a sequence of vectors against t, as lines named letter₁, letter₂, …, or by the
// letter alone if there is one component.
func Components(t []float64, vectors [][]float64, letter string) []Series {
	var all []Series
	for mu := range vectors[0] {
		y := make([]float64, len(vectors))
		for k := range vectors {
			y[k] = vectors[k][mu]
		}
		name := fmt.Sprintf("$%s_{%d}$", letter, mu+1)
		if len(vectors[0]) == 1 {
			name = "$" + letter + "$"
		}
		all = append(all, Line{Name: name, X: t, Y: y})
	}
	return all
}
