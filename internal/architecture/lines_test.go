package architecture

import (
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	columns   = 120
	tab       = 4
	longLines = 104 // lines still beyond the last column; lower it as they go
)

// TestLines checks that lines end by the last column.
func TestLines(t *testing.T) {
	count := 0
	for _, s := range sources(t) {
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
