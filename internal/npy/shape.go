package npy

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// maxRank is the most dimensions that every version of numpy can load.
const maxRank = 32

// countElements is the product of shape, once it is known to be a shape whose
// bytes can be counted by an int. As in numpy, a zero among the dimensions does
// not excuse the others from that.
func countElements(shape []int, itemSize int) (int, error) {
	if len(shape) > maxRank {
		return 0, fmt.Errorf("an array of %d dimensions: at most %d are supported", len(shape), maxRank)
	}
	count, empty := 1, false
	for _, d := range shape {
		switch {
		case d < 0:
			return 0, fmt.Errorf("shape %s has a negative dimension", shapeText(shape))
		case d == 0:
			empty = true
		case d > math.MaxInt/itemSize/count:
			return 0, fmt.Errorf("shape %s overflows: it has more elements than memory can address", shapeText(shape))
		default:
			count *= d
		}
	}
	if empty {
		return 0, nil
	}
	return count, nil
}

// shapeText is the shape as a Python tuple: (), (3,), (3, 4).
func shapeText(shape []int) string {
	var b strings.Builder
	b.WriteByte('(')
	for i, d := range shape {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.Itoa(d))
	}
	if len(shape) == 1 {
		b.WriteByte(',')
	}
	b.WriteByte(')')
	return b.String()
}
