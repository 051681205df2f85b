package verdict

import (
	"math"
	"testing"
)

func TestMeasuredString(t *testing.T) {
	for want, m := range map[string]Measured{
		"0.0263061":            {Value: 0.02630610651657},
		"748.2 ± 3.1":          {Value: 748.21, Error: 3.08},
		"0.422 ± 0.030":        {Value: 0.4221, Error: 0.0302},
		"1.46 ± 0.27":          {Value: 1.4583, Error: 0.2705},
		"−6.7584 ± 0.0053":     {Value: -6.75842, Error: 0.00528488},
		"150,000 ± 20,000":     {Value: 150000, Error: 20000},
		"120 ± 33":             {Value: 120, Error: 33},
		"1230 ± 120":           {Value: 1234, Error: 123},
		"0.50 ± 0.10":          {Value: 0.5, Error: 0.0996}, // its second digit after rounding
		"0 ± 0.0083":           {Value: 0, Error: 0.0083333},
		"(3.1 ± 1.2)·10⁻⁸":     {Value: 3.14e-8, Error: 1.2e-8},
		"(0.1 ± 1.2)·10⁻⁸":     {Value: 1e-9, Error: 1.2e-8},
		"(1.500 ± 0.020)·10¹²": {Value: 1.5e12, Error: 2e10},
		"8.3·10⁻¹⁷":            {Value: 8.326672684688674e-17},
		"−2.2·10⁻¹⁶":           {Value: -2.220446049250313e-16},
		"3.07295·10⁻⁹":         {Value: 3.0729490757552824e-09},
		"103,346":              {Value: 103346},
		"4,960,608":            {Value: 4960608},
		"8128":                 {Value: 8128},
		"−2":                   {Value: -2},
		"0":                    {},
		"5.7996·10⁸":           {Value: 579960000.5},
		"7186.21":              {Value: 7186.207464432442},
		"92,267.2":             {Value: 92267.2},
		"0.00017":              {Value: 0.00017},
		"2.5·10¹²":             {Value: 2.5e12},
	} {
		if got := m.String(); got != want {
			t.Errorf("%g ± %g is written %q, want %q", m.Value, m.Error, got, want)
		}
	}
}

func TestClaimsMustBeWhole(t *testing.T) {
	whole := Claim{Name: "n", Where: "w", Statement: "s", Criterion: "c", Measured: []Measured{{Name: "x", Value: 1}},
		Verdict: Holds}
	if err := whole.Check(); err != nil {
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
		if c.Check() == nil {
			t.Errorf("a claim without its %s was taken", name)
		}
	}
}
