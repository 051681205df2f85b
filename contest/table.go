package contest

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"instanton/mixing"
)

// Contest is the outcome: one row per sampler.
type Contest struct {
	Modes      []string `json:"modes"`
	Starts     []string `json:"starts"` // places from which runs started
	Runs       int      `json:"runs"`
	Beta       float64  `json:"beta"`
	Rows       []*Row   `json:"rows"`
	Conclusion string   `json:"conclusion"`
}

// Table returns the header and the cells of the outcome. Rows of samplers that did not run are left out.
func (c *Contest) Table() (head []string, rows [][]string) {
	head = []string{"sampler", "mixed", "R-hat", "mode ESS per 10⁵ AGS", "per second", "setup (s)", "transitions"}
	ladders := slices.ContainsFunc(c.Rows, func(r *Row) bool { return r.RoundTrips != nil })
	if ladders {
		head = append(head, "round trips")
	}
	head = append(head, shownModes(c.Modes)...)
	for _, r := range c.ran() {
		mixed := "no"
		if r.Mixed {
			mixed = "yes"
		}
		cells := []string{r.Sampler, mixed, number(r.RHat, 4), number(r.ModeESSPer1e5, 3), number(r.ModeESSPerSec, 3),
			fmt.Sprintf("%.2g", r.SetupSeconds), thousands(float64(r.Transitions))}
		if r.SetupSeconds < 0.005 {
			cells[5] = "0"
		}
		if ladders {
			trips := "–"
			if r.RoundTrips != nil {
				trips = thousands(float64(*r.RoundTrips))
			}
			cells = append(cells, trips)
		}
		for a := range shownModes(c.Modes) {
			cells = append(cells, Weight(r.Occupancies[a], r.OccupancyErrors[a]))
		}
		rows = append(rows, cells)
	}
	return head, rows
}

// ran are the rows of samplers that ran.
func (c *Contest) ran() (rows []*Row) {
	for _, r := range c.Rows {
		if r.Error == "" {
			rows = append(rows, r)
		}
	}
	return rows
}

// WriteTable writes the outcome as a Markdown table, followed by what the table has no room for and the conclusion.
func (c *Contest) WriteTable(w io.Writer) error {
	head, rows := c.Table()
	lines := []string{line(head), "|" + strings.Repeat("---|", len(head))}
	for _, cells := range rows {
		lines = append(lines, line(cells))
	}
	for _, text := range append(c.Notes(), c.Conclusion) {
		if text != "" {
			lines = append(lines, "", text)
		}
	}
	_, err := fmt.Fprintln(w, strings.Join(lines, "\n"))
	return err
}

// Notes say what is not in the table: samplers that did not run, what was fitted, trapped runs, modes left out.
func (c *Contest) Notes() (notes []string) {
	for _, r := range c.Rows {
		switch {
		case r.Error != "":
			notes = append(notes, fmt.Sprintf("%s did not run: %s.", r.Sampler, strings.TrimSuffix(r.Error, ".")))
		case r.About != "":
			notes = append(notes, fmt.Sprintf("%s: %s.", r.Sampler, r.About))
		}
		if r.Trapped > 0 {
			notes = append(notes, fmt.Sprintf("%s: %d of %d runs never changed mode, though the others did, often.",
				r.Sampler, r.Trapped, c.Runs))
		}
	}
	if more := len(c.Modes) - len(shownModes(c.Modes)); more > 0 {
		notes = append(notes, fmt.Sprintf("%d further modes are not shown.", more))
	}
	return notes
}

// Conclude sets the conclusion: which sampler is best, and which have not mixed.
func (c *Contest) Conclude() {
	rows := c.ran()
	var best *Row
	var stuck []string
	for _, r := range rows {
		switch {
		case !r.Mixed:
			stuck = append(stuck, r.Sampler)
		case best == nil || r.ModeESSPerSec > best.ModeESSPerSec:
			best = r
		}
	}
	switch {
	case len(rows) == 0:
		c.Conclusion = "No sampler ran."
	case best == nil && len(rows) == 1:
		c.Conclusion = fmt.Sprintf("%s has not mixed: its runs disagree on the weights of the modes.", rows[0].Sampler)
	case best == nil:
		c.Conclusion = "None of the samplers has mixed: their runs disagree on the weights of the modes."
	default:
		c.Conclusion = fmt.Sprintf("Use %s: its chains mix, and one second of them is worth %s independent draws of "+
			"the mode", best.Sampler, number(best.ModeESSPerSec, 2))
		if best.SetupSeconds >= 0.1 {
			c.Conclusion += fmt.Sprintf(", after %.2g s of preparation", best.SetupSeconds)
		}
		c.Conclusion += "."
		if verb := "has"; len(stuck) > 0 {
			if len(stuck) > 1 {
				verb = "have"
			}
			c.Conclusion += fmt.Sprintf(" %s %s not mixed.", list(stuck), verb)
		}
	}
}

// list joins names as a sentence does.
func list(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// shownModes are the modes whose weights a table has room for.
func shownModes(names []string) []string { return names[:min(len(names), 4)] }

func line(cells []string) string { return "| " + strings.Join(cells, " | ") + " |" }

// number shows digits significant digits, and a dash for what is not known.
func number(x mixing.Number, digits int) string {
	v := float64(x)
	switch {
	case math.IsInf(v, 1):
		return "∞"
	case math.IsNaN(v) || math.IsInf(v, 0):
		return "–"
	case v >= 100:
		unit := math.Pow(10, math.Floor(math.Log10(v))-float64(digits-1))
		return thousands(math.Round(v/unit) * unit)
	}
	return fmt.Sprintf("%.*g", digits, v)
}

// thousands writes a whole number with commas.
func thousands(x float64) string {
	text := fmt.Sprintf("%.0f", x)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

// Weight shows the weight of a mode with its error, to the error's second digit.
func Weight(share, err mixing.Number) string {
	if v := float64(err); !(v > 0) || math.IsInf(v, 0) {
		return number(share, 3)
	}
	digits := min(6, max(1, 1-int(math.Floor(math.Log10(float64(err))))))
	return fmt.Sprintf("%.*f ± %.*f", digits, float64(share), digits, float64(err))
}
