package theory

import (
	"fmt"
	"strconv"
	"strings"
)

// ParseState reads a state of a landscape by name: one sign a hidden unit (+ − 0, as in "+-" or "++--"), the state that
// the sampler falls into from there, with 0 for the symmetric point of a single unit; or the order parameters
// themselves, separated by commas.
func (l *Landscape) ParseState(text string) ([]float64, error) {
	if strings.Contains(text, ",") || strings.ContainsAny(text, "123456789.") {
		return parseNumbers(text, l.Units())
	}
	if len(text) != l.Units() || strings.Trim(text, "+-0") != "" {
		return nil, fmt.Errorf("state %q: expected %d signs such as %q, or %d numbers separated by commas", text,
			l.Units(), strings.Repeat("+", l.Units()), l.Units())
	}
	start := make([]float64, l.Units())
	for mu, sign := range text {
		switch sign {
		case '+':
			start[mu] = 0.9
		case '-':
			start[mu] = -0.9
		}
	}
	if strings.Trim(text, "0") == "" {
		return start, nil
	}
	p, err := l.Settle(start)
	if err != nil {
		return nil, fmt.Errorf("state %q: %w", text, err)
	}
	for mu := range start {
		if start[mu] != 0 && start[mu]*p.M[mu] < 1e-6 { // opposite, or zero up to rounding
			return nil, fmt.Errorf("there is no state %q: from there the sampler falls to m = %.4g", text, p.M)
		}
	}
	return p.M, nil
}

// ParseState reads a state of the Hopfield model: the number of a pattern with its sign, as in "1" or "-2", or the
// overlaps separated by commas.
func (p Hopfield) ParseState(text string) ([]float64, error) {
	if strings.Contains(text, ",") {
		return parseNumbers(text, p.patterns())
	}
	mu, err := strconv.Atoi(text)
	if err != nil || mu == 0 {
		return nil, fmt.Errorf("state %q: expected a pattern such as 1 or -2, or %d overlaps separated by commas", text,
			p.patterns())
	}
	return p.State(max(mu, -mu), float64(mu))
}

func parseNumbers(text string, n int) ([]float64, error) {
	parts := strings.Split(text, ",")
	if len(parts) != n {
		return nil, fmt.Errorf("state %q has %d numbers: expected %d", text, len(parts), n)
	}
	state := make([]float64, n)
	for k, part := range parts {
		x, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil || !(x > -1 && x < 1) {
			return nil, fmt.Errorf("state %q: %q is not a number strictly between -1 and 1", text, part)
		}
		state[k] = x
	}
	return state, nil
}
