package verdict

import (
	"fmt"
	"io"
	"strings"
)

// markdown writes claims.md: the claims as a table for a page of text, such as docs/reproduction.md.
func (s *Summary) markdown(w io.Writer) error {
	var b strings.Builder
	b.WriteString("| figure | claim, in our words | measured | verdict |\n|---|---|---|---|\n")
	cell := strings.NewReplacer("|", `\|`, "\n", " ").Replace
	for _, c := range s.Claims {
		text := c.Statement
		for _, a := range c.Asides() {
			text += fmt.Sprintf(" *%s:* %s", a.Heading, a.Text)
		}
		var numbers []string
		for _, m := range c.Measured {
			numbers = append(numbers, m.Name+" "+m.String())
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", c.Figure, cell(text), cell(strings.Join(numbers, "; ")), c.Verdict)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
