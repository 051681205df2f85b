package architecture

import (
	"go/ast"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	columns   = 120
	tab       = 4
	longLines = 36 // lines still beyond the last column; lower it as they go
)

// TestLines holds lines to the width of the page, those of generated files excepted.
func TestLines(t *testing.T) {
	count := 0
	for _, s := range sources(t) {
		if ast.IsGenerated(s.file) {
			continue
		}
		number := 0
		for line := range strings.Lines(s.text) {
			number++
			line = strings.TrimRight(line, "\r\n")
			if width := utf8.RuneCountInString(line) + (tab-1)*strings.Count(line, "\t"); width > columns {
				count++
				t.Logf("%s:%d: %d columns", s.name, number, width)
			}
		}
	}
	if count > longLines {
		t.Errorf("%d lines end beyond column %d (with tabs of %d), expected at most %d", count, columns, tab, longLines)
	}
}
