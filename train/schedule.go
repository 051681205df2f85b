package train

import "math"

// Schedule says how the learning rate goes from its first value to the fraction Final of
// it. Constant ignores Final; geometric stays for half of the run and then falls by the
// same factor in every update; cosine follows half a period.
type Schedule struct {
	Name  string  `toml:"name" json:"name"`
	Final float64 `toml:"final" json:"final"`
}

// Factor is the learning rate over its first value after a share of the run.
func (s Schedule) Factor(share float64) float64 {
	switch s.Name {
	case "geometric":
		return math.Pow(s.Final, max(0, 2*share-1))
	case "cosine":
		return s.Final + (1-s.Final)*(1+math.Cos(math.Pi*share))/2
	}
	return 1
}
