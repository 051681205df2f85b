package verdict

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// The report begins with counts and with what does not hold as printed; the rest is folded, and each claim leads
// to its figure.
func TestPageOrder(t *testing.T) {
	s := newSummary(Settings{Quick: true}, "report.html")
	claim := func(name string, v Verdict) Claim {
		return Claim{Figure: "fig-a", Name: name, Where: "here", Statement: "The claim " + name + ".",
			Criterion: "W_i < 1", Measured: []Measured{{Name: "x", Value: -1e-20}}, Verdict: v,
			Correction: map[bool]string{true: "otherwise."}[v == Corrected]}
	}
	s.add(&Finished{Name: "fig-a", Title: "A", Claims: []Claim{claim("one", Holds), claim("two", Corrected),
		claim("three", Fails)}, Missing: "the data are out",
		Shown: []StoredTable{{Header: []string{"x", "error"}, Rows: [][]string{{"-0.123456", "0.0123456"}}}}})
	page, err := s.page(Options{}.command)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := page.Write(&b); err != nil {
		t.Fatal(err)
	}
	rest := b.String()
	for _, want := range []string{
		"smaller images", "<b>1</b>", "fails", "holds with a correction", "as it is printed", // the counts
		"The claim three.", `href="#fig-a"`, "data missing", "the data are out", "The claim two. Instead: otherwise.",
		"<details>", "hold as they are printed: 1", "The claim one.", "</details>",
		`<section id="fig-a">`, `A <code class="name">fig-a</code>`, "−0.123<", "0.012<", "here: The claim one.",
		"−1·10⁻²⁰", "Criterion: W<sub>i</sub> &lt; 1",
	} {
		at := strings.Index(rest, want)
		if at < 0 {
			t.Fatalf("the report lacks %q, or has it before its place", want)
		}
		rest = rest[at:]
	}
}

func TestCovered(t *testing.T) {
	at := func(s int) time.Time { return time.Unix(int64(s), 0) }
	if got := covered([][2]time.Time{{at(20), at(25)}, {at(0), at(10)}, {at(3), at(5)},
		{at(8), at(12)}}); got != 17*time.Second {
		t.Errorf("%v, want 17s", got)
	}
}
