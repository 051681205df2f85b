package main

import (
	"errors"
	"fmt"
	"testing"
)

func TestHint(t *testing.T) {
	for _, h := range hints {
		if got := hint(usage(fmt.Errorf("file: %w", h.err))); got != h.words {
			t.Errorf("hint for %q: %q, want %q", h.err, got, h.words)
		}
	}
	if got := hint(errors.New("other")); got != "" {
		t.Errorf("hint for another error: %q", got)
	}
}
