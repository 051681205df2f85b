package plot

import (
	"math"
	"strconv"

	"gonum.org/v1/plot/vg"
)

// appendNumber writes a length in points to a hundredth, which is finer than any press, and without
// trailing zeros or an exponent, which PDF does not read.
func appendNumber(b []byte, l vg.Length) []byte {
	v := math.Round(float64(l)*100) / 100
	if v == 0 {
		v = 0 // and not −0
	}
	return strconv.AppendFloat(b, v, 'f', -1, 64)
}

func number(l vg.Length) string { return string(appendNumber(nil, l)) }
