// Package progress shows the progress of long work: one line that is rewritten on a terminal, a new line now and then
// elsewhere.
package progress

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"
)

// Line reports on one piece of work.
type Line struct {
	w        io.Writer
	terminal bool
	what     string
	total    int
	start    time.Time
	began    int // steps done before this process
	last     time.Time
	now      func() time.Time
}

// Shortest times between lines.
const (
	onTerminal = 100 * time.Millisecond
	elsewhere  = 10 * time.Second
)

// New starts a line for work with a total number of steps, of which some are done; a total of zero is not known. It
// writes nothing if w is nil.
func New(w io.Writer, what string, done, total int) *Line {
	l := &Line{w: w, what: what, total: total, began: done, now: time.Now}
	if f, ok := w.(*os.File); ok {
		l.terminal = term.IsTerminal(int(f.Fd()))
	}
	l.start = l.now()
	l.last = l.start
	return l
}

// Set reports the number of steps done.
func (l *Line) Set(done int) {
	if l.w == nil {
		return
	}
	now := l.now()
	every := elsewhere
	if l.terminal {
		every = onTerminal
	}
	if now.Sub(l.last) < every {
		return
	}
	l.last = now
	rate := float64(done-l.began) / now.Sub(l.start).Seconds()
	text := fmt.Sprintf("%s: %d of %d", l.what, done, l.total)
	if l.total == 0 {
		text = fmt.Sprintf("%s: %d, %s per second", l.what, done, short(rate))
	} else if rate > 0 {
		left := time.Duration(float64(l.total-done) / rate * float64(time.Second))
		text += fmt.Sprintf(", %s per second, %s left", short(rate), left.Round(time.Second))
	}
	if l.terminal {
		fmt.Fprintf(l.w, "\r\x1b[K%s", text)
	} else {
		fmt.Fprintln(l.w, text)
	}
}

// Close removes the line from the terminal.
func (l *Line) Close() {
	if l.w != nil && l.terminal {
		fmt.Fprint(l.w, "\r\x1b[K")
	}
}

// short formats a rate with three digits.
func short(x float64) string {
	if x >= 1000 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.3g", x)
}
