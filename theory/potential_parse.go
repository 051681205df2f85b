package theory

import (
	"fmt"
	"strconv"
	"strings"
)

// ParsePotential reads "quadratic", "relu:γ,θ", "drelu:γ₊,γ₋,θ₊,θ₋", "spin:c" or "bernoulli:c"; the numbers after the
// colon may be left out for γ = 1 and θ = c = 0.
func ParsePotential(text string) (Potential, error) {
	kind, list, given := strings.Cut(text, ":")
	defaults := map[string][]float64{
		"quadratic": {}, "relu": {1, 0}, "drelu": {1, 1, 0, 0}, "spin": {0}, "bernoulli": {0},
	}
	v, known := defaults[kind]
	if !known {
		return Potential{},
			fmt.Errorf("hidden potential %q is not known: use quadratic, relu:γ,θ, drelu:γ₊,γ₋,θ₊,θ₋, spin:c or "+
				"bernoulli:c", text)
	}
	if given {
		fields := strings.Split(list, ",")
		if len(fields) != len(v) {
			return Potential{}, fmt.Errorf("hidden potential %q has %d parameters: %s takes %d", text, len(fields),
				kind, len(v))
		}
		for i, f := range fields {
			x, err := strconv.ParseFloat(strings.TrimSpace(f), 64)
			if err != nil {
				return Potential{}, fmt.Errorf("hidden potential %q: %q is not a number", text, f)
			}
			v[i] = x
		}
	}
	switch kind {
	case "relu":
		return ReLU(v[0], v[1])
	case "drelu":
		return DReLU(v[0], v[1], v[2], v[3])
	case "spin":
		return Spin(v[0])
	case "bernoulli":
		return Bernoulli(v[0])
	}
	return Quadratic(), nil
}
