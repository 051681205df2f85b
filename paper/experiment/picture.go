package experiment

import (
	"image"

	"instanton/plot"
	"instanton/unit"
)

// Picture is image k of spins.
func Picture(v *unit.States, k int) (image.Image, error) {
	x := make([]float64, v.N)
	v.Values(x, k)
	side := 1
	for side*side < v.N {
		side++
	}
	return plot.Picture(side, x, -1, 1)
}
