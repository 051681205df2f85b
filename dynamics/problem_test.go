package dynamics

import (
	"flag"
	"math"
	"os"
	"strings"
	"testing"
)

// Property tests draw the same models in every run; -rapid.seed overrides.
func TestMain(m *testing.M) {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "rapid.seed" })
	if !given {
		_ = flag.Set("rapid.seed", "20240229")
		_ = flag.Set("rapid.nofailfile", "true")
	}
	os.Exit(m.Run())
}

func must[T any](t testing.TB) func(T, error) T {
	return func(x T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
}

// near fails unless got agrees with want to the absolute tolerance.
func near(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %.16g, want %.16g within %g", what, got, want, tolerance)
	}
}

// wantSentence fails unless the error mentions a phrase.
func wantSentence(t testing.TB, err error, phrase string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error, want one that says %q", phrase)
	} else if !strings.Contains(err.Error(), phrase) {
		t.Errorf("error %q does not say %q", err, phrase)
	}
}
