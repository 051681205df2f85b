package architecture

import (
	"go/ast"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	columns = 120
	tab     = 4
)

// TestLines checks that lines end by the last column.
func TestLines(t *testing.T) {
	for _, s := range sources(t) {
		if ast.IsGenerated(s.file) {
			continue
		}
		number := 0
		for line := range strings.Lines(s.text) {
			number++
			line = strings.TrimRight(line, "\r\n")
			if width := utf8.RuneCountInString(line) + (tab-1)*strings.Count(line, "\t"); width > columns {
				t.Errorf("%s:%d ends at column %d, expected at most %d (with tabs of %d)", s.name, number, width,
					columns, tab)
			}
		}
	}
}
