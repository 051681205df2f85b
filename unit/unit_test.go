package unit_test

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"instanton/unit"
)

func TestParseSpec(t *testing.T) {
	for text, want := range map[string]unit.Spec{
		"spin:16":      {Type: unit.Spin, N: 16},
		"Bernoulli:3":  {Type: unit.Bernoulli, N: 3},
		"potts:27x20":  {Type: unit.Potts, N: 27, Q: 20},
		"gaussian:1":   {Type: unit.Gaussian, N: 1},
		"relu:5":       {Type: unit.ReLU, N: 5},
		"drelu:100":    {Type: unit.DReLU, N: 100},
		"potts:300x21": {Type: unit.Potts, N: 300, Q: 21},
	} {
		got, err := unit.ParseSpec(text)
		if err != nil || got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
		if back, err := unit.ParseSpec(got.String()); err != nil || back != got {
			t.Errorf("%s: %s does not read back", text, got)
		}
	}
	for text, want := range map[string]string{
		"spin":          "expected TYPE:N",
		"spun:3":        "unknown unit type",
		"spin:":         "not a whole number",
		"spin:2.5":      "not a whole number",
		"spin:0":        "expected between 1",
		"spin:-4":       "expected between 1",
		"spin:99999999": "expected between 1",
		"potts:7":       "number of states",
		"potts:7x1":     "q = 1",
		"potts:7x257":   "q = 257",
		"potts:7xy":     "not a whole number",
	} {
		if _, err := unit.ParseSpec(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", text, err, want)
		}
	}
}

// anySpec draws a layer shape.
func anySpec(t *rapid.T) unit.Spec {
	s := unit.Spec{Type: rapid.SampledFrom(unit.Types()).Draw(t, "type"), N: rapid.IntRange(1, 150).Draw(t, "n")}
	if s.Type == unit.Potts {
		s.Q = rapid.IntRange(2, unit.MaxQ).Draw(t, "q")
	}
	return s
}

// anyStates draws a batch of allowed values, and the values.
func anyStates(t *rapid.T) (*unit.States, [][]float64) {
	spec := anySpec(t)
	s := unit.NewStates(spec, rapid.IntRange(1, 5).Draw(t, "len"))
	values := make([][]float64, s.Len)
	for k := range values {
		values[k] = make([]float64, spec.N)
		for i := range values[k] {
			if spec.Type.Discrete() {
				values[k][i] = spec.StateValue(rapid.IntRange(0, spec.States()-1).Draw(t, "state"))
			} else if x := rapid.Float32Range(-1e3, 1e3).Draw(t, "x"); spec.Type == unit.ReLU {
				values[k][i] = math.Abs(float64(x))
			} else {
				values[k][i] = float64(x)
			}
		}
	}
	// In random order, so that a unit that disturbs another is noticed.
	for _, k := range rapid.Permutation(rows(s.Len)).Draw(t, "order") {
		s.SetValues(k, values[k])
	}
	return s, values
}

func rows(n int) []int {
	r := make([]int, n)
	for k := range r {
		r[k] = k
	}
	return r
}

// What is read is what was set, whichever way: values, rows, slices, clones.
func TestStatesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, values := anyStates(t)
		copied := unit.NewStates(s.Spec, s.Len)
		for k := range s.Len {
			copied.CopyRow(k, s, k)
		}
		others := map[string]*unit.States{"clone": s.Clone(), "rows": copied, "slice": s.Slice(0, s.Len)}
		for name, other := range others {
			if !other.Equal(s) {
				t.Fatalf("%s differs", name)
			}
		}
		x := make([]float64, s.N)
		for k := range values {
			s.Slice(k, s.Len).Values(x, 0)
			for i := range x {
				if x[i] != values[k][i] {
					t.Fatalf("unit %d of configuration %d is %g, want %g", i, k, x[i], values[k][i])
				}
				if low, high := s.Range(); x[i] < low || x[i] > high {
					t.Fatalf("%s: the value %g is outside its range, %g to %g", s.Spec, x[i], low, high)
				}
				if c, factor := s.Channel(i, x[i]); c/s.Channels() != i || factor != x[i] && s.Channels() == 1 {
					t.Fatalf("%s: the value %g of unit %d acts by %g on channel %d", s.Spec, x[i], i, factor, c)
				}
				if s.Type.Discrete() && s.StateValue(s.StateIndex(x[i])) != x[i] {
					t.Fatalf("state index of %g", x[i])
				}
			}
		}
	})
}

func FuzzParseSpec(f *testing.F) {
	const huge = "potts:99999999999999999999x2"
	for _, text := range []string{"spin:16", "potts:27x20", "relu:-1", "potts:3", ":x", huge} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		spec, err := unit.ParseSpec(text)
		if err != nil {
			return
		}
		if err := spec.Check(); err != nil {
			t.Errorf("%q read as %+v, but %v", text, spec, err)
		}
		if back, err := unit.ParseSpec(spec.String()); err != nil || back != spec {
			t.Errorf("%q read as %v, which reads back as %v, %v", text, spec, back, err)
		}
	})
}
