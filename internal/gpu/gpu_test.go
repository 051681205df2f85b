package gpu

import (
	"errors"
	"strings"
	"testing"
)

// Where there is no GPU, the reason is one sentence.
func TestOpenWithoutGPU(t *testing.T) {
	_, err := Open(0)
	if err == nil {
		t.Skip("there is a GPU")
	}
	if !errors.Is(err, ErrNone) || strings.Contains(err.Error(), "\n") {
		t.Errorf("the error is %q, expected one line that begins with %q", err, ErrNone)
	}
}

func TestOutOfMemorySaysHowMuch(t *testing.T) {
	err := outOfMemory(3<<30, 200<<20)
	for _, want := range []string{"3 GiB were asked for", "200 MiB are free", "fewer chains"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not say %q", err, want)
		}
	}
}
