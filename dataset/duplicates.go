package dataset

import (
	"encoding/binary"
	"hash/maphash"
	"math"
	"slices"

	"instanton/unit"
)

// Distinct lists the indices of configurations that are not copies of an earlier one.
func Distinct(s *unit.States) []int {
	seed := maphash.MakeSeed() // sorts the rows into buckets; the result does not depend on it
	seen := make(map[uint64]int, s.Len)
	var rows []int
	var row []byte
	for k := range s.Len {
		row = appendRow(row[:0], s, k)
		key := maphash.Bytes(seed, row)
		for {
			j, taken := seen[key]
			if !taken {
				seen[key] = k
				rows = append(rows, k)
				break
			}
			if sameRow(s, j, k) {
				break
			}
			key++ // another row with the same hash
		}
	}
	return rows
}

// Unique keeps the first of each set of equal configurations.
func (d *Dataset) Unique() *Dataset {
	rows := Distinct(d.States)
	if len(rows) == d.States.Len {
		return d
	}
	return d.Pick(rows)
}

func sameRow(s *unit.States, j, k int) bool {
	switch {
	case s.Bits != nil:
		return slices.Equal(s.BitRow(j), s.BitRow(k))
	case s.Codes != nil:
		return slices.Equal(s.CodeRow(j), s.CodeRow(k))
	}
	return slices.Equal(s.RealRow(j), s.RealRow(k))
}

// appendRow appends bytes that are equal exactly for equal rows.
func appendRow(b []byte, s *unit.States, k int) []byte {
	switch {
	case s.Bits != nil:
		for _, w := range s.BitRow(k) {
			b = binary.LittleEndian.AppendUint64(b, w)
		}
	case s.Codes != nil:
		b = append(b, s.CodeRow(k)...)
	default:
		for _, x := range s.RealRow(k) {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x+0)) // −0 is 0
		}
	}
	return b
}
