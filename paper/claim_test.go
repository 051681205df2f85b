package paper

import (
	"math"
	"testing"
)

func TestMeasuredString(t *testing.T) {
	for want, m := range map[string]Measured{
		"0.0263061":       {Value: 0.02630610651657},
		"748.2 ± 3.1":     {Value: 748.21, Error: 3.08},
		"0.422 ± 0.030":   {Value: 0.4221, Error: 0.0302},
		"1.46 ± 0.27":     {Value: 1.4583, Error: 0.2705},
		"1.5e+05 ± 2e+04": {Value: 150000, Error: 20000},
		"120 ± 33":        {Value: 120, Error: 33},
	} {
		if got := m.String(); got != want {
			t.Errorf("%g ± %g is written %q, want %q", m.Value, m.Error, got, want)
		}
	}
}

func TestClaimsMustBeWhole(t *testing.T) {
	whole := Claim{Name: "n", Where: "w", Statement: "s", Criterion: "c", Measured: []Measured{{Name: "x", Value: 1}}, Verdict: Holds}
	if err := whole.check(); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*Claim){
		"statement":  func(c *Claim) { c.Statement = "" },
		"verdict":    func(c *Claim) { c.Verdict = "maybe" },
		"correction": func(c *Claim) { c.Verdict = Corrected },
		"number":     func(c *Claim) { c.Measured = []Measured{{Name: "x", Value: math.NaN()}} },
	} {
		c := whole
		spoil(&c)
		if c.check() == nil {
			t.Errorf("a claim without its %s was taken", name)
		}
	}
}
