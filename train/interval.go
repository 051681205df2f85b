package train

import (
	"errors"

	"instanton/internal/special"
)

// interval is a range of valid numbers.
type interval int

const (
	nonNegative interval = iota
	positive
	belowOne // 0 ≤ x < 1
)

// check says what was expected instead of x, if x is outside.
func (r interval) check(x float64) error {
	switch {
	case !special.Finite(x):
		return errors.New("expected a finite number")
	case r == positive && x <= 0:
		return errors.New("expected a positive number")
	case r == nonNegative && x < 0:
		return errors.New("expected a number that is not negative")
	case r == belowOne && (x < 0 || x >= 1):
		return errors.New("expected at least 0 and below 1")
	}
	return nil
}
