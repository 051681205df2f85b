package progress

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestPlainLines(t *testing.T) {
	var out bytes.Buffer
	l := New(&out, "sweeps", 100, 1100)
	clock := l.start
	l.now = func() time.Time { return clock }
	for step := range 25 { // one second and 20 steps at a time
		clock = clock.Add(time.Second)
		l.Set(100 + 20*(step+1))
	}
	l.Close()
	want := "sweeps: 300 of 1100, 20 per second, 40s left\nsweeps: 500 of 1100, 20 per second, 30s left\n"
	if out.String() != want {
		t.Errorf("wrote %q, want %q", out.String(), want)
	}
}

func TestTerminalLine(t *testing.T) {
	var out bytes.Buffer
	l := New(&out, "sweeps", 0, 10)
	l.terminal = true
	clock := l.start
	l.now = func() time.Time { return clock }
	for step := range 3 {
		clock = clock.Add(time.Second)
		l.Set(step + 1)
	}
	l.Close()
	if got := out.String(); strings.Count(got, "\r") != 4 || strings.Contains(got, "\n") ||
		!strings.HasSuffix(got, "\r\x1b[K") {
		t.Errorf("wrote %q", got)
	}
}

func TestQuiet(t *testing.T) {
	l := New(nil, "sweeps", 0, 10)
	l.Set(5)
	l.Close()
}
