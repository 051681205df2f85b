package latent

import (
	"fmt"
	"math"
)

// Differences returns the directions from each point to each other, such as from the hidden representation of one kind
// of data to that of another.
func Differences(points [][]float64) [][]float64 {
	var all [][]float64
	for a := range points {
		for b := range a {
			d := make([]float64, len(points[a]))
			var length float64
			for mu := range d {
				d[mu] = points[a][mu] - points[b][mu]
				length += d[mu] * d[mu]
			}
			if length > 0 {
				all = append(all, d)
			}
		}
	}
	return all
}

func checkDirections(directions [][]float64, units int) error {
	if len(directions) == 0 {
		return fmt.Errorf("no directions to move along: expected at least one")
	}
	for k, d := range directions {
		if len(d) != units {
			return fmt.Errorf("direction %d has %d entries: expected %d, one per hidden unit", k, len(d), units)
		}
		var length float64
		for _, x := range d {
			length += x * x
		}
		if !(length > 0) || math.IsInf(length, 0) {
			return fmt.Errorf("direction %d has length %g: expected a finite vector that is not zero", k,
				math.Sqrt(length))
		}
	}
	return nil
}

// repeated repeats each direction for every copy of the hidden units, which move together.
func repeated(directions [][]float64, copies int) [][]float64 {
	if copies == 1 {
		return directions
	}
	var out [][]float64
	for _, d := range directions {
		var long []float64
		for range copies {
			long = append(long, d...)
		}
		out = append(out, long)
	}
	return out
}
