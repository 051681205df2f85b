package main

import (
	"errors"
	"fmt"
	"testing"

	"instanton/train"
)

func TestHint(t *testing.T) {
	for _, h := range hints {
		if got := hint(usage(fmt.Errorf("file: %w", h.err))); got != h.words {
			t.Errorf("hint for %q: %q, want %q", h.err, got, h.words)
		}
	}
	diverged := &train.Divergence{Remedies: []train.Remedy{train.SmallerRate, train.MoreSweeps}}
	if got := hint(fmt.Errorf("%w (a chain)", diverged)); got != " (--lr, --k)" {
		t.Errorf("hint for a divergence: %q", got)
	}
	if got := hint(errors.New("other")); got != "" {
		t.Errorf("hint for another error: %q", got)
	}
}
