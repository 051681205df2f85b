package verdict

import (
	"fmt"
	"slices"
	"strings"

	"instanton/internal/special"
	"instanton/report"
)

// Verdict is what became of a claim.
type Verdict string

// The verdicts. A claim holds with a correction when what the paper says is right in essence, with
// another number, formula or condition, which Correction gives. It fails when it is wrong as a whole;
// Correction may then say what was found instead. It is open when the numbers decide neither way, or
// differently with another seed; Needs then says what it would take.
const (
	Holds     Verdict = report.Holds
	Fails     Verdict = report.Fails
	Corrected Verdict = report.HoldsCorrected
	Open      Verdict = "open"
)

// verdicts are all of them.
var verdicts = []Verdict{Holds, Corrected, Fails, Open}

// Judge is the verdict of a criterion that is met or not.
func Judge(met bool) Verdict {
	if met {
		return Holds
	}
	return Fails
}

// JudgeOr is the verdict of a claim that may need a correction: what is printed is judged first, then what the
// correction says.
func JudgeOr(printed, corrected bool) Verdict {
	switch {
	case printed:
		return Holds
	case corrected:
		return Corrected
	}
	return Fails
}

// Asides are what is to be said of a claim beside its statement: what holds instead, what would decide it, why it
// cannot fail.
func (c Claim) Asides() (all []Aside) {
	for _, a := range []Aside{{"Instead", c.Correction}, {"To decide it", c.Needs},
		{"A check of the code", c.Tautology}} {
		if a.Text != "" {
			all = append(all, a)
		}
	}
	return all
}

// Aside is a remark and its heading.
type Aside struct{ Heading, Text string }

// Claim is something the paper says, and what was found.
type Claim struct {
	Figure     string     `json:"figure"` // filled in by Make
	Name       string     `json:"name"`
	Where      string     `json:"where"`     // the place in the paper
	Statement  string     `json:"statement"` // what the paper says
	Criterion  string     `json:"criterion"` // what the verdict demands
	Measured   []Measured `json:"measured"`
	Verdict    Verdict    `json:"verdict"`
	Correction string     `json:"correction,omitempty"` // what holds instead
	Needs      string     `json:"needs,omitempty"`      // what it would take to decide an open claim
	// Tautology says why a claim cannot fail but by a fault of the code, empty for one that can.
	Tautology  string `json:"tautology,omitempty"`
	Regenerate string `json:"regenerate"` // filled in by Make
}

// Measured is a number behind a claim, with its standard error, 0 for one without.
type Measured struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Error float64 `json:"error,omitempty"`
}

// String writes the value and its error.
func (m Measured) String() string {
	if m.Error > 0 {
		return measured(m.Value, m.Error)
	}
	return Number(m.Value, 6)
}

// Numbers writes all that was measured, for a line of text.
func (c Claim) Numbers() string {
	var parts []string
	for _, m := range c.Measured {
		parts = append(parts, m.Name+" "+m.String())
	}
	return strings.Join(parts, ", ")
}

// Check refuses a claim that says nothing or cannot be written.
func (c Claim) Check() error {
	switch {
	case c.Name == "" || c.Statement == "" || c.Criterion == "" || c.Where == "":
		return fmt.Errorf("claim %q lacks its name, place, statement or criterion", c.Name)
	case len(c.Measured) == 0:
		return fmt.Errorf("claim %q rests on no number", c.Name)
	case !slices.Contains(verdicts, c.Verdict):
		return fmt.Errorf("claim %q has the verdict %q: expected one of %q", c.Name, c.Verdict, verdicts)
	case c.Verdict == Corrected && c.Correction == "":
		return fmt.Errorf("claim %q holds with a correction and does not say which", c.Name)
	case c.Verdict == Open && c.Needs == "":
		return fmt.Errorf("claim %q is open and does not say what it would take to decide it", c.Name)
	}
	for _, m := range c.Measured {
		if !special.Finite(m.Value) || !special.Finite(m.Error) {
			return fmt.Errorf("claim %q: %s is %g ± %g: expected finite numbers", c.Name, m.Name, m.Value, m.Error)
		}
	}
	return nil
}

// Count is the number of claims with each verdict, as a phrase.
func Count(claims []Claim) string {
	n, checks := map[Verdict]int{}, 0
	for _, c := range claims {
		n[c.Verdict]++
		if c.Tautology != "" {
			checks++
		}
	}
	claim := "claims"
	if len(claims) == 1 {
		claim = "claim"
	}
	text := fmt.Sprintf("%d %s: %d hold, %d with a correction, %d fail", len(claims), claim, n[Holds], n[Corrected],
		n[Fails])
	if n[Open] > 0 {
		text += fmt.Sprintf(", %d open", n[Open])
	}
	switch {
	case checks == 1:
		text += "; 1 of them is a check of the code"
	case checks > 1:
		text += fmt.Sprintf("; %d of them are checks of the code", checks)
	}
	return text
}
