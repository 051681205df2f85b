package theory

import (
	"strings"
	"testing"
)

// wantSentence fails unless the error mentions a phrase.
func wantSentence(t testing.TB, err error, phrase string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error, want one that says %q", phrase)
	} else if !strings.Contains(err.Error(), phrase) {
		t.Errorf("error %q does not say %q", err, phrase)
	}
}
