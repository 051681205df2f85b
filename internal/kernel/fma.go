package kernel

import "math"

// fma32 is x·y+z rounded once to float32, as a fused multiply-add instruction computes it. The product of two float32
// numbers is exact in float64. The float64 sum may be rounded, and rounding it again to float32 goes wrong only if the
// first rounding ends exactly between two float32 numbers, or where float32 has fewer bits (below 2^-126): these cases
// are treated separately.
func fma32(x, y, z float32) float32 {
	s := float64(x)*float64(y) + float64(z)
	if b := math.Float64bits(s); b<<35 == 1<<63 || b<<1 < 897<<53 {
		return fmaWithCare(float64(x)*float64(y), float64(z))
	}
	return float32(s)
}

// fmaWithCare rounds p+z to odd: if the sum is not exact, its last bit is set, which tells the second rounding on
// which side of the midpoint it lies.
func fmaWithCare(p, z float64) float32 {
	s := p + z
	v := s - p
	if e := (p - (s - v)) + (z - v); e != 0 {
		b := math.Float64bits(s)
		if b&1 == 0 {
			if (e > 0) == (s > 0) {
				b++
			} else {
				b--
			}
			s = math.Float64frombits(b)
		}
	}
	return float32(s)
}
