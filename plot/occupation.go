package plot

import "math"

// Occupation shows which of several modes each run is in over the course of time: a row of the picture for each run, a
// colour for each mode, and grey where path has −1. Time runs from 0 to end.
func Occupation(path [][]int, end float64, modes []string) Panel {
	bar := Axis{Limits: Between(0, float64(len(modes)-1))}
	for a, name := range modes {
		if len(modes) <= 12 {
			bar.Ticks = append(bar.Ticks, Tick{Value: float64(a), Label: name})
		}
	}
	z := make([][]float64, len(path))
	for r, modes := range path {
		z[r] = make([]float64, len(modes))
		for i, mode := range modes {
			z[r][i] = float64(mode)
			if mode < 0 {
				z[r][i] = math.NaN()
			}
		}
	}
	return Panel{Aspect: 0.6, X: Axis{Label: "sweep"}, Y: Axis{Label: "run"}, Series: []Series{Heatmap{Z: z,
		X: [2]float64{0, end}, Y: [2]float64{0.5, float64(len(z)) + 0.5}, Bar: bar}}}
}
