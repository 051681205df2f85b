package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// likelyCommand asks whether a command with a similar name was meant; empty if there is none.
func likelyCommand(c *cobra.Command, name string) string {
	var names []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	if best := closest(name, names); best != "" {
		return fmt.Sprintf("; did you mean %q?", best)
	}
	return ""
}

// likelyFlag is likelyCommand for an unknown flag.
func likelyFlag(c *cobra.Command, err error) string {
	name, unknown := strings.CutPrefix(err.Error(), "unknown flag: --")
	if !unknown {
		return ""
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if best := closest(name, names); best != "" {
		return fmt.Sprintf("; did you mean --%s?", best)
	}
	return ""
}

// closest is the name that takes fewest changes, if these are at most a third of its letters; a beginning of one name
// alone also counts.
func closest(text string, names []string) string {
	best, least := "", len(text)+1
	for _, name := range names {
		if d := edits(text, name); d < least && 3*d <= max(len(name), 3) {
			best, least = name, d
		}
	}
	if best == "" && len(text) > 1 {
		for _, name := range names {
			if strings.HasPrefix(name, text) {
				if best != "" {
					return ""
				}
				best = name
			}
		}
	}
	return best
}

// edits is the number of letters to insert, delete, replace or exchange with a neighbour to get from a to b.
func edits(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range b {
		rows[0][j+1] = j + 1
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			replace := rows[i-1][j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, replace)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
