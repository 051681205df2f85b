package plot

import (
	"math"
	"strconv"
	"strings"
)

// mark is a tick on an axis; a minor one has no label.
type mark struct {
	value float64
	label string
	major bool
}

// marks chooses about n labelled ticks between lo and hi.
func marks(lo, hi float64, log bool, n int) []mark {
	if log {
		return logMarks(lo, hi, n)
	}
	return linearMarks(lo, hi, n)
}

// linearMarks uses steps of 1, 2 or 5 times a power of ten, small enough for two labels.
func linearMarks(lo, hi float64, n int) []mark {
	rough := (hi - lo) / float64(max(n, 1))
	step, parts := niceStep(rough)
	for math.Floor(hi/step+1e-6)-math.Ceil(lo/step-1e-6) < 1 {
		rough /= 2
		step, parts = niceStep(rough)
	}
	decimals := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	reach := max(math.Abs(lo), math.Abs(hi))
	scientific := reach >= 1e6 || decimals > 3 && reach < 0.1
	minor := step / float64(parts)
	var ms []mark
	first := math.Ceil(lo/minor - 1e-6)
	for k := first; k*minor <= hi+1e-6*minor && len(ms) < 1000; k++ {
		m := mark{value: k * minor}
		if math.Mod(k, float64(parts)) == 0 {
			m.value = k / float64(parts) * step
			m.major = true
			m.label = decimalLabel(m.value, decimals)
			if scientific {
				m.label = scientificLabel(m.value, step, reach)
			}
		}
		ms = append(ms, m)
	}
	return ms
}

// niceStep is the smallest of 1, 2, 5, 10, … × 10^k that is at least rough, and the number of minor
// intervals that divide it evenly.
func niceStep(rough float64) (step float64, parts int) {
	decade := math.Pow(10, math.Floor(math.Log10(rough)))
	switch r := rough / decade; {
	case r <= 1.0001:
		return decade, 5
	case r <= 2.0001:
		return 2 * decade, 4
	case r <= 5.0001:
		return 5 * decade, 5
	default:
		return 10 * decade, 5
	}
}

// logMarks labels powers of ten, or 1, 2 and 5 times them if there are fewer than two, and falls
// back to evenly spaced values on an axis shorter than that.
func logMarks(lo, hi float64, n int) []mark {
	a, b := math.Log10(lo), math.Log10(hi)
	first, last := int(math.Floor(a)), int(math.Ceil(b))
	decades := math.Floor(b+1e-9) - math.Ceil(a-1e-9) + 1
	if decades < 2 && b-a < 0.6 {
		return linearMarks(lo, hi, n)
	}
	every := max(1, int(math.Ceil((b-a)/float64(max(n, 2)))))
	plain := a > -3.5 && b < 4.5
	const slack = 1e-9
	var ms []mark
	for k := first; k <= last; k++ {
		for d := 1; d <= 9; d++ {
			v := float64(d) * math.Pow(10, float64(k))
			if v < lo*(1-slack) || v > hi*(1+slack) {
				continue
			}
			switch {
			case d == 1 && mod(k, every) == 0, decades < 2 && (d == 1 || d == 2 || d == 5):
				ms = append(ms, mark{v, powerLabel(d, k, plain), true})
			case every == 1 || d == 1:
				ms = append(ms, mark{value: v})
			}
		}
	}
	return ms
}

func mod(k, n int) int { return ((k % n) + n) % n }

// powerLabel is d·10^k.
func powerLabel(d, k int, plain bool) string {
	switch {
	case plain:
		return decimalLabel(float64(d)*math.Pow(10, float64(k)), max(0, -k))
	case d == 1:
		return "$10^{" + strconv.Itoa(k) + "}$"
	}
	return "$" + strconv.Itoa(d) + "×10^{" + strconv.Itoa(k) + "}$"
}

// decimalLabel writes v with a minus sign rather than a hyphen, never as −0, and with thin spaces
// between thousands from 10 000 on.
func decimalLabel(v float64, decimals int) string {
	s := strconv.FormatFloat(math.Abs(v), 'f', decimals, 64)
	negative := v < 0 && strings.Trim(s, "0.") != ""
	whole, fraction, _ := strings.Cut(s, ".")
	if len(whole) > 4 {
		for i := len(whole) - 3; i > 0; i -= 3 {
			whole = whole[:i] + "\u2009" + whole[i:]
		}
	}
	if fraction != "" {
		whole += "." + fraction
	}
	if negative {
		return "−" + whole
	}
	return whole
}

// scientificLabel writes v as a·10^k with the power of the largest value on the axis, and the digits
// that tell it from its neighbours a step away.
func scientificLabel(v, step, reach float64) string {
	if math.Abs(v) < step/2 {
		return "0"
	}
	k := int(math.Floor(math.Log10(reach) + 1e-9))
	digits := max(0, k-int(math.Floor(math.Log10(step)+1e-9)))
	a := decimalLabel(v/math.Pow(10, float64(k)), digits)
	power := "10^{" + strconv.Itoa(k) + "}$"
	switch a {
	case "1":
		return "$" + power
	case "−1":
		return "$−" + power
	}
	return "$" + a + "×" + power
}
