package verdict

import (
	"math"
	"strconv"
	"strings"
)

// Numbers for people: a true minus sign, powers of ten as 8.3·10⁻¹⁷, whole numbers in full, commas from
// five digits on. Files for programs have all digits as Go writes them.

// Limits of plain notation, and the size below which a number is rounding and has two digits.
const (
	smallest  = 1e-4
	largest   = 1e6
	wholeMost = 1e9
	rounding  = 1e-12
)

// Number writes a value with so many significant digits, whole numbers exactly.
func Number(x float64, digits int) string {
	size := math.Abs(x)
	switch {
	case math.IsNaN(x):
		return "NaN"
	case math.IsInf(x, 0):
		return minus(x) + "∞"
	case x == math.Trunc(x) && size < wholeMost:
		return fixed(x, 0)
	case size < rounding:
		return scientific(x, 2)
	case size < smallest || size >= largest:
		return scientific(x, digits)
	}
	s := fixed(x, max(0, digits-1-exponent(x, digits)))
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// withError writes a value and its standard error, the error with two digits and the value to the same place.
// A value of exactly zero, as of something that was never seen, has no digits to show.
func withError(x, err float64) (value, margin string) {
	place := 1 - exponent(err, 2)
	value, margin = fixed(x, place), fixed(err, place)
	if x == 0 {
		value = "0"
	}
	return value, margin
}

// measured joins a value and its error, below one power of ten where both are small or large.
func measured(x, err float64) string {
	size, power := max(math.Abs(x), err), ""
	if size < smallest || size >= wholeMost {
		e := exponent(size, 2)
		x, err, power = x/math.Pow10(e), err/math.Pow10(e), "·10"+superscript(e)
	}
	value, margin := withError(x, err)
	if power != "" {
		return "(" + value + " ± " + margin + ")" + power
	}
	return value + " ± " + margin
}

// exponent is the power of ten of the first digit after rounding.
func exponent(x float64, digits int) int {
	_, e, _ := strings.Cut(strconv.FormatFloat(x, 'e', digits-1, 64), "e")
	n, _ := strconv.Atoi(e)
	return n
}

// scientific writes 8.3·10⁻¹⁷.
func scientific(x float64, digits int) string {
	s := strconv.FormatFloat(math.Abs(x), 'e', digits-1, 64)
	mantissa, e, _ := strings.Cut(s, "e")
	if strings.Contains(mantissa, ".") {
		mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
	}
	n, _ := strconv.Atoi(e)
	return minus(x) + mantissa + "·10" + superscript(n)
}

// fixed writes a number to so many places, or rounded to tens, hundreds … where places are negative. Halves, which
// binary fractions may miss by their last bit, go up.
func fixed(x float64, places int) string {
	x *= 1 + 1e-12
	if places < 0 {
		unit := math.Pow10(-places)
		x, places = math.Round(x/unit)*unit, 0
	}
	s := strconv.FormatFloat(math.Abs(x), 'f', places, 64)
	whole, rest, point := strings.Cut(s, ".")
	if len(whole) > 4 {
		for k := len(whole) - 3; k > 0; k -= 3 {
			whole = whole[:k] + "," + whole[k:]
		}
	}
	if point {
		whole += "." + rest
	}
	if strings.Trim(whole, "0.,") == "" {
		return whole // no minus before zero
	}
	return minus(x) + whole
}

func minus(x float64) string {
	if x < 0 {
		return "−"
	}
	return ""
}

// superscript writes a whole number as an exponent.
func superscript(n int) string {
	return strings.NewReplacer("-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷",
		"8", "⁸", "9", "⁹").Replace(strconv.Itoa(n))
}
