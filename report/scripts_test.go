package report

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestScripts(t *testing.T) {
	for text, want := range map[string]string{
		"√N W_i → w":                 "√N W<sub>i</sub> → w",
		"2^(L+1) − 2":                "2<sup>L+1</sup> − 2",
		"M·2^(M-2) = 16":             "M·2<sup>M−2</sup> = 16",
		"P_nat > 0.99":               "P<sub>nat</sub> &gt; 0.99",
		"Δe_MH < Δf":                 "Δe<sub>MH</sub> &lt; Δf",
		"E_{eff, β} and x^{a<b}":     "E<sub>eff, β</sub> and x<sup>a&lt;b</sup>",
		"⟨(h_μ − w m_μ)²⟩":           "⟨(h<sub>μ</sub> − w m<sub>μ</sub>)²⟩",
		"h_μ^2, (a+b)^2, 10^-5":      "h<sub>μ</sub><sup>2</sup>, (a+b)<sup>2</sup>, 10<sup>−5</sup>",
		"log_z_lower and log_z":      "log_z_lower and log_z",
		"/data/a_b/c and a_b_c":      "/data/a_b/c and a_b_c",
		"x_<b>":                      "x_&lt;b&gt;",
		"a^ b_ _c ^d {x}":            "a^ b_ _c ^d {x}",
		"the image's <b>class</b> &": "the image&#39;s &lt;b&gt;class&lt;/b&gt; &amp;",
	} {
		if got := string(scripts(text)); got != want {
			t.Errorf("%q is set as %q, want %q", text, got, want)
		}
	}
}

// Whatever the text, no other element comes in and those that do are closed.
func TestScriptsAreSafe(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune(`aμ2_^{}()<>&"'/-−;# .*`))).Draw(t, "text")
		got := string(scripts(text))
		for _, tag := range []string{"sub", "sup"} {
			if strings.Count(got, "<"+tag+">") != strings.Count(got, "</"+tag+">") {
				t.Errorf("%q is set as %q", text, got)
			}
			got = strings.NewReplacer("<"+tag+">", "", "</"+tag+">", "").Replace(got)
		}
		if strings.ContainsAny(got, `<>"'`) {
			t.Errorf("%q leaves %q", text, got)
		}
	})
}
