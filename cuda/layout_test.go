package cuda

import (
	"strings"
	"testing"

	"instanton/unit"
)

// Every channel has a place of its own, no group of a Potts layer is divided by a tile, and packing is undone by
// unpacking.
func TestLayout(t *testing.T) {
	for _, text := range []string{
		"spin:1", "bernoulli:64", "spin:65", "potts:7x2", "potts:27x20", "potts:3x64", "potts:2x65",
	} {
		spec, err := unit.ParseSpec(text)
		if err != nil {
			t.Fatal(err)
		}
		l, ok := newLayout(spec)
		if !ok {
			t.Fatalf("%s has no layout", text)
		}
		seen := map[int]bool{}
		for i := range spec.N {
			for a := range spec.Channels() {
				at := l.position(i, a)
				if at < 0 || at >= l.positions || seen[at] {
					t.Errorf("%s: state %d of unit %d is at %d of %d", text, a, i, at, l.positions)
				}
				seen[at] = true
			}
			if q := spec.Channels(); l.position(i, 0)/l.group != l.position(i, q-1)/l.group {
				t.Errorf("%s: unit %d is divided", text, i)
			}
		}
		x := unit.NewStates(spec, 3)
		for k := range x.Len {
			for i := range spec.N {
				x.Set(k, i, spec.StateValue((k+i*i)%spec.States()))
			}
		}
		words, y := make([]uint32, 3*l.stride), unit.NewStates(spec, 3)
		l.pack(words, x, 0, 3)
		l.unpack(y, 0, words, 3)
		if !y.Equal(x) {
			t.Errorf("%s: unpacking does not undo packing", text)
		}
	}
	wide, err := unit.ParseSpec("potts:2x200")
	if err != nil {
		t.Fatal(err)
	}
	if err := Supports(wide, wide); err == nil || !strings.Contains(err.Error(), "at most 128 states") {
		t.Errorf("200 states: %v", err)
	}
}

// The digits of a weight, each in a signed byte, are added to the weight; see digits_of and pack_digits.
func TestDigits(t *testing.T) {
	for _, w := range []int32{0, 1, -1, 127, 128, -128, 254, 255, 65024, -65025, 16581375, 1<<30 - 1, -1<<30 + 1} {
		x := uint32(w) + 2114125312
		var d [4]int64
		for k := range d {
			d[k] = int64(x%255) - 127
			if k == 3 {
				d[k] = int64(x) - 127
			}
			x /= 255
		}
		low, high := d[0]+255*d[1], d[2]+255*d[3]
		for _, digit := range d {
			if digit < -127 || digit > 127 {
				t.Errorf("%d has the digits %v, expected −127 to 127", w, d)
			}
		}
		if low+65025*high != int64(w) {
			t.Errorf("%d has the digits %v, whose sum is %d", w, d, low+65025*high)
		}
	}
}
