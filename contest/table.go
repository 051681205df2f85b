package contest

import (
	"fmt"
	"io"
	"math"
	"strings"

	"instanton/mixing"
)

// Contest is the outcome: one row per sampler.
type Contest struct {
	Modes  []string `json:"modes"`
	Starts []string `json:"starts"` // places from which runs started
	Runs   int      `json:"runs"`
	Rows   []*Row   `json:"rows"`
}

// WriteTable writes the outcome as a Markdown table.
func (c *Contest) WriteTable(w io.Writer) error {
	head := []string{"sampler", "mixed", "R-hat", "mode ESS per 10⁵ AGS", "per second", "setup (s)", "transitions"}
	head = append(head, shownModes(c.Modes)...)
	lines := []string{line(head), "|" + strings.Repeat("---|", len(head))}
	for _, r := range c.Rows {
		cells := []string{r.Sampler}
		if r.Error != "" {
			lines = append(lines, line(append(cells, "did not run: "+r.Error)))
			continue
		}
		mixed := "no"
		if r.Mixed {
			mixed = "yes"
		}
		cells = append(cells, mixed, number(r.RHat, 4), number(r.ModeESSPer1e5, 3), number(r.ModeESSPerSec, 3),
			fmt.Sprintf("%.2g", r.SetupSeconds), fmt.Sprint(r.Transitions))
		for a := range shownModes(c.Modes) {
			cells = append(cells, number(r.Occupancies[a], 3)+" ± "+number(r.OccupancyErrors[a], 1))
		}
		lines = append(lines, line(cells))
	}
	_, err := fmt.Fprintln(w, strings.Join(lines, "\n"))
	return err
}

// shownModes are the modes whose weights a table has room for.
func shownModes(names []string) []string { return names[:min(len(names), 4)] }

func line(cells []string) string { return "| " + strings.Join(cells, " | ") + " |" }

// number shows digits significant digits, and a dash for what is not known.
func number(x mixing.Number, digits int) string {
	if v := float64(x); math.IsNaN(v) || math.IsInf(v, 0) {
		return "–"
	}
	return fmt.Sprintf("%.*g", digits, float64(x))
}
